/**
 * What an erasure or a merge leaves: `leaderboard_erasures/{hash}`, beside the boards, as it may be for all of them, also for one that
 * is saved later. It says until when the player is not taken: an ID token is valid for an hour after the account is gone,
 * and what was on its way is sent again for a day. It has no id and no name, and no rule lets anybody read it.
 *
 * Whoever would create a player's document reads it in the same transaction, so an erasure meets every commit either
 * before it or after it.
 */
import { z } from "zod";
import { FirerankError } from "../model/errors.ts";
import { hashOf } from "../model/hash.ts";
import { mergeKeptMs } from "../model/limits.ts";
import { type DocumentSnapshot, type Firestore, Timestamp } from "./firestore.ts";
import { erasuresPath } from "./paths.ts";

export const erasurePath = (player: string) => `${erasuresPath}/${hashOf(player).toString("hex")}`;

const time = z.instanceof(Timestamp);

export const storedErasure = z.object({
  /** Until when no board takes the player. */
  all_until: time.optional().catch(undefined),
  /** The same by board, which goes before the other; the beginning of time where an admin has let the player back. */
  boards_until: z.record(z.string(), time).optional().catch(undefined),
});

const liftedMs = 0;

/** Whether a board does not take a player. @param found the document at {@link erasurePath}. */
export function isErased(found: DocumentSnapshot | undefined, leaderboard: string, nowMs: number): boolean {
  return nowMs < erasedUntilMs(found, leaderboard);
}

/** Until when a board does not take a player who is merged away: for so long, or longer if an erasure says so. */
export function mergedUntilMs(
  found: DocumentSnapshot | undefined,
  leaderboard: string,
  nowMs: number,
): number {
  return Math.max(nowMs + mergeKeptMs, erasedUntilMs(found, leaderboard));
}

function erasedUntilMs(found: DocumentSnapshot | undefined, leaderboard: string): number {
  const { all_until: all, boards_until: boards = {} } = storedErasure.parse(found?.data() ?? {});
  return (Object.hasOwn(boards, leaderboard) ? boards[leaderboard] : all)?.toMillis() ?? liftedMs;
}

/** Why a player's document is not created. */
export function playerErased(player: string, leaderboard: string): FirerankError {
  return new FirerankError(
    "player_erased",
    `Player "${player}" was erased from leaderboard "${leaderboard}" in the last 25 hours, or merged into another in the last ` +
      "15 minutes; nothing was recorded. To have the player back at once, an admin calls setPlayerStatus with active.",
  );
}

interface Writer {
  set(ref: ReturnType<Firestore["doc"]>, data: object, options: { merge: boolean }): unknown;
}

/** Notes that a board takes a player no more until a time; without a board, that none does. Cost: 1 write. */
export function writeErasure(
  db: Firestore,
  writer: Writer,
  { player, leaderboard, untilMs }: { player: string; leaderboard?: string | undefined; untilMs: number },
) {
  const until = Timestamp.fromMillis(untilMs);
  const fields =
    leaderboard === undefined ? { all_until: until } : { boards_until: { [leaderboard]: until } };
  return writer.set(db.doc(erasurePath(player)), fields, { merge: leaderboard !== undefined });
}

/** What is left of an erasure for an admin who lets the player back on a board; nothing where the board takes the player. */
export function liftedErasure(found: DocumentSnapshot, leaderboard: string, nowMs: number) {
  if (!isErased(found, leaderboard, nowMs)) return undefined;
  return { boards_until: { [leaderboard]: Timestamp.fromMillis(liftedMs) } };
}

/** Whether nothing of an erasure counts any more. */
export function isErasureOver(found: DocumentSnapshot, nowMs: number): boolean {
  const { all_until: all, boards_until: boards = {} } = storedErasure.parse(found.data() ?? {});
  return [all, ...Object.values(boards)].every((until) => until === undefined || until.toMillis() <= nowMs);
}
