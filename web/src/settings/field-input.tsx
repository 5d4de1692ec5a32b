/** One field of a definition's form. */
import { useMemo } from "preact/hooks";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { SelectField, SwitchField, TextField } from "../parts/fields.tsx";
import { Icon } from "../parts/icon.tsx";
import type { FieldProblem } from "../../../functions/src/model/errors.ts";
import { type Field, innerWords, words } from "./fields.ts";
import { LinesInput } from "./lines-input.tsx";
import { begun, type Line, problemOf, type Values } from "./values.ts";

interface Props {
  field: Field;
  /** The stored definition, once the first season has fixed some of it. */
  frozen: Partial<Definition>;
  value: Values[string];
  /** What is wrong with the form. */
  problems: readonly FieldProblem[];
  /** Where the field is: its name, or behind that of the field that has it. */
  path?: string;
  /** Whether the first season fixes the field, and whether it has. */
  freezing: "never" | "first season" | "done";
  onChange: (value: Values[string]) => void;
}

export function FieldInput(props: Props) {
  const { field, frozen, value, problems, path = field.name, freezing, onChange } = props;
  const { kind } = field;
  const name = path;
  const problem = problemOf(problems, path);
  const [label, about, empty] = words[path] ?? innerWords[path] ?? [path, ""];
  const isFrozen = freezing === "done";
  const mark = freezing !== "never" && <Freezing isFrozen={isFrozen} />;
  const zones = useMemo(() => ["UTC", ...Intl.supportedValuesOf("timeZone")], []);
  if (kind === "fields") return <FieldsInput {...props} path={path} />;
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
            noun={path.replace(".", " ").replace(/s$/, "")}
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

/** A field with fields of its own: switched on or off, or within another one just listed. */
function FieldsInput({
  field,
  value,
  problems,
  path,
  freezing,
  onChange,
  ...props
}: Props & { path: string }) {
  const values = value as Values;
  const [label, about] = words[path] ?? innerWords[path] ?? [path, ""];
  const start = begun[path];
  const isOn = start === undefined || Object.keys(values).length > 0;
  // A part of which there is but one choice is not shown: what is wrong with it is wrong with all.
  const [single, parts] = [isSingle, (part: Field) => !isSingle(part)].map((of) => field.parts.filter(of));
  const own = problems.filter(
    (problem) => problem.path === path || single?.some(({ name }) => problem.path === `${path}.${name}`),
  );
  const problem = own.length === 0 ? undefined : own.map(({ message }) => message).join("; ");
  return (
    <div class="field-group" role="group" aria-label={label}>
      {start === undefined ? (
        <p>
          <span class="field-name">{label}</span> <span class="hint">{about}</span>
        </p>
      ) : (
        <SwitchField
          {...{ label, name: path, hint: about, problem }}
          isOn={isOn}
          onChange={(on) => onChange(on ? start : {})}
        />
      )}
      {isOn && (
        <div class="fields">
          {parts?.map((part) => (
            <FieldInput
              key={part.name}
              {...props}
              {...{ field: part, problems, freezing }}
              path={`${path}.${part.name}`}
              value={
                values[part.name] ??
                (part.kind === "lines" ? [] : part.kind === "fields" ? {} : (part.options[0] ?? ""))
              }
              onChange={(inner) => onChange({ ...values, [part.name]: inner })}
            />
          ))}
        </div>
      )}
    </div>
  );
}

const isSingle = ({ kind, options }: Field) => kind === "choice" && options.length === 1;

/** Says beside a field's name that the first season fixes it, before that happens and after. */
function Freezing({ isFrozen }: { isFrozen: boolean }) {
  return (
    <span class="chip chip-plain" title="Later it could not be changed without counting all scores anew.">
      <Icon name="lock" size={12} /> {isFrozen ? "fixed since the first season" : "fixed by the first season"}
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
