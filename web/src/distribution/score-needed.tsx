/** "Rank … needs …", by `getThreshold`. Cost: that of the call. */
import type { ThresholdAnswer } from "../../../functions/src/model/answers.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { call } from "../data/calls.ts";
import { formatCount, formatScore } from "../format/numbers.ts";
import { columnTitle } from "../season/entries-table.tsx";
import { askedOf } from "../season/segment.ts";
import type { SeasonProps } from "../season/state.ts";
import { useSegment } from "../season/use-segment.ts";
import { Ask } from "./ask.tsx";

export function ScoreNeeded({ seasonKey, definition }: SeasonProps & { definition: Definition }) {
  const segment = useSegment();
  const ask = async (form: FormData) => {
    const of = segment === undefined ? seasonKey : { ...seasonKey, ...askedOf(segment) };
    const found = await call("getThreshold", { ...of, rank: Number(form.get("rank")) });
    return { text: neededText(definition, found) };
  };
  return (
    <Ask button="What does it need?" ask={ask}>
      <label class="field">
        <span class="field-name">Rank</span>
        <input class="input" type="number" name="rank" min={1} step={1} required />
      </label>
    </Ask>
  );
}

function neededText(
  definition: Definition,
  { score, columns, exact, score_worst: worst, players }: ThresholdAnswer,
): string {
  if (score === null) return `Any score: ${formatCount(players)} are ranked.`;
  const named = (definition.columns ?? []).flatMap(({ name }) => {
    const value = columns?.[name];
    return value === undefined ? [] : [`${columnTitle(name)} ${formatScore(value)}`];
  });
  const needed = named.length > 0 ? named.join(", ") : formatScore(score);
  if (exact) return `It needs ${needed}.`;
  const isBounded = worst !== undefined && worst !== null && named.length === 0;
  return `${needed} is enough${isBounded ? `; worse than ${formatScore(worst)} is not` : ""}.`;
}
