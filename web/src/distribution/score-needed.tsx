/** "Rank … needs …", by `getThreshold`. Cost: that of the call. */
import { useRef, useState } from "preact/hooks";
import type { ThresholdAnswer } from "../../../functions/src/model/answers.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { call } from "../data/calls.ts";
import { asError } from "../errors.ts";
import { formatCount, formatScore } from "../format/numbers.ts";
import { sending } from "../parts/fields.tsx";
import { problemText } from "../parts/states.tsx";
import { columnTitle } from "../season/entries-table.tsx";
import { askedOf } from "../season/segment.ts";
import type { SeasonProps } from "../season/state.ts";
import { useSegment } from "../season/use-segment.ts";

export function ScoreNeeded({ seasonKey, definition }: SeasonProps & { definition: Definition }) {
  const [answer, setAnswer] = useState<{ text: string; isProblem: boolean } | undefined>(undefined);
  const segment = useSegment();
  /** The last request, as answers may arrive out of order. */
  const last = useRef(0);
  const tell = (question: number, text: string, isProblem: boolean) => {
    if (question === last.current) setAnswer({ text, isProblem });
  };
  const submit = (form: HTMLFormElement) => {
    const question = ++last.current;
    const rank = Number(new FormData(form).get("rank"));
    call("getThreshold", { ...seasonKey, ...(segment !== undefined && askedOf(segment)), rank }).then(
      (found) => tell(question, neededText(found), false),
      (error: unknown) => tell(question, problemText(asError(error)), true),
    );
  };
  const forget = () => {
    last.current += 1;
    setAnswer(undefined);
  };
  return (
    <form class="ask" onSubmit={sending(submit)} onInput={forget}>
      <label class="field">
        <span class="field-name">Rank</span>
        <input class="input" type="number" name="rank" min={1} step={1} required />
      </label>
      <button class="button">What does it need?</button>
      <output
        class={answer?.isProblem === true ? "ask-answer problem" : "ask-answer numbers"}
        aria-live="polite"
      >
        {answer?.text}
      </output>
    </form>
  );

  function neededText({ score, columns, exact, score_worst: worst, players }: ThresholdAnswer): string {
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
}
