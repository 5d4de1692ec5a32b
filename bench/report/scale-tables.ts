/** What follows from formulas, as tables and pictures: bills as boards grow, dollars a day, break-even points. */
import type { Scaled } from "../contest/scaled.ts";
import { type LineChart, lineChart, shortNumber } from "../charts/line-chart.ts";
import type { Operation } from "../systems/system.ts";
import { billText } from "./feature-tables.ts";
import { count, dollars, table } from "./markdown.ts";
import { drawnIds, nameOf, type SystemFacts } from "./results.ts";

/** The bill of one operation at each size. */
export function growthTable(
  systems: readonly SystemFacts[],
  { growth }: Scaled,
  operation: Operation,
): string {
  const sizes = growth[0]?.sizes.map(({ players }) => players) ?? [];
  const rows = growth.flatMap(({ id, sizes: grown }) => {
    const bills = grown.map(({ billed }) => billed[operation]);
    if (bills.every((bill) => bill === undefined)) return [];
    return [[nameOf(systems, id), ...bills.map((bill) => (bill === undefined ? "–" : billText(bill)))]];
  });
  return table([["system", ...sizes.map((players) => `${count(players)} players`)], ...rows]);
}

/** Dollars a day for each load, in both regions; without systems that are a server, which has another price. */
export function daysTable(systems: readonly SystemFacts[], { days }: Scaled): string {
  const loads = days
    .filter(({ region }) => region === "us-central1")
    .sort((a, b) => a.players - b.players || a.load.updatesPerSecond - b.load.updatesPerSecond);
  const head = loads.map(
    ({ players, load }) =>
      `${shortNumber(players)} players, ${count(load.updatesPerSecond)} updates/s, ${count(load.ranksPerSecond)} ranks/s`,
  );
  const rows = systems.flatMap(({ id, name, server }) => {
    if (server === true) return [];
    const cells = loads.map(({ players, load }) =>
      days
        .filter((day) => day.players === players && day.load.updatesPerSecond === load.updatesPerSecond)
        .map((day) => day.dollars[id])
        .map((day) => (day == null ? "–" : dollars(day)))
        .join(" / "),
    );
    return cells.every((cell) => cell.startsWith("–")) ? [] : [[name, ...cells]];
  });
  return table([["system", ...head], ...rows]);
}

/** From how many updates a second on each system is dearer or cheaper than the first. */
export function evensTable(systems: readonly SystemFacts[], { evens }: Scaled): string {
  const base = systems[0]?.name ?? "";
  const priced = Object.entries(evens).filter(
    ([id]) => systems.find((system) => system.id === id)?.server !== true,
  );
  const rows = priced.map(([id, { cheaperBelow, at }]) => {
    const [low, high] = cheaperBelow === "first" ? ["cheaper", "dearer"] : ["dearer", "cheaper"];
    const rate = at === undefined ? undefined : `${count(at)} updates/s`;
    return [
      nameOf(systems, id),
      rate === undefined ? `${low} at every load` : `${low} below ${rate}, ${high} above`,
    ];
  });
  return table([["system", `beside ${base}`], ...rows]);
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
      "By formula, which each system is held to on an emulator; chess.com's shape of scores, mean over players.",
    ],
    x: axis("players", sizes),
    y: axis("reads", [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]),
    panels: [{ name: "", lines }],
  });
}

/** Dollars a day as updates grow. */
export function dollarsChart(systems: readonly SystemFacts[], { course }: Scaled): string {
  const lines = Object.entries(course.dollars)
    .filter(([id]) => drawnIds.includes(id))
    .map(([id, days]) => ({
      name: nameOf(systems, id),
      points: course.rates.map((rate, i) => [rate, days[i] ?? NaN] as const),
      dashed: drawnIds.indexOf(id) >= 6,
    }));
  return lineChart({
    title: `Dollars a day, ${shortNumber(course.players)} players, one rank for each update`,
    caption: [
      `By formula and list prices in ${course.region}: Firestore's operations and the functions' calls, no more.`,
    ],
    x: axis("updates a second", course.rates),
    y: axis("dollars a day", [0.0001, 0.001, 0.01, 0.1, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]),
    panels: [{ name: "", lines }],
  });
}

function axis(label: string, ticks: number[]): LineChart["x"] {
  return { label, domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], ticks, format: shortNumber };
}
