/** A score as table cells: one, or one for each column of the board. */
import type { Column } from "../../../functions/src/model/columns.ts";
import { formatScore } from "../format/numbers.ts";
import type { TableColumn } from "../parts/table.tsx";

type Columns = readonly Column[] | undefined;

/** A column's name as a heading: `goal_difference` is "Goal difference". */
export function columnTitle(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The columns of a table that {@link ScoreCells} fills. */
export function scoreColumns(columns: Columns): TableColumn[] {
  if (columns === undefined) return [["Score", "number", 6]];
  return columns.map(({ name }, i) => [columnTitle(name), i === 0 ? "number" : "number wide-only", 6]);
}

interface ScoreCellsProps {
  entry: { score: number; columns?: Record<string, number> | undefined };
  columns: Columns;
}

export function ScoreCells({ entry, columns }: ScoreCellsProps) {
  if (columns === undefined) return <td class="number">{formatScore(entry.score)}</td>;
  return (
    <>
      {columns.map(({ name }, i) => (
        <td key={name} class={i === 0 ? "number strong" : "number wide-only"}>
          {formatScore(entry.columns?.[name] ?? NaN)}
        </td>
      ))}
    </>
  );
}

/** A score as text, outside tables: `61.25`, or `30 points, 12 goals`. */
export function scoreText(score: number, columns: Record<string, number> | undefined): string {
  if (columns === undefined) return formatScore(score);
  return Object.entries(columns)
    .map(([name, value]) => `${formatScore(value)} ${name.replaceAll("_", " ")}`)
    .join(", ");
}
