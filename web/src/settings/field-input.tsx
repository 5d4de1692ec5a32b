/** One field of a definition's form. */
import { useMemo } from "preact/hooks";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { SelectField, SwitchField, TextField } from "../parts/fields.tsx";
import { Icon } from "../parts/icon.tsx";
import { type Field, words } from "./fields.ts";
import { LinesInput } from "./lines-input.tsx";
import type { Line, Values } from "./values.ts";

interface Props {
  field: Field;
  /** The stored definition, once the first score has fixed some of it. */
  frozen: Partial<Definition>;
  value: Values[string];
  problem: string | undefined;
  /** Whether the first score fixes the field, and whether it has. */
  freezing: "never" | "first score" | "done";
  onChange: (value: Values[string]) => void;
}

export function FieldInput({ field, frozen, value, problem, freezing, onChange }: Props) {
  const { name, kind } = field;
  const [label, about, empty] = words[name] ?? [name, ""];
  const isFrozen = freezing === "done";
  const mark = freezing !== "never" && <Freezing isFrozen={isFrozen} />;
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
  if (kind === "choices" || kind === "lines") {
    return (
      <div class="field" role="group" aria-labelledby={`label-${name}`} aria-describedby={`hint-${name}`}>
        <div class="field-head">
          <span id={`label-${name}`} class="field-name">
            {label}
          </span>
          {mark}
        </div>
        {kind === "choices" ? (
          <Choices field={field} value={value as string[]} isFrozen={isFrozen} onChange={onChange} />
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
          {problem ?? about}
        </span>
      </div>
    );
  }
  const named = { label, name, hint: about, problem, mark, disabled: isFrozen };
  const shared = { ...named, value: value as string, onText: onChange };
  if (field.isBoolean)
    return <SwitchField {...named} isOn={value === "true"} onChange={(isOn) => onChange(String(isOn))} />;
  if (kind === "choice") return <SelectField {...shared} options={field.options} />;
  if (name !== "time_zone")
    return (
      <TextField
        {...shared}
        inputMode={kind === "number" ? (field.isInteger ? "numeric" : "decimal") : "text"}
        placeholder={empty}
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

/** Says beside a field's name that the first score fixes it, before that happens and after. */
function Freezing({ isFrozen }: { isFrozen: boolean }) {
  return (
    <span class="chip chip-plain" title="Later it could not be changed without counting all scores anew.">
      <Icon name="lock" size={12} /> {isFrozen ? "fixed since the first score" : "fixed by the first score"}
    </span>
  );
}

interface ChoicesProps {
  field: Field;
  value: string[];
  isFrozen: boolean;
  onChange: (value: string[]) => void;
}

function Choices({ field, value, isFrozen, onChange }: ChoicesProps) {
  return (
    <div class="checks">
      {field.options.map((option) => (
        <label key={option} class="check">
          <input
            type="checkbox"
            checked={value.includes(option)}
            disabled={isFrozen}
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
