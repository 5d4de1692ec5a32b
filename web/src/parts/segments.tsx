/** Buttons of which one is pressed: what a card shows. */
interface Props<Id extends string> {
  label: string;
  choices: readonly (readonly [id: Id, name: string])[];
  value: Id;
  onChange: (id: Id) => void;
}

export function Segments<Id extends string>({ label, choices, value, onChange }: Props<Id>) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map(([id, name]) => (
        <button
          key={id}
          type="button"
          class="segment"
          aria-pressed={id === value}
          onClick={() => onChange(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
