/** What follows from formulas, as tables and pictures: bills as boards grow, dollars a day, break-even points. */
import { type BreakEven, dollarsOf } from "../contest/dollars.ts";
import type { Day, Scaled } from "../contest/scaled.ts";
import { type LineChart, lineChart, shortNumber } from "../charts/line-chart.ts";
import type { Operation } from "../systems/system.ts";
import { billText, operations } from "./feature-tables.ts";
import { groupedTable } from "./groups.ts";
import { count, dollars } from "./markdown.ts";
import { drawnIds, nameOf, pictureWidth, type SystemFacts } from "./results.ts";

/** The largest board up to a million players. */
export function largeBoard({ growth }: Scaled): number {
  const sizes = growth[0]?.sizes.map(({ players }) => players) ?? [];
  return Math.max(...sizes.filter((players) => players <= 1_000_000));
}

/** The bill of every operation on a board of one size. */
export function sizeTable(systems: readonly SystemFacts[], { growth }: Scaled, players: number): string {
  const head = operations.map(({ title }) => title);
  return groupedTable(head, systems, ({ id }) => {
    const size = growth.find((one) => one.id === id)?.sizes.find((one) => one.players === players);
    return (
      size &&
      operations.map(({ operation }) => {
        const bill = size.billed[operation];
        return bill === undefined ? "–" : billText(bill);
      })
    );
  });
}

/** The bill of one operation at each size, for systems where it is not the same at all of them. */
export function growthTable(
  systems: readonly SystemFacts[],
  { growth }: Scaled,
  operation: Operation,
): string {
  const sizes = growth[0]?.sizes.map(({ players }) => players) ?? [];
  return groupedTable(
    sizes.map((players) => `${shortNumber(players)} players`),
    systems,
    ({ id }) => {
      const grown = growth.find((one) => one.id === id)?.sizes ?? [];
      const bills = grown.flatMap(({ billed }) => {
        const bill = billed[operation];
        return bill === undefined ? [] : [billText(bill)];
      });
      return new Set(bills).size > 1 ? bills : undefined;
    },
  );
}

/** Dollars a day for each load, in both regions; without systems that are a server, which has another price. */
export function daysTable(systems: readonly SystemFacts[], { days }: Scaled): string {
  const loads = days.filter(({ region }) => region === "us-central1");
  const head = loads.map(
    ({ players, load }) =>
      `${shortNumber(players)} players, ${count(load.updatesPerSecond)} updates/s, ${count(load.ranksPerSecond)} ranks/s`,
  );
  return groupedTable(head, systems, ({ id, server }) => {
    const cells = loads.map(({ players, load: { updatesPerSecond, ranksPerSecond } }) =>
      days
        .filter(
          (day) =>
            day.players === players &&
            day.load.updatesPerSecond === updatesPerSecond &&
            day.load.ranksPerSecond === ranksPerSecond,
        )
        .map((day) => day.dollars[id])
        .map((day) => (day == null ? "–" : dollars(day)))
        .join(" / "),
    );
    return server === true || cells.every((cell) => cell.startsWith("–")) ? undefined : cells;
  });
}

/** What each way is billed a day at one load: Firestore, functions that triggers and schedules call, and both. */
export function functionsTable(systems: readonly SystemFacts[], { parts }: Day): string {
  const head = ["Firestore", "calls a day", "processor seconds a day", "functions", "in all"];
  return groupedTable(head, systems, ({ id, server }) => {
    const price = parts[id];
    if (server === true || price === undefined) return undefined;
    const { firestore, functions, calls, processorSeconds } = price;
    return [
      dollars(firestore),
      count(Math.round(calls)),
      count(Math.round(processorSeconds)),
      dollars(functions),
      dollars(dollarsOf(price)),
    ];
  });
}

