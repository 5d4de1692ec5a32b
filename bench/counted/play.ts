/** Rankings of the source `count` by production's own code on players in memory, one run after another. */
import {
  countHeadMax,
  countRefineEvery,
  countRoundsMax,
  countSplitsMax,
  readConcurrencyMax,
  rowsMax,
} from "../../functions/src/model/limits.ts";
import { scoreOfKey } from "../../functions/src/model/score.ts";
import { countRows } from "../../functions/src/ranking/count.ts";
import { mergeRows } from "../../functions/src/ranking/merge.ts";
import type { Rows } from "../../functions/src/ranking/rows.ts";
import { type Asked, createTwin } from "./twin.ts";

/** What a run found, and what it asked for; its reads without pages, top and the best players. */
export interface Counted extends Asked {
  rows: Rows;
}

/** Players of a descending board, as sorted keys, and how their ids lie. */
export interface Board {
  keys: Float64Array;
  ids?: "random" | "sorted";
}

/** Counts a ranking as a run does. @param generation the last one; 0 with rows of an index. */
export async function countOnce({ keys, ids }: Board, before: Rows, generation: number): Promise<Counted> {
  const twin = createTwin("descending", keys, ids);
  const scores = Array.from(keys.subarray(0, countHeadMax), (key) => scoreOfKey("descending", key));
  const head = { scores, isAll: keys.length < countHeadMax };
  const rows = await countRows("descending", twin, head, before, {
    mayRefine: generation === 0 || generation % countRefineEvery === 1,
    roundsMax: countRoundsMax,
    splitsMax: countSplitsMax,
    concurrencyMax: readConcurrencyMax,
  });
  return { ...twin.asked, rows: mergeRows(rows, rowsMax) };
}

/** The rows that an index of these players publishes: exact ones, merged into as many as a generation may have. */
export function indexedRows(keys: Float64Array): Rows {
  const scores = new Float64Array(keys.length);
  const players = new Float64Array(keys.length);
  let rows = 0;
  for (const key of keys) {
    const score = scoreOfKey("descending", key);
    if (rows === 0 || scores[rows - 1] !== score) scores[rows++] = score;
    players[rows - 1] = (players[rows - 1] ?? 0) + 1;
  }
  const exact = scores.subarray(0, rows);
  return mergeRows({ scores: exact, lows: exact, players: players.subarray(0, rows) }, rowsMax);
}

/** Sorted keys of a descending board whose scores are a falling function of the share of players above. */
export function keysOf(players: number, score: (share: number) => number): Float64Array {
  return new Float64Array(players).map((_, i) => 0 - score((i + 0.5) / players));
}
