/** The cursor of `getPage`: where its list ended, as an opaque text that callers send back. */
import { z } from "zod";
import { Timestamp } from "../documents/firestore.ts";
import type { RankingKey } from "../documents/paths.ts";
import type { ListKey } from "../documents/queries.ts";
import { invalidField } from "../model/errors.ts";
import { documentId } from "../model/ids.ts";
import { isScore } from "../model/score.ts";

export interface ListEnd {
  listKey: ListKey;
  position: number;
  /** The standings in which the position is certain; undefined if the season was open. */
  standings?: StandingsVersion | undefined;
}

/** Distinguishes a closed season's standings from those before or after a revision. */
export type StandingsVersion = readonly [revisions: number, asOfMs: number];

const score = z.number().refine(isScore);
/** From the first to the last second that Firestore can store. */
const seconds = z.int().min(-62_135_596_800).max(253_402_300_799);
const nanoseconds = z.int().min(0).max(999_999_999);

const storedCursor = z.strictObject({
  v: z.literal(1),
  leaderboard: z.string(),
  season: z.string(),
  segment: z.string().optional(),
  /** Without a time: after all players with this score. */
  after: z.union([z.tuple([score, seconds, nanoseconds, documentId]), z.tuple([score])]),
  position: z.int().min(1),
  standings: z.tuple([z.int().min(0), z.int()]).optional(),
});

/**
 * The cursor after a player. It is a key of the total order, so it is still good after the season has closed. A trusted server's
 * document whose `achieved_at` is not a time has no exact key until the trigger has completed it: the list then
 * continues after its equals.
 */
export function writeCursor(
  { leaderboard, season, segment }: RankingKey,
  [score, achieved, id]: ListKey,
  position: number,
  standings?: StandingsVersion,
): string {
  const after = achieved instanceof Timestamp ? [score, achieved.seconds, achieved.nanoseconds, id] : [score];
  const stored = JSON.stringify({ v: 1, leaderboard, season, segment, after, position, standings });
  return Buffer.from(stored).toString("base64url");
}

/** Where a list continues. @throws `invalid_request` about a cursor that is damaged, or of another ranking */
export function readCursor({ leaderboard, season, segment }: RankingKey, cursor: string): ListEnd {
  const parsed = storedCursor.safeParse(jsonIn(cursor));
  if (!parsed.success)
    throw invalidField("cursor", "is damaged; take next_cursor of getPage's answer as it is");
  const { after, position, standings, ...of } = parsed.data;
  if (of.leaderboard !== leaderboard || of.season !== season)
    throw invalidField(
      "cursor",
      `is of season "${of.season}" of leaderboard "${of.leaderboard}"; ` +
        `begin with an offset in season "${season}" of leaderboard "${leaderboard}"`,
    );
  if (of.segment !== segment)
    throw invalidField(
      "cursor",
      `is of ${of.segment ?? "all players"}; begin with an offset in ${segment ?? "all players"}`,
    );
  if (after.length === 1) return { listKey: after, position, standings };
  const [score, seconds, nanoseconds, player] = after;
  return { listKey: [score, new Timestamp(seconds, nanoseconds), player], position, standings };
}

/** Room for a player's id of 1,500 bytes, the longest there is, even one of quotation marks only. */
export const cursorCharactersMax = 5_000;

function jsonIn(cursor: string): unknown {
  if (cursor.length > cursorCharactersMax) return undefined;
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}
