/** "Rank … needs …", and so do the best … % and a tier, by `getThreshold`. Cost: that of the call. */
import { useState } from "preact/hooks";
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
  const [by, setBy] = useState("rank");
  const { tiers = [] } = definition;
  const isNumber = by in ways;
  const ask = async (form: FormData) => {
    const of = segment === undefined ? seasonKey : { ...seasonKey, ...askedOf(segment) };
    const found = await call("getThreshold", { ...of, ...wanted(by, form) });
    return { text: neededText(definition, found, by !== "rank") };
  };
  return (
    <Ask button="What does it need?" ask={ask}>
      <label class="field">
        <span class="field-name">To reach</span>
        <select class="input" value={by} onChange={({ currentTarget }) => setBy(currentTarget.value)}>
          {Object.entries(ways).map(([way, { name }]) => (
            <option key={way} value={way}>
              {name}
            </option>
          ))}
          {tiers.map(({ name }) => (
            <option key={name} value={`${ofTier}${name}`}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {isNumber && (
        <label class="field">
          <span class="field-name">{ways[by as Way].unit}</span>
          <input
            key={by}
            class="input numbers"
            type="number"
            name="number"
            {...ways[by as Way].bounds}
            required
          />
        </label>
      )}
    </Ask>
  );
}

/** What is asked for by a number; what else is chosen is a tier. */
const ways = {
  rank: { name: "a rank", unit: "Rank", bounds: { min: 1, step: 1 } },
  best: { name: "the best … %", unit: "Percent", bounds: { min: 0, max: 100, step: "any" } },
} as const;
type Way = keyof typeof ways;
const ofTier = "tier ";

function wanted(by: string, form: FormData) {
  if (by.startsWith(ofTier)) return { tier: by.slice(ofTier.length) };
  const number = Number(form.get("number"));
  return by === "rank" ? { rank: number } : { percentile: 100 - number };
}

function neededText(
  definition: Definition,
  { score, columns, exact, score_worst: worst, rank, players }: ThresholdAnswer,
  saysRank: boolean,
): string {
  if (score === null) return `Any score: ${formatCount(players)} are ranked.`;
  const named = (definition.columns ?? []).flatMap(({ name }) => {
    const value = columns?.[name];
    return value === undefined ? [] : [`${columnTitle(name)} ${formatScore(value)}`];
  });
  const needed = named.length > 0 ? named.join(", ") : formatScore(score);
  const forRank = saysRank ? `, for rank ${formatCount(rank)} of ${formatCount(players)}` : "";
  if (exact) return `It needs ${needed}${forRank}.`;
  const isBounded = worst !== undefined && worst !== null && named.length === 0;
  return `${needed} is enough${isBounded ? `; worse than ${formatScore(worst)} is not` : ""}${forRank}.`;
}
