/** The foot of a list that shows more when asked. */
import type { ComponentChildren } from "preact";

interface Props {
  isLoading: boolean;
  onMore: () => void;
  /** What the button says while it can be pressed. */
  children: ComponentChildren;
}

export function ShowMore({ isLoading, onMore, children }: Props) {
  return (
    <div class="card-foot">
      <button type="button" class="button" disabled={isLoading} onClick={onMore}>
        {isLoading ? "Loading …" : children}
      </button>
    </div>
  );
}
