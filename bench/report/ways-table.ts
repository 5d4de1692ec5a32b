/** What each way costs and carries, in one table, and what it stores. */
import { type Bill, free } from "../contest/bill.ts";
import type { Operation } from "../systems/system.ts";
import { rateText } from "./best-ways.ts";
import { groupedTable } from "./groups.ts";
import { count, dollars } from "./markdown.ts";
import { comparedDay, largeBoard, type Results, type SystemFacts } from "./results.ts";

const operations: { operation: Operation; title: string }[] = [
  { operation: "update", title: "update" },
  { operation: "rank", title: "rank" },
  { operation: "top", title: "top 10" },
  { operation: "around", title: "4 before, 4 after" },
  { operation: "page", title: "page of 25" },
  { operation: "run", title: "a run of its job" },
];

/** A line for each way on the large board: how old ranks are, each operation's bill, the highest rate, and a day. */
export function waysTable(results: Results): string {
  const day = comparedDay(results);
  const head = [
    "how old ranks are",
    ...operations.map(({ title }) => title),
    "updates at most",
    "dollars a day",
  ];
  return groupedTable(head, results.systems, ({ id, staleness, server }) => {
    const billed = billedOf(results, id);
    const price = day?.dollars[id];
    return [
      staleness.rank,
      ...operations.map(({ operation }) => {
        const bill = billed?.[operation];
        return bill === undefined ? "–" : billText(bill);
      }),
      rateText(results, id),
      price == null || server === true ? "–" : dollars(price),
    ];
  });
}

/** The mean bill of an operation on the large board; free if the way does not have it. */
export function billOf(results: Results, id: string, operation: Operation): Bill {
  return billedOf(results, id)?.[operation] ?? free;
}

function billedOf({ scaled }: Results, id: string) {
  const players = largeBoard(scaled);
  return scaled.growth.find((one) => one.id === id)?.sizes.find((size) => size.players === players)?.billed;
}

/** What each way stores, and what the formulas assume of one that was not played. Ways that store the same share a line. */
export function layoutList(systems: readonly SystemFacts[]): string {
  const names = new Map<string, string[]>();
  for (const { name, layout, assumes } of systems) {
    const text = assumes === undefined ? layout : `${layout} Not run, by formula only: ${assumes}`;
    names.set(text, [...(names.get(text) ?? []), name]);
  }
  return [...names].map(([text, of]) => `- **${of.join("; ")}**: ${text}`).join("\n");
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
