/** Erases a player from boards. */
import { erasurePath, isLetBack } from "../../documents/erasure.ts";
import { redactEvents } from "../../documents/event.ts";
import type { DocumentSnapshot, Firestore } from "../../documents/firestore.ts";
import {
  definitionPath,
  playerPath,
  playerStatusPath,
  type SeasonKey,
  seasonPath,
  seasonsPath,
  topPath,
} from "../../documents/paths.ts";
import { readPlayer } from "../../documents/player.ts";
import { byId, standingsWith } from "../../documents/queries.ts";
import { groupsWith } from "../../documents/groups-with.ts";
import { documentsAt, idsIn } from "../../documents/reads.ts";
import { linesInTop } from "../../documents/top.ts";
import { noteOf } from "../../standings/notes.ts";
import type { ErasedFrom } from "../../model/admin-answers.ts";
import { FirerankError, isBoardNotFound } from "../../model/errors.ts";
import { isOfTemplate } from "../../model/template.ts";
import { type PlayerSeason, seasonsOfPlayer, takeOut } from "../../seasons/player-seasons.ts";
import { renewTopWithout } from "../../top/keep-live.ts";
import { describeError } from "../../world/describe-error.ts";
import { createAttempts, onBoards } from "../../seasons/boards-asked.ts";
import { leaveAll } from "../../groups/pass.ts";
import { renewGroupsOf } from "../../league/keep-group.ts";
import { revisePlayer } from "../../standings/revise.ts";
import type { Services } from "../../world/services.ts";
import { boardCacheOf } from "../../seasons/board.ts";

/**
 * Erases a player from boards, several at the same time, until the time is over; but from none where an admin lets the
 * player back meanwhile, which {@link lookForLetBack} sees. Cost: {@link eraseFromBoard}, for each; and 1 read a second
 * after the first.
 * @returns every season that had the player; the first board that is left; and why boards could not be read.
 */
export async function eraseFromBoards(
  services: Services,
  player: string,
  boards: readonly string[],
  isOver: () => boolean,
) {
  const { attempt, failures } = createAttempts((board, error) => {
    const problem = { leaderboard: board, error: describeError(error) };
    services.log.error("a player could not be erased from a board", problem);
  });
  const removed: ErasedFrom[] = [];
  const isLetBackNow = lookForLetBack(services, player);
  const left = await onBoards(boards, isOver, async (board) => {
    if (await isLetBackNow(board)) return;
    const erased = await attempt(board, () => eraseFromBoard(services, board, player));
    removed.push(...(erased ?? []));
  });
  return { removed, left, failures };
}

/** A step looks this often whether the player was let back. */
const looksEveryMs = 1_000;

/** Whether an admin has let a player back on a board since the work began, as of a look at the note a second ago or less. */
function lookForLetBack({ db, now }: Services, player: string): (board: string) => Promise<boolean> {
  let lookedMs = now();
  let note: Promise<DocumentSnapshot> | undefined;
  return async (board) => {
    if (now() - lookedMs >= looksEveryMs) {
      lookedMs = now();
      note = db.doc(erasurePath(player)).get();
    }
    return note !== undefined && isLetBack(await note, board);
  };
}

/**
 * Erases a player from one board, in every season: the whole document with its mark, and the line in the top list.
 * Ranks follow with the next run; in a closed season standings and ranks follow at once.
 *
 * Cost: 2 reads and 1 delete; what {@link leaveAll} costs; 1 write, and for all but the first 1 read, for each event that
 * names the player; for each season 3 reads, 1 for the next one of each span, and what {@link takeOut} costs. For each that
 * may have the player: {@link renewTopWithout}, and what {@link revisePlayer} costs; 1 read more for one that has ended, and
 * 1 for one that closes and has no document of the player. What {@link eraseLeft} costs in seasons that are being deleted,
 * or are not there.
 * @returns every season that had the player.
 * @throws `leaderboard_not_found` where the definition was deleted by hand. A ZodError or `unknown_schema_version` where
 * something of the board can't be read.
 */
