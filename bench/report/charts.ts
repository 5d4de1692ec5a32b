/** What follows from formulas, as pictures: reads as boards grow, and dollars a day. */
import { type LineChart, lineChart, shortNumber } from "../charts/line-chart.ts";
import { count } from "./markdown.ts";
import { nameOf, type Results, type SystemFacts } from "./results.ts";

/** Systems that the pictures show; more lines than these cannot be told apart. */
const drawn = [
  "firerank",
  "count-better-reading",
  "count-better",
  "regular-update",
  "score-documents-sum",
  "score-ranking",
  "rank-tree-aggregated",
];

/** Reads for a rank as players become more. */
export function rankReadsChart({ systems, scaled: { growth } }: Results): string {
  const reads = growth.map(({ id, sizes }) => [id, sizes.map(({ billed }) => billed.rank.reads)] as const);
  return chart(systems, {
    title: "Documents read for one rank",
    caption: [
      "Counted, by the formulas that each way is held to on an emulator.",
      "Mean over players, for scores of chess.com's shape.",
    ],
    x: axis("players", growth[0]?.sizes.map(({ players }) => players) ?? []),
    y: axis("reads", [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000]),
    values: Object.fromEntries(reads),
  });
}

/** Dollars a day as updates grow. */
export function dollarsChart({ systems, scaled: { course } }: Results): string {
  return chart(systems, {
    title: `Dollars a day, ${shortNumber(course.players)} players, one rank for each update`,
    caption: priced,
    x: axis("updates a second", course.rates),
    values: course.dollars,
  });
}

/** Dollars a day as players grow. */
export function sizesChart({ systems, scaled: { sizes } }: Results): string {
  const { updatesPerSecond, ranksPerSecond } = sizes.load;
  return chart(systems, {
    title: `Dollars a day, ${count(updatesPerSecond)} update and ${count(ranksPerSecond)} rank a second`,
    caption: priced,
    x: axis("players", sizes.players),
    values: sizes.dollars,
  });
}

const priced = [
  "Priced: formulas and list prices in us-central1; Firestore's operations and functions.",
  "Where two lines cross, both ways cost the same.",
];

interface Course extends Pick<LineChart, "title" | "caption" | "x"> {
  y?: LineChart["y"];
  /** At each tick of x, by system. */
  values: Record<string, number[]>;
}

function chart(systems: readonly SystemFacts[], { title, caption, x, y, values }: Course): string {
  const lines = Object.entries(values)
    .filter(([id]) => drawn.includes(id))
    .map(([id, ofSystem]) => ({
      name: nameOf(systems, id),
      points: x.ticks.map((tick, i) => [tick, ofSystem[i] ?? NaN] as const),
      dashed: drawn.indexOf(id) >= 6,
    }));
  const all = lines.flatMap(({ points }) => points.map(([, value]) => value));
  return lineChart({
    title,
    caption,
    x,
    y: y ?? axis("dollars a day", decadesOf(all)),
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

function axis(label: string, ticks: number[]): LineChart["x"] {
  return { label, domain: [ticks[0] ?? 1, ticks.at(-1) ?? 10], ticks, format: shortNumber };
}
