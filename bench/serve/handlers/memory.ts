/** The baseline: a sorted array in the function's own memory, so that only server and protocol are measured. */
import { readFileSync } from "node:fs";
import { firstWhere } from "../../../functions/src/model/search.ts";
import { rankCallable, setting } from "./rank-callable.ts";

const bytes = readFileSync(setting("SERVE_SCORES_FILE"));
/** The best first. */
const scores = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 8);

export const getRank = rankCallable(async (score) => ({
  above: firstWhere(scores, (other) => other <= score),
  players: scores.length,
}));
