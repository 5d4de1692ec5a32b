/** "A score of … ranks …": read from the one page that covers it, without a function call. */
import { useRef, useState } from "preact/hooks";
import { type Page, readPage } from "../../../functions/src/documents/page.ts";
import type { Column, ColumnValues } from "../../../functions/src/model/columns.ts";
import { packColumns } from "../../../functions/src/model/columns.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { scoreSizeMax } from "../../../functions/src/model/limits.ts";
import { placeOf } from "../../../functions/src/reading/lookup.ts";
import { percentileOf } from "../../../functions/src/reading/rank.ts";
import { pageOfScore } from "../data/queries.ts";
import { readStretch } from "../data/read.ts";
import { formatCount, formatPercent } from "../format/numbers.ts";
import { problemText } from "../parts/states.tsx";
import { columnTitle } from "../season/entries-table.tsx";
import type { SeasonProps } from "../season/season-props.ts";

type Props = SeasonProps & { definition: Definition; onScore: (score: number | undefined) => void };

export function ScoreRank({ seasonKey, definition, onScore }: Props) {
  const [answer, setAnswer] = useState<{ text: string; isProblem: boolean } | undefined>(undefined);
  /** The last request, as answers may arrive out of order. */
  const last = useRef(0);
  const tell = (question: number, score: number | undefined, text: string) => {
    if (question !== last.current) return;
    onScore(score);
    setAnswer({ text, isProblem: score === undefined });
  };
  const ask = async (question: number, score: number) => {
    const [found] = (await readStretch(pageOfScore(seasonKey, definition.order, score))).found;
    const text =
      found === undefined ? "Nothing is published yet." : rankText(definition, readPage(found.data), score);
    tell(question, score, text);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const question = ++last.current;
    const score = scoreIn(definition, new FormData(event.currentTarget as HTMLFormElement));
    ask(question, score).catch((error: unknown) => tell(question, undefined, problemText(error as Error)));
  };
  const forget = () => {
    last.current += 1;
    onScore(undefined);
    setAnswer(undefined);
  };
  return (
    <form class="ask" onSubmit={submit} onInput={forget}>
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

/** The score in a form. */
function scoreIn({ columns, order }: Definition, form: FormData): number {
  if (columns === undefined) return Number(form.get("score"));
  const values: ColumnValues = Object.fromEntries(columns.map(({ name }) => [name, Number(form.get(name))]));
  return packColumns(order, columns, values);
}

function rankText({ order }: Definition, page: Page, score: number): string {
  if (page.players === 0) return "Nobody is ranked now.";
  const { rank, exact, rank_best: best, rank_worst: worst } = placeOf(order, page, score);
  const place = exact
    ? `It ranks ${formatCount(rank)}`
    : `It ranks about ${formatCount(rank)} (${formatCount(best)} to ${formatCount(worst)})`;
  const better = formatPercent(percentileOf(rank, page.players));
  return `${place} of ${formatCount(page.players)}: ${better} of the others are not better.`;
}
