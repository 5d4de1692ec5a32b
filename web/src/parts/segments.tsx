/** Buttons of which one is pressed: what a card shows. */
import type { Signal } from "@preact/signals";

interface Props<Id extends string> {
  label: string;
  choices: readonly (readonly [id: Id, name: string])[];
  value: Signal<Id>;
}

export function Segments<Id extends string>({ label, choices, value }: Props<Id>) {
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
