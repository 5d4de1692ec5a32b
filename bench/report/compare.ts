/** How two runs of the benchmark differ. */
import { table } from "./markdown.ts";
import type { Results } from "./results.ts";

/** A table of the values that differ, with the way to each in the file; a sentence if there are none. */
export function comparison(a: Results, b: Results): string {
  const [before, after] = [a, b].map((results) => new Map(valuesIn(results, "")));
  const paths = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  const rows = [...paths].flatMap((path) => {
    const [old, fresh] = [before, after].map((values) => values?.get(path) ?? "–");
    return old === fresh ? [] : [[path, old ?? "", fresh ?? ""]];
  });
  return rows.length === 0 ? "Every number is the same." : table([["what", "first", "second"], ...rows]);
}

/** All values, with the names that lead to each. Systems in a list have their id for a name. */
function* valuesIn(value: unknown, path: string): Generator<[path: string, value: string]> {
  if (typeof value !== "object" || value === null) {
    yield [path, String(value)];
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const { id = name, shape } = (member ?? {}) as { id?: string; shape?: string };
    yield* valuesIn(member, [path, id, shape].filter(Boolean).join(" "));
  }
}
