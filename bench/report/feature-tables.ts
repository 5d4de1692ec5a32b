/** What each system offers, and what was counted of it, as tables. */
import type { Bill } from "../contest/bill.ts";
import type { Counted } from "../contest/counted.ts";
import type { Operation } from "../systems/system.ts";
import { groupedTable } from "./groups.ts";
import { count } from "./markdown.ts";
import type { SystemFacts } from "./results.ts";

export const operations: { operation: Operation; title: string }[] = [
  { operation: "update", title: "update" },
  { operation: "rank", title: "rank" },
  { operation: "top", title: "top 10" },
  { operation: "around", title: "4 before, 4 after" },
  { operation: "page", title: "page of 25" },
  { operation: "run", title: "a run of its job" },
];

/** A line for each system: how right and how old its ranks are, and which questions it answers. */
export function featureTable(systems: readonly SystemFacts[]): string {
  const head = ["ranks are", "how old", "which score counts", "top / around / any page"];
  return groupedTable(head, systems, ({ rank, staleness, keeps, cannot }) => {
    const offers = (operation: Operation) => (operation in cannot ? "no" : "yes");
    const lists = (["top", "around", "page"] as const).map(offers).join(" / ");
    return ["rank" in cannot ? "no" : rank, staleness.rank, keeps, lists];
  });
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

/** The layout and the source of each system, how old its answers are, and what a formula assumes. */
export function layoutList(systems: readonly SystemFacts[]): string {
  return systems
    .map(({ name, layout, source, staleness, limit, assumes }) => {
      const parts = [`- **${name}**: ${layout}`, staleness.text, `Source: ${source}.`];
      if (limit !== undefined) parts.push(`Limit: ${limit}`);
      if (assumes !== undefined) parts.push(`Not run, by formula only: ${assumes}`);
      return parts.join(" ");
    })
    .join("\n");
}

/** What was billed on average, and the bytes of three answers; a line for each system. */
export function countedTable(systems: readonly SystemFacts[], counted: readonly Counted[]): string {
  const head = [...operations.map(({ title }) => title), "bytes: rank / top / page"];
  return groupedTable(head, systems, ({ id, server }) => {
    const billed = counted.find((one) => one.id === id)?.billed;
    if (billed === undefined) return undefined;
    const bills = operations.map(({ operation }) => {
      const mean = billed[operation]?.mean;
      return mean === undefined ? "–" : billText(mean);
    });
    const bytes = (["rank", "top", "page"] as const).map((operation) => {
      const answer = billed[operation]?.bytes;
      return answer === undefined ? "–" : count(Math.round(answer));
    });
    return [...bills, server === true ? "–" : bytes.join(" / ")];
  });
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
