/** Tables and numbers of a report in Markdown. */

/** A table; its head has the columns, separated by vertical bars. Cells with a vertical bar are escaped. */
export function table(head: string, rows: readonly (readonly string[])[]): string {
  const columns = head.split("|");
  return [columns, columns.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

/** A count of operations: whole ones as they are, averages with one digit behind the point, large ones with commas. */
export function count(value: number): string {
  if (Number.isInteger(value) || value >= 100) return Math.round(value).toLocaleString("en-US");
  const rounded = Number(value.toPrecision(2));
  return rounded.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

/** Dollars, with two significant digits below ten. */
export function dollars(value: number): string {
  if (value >= 10) return `$${Math.round(value).toLocaleString("en-US")}`;
  return `$${Number(value.toPrecision(2)).toLocaleString("en-US", { maximumFractionDigits: 8 })}`;
}

/** A share as a percentage with two significant digits. */
export function percent(share: number): string {
  const value = 100 * share;
  return `${value >= 100 ? Math.round(value).toLocaleString("en-US") : Number(value.toPrecision(2))} %`;
}