async function eraseFromBoard(
  services: Services,
  leaderboard: string,
  player: string,
): Promise<ErasedFrom[]> {
  const { db } = services;
  const isDefined = await isThere(services, leaderboard);
  const listed = isDefined ? await seasonsOfPlayer(services, leaderboard, player) : [];
  const erased = new Map<string, ErasedFrom | undefined>();
  await takeOut(services, listed, player, async (found) => {
    const { season } = found.key;
    // One that is done again had a document that was created meanwhile.
    erased.set(season, (await eraseFromSeason(services, found, player)) ?? erased.get(season));
  });
  // Those that are being deleted, and those that no score has opened. Cost: 1 read for each season, listed or not.
  const known = new Set(listed.map(({ key }) => key.season));
  const others = (await idsIn(db, seasonsPath(leaderboard))).filter((season) => !known.has(season));
  for (const season of others) erased.set(season, await eraseLeft(db, { leaderboard, season }, player));
  // Even if no season has anything of the player: a status for future seasons outlives deleted seasons. A template's
  // holds for others.
  if (!isOfTemplate(leaderboard)) await db.doc(playerStatusPath(leaderboard, player)).delete();
  if (!isOfTemplate(leaderboard)) await leaveAll(services, leaderboard, player);
  // Last, when no new top can still contain the player, and no group end with the player.
  await redactEvents(db, leaderboard, player);
  return [...erased.values()].filter((one) => one !== undefined);
}

/**
 * Whether a board has its definition. Cost: as of its board in memory; without one 1 read.
 * @throws `leaderboard_not_found` where it has seasons without one, although it is not being deleted
 */
async function isThere(services: Services, leaderboard: string): Promise<boolean> {
  try {
    await boardCacheOf(services).loadDefinition(leaderboard);
    return true;
  } catch (error) {
    if (!isBoardNotFound(error)) throw error;
  }
  const { docs } = await byId(services.db, seasonsPath(leaderboard), 1).get();
  if (docs.every((first) => first.get("board_deleted") === true)) return false;
  const message = `The definition of leaderboard "${leaderboard}" is gone, though it has seasons. Save it again, or call deleteLeaderboard; then call again.`;
  throw new FirerankError("leaderboard_not_found", message);
}

async function eraseFromSeason(
  services: Services,
  found: PlayerSeason,
  player: string,
): Promise<ErasedFrom | undefined> {
  const { key, player: document, status } = found;
  const { db } = services;
  const before = { score: readPlayer(document.data())?.score, isErased: true };
  let isRevised = false;
  // Read before a revision publishes another top.
  const shown = status === "open" ? undefined : await db.doc(topPath(key)).get();
  const stood = linesInTop(shown?.data(), player).length > 0;
  // A server may have deleted the document since the players were read: the note takes the line out.
  const isNoted =
    status === "closing" && !document.exists && !(await standingsWith(db, key, player).get()).empty;
  if (status !== "open" || document.exists) {
    const revised = await revisePlayer(services, key, player, "removed");
    if (revised.status === undefined) return eraseLeft(db, key, player);
    isRevised = revised.revised;
  }
  // Even if there is no document: a server may have deleted it while the top still shows the name.
  const top = (await renewTopWithout(services, key, player, before)) || stood;
  await renewGroupsOf(services, found, player, true);
  if (!document.exists && !isRevised && !isNoted && !top) return undefined;
  return { ...key, player: document.exists, top };
}

/**
 * Erases a player from a season that is being deleted, alone or with its board, however long that takes; or from one that
 * is not there: a server may have written a document. Nothing is counted or ranked in it.
 *
 * Cost: 5 reads and 1 delete; 1 delete more for the top; with the player 1 for the document, and 2 for standings.
 */
function eraseLeft(db: Firestore, key: SeasonKey, player: string): Promise<ErasedFrom | undefined> {
  return db.runTransaction(async (transaction) => {
    const board = definitionPath(key.leaderboard);
    const paths = [board, seasonPath(key), playerPath(key, player), topPath(key)] as const;
    const [definition, season, document, top] = await documentsAt(db, paths, transaction);
    // Opened since it was looked for.
    if (definition.exists && season.exists && season.get("status") !== "deleting") return undefined;
    const { docs } = await transaction.get(standingsWith(db, key, player));
    const groups =
      season.get("league") === undefined ? undefined : await transaction.get(groupsWith(db, key, [player]));
    const found = { player: document.exists, top: linesInTop(top.data(), player).length > 0 };
    // Whole documents, as nobody reads them. A run that has read the top fails without it.
    for (const { ref } of docs) {
      transaction.delete(ref);
      transaction.delete(db.doc(`${ref.path}-metadata`));
    }
    for (const group of groups?.docs ?? []) transaction.delete(group.ref);
    if (top.exists) transaction.delete(top.ref);
    if (document.exists) transaction.delete(document.ref);
    transaction.delete(noteOf(db, key, player));
    return docs.length > 0 || found.player || found.top ? { ...key, ...found } : undefined;
  });
}
