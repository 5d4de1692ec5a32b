/** A question in one line, and its answer below, which goes when what was asked changes. */
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { asError, codeOf, problemText } from "../errors.ts";
import { WorkButton } from "../parts/button.tsx";
import { sending } from "../parts/fields.tsx";

export interface Answer {
  text: string;
  /** The score that it is about. */
  score?: number;
}

interface Props {
  /** What its button says. */
  button: string;
  ask: (form: FormData) => Promise<Answer>;
  /** Told the score of the answer that is shown, and nothing while there is none. */
  onScore?: (score: number | undefined) => void;
  /** The fields. */
  children: ComponentChildren;
}

export function Ask({ button, ask, onScore, children }: Props) {
  const [shown, setShown] = useState<{ text: string; isProblem: boolean } | undefined>(undefined);
  /** The last question, as answers may arrive out of order. */
  const last = useRef(0);
  const show = (next: typeof shown, score?: number) => {
    onScore?.(score);
    setShown(next);
  };
  const submit = (form: HTMLFormElement) => {
    const question = ++last.current;
    ask(new FormData(form)).then(
      ({ text, score }) => {
        if (question === last.current) show({ text, isProblem: false }, score);
      },
      (error: unknown) => {
        const text =
          codeOf(error) === "player_not_ranked" ? "Nothing is published yet." : problemText(asError(error));
        if (question === last.current) show({ text, isProblem: true });
      },
    );
  };
  const forget = () => {
    last.current += 1;
    show(undefined);
  };
  return (
    <form class="ask" onSubmit={sending(submit)} onInput={forget}>
      {children}
      <WorkButton type="submit">{button}</WorkButton>
      <output
        class={shown?.isProblem === true ? "ask-answer problem" : "ask-answer numbers"}
        aria-live="polite"
      >
        {shown?.text}
      </output>
    </form>
  );
}
