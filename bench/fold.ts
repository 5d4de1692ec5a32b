/**
 * `npm run bench -- fold`: the CPU time and memory of a ranking run of many different scores.
 *
 *     npm run bench -- fold [--scores 1000000] [--documents 1000]
 *
 * It measures our own code and the client library's decoding, on this machine; no time here is Firestore's. The
 * documents are made and encoded outside the measured part, one at a time, as a run reads them.
 */
import { parseArgs } from "node:util";
import { Timestamp } from "../functions/src/documents/firestore.ts";
import type { Page } from "../functions/src/documents/page.ts";
import { rowsMax } from "../functions/src/model/limits.ts";
import { hashOf } from "../functions/src/model/hash.ts";
import { createFold } from "../functions/src/ranking/fold.ts";
import { mergeRows } from "../functions/src/ranking/merge.ts";
import { packPages } from "../functions/src/ranking/pack-pages.ts";
import { noRows } from "../functions/src/ranking/rows.ts";
import { addShard, type ShardSums, noSums } from "../functions/src/ranking/shards.ts";
import { placeOf } from "../functions/src/reading/lookup.ts";
import { createDecoder, encodeShard } from "./shard-documents.ts";

const { values: options } = parseArgs({
  options: { scores: { type: "string", default: "1000000" }, documents: { type: "string", default: "1000" } },
});
const scoreCount = Number(options.scores);
const documentCount = Number(options.documents);
if (
  !Number.isInteger(scoreCount) ||
  !Number.isInteger(documentCount) ||
  documentCount < 1 ||
  scoreCount < documentCount
) {
  console.error("Usage: npm run bench -- fold [--scores N] [--documents M], whole numbers with N >= M >= 1");
  process.exit(2);
}

const phases = new Map<string, number>();

function timed<T>(phase: string, work: () => T): T {
  const start = performance.now();
  const result = work();
  phases.set(phase, (phases.get(phase) ?? 0) + performance.now() - start);
  return result;
}

/** Different scores in no order: i × an odd number, modulo a power of two above their count, below 2^53 throughout. */
function scoresOf(document: number): number[] {
  const period = 2 ** Math.ceil(Math.log2(scoreCount));
  const scores: number[] = [];
  for (let i = document; i < scoreCount; i += documentCount) scores.push((i * 654_435_761) % period);
  return scores;
}

console.log(`Folding ${format(scoreCount)} different scores from ${format(documentCount)} shard documents.`);
const decode = createDecoder();
const fold = createFold("descending", noRows);
const sums: ShardSums = noSums();
for (let document = 0; document < documentCount; document++) {
  const bytes = encodeShard(document, scoresOf(document));
  const data = timed("decode", () => decode(bytes));
  timed("add", () => {
    addShard(fold, sums, data);
  });
  if (process.stderr.isTTY && document % 50 === 0)
    process.stderr.write(`\r${document} of ${documentCount} documents`);
}
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
const rows = timed("sort and join", () => fold.finish());
const merged = timed("merge", () => mergeRows(rows, rowsMax));
const now = Timestamp.fromMillis(0);
const pages = timed("pages", () =>
  packPages("descending", merged, {
    generation: 1,
    unusable_scores: 0,
    as_of: now,
    read_at: now,
    next_publish_at: now,
  }),
);

draw();
check(pages);

function draw(): void {
  const total = [...phases.values()].reduce((sum, ms) => sum + ms, 0);
  for (const [phase, ms] of phases) {
    const bar = "█".repeat(Math.round((50 * ms) / total));
    console.log(`${phase.padEnd(14)} ${(ms / 1_000).toFixed(2).padStart(7)} s  ${bar}`);
  }
  const peak = process.resourceUsage().maxRSS / 1_024;
  console.log(`${"in all".padEnd(14)} ${(total / 1_000).toFixed(2).padStart(7)} s`);
  console.log(
    `peak memory    ${peak.toFixed(0).padStart(7)} MiB of the whole process, the making of the documents included`,
  );
  console.log(
    `result         ${format(rows.scores.length)} rows, merged into ${format(merged.scores.length)} on ${pages.length} pages`,
  );
  const widest = widestRow(pages);
  console.log(
    `uncertainty    at most ${widest.players} players in a row, at rank ${format(widest.rank)} ` +
      `(${((100 * widest.players) / widest.rank).toFixed(3)} %); the best ${format(firstMerged(pages))} are exact`,
  );
}

/** Checks ranks against the construction: the k-th best of all different scores has rank k. */
function check(pages: Page[]): void {
  const sorted = new Float64Array(scoreCount);
  for (let document = 0, at = 0; document < documentCount; document++) {
    const scores = scoresOf(document);
    sorted.set(scores, at);
    at += scores.length;
  }
  sorted.sort().reverse();
  let wrong = 0;
  for (let probe = 0; probe < 1_000; probe++) {
    const index = hashOf(String(probe)) % sorted.length;
    const score = sorted[index] ?? NaN;
    const page = pages.findLast(({ from_score: from }) => from >= score);
    const place = page === undefined ? undefined : placeOf("descending", page, score);
    if (place === undefined || index + 1 < place.rank_best || index + 1 > place.rank_worst) wrong += 1;
  }
  console.log(
    `check          1,000 ranks against a full sort: ${wrong === 0 ? "all within their bounds" : `${wrong} WRONG`}`,
  );
  if (wrong > 0) process.exitCode = 1;
}

function widestRow(pages: Page[]): { players: number; rank: number } {
  let widest = { players: 1, rank: 1 };
  for (const { players_above: above, players_until: until } of pages) {
    above.forEach((players, i) => {
      const count = (above[i + 1] ?? until) - players;
      if (count > widest.players) widest = { players: count, rank: players + 1 };
    });
  }
  return widest;
}

function firstMerged(pages: Page[]): number {
  for (const { scores, lows, players_above: above } of pages) {
    const row = scores.findIndex((score, i) => lows !== undefined && lows[i] !== score);
    if (row >= 0) return above[row] ?? 0;
  }
  return pages[0]?.players ?? 0;
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}
