/** "A score of … ranks …": asked of the one page that covers it, with no function called. */
import { useState } from "preact/hooks";
import type { Column, ColumnValues } from "../../../functions/src/model/columns.ts";
import { packColumns } from "../../../functions/src/model/columns.ts";
import type { Definition } from "../../../functions/src/model/leaderboard.ts";
import { placeOf } from "../../../functions/src/ranking/lookup.ts";
import { type Page, readPage } from "../../../functions/src/ranking/pages.ts";
import { percentileOf } from "../../../functions/src/ranking/rank.ts";
import { pageOfScore } from "../data/queries.ts";
import { readStretch } from "../data/read.ts";
import { formatCount, formatPercent } from "../format/numbers.ts";
import { problemText } from "../parts/states.tsx";
import { columnTitle } from "../season/score-cells.tsx";
import type { SeasonProps } from "../season/season-page.tsx";

type Props = SeasonProps & { definition: Definition; onScore: (score: number | undefined) => void };

export function ScoreRank({ seasonKey, definition, onScore }: Props) {
  const [answer, setAnswer] = useState<{ text: string; isProblem: boolean } | undefined>(undefined);
  const ask = async (form: HTMLFormElement) => {
    const score = scoreIn(definition, new FormData(form));
    const query = pageOfScore(seasonKey, definition.order, score);
    const [found] = (await readStretch(query)).found;
    onScore(score);
    setAnswer(
      found === undefined
        ? { text: "Nothing is published yet.", isProblem: false }
        : { text: rankText(definition, readPage(found.data), score), isProblem: false },
    );
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    ask(event.currentTarget as HTMLFormElement).catch((error: unknown) => {
      onScore(undefined);
      setAnswer({ text: problemText(error as Error), isProblem: true });
    });
  };
  return (
    <form class="ask" onSubmit={submit}>
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
        min={column?.min}
        max={column?.max}
        step={column === undefined ? "any" : 1}
        required
      />
    </label>
  );
}

/** The score that a form names. */
function scoreIn({ columns, order }: Definition, form: FormData): number {
  if (columns === undefined) return Number(form.get("score"));
  const values: ColumnValues = Object.fromEntries(columns.map(({ name }) => [name, Number(form.get(name))]));
  return packColumns(order, columns, values);
}

function rankText({ order }: Definition, page: Page, score: number): string {
  const { rank, exact, rank_best: best, rank_worst: worst } = placeOf(order, page, score);
  const place = exact
    ? `It ranks ${formatCount(rank)}`
    : `It ranks about ${formatCount(rank)} (${formatCount(best)} to ${formatCount(worst)})`;
  const better = formatPercent(percentileOf(rank, page.players));
  return `${place} of ${formatCount(page.players)}: ${better} of the others are not better.`;
}
