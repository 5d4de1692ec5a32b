/** How two runs of the benchmark differ. */
import type { Operation } from "../systems/system.ts";
import { billText } from "./feature-tables.ts";
import { table } from "./markdown.ts";
import type { Results } from "./results.ts";

/** A table of the bills that differ, and systems that only one of the runs has; a sentence if there are none. */
export function comparison(a: Results, b: Results): string {
  const ids = [...new Set([...a.counted, ...b.counted].map(({ id }) => id))];
  const rows = ids.flatMap((id) => {
    const [before, after] = [a, b].map(({ counted }) => counted.find((one) => one.id === id));
    if (before === undefined || after === undefined) {
      return [
        [
          id,
          "all",
          before === undefined ? "not there" : "there",
          after === undefined ? "not there" : "there",
        ],
      ];
    }
    const names = [...new Set([...Object.keys(before.billed), ...Object.keys(after.billed)])] as Operation[];
    return names.flatMap((operation) => {
      const [old, fresh] = [before, after].map(({ billed }) => {
        const found = billed[operation];
        return found === undefined ? "–" : billText(found.mean);
      });
      return old === fresh ? [] : [[id, operation, old ?? "", fresh ?? ""]];
    });
  });
  const problems = [a, b].map(({ counted }) => counted.flatMap((one) => one.problems).length);
  const differs =
    rows.length === 0
      ? "Every bill is the same."
      : table([["system", "operation", "first", "second"], ...rows]);
  return `${differs}\n\nProblems: ${problems.join(" and ")}.`;
}
