/** A card: a heading with what stands beside it, such as a choice, and the rest below, such as a list that grows. */
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Growing } from "../data/hooks.ts";
import { WorkButton } from "./button.tsx";
import { Problem } from "./states.tsx";

interface Props {
  /** Begins the id of its heading, which names it for screen readers. */
  id: string;
  title: ComponentChildren;
  /** In the line of the heading. */
  beside?: ComponentChildren;
  /** More classes, such as `card-flush` for a card whose content reaches its edges. */
  classes?: string;
  children: ComponentChildren;
}

export function Card({ id, title, beside, classes = "", children }: Props) {
  return (
    <section class={`card ${classes}`} aria-labelledby={`${id}-heading`}>
      <div class="card-head">
        <h2 id={`${id}-heading`}>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  );
}

interface SegmentsProps<Id extends string> {
  label: string;
  choices: readonly (readonly [id: Id, name: string])[];
  value: Signal<Id>;
}

/** Buttons of which one is pressed: what a card shows. */
export function Segments<Id extends string>({ label, choices, value }: SegmentsProps<Id>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map(([id, name]) => (
        <button
          key={id}
          type="button"
          class="segment"
          aria-pressed={id === value.value}
          onClick={() => (value.value = id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

interface MoreProps {
  of: Growing<unknown>;
  /** What the button says while it can be pressed. */
  children: ComponentChildren;
}

/** The foot of a list that shows more when asked. */
export function ShowMore({ of: { hasMore, isGrowing, problem, more }, children }: MoreProps) {
  return (
    <>
      {problem !== undefined && <Problem title="The rest could not be read" error={problem} />}
      {hasMore && (
        <div class="card-foot">
          <WorkButton disabled={isGrowing} onClick={more}>
            {isGrowing ? "Loading …" : children}
          </WorkButton>
        </div>
      )}
    </>
  );
}
