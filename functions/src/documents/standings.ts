/**
 * The final order of a closed season: a summary, and a document for each 1,000 players.
 *
 * The documents are numbered in the order of the players. A large season is written in several ranges at the same time,
 * each with numbers of its own: the summary says with which number a range begins, and how many documents the range
 * has.
 *
 * A player's position is the sum of `counts` before the player's document, plus the place in the document. Ranks follow
 * from scores: the position of the first player with a score is the rank of all players with this score, and
 * `ties_before` says how many players with the score of the document's first player come before the document. So taking
 * a player out rewrites one document and the summary, and every later position follows.
 *
 * The closing writes the documents (standings/write-range.ts), then the summary (jobs/closing/commit-closing.ts); admins
 * revise both (standings/revise.ts). Reading calls of the closed season read them (standings/standings-reads.ts). They are
 * deleted with the season; documents that a closing has written for nothing, when the season is cleared.
 */
import { z } from "zod";
import { Timestamp } from "./firestore.ts";

const time = z.instanceof(Timestamp);

/**
 * Each array has one element for each document of the standings. In a very large season, `standings/summary-1` and so
 * on have further elements.
 */
const sums = {
  counts: z.array(z.int().min(0)),
  /** The score of the document's first player; for an emptied document, the score of its last first player. */
  first_scores: z.array(z.number()),
  /** Players before the document who have the score of its first player. */
  ties_before: z.array(z.int().min(0)),
  /** Distinct scores before the document that are better than its first player's. */
  dense_before: z.array(z.int().min(0)),
};

/** `standings/summary`. */
export const storedStandingsSummary = z.object({
  players: z.int().min(0),
  ...sums,
  /** For each range, the number of its first document, and how many documents it has. */
  ranges: z.array(z.object({ first: z.int().min(0), documents: z.int().min(0) })),
  /** Documents of the summary, this one included. */
  parts: z.int().min(1),
  /** When the standings were written or last revised. */
  as_of: time,
  revisions: z.int().min(0),
});

/** A summary, with the elements of all of its parts. */
export type StandingsSummary = Omit<z.infer<typeof storedStandingsSummary>, "parts">;

/** `standings/summary-{part}`. */
export const storedStandingsPart = z.object(sums);

/**
 * `standings/{n}`: up to 1,000 players in the total order, best first; more if players were readmitted after the season
 * had closed, fewer if 1,000 would not fit. Each array has one element for each player.
 */
export const storedStandings = z.object({
  players: z.array(z.string()),
  scores: z.array(z.number()),
  achieved_at: z.array(time),
  /** Empty for a player without a name. */
  display_names: z.array(z.string()),
  /** Each player's segments, as in `country=AT platform=ios`; absent if no player of the document is in a segment. */
  segments: z.array(z.string()).optional(),
  has_metadata: z.boolean(),
});
export type Standings = z.infer<typeof storedStandings>;

/**
 * `standings/{n}-metadata`: each player's metadata as JSON, empty for a player without metadata. 1,000 times 1 KB fit.
 */
export const storedStandingsMetadata = z.object({ metadata: z.array(z.string()) });
export type StandingsMetadata = z.infer<typeof storedStandingsMetadata>;

/** What the total order of players goes by. */
export interface OrderedPlayer {
  player: string;
  score: number;
  achievedAt: Timestamp;
}

/**
 * The numbers of the documents, in order. Elements of the summary's arrays at an index belong to the document at this
 * index.
 */
export function numbersOf({ ranges }: Pick<StandingsSummary, "ranges">): number[] {
  return ranges.flatMap(({ first, documents }) => Array.from({ length: documents }, (_, i) => first + i));
}
