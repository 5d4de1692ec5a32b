/** Inputs for columns or tiers: a line for each. */
import { columnsMax, tiersMax } from "../../../functions/src/model/limits.ts";
import { Icon } from "../parts/icon.tsx";
import type { Line } from "./values.ts";

interface Props {
  kind: "columns" | "tiers";
  lines: readonly Line[];
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
} as const;

export function LinesInput({ kind, lines, isFrozen, isWrong, onChange }: Props) {
  const { noun, max, fresh, inputs } = shapes[kind];
  const change = (index: number, name: string, text: string) =>
    onChange(lines.map((line, i) => (i === index ? { ...line, [name]: text } : line)));
  return (
    <div class={`lines lines-${kind}`}>
      {lines.map((line, index) => (
        <div key={index} class="line">
          {inputs.map(([name, label]) => {
            const shared = {
              class: "input",
              "aria-label": `${label} of ${noun} ${index + 1}`,
              "aria-invalid": isWrong,
              disabled: isFrozen,
              value: line[name] ?? "",
            };
            return name === "order" ? (
              <select
                key={name}
                {...shared}
                onChange={({ currentTarget }) => change(index, name, currentTarget.value)}
              >
                <option>descending</option>
                <option>ascending</option>
              </select>
            ) : (
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
