/** Inputs for columns, tiers or segments: a line for each. */
import { Icon } from "../parts/icon.tsx";
import { type Field, partWords } from "./fields.ts";
import { hasValues, type Line } from "./values.ts";

interface Props {
  field: Field;
  /** What one line is, such as `column`. */
  noun: string;
  lines: readonly Line[];
  /** The stored lines, once there are scores: where a segment's values come from stays as it is. */
  frozen: readonly { name: string; from?: string }[];
  isFrozen: boolean;
  isWrong: boolean;
  onChange: (lines: Line[]) => void;
}

/** A new line has the first of its choices, and this. */
const begun: Line = { min: "0" };

export function LinesInput({ field, noun, lines, frozen, isFrozen, isWrong, onChange }: Props) {
  const fresh = field.parts.map(({ name, options }) => [name, begun[name] ?? options[0] ?? ""]);
  const fixedFrom = ({ name }: Line) => frozen.find((line) => line.name === name)?.from;
  const change = (index: number, name: string, text: string) => {
    const changed = { ...lines[index], [name]: text };
    const from = fixedFrom(changed);
    onChange(lines.with(index, { ...changed, ...(from !== undefined && { from }) }));
  };
  return (
    <div class={`lines lines-${field.name}`}>
      {lines.length > 0 && (
        <div class="line line-names" aria-hidden="true">
          {field.parts.map(({ name }) => (
            <span key={name}>{partWords[name] ?? name}</span>
          ))}
        </div>
      )}
      {lines.map((line, index) => (
        <div key={index} class="line">
          {field.parts.map(({ name, kind, options }) => {
            const label = partWords[name] ?? name;
            const shared = {
              class: "input",
              "aria-label": `${label} of ${noun} ${index + 1}`,
              "aria-invalid": isWrong,
              disabled: isFrozen || (name === "from" && fixedFrom(line) !== undefined),
              // The first choice is what a line without any stands for.
              value: line[name] ?? options[0] ?? "",
            };
            if (kind === "choice")
              return (
                <select
                  key={name}
                  {...shared}
                  onChange={({ currentTarget }) => change(index, name, currentTarget.value)}
                >
                  {options.map((option) => (
                    <option key={option}>{option}</option>
                  ))}
                </select>
              );
            if (kind === "choices")
              return (
                <textarea
                  key={name}
                  {...shared}
                  disabled={shared.disabled || !hasValues(line)}
                  placeholder={hasValues(line) ? "AT, DE, CH" : "Any value"}
                  spellcheck={false}
                  rows={2}
                  onInput={({ currentTarget }) => change(index, name, currentTarget.value)}
                />
              );
            return (
              <input
                key={name}
                {...shared}
                placeholder={label}
                autocomplete="off"
                onInput={({ currentTarget }) => change(index, name, currentTarget.value)}
              />
            );
          })}
          <button
            type="button"
            class="icon-button"
            disabled={isFrozen}
            aria-label={`Remove ${noun} ${index + 1}`}
            onClick={() => onChange(lines.filter((_, i) => i !== index))}
          >
            ×
          </button>
        </div>
      ))}
      <button
        type="button"
        class="button button-small"
        disabled={isFrozen || lines.length >= field.linesMax}
        onClick={() => onChange([...lines, Object.fromEntries(fresh) as Line])}
      >
        <Icon name="plus" size={13} /> Add a {noun}
      </button>
    </div>
  );
}
