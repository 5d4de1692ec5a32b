/**
 * `npm run bench -- counted`: what rankings of the source `count` cost, how wrong they can be and how long they take, for
 * scores of several shapes, by production's own code on players in memory.
 *
 *     npm run bench -- counted [--players 10000000] [--rounds 20]
 *
 * Reads are exact, as Firestore bills them; the time is a model (twin.ts). Takes about three minutes and 1 GB at ten
 * million players. Prints the table of docs/rank-error.md.
 */
import { parseArgs } from "node:util";
import { countHeadMax } from "../../functions/src/model/limits.ts";
import { noRows, type Rows } from "../../functions/src/ranking/rows.ts";
import { drawScores, type Shape, shapes } from "../generators/shapes.ts";
import { randomOf } from "../generators/random.ts";
import { boundsOf, errorsOf } from "../rank-error/measure.ts";
import { type Counted, countOnce, indexedRows } from "./play.ts";
import { sortedKeys } from "./twin.ts";

const { values: options } = parseArgs({
  options: { players: { type: "string", default: "10000000" }, rounds: { type: "string", default: "20" } },
});
const players = Number(options.players);
const rounds = Number(options.rounds);
if (!(Number.isInteger(players) && players > countHeadMax && Number.isInteger(rounds) && rounds >= 2)) {
  console.error(
    `Usage: npm run bench -- counted [--players N] [--rounds M], with N > ${countHeadMax}, M > 1`,
  );
  process.exit(2);
}

const all: [string, Shape][] = [
  ["all different", shapes.different],
  ["whole numbers of 0–9,999", shapes.uniform9999],
  ["chess ratings", shapes.chess],
  ["osu! points, many at zero", shapes.osu],
];

const number = (value: number) => Math.round(value).toLocaleString("en-US");
const percent = (share: number) => `${(100 * share).toFixed(2)} %`;
console.log("| scores | run | counts | rounds | reads | rows | bound | error found | by the model |");
console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
for (const [name, shape] of all) {
  const scores = drawScores(shape, players, 1);
  const fresh = drawScores(shape, players, 2);
  const random = randomOf(3);
  let keys = sortedKeys("descending", scores);

  function show(what: string, run: Counted): void {
    const { worst, outside } = errorsOf(run.rows, scores, 100);
    if (outside > 0) process.exitCode = 1;
    const reads = number(run.reads + Math.min(players, countHeadMax));
    const bound = percent(boundsOf(run.rows).worst);
    console.log(
      `| ${name} | ${what} | ${number(run.counts)} | ${run.rounds} | ${reads} | ${number(run.rows.players.length)} | ${bound} | ${percent(worst)} | ${(run.ms / 1_000).toFixed(0)} s |`,
    );
  }

  show("first of all, neighbouring ids alike", await countOnce({ keys, ids: "sorted" }, noRows, 0));
  const first = await countOnce({ keys }, noRows, 0);
  show("first of all", first);
  show("the second", await countOnce({ keys }, first.rows, 1));
  const left = await countOnce({ keys }, indexedRows(keys), 0);
  show("leaving the index", left);
  let rows: Rows = left.rows;
  for (let round = 1; round <= rounds; round++) {
    for (let i = 0; i < 0.02 * players; i++)
      scores[Math.floor(random() * players)] = fresh[Math.floor(random() * players)] ?? NaN;
    keys = sortedKeys("descending", scores);
    const run = await countOnce({ keys }, rows, round);
    rows = run.rows;
    if (round === 1 || round === rounds) show(`${round} rounds of 2 % changed later`, run);
  }
}
