/** The tables of README and of docs/benchmark.md. */
import type { Bill } from "../contest/bill.ts";
import { dollarsOf } from "../contest/dollars.ts";
import type { Day } from "../contest/scaled.ts";
import type { Operation } from "../systems/system.ts";
import { count, dollars, percent, table } from "./markdown.ts";
import { billedOf, comparedDay, nameOf, rateText, type Results, type SystemFacts } from "./results.ts";

/** In the order of the report. */
const groups: Record<SystemFacts["rank"], string> = {
  exact: "Live and exact",
  "exact at the last run": "As of the last run",
  estimate: "Estimates",
};

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
    return [name, rank, age, billText(update), billText(asked), rateText(results, id), ...(costs ?? [])];
  });
  return table(
    "way|ranks are|how old|an update|a rank|updates at most|Firestore a day|functions|in all",
    rows,
  );
}

/** The cheapest way of each kind for some loads, with its dollars a day, beside Firerank's. */
export function bestWaysTable(results: Results): string {
  const { systems, rates, errors, scaled } = results;
  const rows = scaled.days.map((day) => {
    const { updatesPerSecond, ranksPerSecond } = day.load;
    const able = systems
      .filter(({ id }) => updatesPerSecond < (rates[id] ?? Infinity))
      .sort((a, b) => priceIn(day, a.id) - priceIn(day, b.id));
    const best = Object.keys(groups).map((group) => {
      const cheapest = able.find(({ rank }) => rank === group);
      if (cheapest === undefined) return "–";
      const { id, name, age } = cheapest;
      const error = errors.find((one) => one.id === id && group === "estimate");
      const facts = error === undefined ? age : `${age}, off by ${percent(error.mean)}`;
      return `${name} (${facts}): ${dollars(priceIn(day, id))}`;
    });
    const load = [day.players, updatesPerSecond, ranksPerSecond].map(count);
    return [...load, ...best, dollars(priceIn(day, "firerank"))];
  });
  const kinds = "cheapest live and exact|cheapest as of the last run|cheapest estimate";
  return table(`players|updates/s|ranks/s|${kinds}|Firerank`, rows);
}

function priceIn(day: Day | undefined, id: string): number {
  const price = day?.prices[id];
  return price === undefined ? NaN : dollarsOf(price);
}

const operations: Operation[] = ["update", "rank", "top", "around", "page", "run"];

/** A line for each way on the large board: how old ranks are, each operation's bill, the highest rate, and a day. */
export function waysTable(results: Results): string {
  const row = ({ id, name, age }: SystemFacts) => {
    const billed = billedOf(results, id);
    const bills = operations.map((operation) => billText(billed[operation]));
    return [name, age, ...bills, rateText(results, id), dollars(priceIn(comparedDay(results), id))];
  };
  const bills = "update|rank|top 10|4 before, 4 after|page of 25|a run of its job";
  const head = `system|how old ranks are|${bills}|updates at most|dollars a day`;
  const rows = Object.entries(groups).flatMap(([group, title]) => [
    [`**${title}**`, ...Array<string>(9).fill("")],
    ...results.systems.filter(({ rank }) => rank === group).map(row),
  ]);
  return table(head, rows);
}

/** A line for each way to rank in countries too: bills, and a day. */
export function countriesTable({ countryDay }: Results): string {
  const rows = countryDay.ways.map(({ name, billed, price }) => {
    const bills = [billed.update, billed.rank, billed.run].map(billText);
    return [name, ...bills, dollars(dollarsOf(price))];
  });
  return table("way|update|rank|a run, of all boards|dollars a day", rows);
}

/** A line for each way to have a weekly league: what a player is billed, and a week of a million. */
export function leagueTable({ leagueWeek: { ways } }: Results): string {
  const rows = ways.map(({ name, billed: { first, score, look, end }, dollars: price }) => {
    return [name, ...[first, score, look, end].map(billText), dollars(price)];
  });
  return table("way|a first score, with the seat|a better score|a look|the end|dollars a week", rows);
}

/** What each way stores, as lines of a list. Ways that store the same share a line. */
export function layoutList(systems: readonly SystemFacts[]): string[] {
  return [...Map.groupBy(systems, ({ layout }) => layout)].map(
    ([layout, of]) => `- **${of.map(({ name }) => name).join("; ")}**: ${layout}`,
  );
}

/** "2 r 1 w 0.3 d": reads, writes, deletes and invocations that are not 0; "–" for what a way does not have. */
export function billText(bill: Bill | undefined): string {
  if (bill === undefined) return "–";
  const parts = [
    [bill.reads, "r"],
    [bill.writes, "w"],
    [bill.deletes, "d"],
    [bill.invocations, "f"],
  ] as const;
  const shown = parts.filter(([value]) => value > 0).map(([value, unit]) => `${count(value)} ${unit}`);
  return shown.join(" ") || "0";
}

/** Mean and largest error of a rank, and the median among the first hundred, on each shape of scores. */
export function errorsTable({ systems, errors }: Results): string {
  const shapes = new Set(errors.map(({ shape }) => shape));
  const rows = [...Map.groupBy(errors, ({ id }) => id)].map(([id, of]) => [
    nameOf(systems, id),
    ...of.map(({ mean, worst, head }) => [percent(mean), percent(worst), shareOfRank(head)].join(" / ")),
  ]);
  return table(["system", ...shapes].join("|"), rows);
}

/** A difference as a share of a rank; above ten, how many times the rank it is. */
function shareOfRank(share: number): string {
  return share < 10 ? percent(share) : `${count(Math.round(share))} ×`;
}
