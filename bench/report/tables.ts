/** The tables of README and of docs/benchmark.md. */
import type { Bill } from "../contest/bill.ts";
import { dollarsOf } from "../contest/dollars.ts";
import type { Published } from "../contest/published.ts";
import type { Day } from "../contest/scaled.ts";
import type { Operation } from "../systems/system.ts";
import { count, dollars, percent, table } from "./markdown.ts";
import { billedOf, comparedDay, nameOf, rateText, type Results, type SystemFacts } from "./results.ts";

/** In the order of the report. */
const groups = {
  live: "Live and exact",
  run: "As of the last run",
  estimate: "Estimates",
  formula: "By formula, as nobody can run them yet",
};

type Group = keyof typeof groups;

function groupOf({ rank, assumes }: SystemFacts): Group {
  if (assumes !== undefined) return "formula";
  if (rank === "exact") return "live";
  return rank === "estimate" ? "estimate" : "run";
}

/** The ways of README, by id. */
const inReadme = [
  "firerank",
  "firerank-trigger",
  "firerank-live",
  "count-better",
  "score-documents-sum",
  "score-ranking",
  "rank-tree-aggregated",
  "regular-update",
  "rank-tree",
  "buckets-100",
];

/**
 * README's table, a line for each way: its rank, how old it can be, an update, a rank, the most updates by the model, and a
 * day with a million players: of Firestore, of functions that triggers and schedules call, and of both.
 */
export function readmeTable(results: Results): string {
  const rows = inReadme.map((id) => {
    const { name = id, rank = "", age = "" } = results.systems.find((one) => one.id === id) ?? {};
    const { update, rank: asked } = billedOf(results, id);
    const price = comparedDay(results)?.prices[id];
    const costs = price && [price.firestore, price.functions, dollarsOf(price)].map(dollars);
    const texts = [update, asked].map((bill) => (bill === undefined ? "–" : billText(bill)));
    return [name, rank, age, ...texts, rateText(results, id), ...(costs ?? [])];
  });
  const head = "way|ranks are|how old|an update|a rank|updates at most|Firestore a day|functions|in all";
  return table([head.split("|"), ...rows]);
}

/** The cheapest way of each kind for some loads, with its dollars a day, beside Firerank's. */
export function bestWaysTable(results: Results): string {
  const kinds: [Group, string][] = [
    ["live", "cheapest live and exact"],
    ["run", "cheapest as of the last run"],
    ["estimate", "cheapest estimate"],
  ];
  const rows = results.scaled.days.map((day) => {
    const { updatesPerSecond, ranksPerSecond } = day.load;
    const best = kinds.map(([group]) => {
      const [cheapest] = ableTo(results, day, group);
      if (cheapest === undefined) return "–";
      const { id, name, rank, age } = cheapest;
      const error = rank === "estimate" ? results.errors.find((one) => one.id === id) : undefined;
      const facts = [age, ...(error === undefined ? [] : [`off by ${percent(error.mean)}`])];
      return `${name} (${facts.join(", ")}): ${priceText(day, id)}`;
    });
    return [
      ...[day.players, updatesPerSecond, ranksPerSecond].map(count),
      ...best,
      priceText(day, "firerank"),
    ];
  });
  return table([
    ["players", "updates/s", "ranks/s", ...kinds.map(([, title]) => title), "Firerank"],
    ...rows,
  ]);
}

/** The systems of a group that carry the updates; the cheapest first. */
function ableTo({ systems, rates }: Results, day: Day, group: Group): SystemFacts[] {
  return systems
    .filter((system) => groupOf(system) === group)
    .filter(({ id }) => day.load.updatesPerSecond < (rates[id] ?? Infinity))
    .sort((a, b) => priceIn(day, a.id) - priceIn(day, b.id));
}

function priceIn({ prices }: Day, id: string): number {
  const price = prices[id];
  return price === undefined ? NaN : dollarsOf(price);
}

function priceText(day: Day | undefined, id: string): string {
  return day?.prices[id] === undefined ? "–" : dollars(priceIn(day, id));
}

const operations: [Operation, title: string][] = [
  ["update", "update"],
  ["rank", "rank"],
  ["top", "top 10"],
  ["around", "4 before, 4 after"],
  ["page", "page of 25"],
  ["run", "a run of its job"],
];

/** A line for each way on the large board: how old ranks are, each operation's bill, the highest rate, and a day. */
export function waysTable(results: Results): string {
  const head = [
    "how old ranks are",
    ...operations.map(([, title]) => title),
    "updates at most",
    "dollars a day",
  ];
  const row = ({ id, name, age }: SystemFacts) => {
    const billed = billedOf(results, id);
    const bills = operations.map(([operation]) => {
      const bill = billed[operation];
      return bill === undefined ? "–" : billText(bill);
    });
    return [name, age, ...bills, rateText(results, id), priceText(comparedDay(results), id)];
  };
  const rows = Object.entries(groups).flatMap(([group, title]) => [
    [`**${title}**`, ...head.map(() => "")],
    ...results.systems.filter((system) => groupOf(system) === group).map(row),
  ]);
  return table([["system", ...head], ...rows]);
}

/** What each way stores, and what the formulas assume of one that was not played. Ways that store the same share a line. */
export function layoutList(systems: readonly SystemFacts[]): string {
  const byText = Map.groupBy(systems, ({ layout, assumes }) =>
    assumes === undefined ? layout : `${layout} Not run, by formula only: ${assumes}`,
  );
  return [...byText]
    .map(([text, of]) => `- **${of.map(({ name }) => name).join("; ")}**: ${text}`)
    .join("\n");
}

/** "2 r 1 w 0.3 d": reads, writes, deletes and invocations that are not 0; "0" for nothing. */
export function billText({ reads, writes, deletes, invocations }: Bill): string {
  const parts = [
    [reads, "r"],
    [writes, "w"],
    [deletes, "d"],
    [invocations, "f"],
  ] as const;
  const shown = parts.filter(([value]) => value > 0).map(([value, unit]) => `${count(value)} ${unit}`);
  return shown.length === 0 ? "0" : shown.join(" ");
}

/** What others published, beside what comes out here. */
export function publishedTable(published: readonly Published[]): string {
  const rows = published.map(({ what, published: theirs, here, unit, label, note }) => [
    what,
    theirs,
    `${hereText(here, unit)} (${label})`,
    note ?? "",
  ]);
  return table([["figure", "published", "here", ""], ...rows]);
}

function hereText(here: number, unit: Published["unit"]): string {
  if (unit === "share") return percent(here);
  if (unit === "$") return dollars(here);
  return `${count(unit === "updates/s" ? Math.round(here) : Number(here.toPrecision(2)))} ${unit}`;
}

/** Mean and largest error of a rank, and the median among the first hundred, on each shape of scores. */
export function errorsTable({ systems, errors }: Results): string {
  const shapes = [...new Set(errors.map(({ shape }) => shape))];
  const rows = [...Map.groupBy(errors, ({ id }) => id)].map(([id, of]) => [
    nameOf(systems, id),
    ...of.map(({ mean, worst, head }) => [percent(mean), percent(worst), shareOfRank(head)].join(" / ")),
  ]);
  return table([["system", ...shapes], ...rows]);
}

/** A difference as a share of a rank; above ten, how many times the rank it is. */
function shareOfRank(share: number): string {
  return share < 10 ? percent(share) : `${count(Math.round(share))} ×`;
}
