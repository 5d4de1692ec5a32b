/** Pages: the documents of a generation. Each page can answer for its scores on its own. */
import { z } from "zod";
import { Timestamp } from "./firestore.ts";

const time = z.instanceof(Timestamp);

const leftOutSum = z.object({ players: z.number(), check: z.int() });
export type LeftOutSum = z.infer<typeof leftOutSum>;

export const storedPage = z.object({
  page: z.int().min(0),
  pages: z.int().min(1),
  generation: z.int().min(1),
  players: z.number(),
  rows: z.number(),
  unusable_scores: z.number(),
  /** Every change that was counted in a slot that had ended by then is included. */
  as_of: time,
  read_at: time,
  next_publish_at: time,
  /** Shard documents that are not in the rows belong to slots that end after this; absent where that is unknown. */
  shards_from: time.optional(),
  /**
   * On a board that keeps movement: the midnights whose rankings are kept, the oldest first, in milliseconds since 1970,
   * and the copy that has each. Between two that have one copy nothing was ranked.
   */
  baselines: z.array(z.object({ at: z.number(), copy: z.number() })).optional(),
  /** Pages of segments; absent where there are none. */
  segment_pages: z.int().min(1).optional(),
  /** Of segments with more values than are ranked: the others' players, see ranking/left-out.ts; absent where there are none. */
  left_out: z.record(z.string(), leftOutSum).optional(),
  /** On a board that keeps movement, after a repair: when it read the players, if that is later than `as_of`. */
  remade_at: time.optional(),
  /** On page 0 of a season that has closed: no run publishes it any more, as the standings are now right. */
  final: z.literal(true).optional(),
  /** The page answers for scores from `from_score` (inclusive) to `until_score` (exclusive, worse; null on the last page). */
  from_score: z.number(),
  until_score: z.number().nullable(),
  rows_above: z.int().min(0),
  /** Each row's score, best first; for a merged row, the best that it covers. */
  scores: z.array(z.number()),
  /** Players with a better score than the row's. */
  players_above: z.array(z.number()),
  /** Players above everything that follows the page's last row. */
  players_until: z.number(),
  /** The worst score that each row covers; absent where every row of the page is one score. */
  lows: z.array(z.number()).optional(),
  /** On pages with merged rows, the check sum of each row, for runs: see ranking/check-sum.ts. */
  checks: z.string().optional(),
  /** On pages with merged rows, for each row: how many players more the changes pending at `read_at` put above it. */
  pending_above: z.array(z.number()).optional(),
  /** Rows of the page's scores whose count is negative for now, or zero if merged: not for readers (see fold.ts). */
  owed: z
    .array(z.object({ score: z.number(), low: z.number(), players: z.number(), check: z.int().optional() }))
    .optional(),
  /** The sum of all such counts, including those above the page; absent where there are none. */
  owed_players: z.number().optional(),
  owed_above: z.number().optional(),
});

/** A document of `scores_ranking`. */
export type Page = z.infer<typeof storedPage>;

export function readPage(data: Record<string, unknown> | undefined): Page {
  return storedPage.parse(data);
}
