/** Short messages about what was done, read out by screen readers; each disappears by itself or with its button. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface Message {
  id: number;
  kind: "good" | "bad";
  text: string;
  undo: (() => void) | undefined;
}

const shownMs = 8_000;
/** Whoever wants to undo something has to read first what it was. */
const undoMs = 30_000;
const messages = signal<readonly Message[]>([]);
/** How many open sheets show the messages in the page's place. */
const sheets = signal(0);
let lastId = 0;

/** Shows a message; a bad one stays until it is dismissed. @param undo what a button beside it does */
export function tell(kind: Message["kind"], text: string, undo?: () => void): void {
  const message = { id: ++lastId, kind, text, undo };
  messages.value = [...messages.value.slice(-2), message];
  const ms = undo === undefined ? shownMs : undoMs;
  if (kind === "good") setTimeout(() => dismiss(message.id), ms);
}

function dismiss(id: number): void {
  messages.value = messages.value.filter((message) => message.id !== id);
}

export function Messages({ isInSheet = false }: { isInSheet?: boolean }) {
  useEffect(() => {
    if (!isInSheet) return;
    sheets.value++;
    return () => {
      sheets.value--;
    };
  }, []);
  const shown = isInSheet === sheets.value > 0 ? messages.value : [];
  return (
    <div class="messages" role="status" aria-live="polite">
      {shown.map(({ id, kind, text, undo }) => (
        <p key={id} class={`message message-${kind}`}>
          <Icon name={kind === "good" ? "check" : "alert"} />
          <span>{text}</span>
          {undo !== undefined && (
            <button
              type="button"
              class="button button-small"
              onClick={() => {
                dismiss(id);
                undo();
              }}
            >
              Undo
            </button>
          )}
          <button type="button" class="button button-quiet button-small" onClick={() => dismiss(id)}>
            Dismiss
          </button>
        </p>
      ))}
    </div>
  );
}
