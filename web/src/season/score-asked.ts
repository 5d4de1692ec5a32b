/** A score that a form asks about, or the columns of one, and how an address names it: `850`, or `3,10`. Pure. */
import type { ColumnValues } from "../../../functions/src/model/columns.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";

export type ScoreAsked = { score: number } | { columns: ColumnValues };

type Columns = Definition["columns"];

/** What a form's fields say. */
export function scoreIn(columns: Columns, form: FormData): ScoreAsked {
  if (columns === undefined) return { score: Number(form.get("score")) };
  return { columns: Object.fromEntries(columns.map(({ name }) => [name, Number(form.get(name))])) };
}

/** For an address: the score, or the values of all columns in their order. */
export function scoreForAddress(columns: Columns, asked: ScoreAsked): string {
  if ("score" in asked) return String(asked.score);
  return (columns ?? []).map(({ name }) => asked.columns[name]).join(",");
}

/** The score that an address names; undefined for none, or one of other columns. */
export function scoreInAddress(columns: Columns, text: string | undefined): ScoreAsked | undefined {
  const values = text?.split(",").map((value) => (value.trim() === "" ? NaN : Number(value))) ?? [];
  if (values.length !== (columns?.length ?? 1) || !values.every(Number.isFinite)) return undefined;
  if (columns === undefined) return { score: values[0] ?? 0 };
  return { columns: Object.fromEntries(columns.map(({ name }, i) => [name, values[i] ?? 0])) };
}
