/** A confirmation before an action: a dialog that explains it, and stays open while the action runs. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { offlineText } from "../data/connection.ts";
import { asError, problemText } from "../errors.ts";
import { WorkButton } from "./button.tsx";
import { sending, TextField } from "./fields.tsx";
import { tell } from "./messages.tsx";

export interface Question {
  title: string;
  /** What the action does, and what it costs. */
  text: ComponentChildren;
  /** The label of the button that starts it. */
  verb: string;
  /** If it cannot be undone: the text to type first. */
  typed?: string;
  /** A text that is asked for, and may be empty. */
  note?: { label: string; hint: string; charactersMax: number };
  isDanger?: boolean;
  /**
   * The action; the dialog stays until it is done, and shows its error. Absent where nothing is sent, which needs no
   * network. @param note as it was entered, trimmed
   */
  work?: (note: string) => Promise<void>;
  /** Called when it is done and the dialog has closed. */
  afterwards?: () => void;
}

/** The dialog. */
export function Confirm({ question, onClose }: { question: Question; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [note, setNote] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const colour = question.isDanger === true ? "button-danger" : "button-primary";
  const isReady = question.typed === undefined || typed === question.typed;
  const submit = () => {
    setBusy(true);
    setProblem(undefined);
    Promise.resolve(question.work?.(note.trim())).then(
      () => {
        // Closing returns the focus to where it was; removing the dialog would not.
        dialog.current?.close();
        question.afterwards?.();
      },
      (error: unknown) => {
        // Browsers only let a page prevent closing once: a second Escape closes the dialog.
        const text = problemText(asError(error));
        if (dialog.current === null) tell("bad", text);
        setBusy(false);
        setProblem(text);
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
      <form class="form" onSubmit={sending(submit)}>
        <h2 id="dialog-title">{question.title}</h2>
        <div class="dialog-text">{question.text}</div>
        {question.typed !== undefined && (
          <TextField
            label={`Type ${question.typed} to confirm`}
            name="typed"
            value={typed}
            onText={setTyped}
          />
        )}
        {question.note !== undefined && (
          <TextField
            label={question.note.label}
            name="note"
            hint={question.note.hint}
            maxLength={question.note.charactersMax}
            value={note}
            onText={setNote}
          />
        )}
        <p class="problem" role="alert">
          {problem ?? (question.work && offlineText.value)}
        </p>
        <div class="dialog-buttons">
          <button type="button" class="button" disabled={isBusy} onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          {question.work === undefined ? (
            <button class={`button ${colour}`}>{question.verb}</button>
          ) : (
            <WorkButton type="submit" classes={colour} disabled={isBusy || !isReady}>
              {isBusy ? "Working …" : question.verb}
            </WorkButton>
          )}
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

interface AskButtonProps {
  question: Question;
  classes?: string;
  /** For screen readers, where several buttons say the same. */
  label?: string;
  children: ComponentChildren;
}

/** A button that asks a question, with its dialog. */
export function AskButton({ question, classes = "", label, children }: AskButtonProps) {
  const { ask, dialog } = useConfirm();
  return (
    <>
      <WorkButton classes={classes} label={label} onClick={() => ask(question)}>
        {children}
      </WorkButton>
      {dialog}
    </>
  );
}
