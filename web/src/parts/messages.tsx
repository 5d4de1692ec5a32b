/** Short messages about what was done, read out by screen readers; each disappears by itself or with its button. */
import { signal } from "@preact/signals";
import { Icon } from "./icon.tsx";

interface Message {
  id: number;
  kind: "good" | "bad";
  text: string;
}

const shownMs = 8_000;
const messages = signal<readonly Message[]>([]);
let lastId = 0;

/** Shows a message; a bad one stays until it is dismissed. */
export function tell(kind: Message["kind"], text: string): void {
  const message = { id: ++lastId, kind, text };
  messages.value = [...messages.value.slice(-2), message];
  if (kind === "good") setTimeout(() => dismiss(message.id), shownMs);
}

function dismiss(id: number): void {
  messages.value = messages.value.filter((message) => message.id !== id);
}

export function Messages() {
  return (
    <div class="messages" role="status" aria-live="polite">
      {messages.value.map(({ id, kind, text }) => (
        <p key={id} class={`message message-${kind}`}>
          <Icon name={kind === "good" ? "check" : "alert"} />
          <span>{text}</span>
          <button type="button" class="button button-quiet" onClick={() => dismiss(id)}>
            Dismiss
          </button>
        </p>
      ))}
    </div>
  );
}
