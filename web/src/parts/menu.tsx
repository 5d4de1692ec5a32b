/** A chip that opens a list of links. It closes with Escape, with a click elsewhere, and with the page. */
import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icon.tsx";

interface Props {
  /** For screen readers. */
  label: string;
  text: ComponentChildren;
  /** Shown, and so read, only while it is open. */
  children: ComponentChildren;
}

export function Menu({ label, text, children }: Props) {
  const { url } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDetailsElement>(null);
  useEffect(() => setOpen(false), [url]);
  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === "Escape";
      const isOutside =
        !(event instanceof KeyboardEvent) && place.current?.contains(event.target as Node) === false;
      if (!isEscape && !isOutside) return;
      setOpen(false);
      if (isEscape) place.current?.querySelector("summary")?.focus();
    };
    const kinds = ["keydown", "pointerdown", "focusin"] as const;
    for (const kind of kinds) document.addEventListener(kind, leave);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, leave);
    };
  }, [isOpen]);
  return (
    <details
      ref={place}
      class="picker"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary class="chip chip-accent" aria-label={label}>
        {text} <Icon name="chevron" size={12} />
      </summary>
      {isOpen && <div class="picker-list">{children}</div>}
    </details>
  );
}
