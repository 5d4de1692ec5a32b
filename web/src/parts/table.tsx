/** Tables from their columns: the head, the cells of a row, and rows that stand for what is being read. */
import type { ComponentChildren, RefObject } from "preact";
import { Skeleton } from "./states.tsx";

/**
 * A column: its name, what it shows of a row, its classes, and how wide its text is, in characters; and that of a second
 * line.
 */
export type Column<Row> = readonly [
  name: string,
  cell: (row: Row) => ComponentChildren,
  classes?: string,
  width?: number,
  noteWidth?: number,
];

interface TableProps {
  columns: readonly Column<never>[];
  classes?: string;
  /** What the table contains, for screen readers. */
  caption?: string;
  /** While the rows are read: how many stand for them. */
  loading?: number | false;
  body?: RefObject<HTMLTableSectionElement | null>;
  children: ComponentChildren;
}

export function Table({ columns, classes = "", caption, loading = false, body, children }: TableProps) {
  return (
    <table class={`table ${classes}`}>
      {caption !== undefined && <caption class="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(([name, , ofColumn]) => (
            <th key={name} scope="col" class={ofColumn}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body ?? null}>
        {loading === false
          ? children
          : Array.from({ length: loading }, (_, i) => <LoadingRow key={i} columns={columns} />)}
      </tbody>
    </table>
  );
}

export function Cells<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return columns.map(([name, cell, classes]) => (
    <td key={name} class={classes}>
      {cell(row)}
    </td>
  ));
}

function LoadingRow({ columns }: Pick<TableProps, "columns">) {
  return (
    <tr>
      {columns.map(([name, , classes, width = 4, noteWidth]) => (
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
  );
}
