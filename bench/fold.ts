/**
 * `npm run bench -- fold`: the CPU time and memory of a ranking run of many different scores.
 *
 *     npm run bench -- fold [--scores 1000000] [--documents 1000]
 *
 * It measures our own code and the client library's decoding, on this machine; no time here is Firestore's. The
 * documents are made and encoded outside the measured part, one at a time, as a run reads them.
 */
import { Timestamp } from "../functions/src/documents/firestore.ts";
import { rowsMax } from "../functions/src/model/limits.ts";
import { createFold } from "../functions/src/ranking/fold.ts";
import { mergeRows } from "../functions/src/ranking/merge.ts";
import { packPages } from "../functions/src/ranking/pack-pages.ts";
import { noRows } from "../functions/src/ranking/rows.ts";
import { addShard, noSums } from "../functions/src/ranking/shards.ts";
import { wholeNumbers } from "./options.ts";
import { boundsOf, errorsOf } from "./rank-error/measure.ts";
import { createDecoder, encodeShard } from "./shard-documents.ts";

const { scores: scoreCount, documents: documentCount } = wholeNumbers("fold", {
  scores: 1_000_000,
  documents: 1_000,
});

const phases = new Map<string, number>();

function timed<T>(phase: string, work: () => T): T {
  const start = performance.now();
  const result = work();
  phases.set(phase, (phases.get(phase) ?? 0) + performance.now() - start);
  return result;
}

const period = 2 ** Math.ceil(Math.log2(scoreCount));

/** Different scores in no order: i × an odd number, modulo a power of two above their count, below 2^53 throughout. */
function scoresFrom(first: number, stride: number): Float64Array {
  const length = Math.ceil((scoreCount - first) / stride);
  return Float64Array.from({ length }, (_, i) => ((first + i * stride) * 654_435_761) % period);
}

const number = (count: number) => count.toLocaleString("en-US");
console.log(`Folding ${number(scoreCount)} different scores from ${number(documentCount)} shard documents.`);
const decode = createDecoder();
const fold = createFold("descending", noRows);
const sums = noSums();
for (let document = 0; document < documentCount; document++) {
  const bytes = encodeShard(document, scoresFrom(document, documentCount));
  const data = timed("decode", () => decode(bytes));
  timed("add", () => {
    addShard(fold, sums, data);
  });
}
const rows = timed("sort and join", () => fold.finish());
const merged = timed("merge", () => mergeRows(rows, rowsMax));
const now = Timestamp.fromMillis(0);
const generation = { generation: 1, unusable_scores: 0, as_of: now, read_at: now, next_publish_at: now };
const pages = timed("pages", () => packPages("descending", merged, generation));

const total = [...phases.values()].reduce((sum, ms) => sum + ms, 0);
for (const [phase, ms] of [...phases, ["in all", total] as const]) {
  const bar = "█".repeat(Math.round((50 * ms) / total));
  console.log(`${phase.padEnd(14)} ${(ms / 1_000).toFixed(2).padStart(7)} s  ${bar}`);
}
const peak = process.resourceUsage().maxRSS / 1_024;
console.log(
  `peak memory    ${peak.toFixed(0).padStart(7)} MiB of the whole process, the making of the documents included`,
);
console.log(
  `result         ${number(rows.scores.length)} rows, merged into ${number(merged.scores.length)} on ${pages.length} pages`,
);
const { worst, worstRank, exactHead } = boundsOf(merged);
console.log(
  `uncertainty    at most ${(100 * worst).toFixed(3)} %, at rank ${number(worstRank)}; the best ${number(exactHead)} are exact`,
);
const { outside } = errorsOf(merged, scoresFrom(0, 1), 20);
console.log(
  `check          against a full sort: ${outside === 0 ? "all ranks within their bounds" : `${outside} WRONG`}`,
);
if (outside > 0) process.exitCode = 1;
