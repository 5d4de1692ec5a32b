/**
 * The note that an erasure or a merge leaves: `leaderboard_erasures/{hash}`. It says until when boards refuse the
 * player, because an ID token is valid for an hour after the account is gone, and devices send submissions again for a
 * day. The document lies beside the boards, as it may hold for all boards, also for boards that are saved later. No rule
 * lets anybody read it. `removePlayer` and merges write it, `setPlayerStatus` lifts it, and once a day the schedule
 * deletes notes that are over.
 *
 * It also says what steps still have to do for the player on many boards (jobs/players/step.ts). So long it has the
 * player's id; otherwise it has no id and no name.
 *
 * Whoever would create a player's document reads the note in the same transaction. So every such commit comes either
 * before the erasure, which then finds the document, or after it.
 */
import { z } from "zod";
import { FirerankError } from "../model/errors.ts";
import { hashOf } from "../model/hash.ts";
import { mergeKeptMs } from "../model/limits.ts";
import { definitionId } from "../model/template.ts";
import { type DocumentSnapshot, type Firestore, Timestamp } from "./firestore.ts";
import { erasuresPath } from "./paths.ts";

export const erasurePath = (player: string) => `${erasuresPath}/${hashOf(player).toString("hex")}`;

const time = z.instanceof(Timestamp);

/** What steps do, from `due_at` on: on all boards, or on some, which may be templates. */
const work = z.object({
  due_at: time,
  all: z.boolean().optional(),
  boards: z.record(z.string(), z.boolean()).optional(),
  /** Of an erasure: whether steps have not yet been at all boards for the first time. */
  goes_on: z.boolean().optional(),
});
export type PlayerWork = z.infer<typeof work>;

/** `erase`: an erasure, which looks once more when it is due. `set_status`: boards still have another status. */
export const notedJobs = ["erase", "set_status"] as const;
export type NotedJob = (typeof notedJobs)[number];

export const storedErasure = z.object({
  /** Until when all boards refuse the player. */
  all_until: time.optional().catch(undefined),
  /**
   * Until when single boards, or all boards of a template, refuse the player, in place of `all_until`; 1970 where an
   * admin let the player back.
   */
  boards_until: z.record(z.string(), time).optional().catch(undefined),
  /** The player's id, while there is work. */
  player: z.string().optional().catch(undefined),
  erase: work.optional().catch(undefined),
  set_status: work.optional().catch(undefined),
});

const liftedMs = 0;

/** Whether a board refuses a player. @param found the document at {@link erasurePath}. */
export function isErased(found: DocumentSnapshot | undefined, leaderboard: string, nowMs: number): boolean {
  return nowMs < erasedUntilMs(found, leaderboard);
}

/**
 * Until when a board refuses a player who is merged into another: for {@link mergeKeptMs}, or longer after an erasure.
 */
export function mergedUntilMs(
  found: DocumentSnapshot | undefined,
  leaderboard: string,
  nowMs: number,
): number {
  return Math.max(nowMs + mergeKeptMs, erasedUntilMs(found, leaderboard));
}

/** A template's board refuses whom the template refuses, and whom it refuses itself. */
function erasedUntilMs(found: DocumentSnapshot | undefined, leaderboard: string): number {
  const { all_until: all, boards_until: boards = {} } = erasureOn(found, leaderboard) ?? {};
  // A map, as a board may be called `constructor`.
  const untilOf = new Map(Object.entries(boards));
  const ofDefinition = untilOf.get(definitionId(leaderboard)) ?? all;
  return Math.max(ofDefinition?.toMillis() ?? liftedMs, untilOf.get(leaderboard)?.toMillis() ?? liftedMs);
}

/** The error for a player who is refused. */
export function playerErased(player: string, leaderboard: string): FirerankError {
  return new FirerankError(
    "player_erased",
    `Player "${player}" was erased from leaderboard "${leaderboard}" in the last 25 hours, or merged into another in the last ` +
      "15 minutes; nothing was recorded. To have the player back at once, an admin calls setPlayerStatus with active.",
  );
}

