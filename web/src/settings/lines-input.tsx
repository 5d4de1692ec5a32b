/** Inputs for columns, tiers or segments: a line for each. */
import { columnsMax, segmentsMax, tiersMax } from "../../../functions/src/model/limits.ts";
import { Icon } from "../parts/icon.tsx";
import type { LineKind } from "./fields.ts";
import { hasValues, type Line } from "./values.ts";

interface Props {
  kind: LineKind;
  lines: readonly Line[];
  /** The stored lines, once there are scores: where a segment's values come from stays as it is. */
  frozen: readonly { name: string; from?: string }[];
  isFrozen: boolean;
  isWrong: boolean;
  onChange: (lines: Line[]) => void;
}

const shapes = {
  columns: {
    noun: "column",
    max: columnsMax,
    fresh: { name: "", min: "0", max: "", order: "descending" },
    inputs: [
      ["name", "Name"],
      ["min", "Least"],
      ["max", "Most"],
      ["order", "Order"],
    ],
  },
  tiers: {
    noun: "tier",
    max: tiersMax,
    fresh: { name: "", top_percent: "" },
    inputs: [
      ["name", "Name"],
      ["top_percent", "Top %"],
    ],
  },
  segments: {
    noun: "segment",
    max: segmentsMax,
    fresh: { name: "", from: "submission", values: "" },
    inputs: [
      ["name", "Name"],
      ["from", "From"],
      ["values", "Values"],
    ],
  },
} as const;

/** The choices of an input that has some. */
const choices: Record<string, readonly string[]> = {
  order: ["descending", "ascending"],
  from: ["submission", "claim", "server"],
};

export function LinesInput({ kind, lines, frozen, isFrozen, isWrong, onChange }: Props) {
  const { noun, max, fresh, inputs } = shapes[kind];
  const fixedFrom = ({ name }: Line) => frozen.find((line) => line.name === name)?.from;
  const change = (index: number, name: string, text: string) => {
    const changed = { ...lines[index], [name]: text };
    const from = fixedFrom(changed);
    onChange(lines.with(index, { ...changed, ...(from !== undefined && { from }) }));
  };
  return (
    <div class={`lines lines-${kind}`}>
      {lines.map((line, index) => (
        <div key={index} class="line">
          {inputs.map(([name, label]) => {
            const shared = {
              class: "input",
              "aria-label": `${label} of ${noun} ${index + 1}`,
              "aria-invalid": isWrong,
              disabled: isFrozen || (name === "from" && fixedFrom(line) !== undefined),
              value: line[name] ?? "",
            };
            const options = choices[name];
            if (options !== undefined)
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
            if (name === "values")
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
        disabled={isFrozen || lines.length >= max}
        onClick={() => onChange([...lines, { ...fresh }])}
      >
        <Icon name="plus" size={13} /> Add a {noun}
      </button>
    </div>
  );
}
