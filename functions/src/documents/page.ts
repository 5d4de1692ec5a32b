/**
 * Pages: the documents of a generation. Each page can answer for its scores on its own. The commit that publishes a
 * generation writes all of its pages, and deletes pages that the generation does not have any more (ranking/publish.ts).
 * Reading calls and apps read the page that they need; the next run reads all. Copies of a midnight's pages
 * (ranking/baselines.ts) are deleted when nobody can ask for that midnight any more.
 */
import { z } from "zod";
import { storedDefinition } from "../model/definition.ts";
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
  /** The page includes every change that was counted in a slot that had ended by this time. */
  as_of: time,
  read_at: time,
  next_publish_at: time,
  /**
   * All shard documents that are not in the rows belong to slots that end after this time; absent if that is unknown.
   */
  shards_from: time.optional(),
  /**
   * On a board that keeps movement: the midnights whose rankings are kept, the oldest first, in milliseconds since
   * 1970, each with the copy that holds its ranking. Two midnights share a copy if nothing was published between them.
   */
  baselines: z.array(z.object({ at: z.number(), copy: z.number() })).optional(),
  /** How many pages of segments there are; absent if there are none. */
  segment_pages: z.int().min(1).optional(),
  /** On page 0: the segments that have a document of teams (teams.ts); absent if none has. */
  teams: z.array(z.string()).optional(),
  /**
   * How many players have a value that is not ranked, by segment, see ranking/left-out.ts; absent if all values are
   * ranked.
   */
  left_out: z.record(z.string(), leftOutSum).optional(),
  /**
   * After a repair: when the repair read the players, if that is later than `as_of`. Movement needs it.
   */
  remade_at: time.optional(),
  /**
   * On pages of a closed season: the tiers of its end, by which a device ranks. No run publishes such pages any more, as
   * they come from the standings.
   */
  final: storedDefinition.pick({ tiers: true }).optional(),
  /**
   * The page answers for scores from `from_score` (inclusive) to `until_score` (exclusive, worse; null on the last
   * page).
   */
  from_score: z.number(),
  until_score: z.number().nullable(),
  rows_above: z.int().min(0),
  /** Each row's score, best first; for a merged row, the best score that it covers. */
  scores: z.array(z.number()),
  /** Players with a better score than the row's. */
  players_above: z.array(z.number()),
  /** Players in all rows up to the end of this page: the `players_above` of the next page's first row. */
  players_until: z.number(),
  /** The worst score that each row covers; absent if every row of the page covers one score. */
  lows: z.array(z.number()).optional(),
  /** On pages with merged rows, the check sum of each row, for runs: see ranking/check-sum.ts. */
  checks: z.string().optional(),
  /**
   * On pages with merged rows, for each row: how many more players are above it with the changes pending at `read_at`.
   */
  pending_above: z.array(z.number()).optional(),
  /**
   * Rows among the page's scores whose count is negative for now, or zero if merged; readers skip them (see fold.ts).
   */
  owed: z
    .array(z.object({ score: z.number(), low: z.number(), players: z.number(), check: z.int().optional() }))
    .optional(),
  /** The sum of the counts of all owed rows; `owed_above` sums those above the page. Absent if no row is owed. */
  owed_players: z.number().optional(),
  owed_above: z.number().optional(),
});

/** A document of `scores_ranking`. */
export type Page = z.infer<typeof storedPage>;

export function readPage(data: Record<string, unknown> | undefined): Page {
  return storedPage.parse(data);
}