/** What a note says of one board; undefined if the note is about other boards alone, whose ids are nobody else's business. */
export function erasureOn(
  found: DocumentSnapshot | undefined,
  leaderboard: string,
): z.infer<typeof storedErasure> | undefined {
  const { all_until: all, boards_until: boards = {} } = storedErasure.parse(found?.data() ?? {});
  const isOwn = (name: string) => name === leaderboard || name === definitionId(leaderboard);
  const own = Object.fromEntries(Object.entries(boards).filter(([name]) => isOwn(name)));
  const isNamed = Object.keys(own).length > 0;
  if (all === undefined && !isNamed) return undefined;
  return { ...(all && { all_until: all }), ...(isNamed && { boards_until: own }) };
}

interface ErasureWriter {
  set(ref: ReturnType<Firestore["doc"]>, data: object, options: { merge: boolean }): unknown;
}

/**
 * Notes until when a board refuses a player; without a board, until when all boards do. Cost: 1 write.
 * @param looksAtMs when the erasure looks once more; a merge does not.
 */
export function writeErasure(
  db: Firestore,
  writer: ErasureWriter,
  asked: { player: string; leaderboard?: string | undefined; untilMs: number; looksAtMs?: number },
) {
  const { player, leaderboard, untilMs, looksAtMs } = asked;
  const until = Timestamp.fromMillis(untilMs);
  const fields =
    leaderboard === undefined ? { all_until: until } : { boards_until: { [leaderboard]: until } };
  const looks = looksAtMs === undefined ? {} : workFor("erase", { player, leaderboard, dueMs: looksAtMs });
  const note = { ...fields, ...looks };
  return writer.set(db.doc(erasurePath(player)), note, { merge: leaderboard !== undefined });
}

/** The fields that note work, to be merged into a note; without a board on all boards. */
export function workFor(
  job: NotedJob,
  { player, leaderboard, dueMs }: { player: string; leaderboard: string | undefined; dueMs: number },
) {
  const where = leaderboard === undefined ? { all: true } : { boards: { [leaderboard]: true } };
  return { player, [job]: { due_at: Timestamp.fromMillis(dueMs), ...where } };
}

/** A player for whom there is work; undefined if there is none. */
export function workIn(
  found: DocumentSnapshot,
): ({ player: string } & Partial<Record<NotedJob, PlayerWork>>) | undefined {
  const { player, erase, set_status } = storedErasure.parse(found.data() ?? {});
  if (player === undefined) return undefined;
  return { player, ...(erase && { erase }), ...(set_status && { set_status }) };
}

/** Whether an admin let the player back on a board since the erasure. */
export const isLetBack = (found: DocumentSnapshot, leaderboard: string) =>
  erasedUntilMs(found, leaderboard) === liftedMs;

/** Whether the steps of an erasure have not yet been at all boards: what is there may be from before. */
export const isStillErasing = (found: DocumentSnapshot) =>
  storedErasure.parse(found.data() ?? {}).erase?.goes_on === true;

/**
 * Where an erasure is still to come, or to look once more, on a board, or on boards of a template, of which a board may be
 * named: the board, the template, or single boards of it. What is set there now goes with the erasure.
 */
export function erasedSoon(found: DocumentSnapshot, leaderboard: string, nowMs: number): string[] {
  const { erase } = storedErasure.parse(found.data() ?? {});
  const { all = false, boards = {} } = erase ?? {};
  const id = definitionId(leaderboard);
  const isWhole = all || boards[id] === true;
  const named = isWhole ? [id] : Object.keys(boards).filter((name) => definitionId(name) === id);
  return named.filter((name) => isErased(found, name, nowMs));
}

/**
 * The fields that let a refused player back on a board, or on all boards of a template, of which a board may be named;
 * undefined if none of them refuses the player.
 */
export function liftedErasure(found: DocumentSnapshot, leaderboard: string, nowMs: number) {
  const id = definitionId(leaderboard);
  const { boards_until: boards = {} } = storedErasure.parse(found.data() ?? {});
  const names = [id, ...Object.keys(boards).filter((name) => name !== id && definitionId(name) === id)];
  if (!names.some((name) => isErased(found, name, nowMs))) return undefined;
  return { boards_until: Object.fromEntries(names.map((name) => [name, Timestamp.fromMillis(liftedMs)])) };
}

/** Whether no board refuses the player any more, and no work is left, so that the note can be deleted. */
export function isErasureOver(found: DocumentSnapshot, nowMs: number): boolean {
  const { all_until: all, boards_until: boards = {}, player } = storedErasure.parse(found.data() ?? {});
  if (player !== undefined) return false;
  return [all, ...Object.values(boards)].every((until) => until === undefined || until.toMillis() <= nowMs);
}
