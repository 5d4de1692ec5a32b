/** Inputs for a score: one, or one for each column. */
import { scoreSizeMax } from "../../../functions/src/model/limits.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { columnTitle } from "./entries-table.tsx";
import type { ScoreAsked } from "./score-asked.ts";

interface Props {
  definition: Pick<Definition, "columns">;
  /** What the input is called where there are no columns. */
  label: string;
  /** In one line, the name beside the input. */
  isInLine?: boolean;
  /** What is in the inputs at first. */
  asked?: ScoreAsked | undefined;
}

export function ScoreFields({ definition: { columns }, label, isInLine = false, asked }: Props) {
  const valueOf = (name: string | undefined) =>
    asked === undefined ? undefined : "score" in asked ? asked.score : asked.columns[name ?? ""];
  return (
    <>
      {(columns ?? [undefined]).map((column) => (
        <label key={column?.name ?? "score"} class={isInLine ? "inline-field" : "field"}>
          <span class={isInLine ? "" : "field-name"}>
            {column === undefined ? label : columnTitle(column.name)}
          </span>
          <input
            class="input numbers"
            type="number"
            autocomplete="off"
            name={column?.name ?? "score"}
            min={column?.min ?? -scoreSizeMax}
            max={column?.max ?? scoreSizeMax}
            step={column === undefined ? "any" : 1}
            defaultValue={valueOf(column?.name)?.toString()}
            required
          />
        </label>
      ))}
    </>
  );
}
