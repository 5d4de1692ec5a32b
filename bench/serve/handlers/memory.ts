/** The baseline: a sorted array in the function's own memory, so that only server and protocol are measured. */
import { readFileSync } from "node:fs";
import { rankCallable, setting } from "./rank-callable.ts";

const bytes = readFileSync(setting("SERVE_SCORES_FILE"));
/** Rising. */
const scores = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);

export const getRank = rankCallable(async (asked) => {
  if (!("score" in asked)) throw new Error("the array knows scores only");
  let low = 0;
  let high = scores.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((scores[middle] ?? NaN) <= asked.score) low = middle + 1;
    else high = middle;
  }
  return { score: asked.score, above: scores.length - low, players: scores.length };
});
