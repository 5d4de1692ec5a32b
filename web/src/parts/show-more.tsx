/** The foot of a list that shows more when asked. */
import type { ComponentChildren } from "preact";
import type { Growing } from "../data/hooks.ts";
import { Problem } from "./states.tsx";

interface Props {
  of: Growing<unknown>;
  /** What the button says while it can be pressed. */
  children: ComponentChildren;
}

export function ShowMore({ of: { hasMore, isGrowing, problem, more }, children }: Props) {
  return (
    <>
      {problem !== undefined && <Problem title="The rest could not be read" error={problem} />}
      {hasMore && (
        <div class="card-foot">
          <button type="button" class="button" disabled={isGrowing} onClick={more}>
            {isGrowing ? "Loading …" : children}
          </button>
        </div>
      )}
    </>
  );
}
