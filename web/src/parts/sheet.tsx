/** A sheet over the page: from below on a phone, at the side where there is room. Closed, it gives the focus back. */
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";
import { Messages } from "./messages.tsx";

/** Whether the page has one column, in which what was chosen would be far below: a sheet shows it then. */
const oneColumn = matchMedia("(max-width: 999px)");
export const isOneColumn = signal(oneColumn.matches);
oneColumn.addEventListener("change", ({ matches }) => (isOneColumn.value = matches));

interface Props {
  /** Names it for screen readers. */
  label: string;
  onClose: () => void;
  children: ComponentChildren;
}

export function Sheet({ label, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => {
      // Another page is shown, or the same without it. Removed without being closed, it would lose the focus.
      isGone.current = true;
      current?.close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-label={label}
      onClose={() => {
        if (!isGone.current) onClose();
      }}
      onClick={({ target, currentTarget }) => {
        // Beside it is its backdrop.
        if (target === currentTarget) currentTarget.close();
      }}
    >
      <div class="sheet-content">
        <button
          type="button"
          class="icon-button sheet-close"
          aria-label="Close"
          onClick={() => dialog.current?.close()}
        >
          <Icon name="close" size={18} />
        </button>
        {children}
      </div>
      {/* What is beside a modal dialog can't be reached. */}
      <Messages isInSheet />
    </dialog>
  );
}
