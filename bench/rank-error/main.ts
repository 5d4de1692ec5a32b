/**
 * `npm run bench -- rank-error`: how wrong the ranks of a merged ranking can be, and are, after the first merge and after a
 * long season of changes.
 *
 *     npm run bench -- rank-error [--players 10000000] [--rounds 50]
 *
 * Pure code of production's own (fold, merge, pages, lookup) against a full sort; no database. Takes a few minutes and
 * about 1.5 GB at 10 million players. Prints the table of docs/rank-error.md and draws docs/rank-error.svg.
 */
import { writeFileSync } from "node:fs";
import { rowBoundMax, rowsMax } from "../../functions/src/model/limits.ts";
import { lineChart } from "../charts/line-chart.ts";
import { shapes } from "../generators/shapes.ts";
import { wholeNumbers } from "../options.ts";
import { count, table } from "../report/markdown.ts";
import { boundsOf, type Errors, errorsOf } from "./measure.ts";
import { playSeason, type Season } from "./season.ts";

const { players, rounds } = wholeNumbers("rank-error", { players: 10_000_000, rounds: 50 });

/** The bound that is aimed at; production reads rows again a little below it. */
const target = 0.0003;
const splitBound = rowBoundMax;

const common = { shape: shapes.different, players, rounds, changedShare: 0.02, rowsMax, seed: 1 };
const seasons: [string, Season][] = [
  ["each change a fresh score", { ...common, course: "latest" }],
  ["each change a fresh score", { ...common, course: "latest", splitBound }],
  ["only better scores count", { ...common, course: "best", splitBound }],
  ["scores decline, the leaders go", { ...common, course: "decline", splitBound }],
  ["growing from a twentieth of the players", { ...common, course: "latest", startShare: 0.05, splitBound }],
];

const percent = (share: number) => `${(100 * share).toFixed(4)} %`;

const broken: string[] = [];
/** Of the first merge, and of the end of each season. */
const drawn: Errors[] = [];
const lineOf = ([name, season]: [string, Season]): string[] => {
  let [reads, first, worst, exactHead, found] = [0, NaN, 0, Infinity, NaN];
  for (const { round, rows, scores, reads: more } of playSeason(season)) {
    reads += more;
    if (round % 10 !== 0 && round !== rounds) continue;
    const bounds = boundsOf(rows);
    exactHead = Math.min(exactHead, bounds.exactHead);
    if (round === 0) first = bounds.worst;
    else worst = Math.max(worst, bounds.worst);
    if (round !== 0 && round !== rounds) continue;
    const errors = errorsOf(rows, scores, 500);
    found = errors.worst;
    if (errors.outside > 0) broken.push(`${name}: ${errors.outside} ranks are outside their bounds.`);
    if (round === rounds || drawn.length === 0) drawn.push(errors);
  }
  const isSplit = season.splitBound !== undefined;
  if (isSplit && (Math.max(first, worst) >= target || exactHead < 3_000))
    broken.push(`${name}: the bound was not held.`);
  const again = isSplit ? `above ${percent(splitBound)}` : "never";
  const players = count(Math.round(reads / rounds));
  return [name, again, percent(first), percent(worst), count(exactHead), percent(found), players];
};
const head =
  "season|rows read again|bound after the first merge|worst bound of rounds 10, 20 …|exact ranks, at least|" +
  "error found at the end|players read a round";
console.log(
  `${count(players)} different scores, ${rounds} rounds in each of which 2 % of the players change.\n`,
);
console.log(table(head, seasons.map(lineOf)));
for (const problem of broken) console.error(problem);
if (broken.length > 0) process.exitCode = 1;

const lines = [
  "after the first merge",
  `after ${rounds} rounds, rows never read again`,
  `after ${rounds} rounds, wide rows read again`,
].map((name, i) => [name, drawn[i]] as const);
writeFileSync(
  "docs/rank-error.svg",
  lineChart({
    title: `How wrong a rank can be and is: ${count(players)} different scores in 65,536 rows`,
    caption: [
      "Largest values in stretches of ranks, eight to a power of ten; where a line is missing, ranks are exact.",
      `Scores are synthetic between published points (${shapes.different.title}); in each round 2 % of the players get a fresh score.`,
    ],
    x: { label: "rank →", ticks: [1, 100, 1e4, 1e6], domain: [1, players] },
    y: {
      label: "↑ share of the rank",
      ticks: [1e-6, 1e-5, 1e-4, 1e-3],
      format: (y) => `${Number((100 * y).toPrecision(3))} %`,
    },
    panels: [
      panel("what the answer allows (rank_best to rank_worst)", ({ bound }) => bound),
      panel("what was found against a full sort", ({ error }) => error),
    ],
    marks: [{ name: "0.03 %", y: target }],
  }),
);
console.log("\nDrew docs/rank-error.svg.");

function panel(name: string, value: (stretch: Errors["stretches"][number]) => number) {
  return {
    name,
    lines: lines.map(([line, errors]) => ({
      name: line,
      points: (errors?.stretches ?? []).map(
        (stretch) => [stretch.rank, value(stretch) > 0 ? value(stretch) : NaN] as const,
      ),
    })),
  };
}
