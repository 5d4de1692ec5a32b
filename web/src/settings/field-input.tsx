/** One field of a definition's form. */
import { useMemo } from "preact/hooks";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { SelectField, TextField } from "../parts/fields.tsx";
import { type Field, words } from "./fields.ts";
import { LinesInput } from "./lines-input.tsx";
import type { Line, Values } from "./values.ts";

interface Props {
  field: Field;
  /** The stored definition, once the first score has fixed some of it. */
  frozen: Partial<Definition>;
  value: Values[string];
  problem: string | undefined;
  isFrozen: boolean;
  onChange: (value: Values[string]) => void;
}

export function FieldInput({ field, frozen, value, problem, isFrozen, onChange }: Props) {
  const { name, kind } = field;
  const [label, about] = words[name] ?? [name, ""];
  const hint = isFrozen ? "Fixed since the first score." : about;
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
  if (kind === "choices" || kind === "lines") {
    return (
      <div class="field" role="group" aria-labelledby={`label-${name}`} aria-describedby={`hint-${name}`}>
        <span id={`label-${name}`} class="field-name">
          {label}
        </span>
        {kind === "choices" ? (
          <Choices field={field} value={value as string[]} onChange={onChange} />
        ) : (
          <LinesInput
            field={field}
            frozen={name === "segments" ? (frozen.segments ?? []) : []}
            lines={value as Line[]}
            isFrozen={isFrozen}
            isWrong={problem !== undefined}
            onChange={onChange}
          />
        )}
        <span id={`hint-${name}`} class={problem === undefined ? "hint" : "field-problem"}>
          {problem ?? hint}
        </span>
      </div>
    );
  }
  const shared = { label, name, hint, problem, disabled: isFrozen, value: value as string, onText: onChange };
  if (kind === "choice") return <SelectField {...shared} options={field.options} />;
  if (name !== "time_zone")
    return (
      <TextField
        {...shared}
        inputMode={kind === "number" ? (field.isInteger ? "numeric" : "decimal") : "text"}
        placeholder={field.default === undefined ? "None" : undefined}
      />
    );
  return (
    <>
      <TextField {...shared} list="zones-known" spellcheck={false} />
      <datalist id="zones-known">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

interface ChoicesProps {
  field: Field;
  value: string[];
  onChange: (value: string[]) => void;
}

function Choices({ field, value, onChange }: ChoicesProps) {
  return (
    <div class="checks">
      {field.options.map((option) => (
        <label key={option} class="check">
          <input
            type="checkbox"
            checked={value.includes(option)}
            onChange={({ currentTarget }) => {
              // The order counts, so a new choice is added at the end.
              const others = value.filter((other) => other !== option);
              onChange(currentTarget.checked ? [...others, option] : others);
            }}
          />
          {option}
          {field.name === "spans" && value.length > 1 && value[0] === option && (
            <span class="hint">first</span>
          )}
        </label>
      ))}
    </div>
  );
}
