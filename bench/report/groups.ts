/** Systems in the order of the report: live and exact ones first. */
import { table } from "./markdown.ts";
import type { SystemFacts } from "./results.ts";

export type Group = keyof typeof groups;

/** In the order of the report. */
export const groups = {
  live: "Live and exact",
  run: "As of the last run",
  estimate: "Estimates",
  top: "The best ones only",
  formula: "By formula, as nobody can run them yet",
};

export function groupOf({ rank, assumes }: Pick<SystemFacts, "rank" | "assumes">): Group {
  if (assumes !== undefined) return "formula";
  if (rank === "exact") return "live";
  if (rank === "estimate") return "estimate";
  return rank === "top only" ? "top" : "run";
}

/** A table with a line for each system that has one, and a line above each group. */
export function groupedTable(
  head: string[],
  systems: readonly SystemFacts[],
  row: (system: SystemFacts) => string[] | undefined,
): string {
  const rows = Object.entries(groups).flatMap(([group, title]) => {
    const members = systems
      .filter((system) => groupOf(system) === group)
      .flatMap((system) => {
        const cells = row(system);
        return cells === undefined ? [] : [[system.name, ...cells]];
      });
    return members.length === 0 ? [] : [[`**${title}**`, ...head.map(() => "")], ...members];
  });
  return table([["system", ...head], ...rows]);
}
