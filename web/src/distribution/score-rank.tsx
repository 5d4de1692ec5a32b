/** "A score of … ranks …", without a function call. Cost: that of the client's `rankOf`; in a segment that of `getRank`. */
import { useRef, useState } from "preact/hooks";
import { rankOf } from "../../../client/src/rank-of.ts";
import type { Rank } from "../../../functions/src/model/answers.ts";
import type { Column, ColumnValues } from "../../../functions/src/model/columns.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { scoreSizeMax } from "../../../functions/src/model/limits.ts";
import { boardOf, call } from "../data/calls.ts";
import { asError, codeOf } from "../errors.ts";
import { formatCount, formatPercent } from "../format/numbers.ts";
import { sending } from "../parts/fields.tsx";
import { problemText } from "../parts/states.tsx";
import { columnTitle } from "../season/entries-table.tsx";
import { askedOf } from "../season/segment.ts";
import type { SeasonProps } from "../season/state.ts";
import { useSegment } from "../season/use-segment.ts";

type Props = SeasonProps & { definition: Definition; onScore: (score: number | undefined) => void };

export function ScoreRank({ seasonKey, definition, onScore }: Props) {
  const [answer, setAnswer] = useState<{ text: string; isProblem: boolean } | undefined>(undefined);
  const segment = useSegment();
  /** The last request, as answers may arrive out of order. */
  const last = useRef(0);
  const tell = (question: number, score: number | undefined, text: string) => {
    if (question !== last.current) return;
    onScore(score);
    setAnswer({ text, isProblem: score === undefined });
  };
  const submit = (form: HTMLFormElement) => {
    const question = ++last.current;
    const score = scoreIn(definition, new FormData(form));
    const named = typeof score === "number" ? { score } : { columns: score };
    const ranked =
      segment === undefined
        ? rankOf(boardOf(seasonKey), score)
        : call("getRank", { ...seasonKey, ...askedOf(segment), ...named });
    ranked.then(
      (rank) => tell(question, rank.score, rankText(rank)),
      (error: unknown) =>
        codeOf(error) === "player_not_ranked"
          ? tell(question, undefined, "Nothing is published yet.")
          : tell(question, undefined, problemText(asError(error))),
    );
  };
  const forget = () => {
    last.current += 1;
    onScore(undefined);
    setAnswer(undefined);
  };
  return (
    <form class="ask" onSubmit={sending(submit)} onInput={forget}>
      {(definition.columns ?? [undefined]).map((column) => (
        <ScoreField key={column?.name ?? "score"} column={column} />
      ))}
      <button class="button">Where does it rank?</button>
      <output
        class={answer?.isProblem === true ? "ask-answer problem" : "ask-answer numbers"}
        aria-live="polite"
      >
        {answer?.text}
      </output>
    </form>
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