/** At which updates a second, and on which boards, each system is cheaper than the first. */
export function evensTable(
  systems: readonly SystemFacts[],
  { course, evens, sizeEvens, sizes }: Scaled,
): string {
  const { updatesPerSecond, ranksPerSecond } = sizes.load;
  const head = [
    `${count(course.players)} players, one rank for each update`,
    `${count(updatesPerSecond)} update/s and ${count(ranksPerSecond)} rank/s`,
  ];
  return groupedTable(head, systems, ({ id, server }) => {
    const [byRate, bySize] = [evens[id], sizeEvens[id]];
    if (server === true || byRate === undefined || bySize === undefined) return undefined;
    return [evenText(byRate, "updates/s"), evenText(bySize, "players")];
  });
}

/** For example "up to 2.3 updates/s", "from 9.8 updates/s", or "up to 0.06 and from 5 updates/s". */
export function evenText({ cheaperBelow, at }: BreakEven, unit: string): string {
  const isFirst = cheaperBelow === "first";
  if (at.length === 0) return isFirst ? "always" : "never";
  const parts = at.map((value, i) => {
    const rounded = Number(value.toPrecision(2));
    return `${(i % 2 === 0) === isFirst ? "up to" : "from"} ${count(rounded)}`;
  });
  return `${parts.join(" and ")} ${unit}`;
}

/** Reads for a rank as players become more. */
export function rankReadsChart(systems: readonly SystemFacts[], { growth }: Scaled): string {
  const lines = growth
    .filter(({ id }) => drawnIds.includes(id))
    .map(({ id, sizes }) => ({
      name: nameOf(systems, id),
      points: sizes.map(({ players, billed }) => [players, billed.rank?.reads ?? NaN] as const),
      dashed: drawnIds.indexOf(id) >= 6,
    }));
  const sizes = growth[0]?.sizes.map(({ players }) => players) ?? [];
  return lineChart({
    title: "Documents read for one rank",
    caption: [
      "Counted, by the formulas that each way is held to on an emulator.",
      "Mean over players, for scores of chess.com's shape.",
    ],
    x: axis("players", sizes),
    y: axis("reads", [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]),
    panels: [{ name: "", lines }],
    width: pictureWidth,
  });
}

/** Dollars a day as updates grow. */
export function dollarsChart(systems: readonly SystemFacts[], { course }: Scaled): string {
  return priceChart(systems, {
    title: `Dollars a day, ${shortNumber(course.players)} players, one rank for each update`,
    region: course.region,
    x: axis("updates a second", course.rates),
    dollars: course.dollars,
  });
}

/** Dollars a day as players grow. */
export function sizesChart(systems: readonly SystemFacts[], { sizes }: Scaled): string {
  return priceChart(systems, {
    title: `Dollars a day, ${count(sizes.load.updatesPerSecond)} update and ${count(sizes.load.ranksPerSecond)} rank a second`,
    region: sizes.region,
    x: axis("players", sizes.players),
    dollars: sizes.dollars,
  });
}

interface PriceChart {
  title: string;
  region: string;
  x: LineChart["x"];
  /** At each tick of x. */
  dollars: Record<string, number[]>;
}

function priceChart(
  systems: readonly SystemFacts[],
  { title, region, x, dollars: days }: PriceChart,
): string {
  const lines = Object.entries(days)
    .filter(([id]) => drawnIds.includes(id))
    .map(([id, prices]) => ({
      name: nameOf(systems, id),
      points: x.ticks.map((tick, i) => [tick, prices[i] ?? NaN] as const),
      dashed: drawnIds.indexOf(id) >= 6,
    }));
  return lineChart({
    title,
    caption: [
      `Priced: formulas and list prices in ${region}; Firestore's operations and functions.`,
      "Where two lines cross, both ways cost the same.",
    ],
    x,
    y: axis("dollars a day", decadesOf(lines.flatMap(({ points }) => points.map(([, price]) => price)))),
    panels: [{ name: "", lines }],
    width: pictureWidth,
  });
}

/** Powers of ten round some values. */
function decadesOf(values: number[]): number[] {
  const logs = values.filter((value) => value > 0).map((value) => Math.log10(value));
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
  return Array.from({ length: high - low + 1 }, (_, i) => Number(`1e${low + i}`));
}

function axis(label: string, ticks: number[]): LineChart["x"] {
  return { label, domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], ticks, format: shortNumber };
}
