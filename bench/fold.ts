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
import { mergeRows } from "../functions/src/ranking/merge.ts";
import { packPages } from "../functions/src/ranking/pack-pages.ts";
import { createMarkFold } from "../functions/src/ranking/ranked.ts";
import { addShard, noSums } from "../functions/src/ranking/shards.ts";
import { wholeNumbers } from "./options.ts";
import { createDecoder, encodeShard } from "./shard-documents.ts";

const { scores, documents } = wholeNumbers("fold", { scores: 1_000_000, documents: 1_000 });

const phases = new Map<string, number>();

function timed<T>(phase: string, work: () => T): T {
  const start = performance.now();
  const result = work();
  phases.set(phase, (phases.get(phase) ?? 0) + performance.now() - start);
  return result;
}

/** Different scores in no order: i × an odd number, modulo a power of two above their count, below 2^53 throughout. */
function* scoresOf(document: number): Generator<number> {
  const period = 2 ** Math.ceil(Math.log2(scores));
  for (let i = document; i < scores; i += documents) yield (i * 654_435_761) % period;
}

const decode = createDecoder();
const fold = createMarkFold("descending");
const sums = noSums();
for (let document = 0; document < documents; document++) {
  const bytes = encodeShard(document, scoresOf(document));
  const data = timed("decode", () => decode(bytes));
  timed("add", () => {
    addShard(fold, sums, data);
  });
}
const { rows } = timed("sort and join", () => fold.finish());
const merged = timed("merge", () => mergeRows(rows, rowsMax));
const now = Timestamp.fromMillis(0);
const generation = { generation: 1, unusable_scores: 0, as_of: now, read_at: now, next_publish_at: now };
const pages = timed("pages", () => packPages("descending", merged, generation));

const number = (count: number) => count.toLocaleString("en-US");
console.log(`${number(scores)} different scores from ${number(documents)} shard documents:`);
for (const [phase, ms] of phases) console.log(`${phase.padEnd(14)} ${(ms / 1_000).toFixed(2).padStart(7)} s`);
console.log(`rows           ${number(merged.scores.length)} on ${pages.length} pages`);
const peak = process.resourceUsage().maxRSS / 1_024;
console.log(`peak memory    ${peak.toFixed(0)} MiB of the process, the making of the documents included`);
