/** One field of a definition's form. */
import { useMemo } from "preact/hooks";
import type { Field } from "./fields.ts";
import { words } from "./fields.ts";
import { LinesInput } from "./lines-input.tsx";
import type { Line, Values } from "./values.ts";

interface Props {
  field: Field;
  value: Values[string];
  problem: string | undefined;
  isFrozen: boolean;
  onChange: (value: Values[string]) => void;
}

/** One function, as every kind of input has the same label, and the same line for its hint or problem. */
export function FieldInput({ field, value, problem, isFrozen, onChange }: Props) {
  const { name, kind } = field;
  const [label, hint] = words[name] ?? [name, ""];
  const note = isFrozen ? "Fixed since the first score." : hint;
  const described = {
    id: `field-${name}`,
    "aria-describedby": `hint-${name}`,
    "aria-invalid": problem !== undefined,
    disabled: isFrozen,
  };
  const noteLine = (
    <span id={`hint-${name}`} class={problem === undefined ? "hint" : "field-problem"}>
      {problem ?? note}
    </span>
  );
  if (kind === "columns" || kind === "tiers" || kind === "choices") {
    return (
      <div class="field" role="group" aria-labelledby={`label-${name}`} aria-describedby={`hint-${name}`}>
        <span id={`label-${name}`} class="field-name">
          {label}
        </span>
        {kind === "choices" ? (
          <Choices field={field} value={value as string[]} onChange={onChange} />
        ) : (
          <LinesInput
            kind={kind}
            lines={value as Line[]}
            isFrozen={isFrozen}
            isWrong={problem !== undefined}
            onChange={onChange}
          />
        )}
        {noteLine}
      </div>
    );
  }
  return (
    <div class="field">
      <label class="field-name" for={described.id}>
        {label}
      </label>
      {name === "time_zone" ? (
        <ZoneInput name={name} described={described} value={value as string} onChange={onChange} />
      ) : kind === "choice" ? (
        <select
          class="input"
          name={name}
          {...described}
          value={value as string}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {field.options.map((option) => (
            <option key={option} value={option}>
              {option.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      ) : (
        <input
          class="input"
          name={name}
          {...described}
          autocomplete="off"
          inputMode={kind === "number" ? (field.isInteger ? "numeric" : "decimal") : "text"}
          placeholder={field.default === undefined ? "None" : undefined}
          value={value as string}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      {noteLine}
    </div>
  );
}

interface ZoneInputProps {
  name: string;
  described: object;
  value: string;
  onChange: (zone: string) => void;
}

/** A time zone: one that the browser suggests, or any other that is typed. */
function ZoneInput({ name, described, value, onChange }: ZoneInputProps) {
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
  return (
    <>
      <input
        {...described}
        class="input"
        name={name}
        list="zones-known"
        autocomplete="off"
        spellcheck={false}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
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
