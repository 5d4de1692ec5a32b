/** "A score of … ranks …", without a function call. Cost: that of the client's `rankOf`; in a segment that of `getRank`. */
import { rankOf } from "../../../client/src/rank-of.ts";
import type { Rank } from "../../../functions/src/model/answers.ts";
import type { Column, ColumnValues } from "../../../functions/src/model/columns.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { scoreSizeMax } from "../../../functions/src/model/limits.ts";
import { boardOf, call } from "../data/calls.ts";
import { firestore } from "../firebase/firestore.ts";
import { formatCount, formatPercent } from "../format/numbers.ts";
import { columnTitle } from "../season/entries-table.tsx";
import { askedOf } from "../season/segment.ts";
import type { SeasonProps } from "../season/state.ts";
import { useSegment } from "../season/use-segment.ts";
import { Ask } from "./ask.tsx";

type Props = SeasonProps & { definition: Definition; onScore: (score: number | undefined) => void };

export function ScoreRank({ seasonKey, definition, onScore }: Props) {
  const segment = useSegment();
  const ask = async (form: FormData) => {
    const score = scoreIn(definition, form);
    const named = typeof score === "number" ? { score } : { columns: score };
    const rank =
      segment === undefined
        ? await rankOf({ ...boardOf(seasonKey), firestore: firestore() }, score)
        : await call("getRank", { ...seasonKey, ...askedOf(segment), ...named });
    return { text: rankText(rank), score: rank.score };
  };
  return (
    <Ask button="Where does it rank?" ask={ask} onScore={onScore}>
      {(definition.columns ?? [undefined]).map((column) => (
        <ScoreField key={column?.name ?? "score"} column={column} />
      ))}
    </Ask>
  );
}

function ScoreField({ column }: { column: Column | undefined }) {
  return (
    <label class="field">
      <span class="field-name">{column === undefined ? "A score of" : columnTitle(column.name)}</span>
      <input
        class="input"
        type="number"
        name={column?.name ?? "score"}
        min={column?.min ?? -scoreSizeMax}
        max={column?.max ?? scoreSizeMax}
        step={column === undefined ? "any" : 1}
        required
      />
    </label>
  );
}

/** The score in a form, or its columns. */
function scoreIn({ columns }: Definition, form: FormData): number | ColumnValues {
  if (columns === undefined) return Number(form.get("score"));
  return Object.fromEntries(columns.map(({ name }) => [name, Number(form.get(name))]));
}

function rankText({ rank, exact, rank_best: best, rank_worst: worst, players, percentile }: Rank): string {
  if (players === 0) return "Nobody is ranked now.";
  const place = exact
    ? `It ranks ${formatCount(rank)}`
    : `It ranks about ${formatCount(rank)} (${formatCount(best)} to ${formatCount(worst)})`;
  return `${place} of ${formatCount(players)}: ${formatPercent(percentile)} of the others are not better.`;
}
