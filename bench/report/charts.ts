/** What follows from formulas, as pictures: reads as boards grow, and dollars a day. */
import { type LineChart, lineChart } from "../charts/line-chart.ts";
import { count } from "./markdown.ts";
import { nameOf, type Results, type SystemFacts } from "./results.ts";

/** Systems that the pictures show; more lines than these cannot be told apart. */
const drawn = [
  "firerank",
  "count-better",
  "regular-update",
  "score-documents-sum",
  "score-ranking",
  "rank-tree-aggregated",
];

/** Reads for a rank as players become more. */
export function rankReadsChart({ systems, scaled: { growth } }: Results): string {
  const reads = growth.map(({ id, sizes }) => [id, sizes.map(({ billed }) => billed.rank.reads)] as const);
  return chart(systems, Object.fromEntries(reads), {
    title: "Documents read for one rank",
    caption: [
      "Counted, by the formulas that each way is held to on an emulator.",
      "Mean over players, for scores of chess.com's shape.",
    ],
    x: { label: "players", ticks: growth[0]?.sizes.map(({ players }) => players) ?? [] },
    unit: "reads",
  });
}

/** Dollars a day as updates grow. */
export function dollarsChart({ systems, scaled: { course } }: Results): string {
  return chart(systems, course.dollars, {
    ...priced,
    title: `Dollars a day, ${count(course.players)} players, one rank for each update`,
    x: { label: "updates a second", ticks: course.rates },
  });
}

/** Dollars a day as players grow. */
export function sizesChart({ systems, scaled: { sizes } }: Results): string {
  const { updatesPerSecond, ranksPerSecond } = sizes.load;
  return chart(systems, sizes.dollars, {
    ...priced,
    title: `Dollars a day, ${count(updatesPerSecond)} update and ${count(ranksPerSecond)} rank a second`,
    x: { label: "players", ticks: sizes.players },
  });
}

const priced = {
  caption: [
    "Priced: formulas and list prices in us-central1; Firestore's operations and functions.",
    "Where two lines cross, both ways cost the same.",
  ],
  unit: "dollars a day",
};

/** @param values at each tick of x, by system. */
function chart(
  systems: readonly SystemFacts[],
  values: Record<string, number[]>,
  { unit, ...about }: Pick<LineChart, "title" | "caption" | "x"> & { unit: string },
): string {
  const lines = Object.entries(values)
    .filter(([id]) => drawn.includes(id))
    .map(([id, ofSystem]) => ({
      name: nameOf(systems, id),
      points: about.x.ticks.map((tick, i) => [tick, ofSystem[i] ?? NaN] as const),
      dashed: id === drawn.at(-1),
    }));
  const all = lines.flatMap(({ points }) => points.map(([, value]) => value));
  return lineChart({
    ...about,
    y: { label: unit, ticks: decadesOf(all) },
    panels: [{ name: "", lines }],
    // So wide that its text can be read on a phone.
    width: 640,
  });
}

/** Powers of ten round some values. */
function decadesOf(values: number[]): number[] {
  const logs = values.filter((value) => value > 0).map((value) => Math.log10(value));
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))];
  return Array.from({ length: high - low + 1 }, (_, i) => Number(`1e${low + i}`));
}
