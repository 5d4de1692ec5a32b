/** The part of a score that a chart can show: the score itself, or the value of its most important column. Pure. */
import { type Column, columnRange, columnsRange } from "../../../functions/src/model/columns.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";

export interface Axis {
  name: string;
  valueOf: (score: number) => number;
}

export function axisOf({ columns, order }: Pick<Definition, "columns" | "order">): Axis {
  const first: Column | undefined = columns?.[0];
  if (columns === undefined || first === undefined) return { name: "score", valueOf: (score) => score };
  const below = columnsRange(columns) / columnRange(first);
  return {
    name: first.name.replaceAll("_", " "),
    valueOf: (score) => {
      const digit = Math.floor(score / below);
      return first.order === order ? first.min + digit : first.max - digit;
    },
  };
}
