/** The head of a table, and the rows that stand for what is being read. */
import { Skeleton } from "./states.tsx";

/** A column: its name, its classes, and how wide its text is, in characters; and that of a second line. */
export type TableColumn = readonly [name: string, classes?: string, width?: number, noteWidth?: number];

export function Head({ columns }: { columns: readonly TableColumn[] }) {
  return (
    <thead>
      <tr>
        {columns.map(([name, classes]) => (
          <th key={name} scope="col" class={classes}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

export function LoadingRows({ columns, rows }: { columns: readonly TableColumn[]; rows: number }) {
  return Array.from({ length: rows }, (_, i) => (
    <tr key={i}>
      {columns.map(([name, classes, width = 4, noteWidth]) => (
        <td key={name} class={classes}>
          <Skeleton width={width} />
          {noteWidth !== undefined && (
            <span class="cell-note">
              <Skeleton width={noteWidth} />
            </span>
          )}
        </td>
      ))}
    </tr>
  ));
}
