/** What follows from formulas, as pictures: reads as boards grow, and dollars a day. */
import type { Scaled } from "../contest/scaled.ts";
import { type LineChart, lineChart, shortNumber } from "../charts/line-chart.ts";
import { count } from "./markdown.ts";
import { drawnIds, nameOf, pictureWidth, type SystemFacts } from "./results.ts";

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
