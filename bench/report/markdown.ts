/** Tables and numbers of a report in Markdown. */

/** A table; its head has the columns, separated by vertical bars. Cells with a vertical bar are escaped. */
export function table(head: string, rows: readonly (readonly string[])[]): string {
  const columns = head.split("|");
  return [columns, columns.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

/** A page with some of its tables anew, each where one with the same head stands. @throws if there is none */
export function withTables(page: string, tables: readonly string[]): string {
  const headOf = (block: string) => block.split("\n", 1)[0]?.replace(/ +/g, " ");
  const blocks = page.split("\n\n");
  for (const one of tables) {
    const at = blocks.findIndex((block) => headOf(block) === headOf(one));
    if (at < 0) throw new Error(`the page has no table ${headOf(one)}`);
    blocks[at] = one;
  }
  return blocks.join("\n\n");
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
