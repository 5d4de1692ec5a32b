/** A button that needs the network: off while the device has none, and says so. */
import type { ComponentChildren } from "preact";
import { offlineText } from "../data/connection.ts";

interface Props {
  type?: "button" | "submit";
  /** More classes. */
  classes?: string;
  /** For screen readers, where the text alone would not say it. */
  label?: string | undefined;
  disabled?: boolean;
  onClick?: () => void;
  children: ComponentChildren;
}

export function WorkButton({
  type = "button",
  classes = "",
  label,
  disabled = false,
  onClick,
  children,
}: Props) {
  const offline = offlineText.value;
  return (
    <button
      type={type}
      class={`button ${classes}`}
      disabled={disabled || offline !== undefined}
      title={offline}
      aria-label={label}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
