/** What each system offers, and what was counted of it, as tables. */
import type { Bill } from "../contest/bill.ts";
import type { Counted } from "../contest/counted.ts";
import type { Operation } from "../systems/system.ts";
import { count, table } from "./markdown.ts";
import type { SystemFacts } from "./results.ts";

const operations: { operation: Operation; title: string }[] = [
  { operation: "update", title: "update" },
  { operation: "rank", title: "rank" },
  { operation: "top", title: "top 10" },
  { operation: "around", title: "4 before, 4 after" },
  { operation: "page", title: "page of 25" },
  { operation: "run", title: "a run of its job" },
];

/** A line for each system: how right its ranks are, and which questions it answers. */
export function featureTable(systems: readonly SystemFacts[]): string {
  const head = ["system", "rank", "counts", "top", "around", "any page", "job"];
  const rows = systems.map(({ name, rank, keeps, cannot, assumes }) => {
    const offers = (operation: Operation) => (operation in cannot ? "no" : "yes");
    const job = "run" in cannot ? "none" : "periodic";
    return [
      assumes === undefined ? name : `${name} (by formula)`,
      "rank" in cannot ? "no" : rank,
      keeps,
      offers("top"),
      offers("around"),
      offers("page"),
      job,
    ];
  });
  return table([head, ...rows]);
}

/** What the systems cannot do, with the reasons: a line for each reason. */
export function reasonsList(systems: readonly SystemFacts[]): string {
  return systems
    .flatMap(({ name, cannot }) => {
      const reasons = Object.entries(cannot).filter(([operation]) => operation !== "run");
      if (reasons.length === 0) return [];
      return [`- **${name}**: ${reasons.map(([operation, why]) => `${operation}: ${why}`).join("; ")}.`];
    })
    .join("\n");
}

/** The layout and the source of each system, and what a formula assumes. */
export function layoutList(systems: readonly SystemFacts[]): string {
  return systems
    .map(({ name, layout, source, limit, assumes }) => {
      const parts = [`- **${name}**: ${layout}`, `Source: ${source}.`];
      if (limit !== undefined) parts.push(`Limit: ${limit}`);
      if (assumes !== undefined) parts.push(`Not run, by formula only: ${assumes}`);
      return parts.join(" ");
    })
    .join("\n");
}

/** What was billed on average, a line for each system. */
export function countedTable(systems: readonly SystemFacts[], counted: readonly Counted[]): string {
  const head = ["system", ...operations.map(({ title }) => title), "bytes for a rank"];
  const rows = systems.flatMap(({ id, name }) => {
    const found = counted.find((one) => one.id === id);
    if (found === undefined) return [];
    const cells = operations.map(({ operation }) => {
      const billed = found.billed[operation];
      return billed === undefined ? "–" : billText(billed.mean);
    });
    const bytes = found.billed.rank?.bytes;
    return [[name, ...cells, bytes === undefined ? "–" : count(Math.round(bytes))]];
  });
  return table([head, ...rows]);
}

/** "2 r 1 w 0.3 d": reads, writes, deletes, invocations and commands that are not 0; "0" for nothing. */
export function billText({ reads, writes, deletes, invocations, commands }: Bill): string {
  const parts = [
    [reads, "r"],
    [writes, "w"],
    [deletes, "d"],
    [invocations, "f"],
    [commands, "c"],
  ] as const;
  const shown = parts.filter(([value]) => value > 0).map(([value, unit]) => `${count(value)} ${unit}`);
  return shown.length === 0 ? "0" : shown.join(" ");
}
