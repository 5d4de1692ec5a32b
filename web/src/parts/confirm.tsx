/** A question before something is done: a dialog with what it means, and the work itself while it lasts. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { asError } from "../errors.ts";
import { tell } from "./messages.tsx";

export interface Question {
  title: string;
  /** What it does, and what it costs. */
  text: ComponentChildren;
  /** What the button says that does it. */
  verb: string;
  /** Where it cannot be undone: the text to be typed first. */
  typed?: string;
  isDanger?: boolean;
  /** What is done; the dialog stays until it is, and shows what it throws. */
  work: () => Promise<void>;
  /** What follows when it is done and the dialog has closed. */
  afterwards?: () => void;
}

export function Confirm({ question, onClose }: { question: Question; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const isReady = question.typed === undefined || typed === question.typed;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    question.work().then(
      () => {
        // Closing gives the focus back to where it was; the dialog's end alone would not.
        dialog.current?.close();
        question.afterwards?.();
      },
      (error: unknown) => {
        // A browser lets nobody keep a dialog from closing for long: Escape twice, and it is gone.
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
              onInput={({ currentTarget }) => {
                setTyped(currentTarget.value);
              }}
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

/** A question to ask, and the dialog that asks it while there is one. */
export function useConfirm(): { ask: (question: Question) => void; dialog: ComponentChildren } {
  const [question, setQuestion] = useState<Question | undefined>(undefined);
  return {
    ask: setQuestion,
    dialog: question !== undefined && (
      <Confirm
        question={question}
        onClose={() => {
          setQuestion(undefined);
        }}
      />
    ),
  };
}
