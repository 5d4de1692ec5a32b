/** A confirmation before an action: a dialog that explains it, and stays open while the action runs. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asError } from "../errors.ts";
import { tell } from "./messages.tsx";

export interface Question {
  title: string;
  /** What the action does, and what it costs. */
  text: ComponentChildren;
  /** The label of the button that starts it. */
  verb: string;
  /** If it cannot be undone: the text to type first. */
  typed?: string;
  isDanger?: boolean;
  /** The action; the dialog stays until it is done, and shows its error. */
  work: () => Promise<void>;
  /** Called when it is done and the dialog has closed. */
  afterwards?: () => void;
}

/** The dialog. It is one function, as both buttons and Escape depend on whether the action is running. */
export function Confirm({ question, onClose }: { question: Question; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const isReady = question.typed === undefined || typed === question.typed;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    question.work().then(
      () => {
        // Closing returns the focus to where it was; removing the dialog would not.
        dialog.current?.close();
        question.afterwards?.();
      },
      (error: unknown) => {
        // Browsers only let a page prevent closing once: a second Escape closes the dialog.
        if (dialog.current === null) tell("bad", asError(error).message);
        setBusy(false);
        setProblem(asError(error).message);
      },
    );
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="dialog-title"
      onClose={onClose}
      onCancel={(event) => {
        if (isBusy) event.preventDefault();
      }}
    >
      <form class="form" onSubmit={submit}>
        <h2 id="dialog-title">{question.title}</h2>
        <div class="dialog-text">{question.text}</div>
        {question.typed !== undefined && (
          <label class="field">
            <span class="field-name">
              Type <code>{question.typed}</code> to confirm
            </span>
            <input
              class="input"
              autocomplete="off"
              value={typed}
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </label>
        )}
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="dialog-buttons">
          <button type="button" class="button" disabled={isBusy} onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            class={`button ${question.isDanger === true ? "button-danger" : "button-primary"}`}
            disabled={isBusy || !isReady}
          >
            {isBusy ? "Working …" : question.verb}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** A function that asks a question, and the dialog while one is open. */
export function useConfirm(): { ask: (question: Question) => void; dialog: ComponentChildren } {
  const [question, setQuestion] = useState<Question | undefined>(undefined);
  return {
    ask: setQuestion,
    dialog: question !== undefined && <Confirm question={question} onClose={() => setQuestion(undefined)} />,
  };
}
