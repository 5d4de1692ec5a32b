/** `removePlayer`: erases a player, for good. */
import { z } from "zod";
import { commitPlayers } from "../counting/commit-players.ts";
import { redactEvents } from "../documents/event.ts";
import { type DocumentSnapshot, Timestamp, type Transaction } from "../documents/firestore.ts";
import {
  playerStatusPath,
  type SeasonKey,
  topPath,
  playerPath,
  runPath,
  seasonPath,
  seasonsPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { readPlayer } from "../documents/player.ts";
import { standingsWith } from "../documents/queries.ts";
import { documentsAt, idsIn } from "../documents/reads.ts";
import { formOfSeason } from "../documents/season.ts";
import { storedStandings, storedStandingsMetadata } from "../documents/standings.ts";
import { readTop, splitTop } from "../documents/top.ts";
import { noteOf } from "../jobs/closing/notes.ts";
import type { ErasedFrom, RemovePlayerAnswer } from "../model/admin-answers.ts";
import { documentId, leaderboardId } from "../model/ids.ts";
import { boardIfAny } from "../seasons/board.ts";
import { definitionKey } from "../seasons/current.ts";
import { type PlayerSeason, seasonsOfPlayer, thatMayHavePlayer } from "../seasons/player-seasons.ts";
import { draftStandings, writeMetadata } from "../standings/draft-standings.ts";
import { documentsOf, playersOf } from "../standings/pack.ts";
import { renewTopWithout } from "../top/keep-live.ts";
import { describeError } from "../world/describe-error.ts";
import { boardsStored, createAttempts } from "./boards-asked.ts";
import { revisePlayer } from "./revise.ts";
import type { Services } from "./services.ts";
import type { OperationSpec } from "./spec.ts";

const request = z.strictObject({ player: documentId, leaderboard: leaderboardId.optional() });

/**
 * Erases a player from one board or from all, in every season: the whole document with its mark, and the line in the
 * top list. Ranks follow with the next run; in a closed season standings and ranks follow at once. Shards, pages, run
 * records and audits hold no player's id, but for the place where a repair under way stands. A player who submits again
 * starts over, and what is submitted meanwhile may be erased too, as a transaction is repeated if its answer is lost:
 * delete or disable the account first. Events that name the player are kept without the name.
 *
 * Cost: 2 reads and 1 delete a board; 1 write, and for all but the first 1 read, for each event that names the player;
 * for each season 3 reads, and {@link thatMayHavePlayer}. For each that may have the player: {@link renewTopWithout},
 * and what {@link revisePlayer} costs; 1 read more for one that has ended, and 1 for one that closes and has no
 * document of the player. What {@link eraseLost} costs in seasons that are being deleted, or lost.
 * @throws `leaderboard_not_found` for a named board of which nothing is stored. A ZodError or `unknown_schema_version`
 * where something of a board can't be read; the player is erased from all other boards then.
 */
export const removePlayerSpec: OperationSpec<typeof request, RemovePlayerAnswer> = {
  name: "removePlayer",
  request,
  async handle(services, { player, leaderboard }) {
    const removed: ErasedFrom[] = [];
    const { attempt, end } = createAttempts((board, error) => {
      const problem = { leaderboard: board, error: describeError(error) };
      services.log.error("a player could not be erased from a board", problem);
    });
    for (const board of await boardsStored(services, leaderboard))
      removed.push(...((await attempt(board, () => removeFromBoard(services, board, player))) ?? []));
    end();
    return { player, removed };
  },
};

async function removeFromBoard(services: Services, leaderboard: string, player: string) {
  const board = await boardIfAny(services, definitionKey(leaderboard));
  const listed = board === undefined ? [] : await seasonsOfPlayer(services, leaderboard, player);
  const whole = listed.filter(({ form }) => form !== "damaged");
  const erased: (ErasedFrom | undefined)[] = [];
  for (const found of await thatMayHavePlayer(services, whole))
    erased.push(await eraseFromSeason(services, found, player));
  // Without a definition all seasons are lost. Cost: 1 read for each season, lost or not.
  const known = new Set(whole.map(({ key }) => key.season));
  const others = (await idsIn(services.db, seasonsPath(leaderboard))).filter((season) => !known.has(season));
  for (const season of others)
    erased.push(await eraseLost(services, { leaderboard, season }, player, board !== undefined));
  // Even if no season has anything of the player: a status for future seasons outlives deleted seasons.
  await services.db.doc(playerStatusPath(leaderboard, player)).delete();
  // Last, when no new top can still contain the player.
  await redactEvents(services.db, leaderboard, player);
  return erased.filter((one) => one !== undefined);
}

async function eraseFromSeason(
  services: Services,
  { key, player: document, status }: PlayerSeason,
  player: string,
): Promise<ErasedFrom | undefined> {
  const { db } = services;
  const before = { score: readPlayer(document.data())?.score, isErased: true };
  let isRevised = false;
  // Read before a revision publishes another top.
  const shown = status === "open" ? undefined : await db.doc(topPath(key)).get();
  const stood = shown?.exists === true && readTop(shown.data()).entries.some((one) => one.player === player);
  // Its document may have been deleted by hand since the players were read: the note takes the line out.
  const isNoted =
    status === "closing" && !document.exists && !(await standingsWith(db, key, player).get()).empty;
  if (status !== "open" || document.exists) {
    const revised = await revisePlayer(services, key, player, "removed");
    if (revised.status === undefined) return eraseLost(services, key, player, true);
    isRevised = revised.revised;
  }
  // Even if there is no document: it may have been deleted by hand while the top still shows the name.
  const top = (await renewTopWithout(services, key, player, before)) || stood;
  if (!document.exists && !isRevised && !isNoted && !top) return undefined;
  return { ...key, player: document.exists, top };
}

/**
 * Erases a player from a season that is being deleted, however long that takes, or from a lost one: somebody has
 * deleted or damaged the season's document by hand, or the definition of its board. Nothing ranks such a season, so
 * nothing is published here. If the document is mended, the season goes on without the player.
 *
 * Cost: 5 reads; where it has the player, 1 delete for the document and 2 writes to count it, 1 write for the top, and
 * in standings 2 reads and 4 writes. 1 delete if its standings are being written. In one that is being deleted 2
 * deletes, and with the player 1 more for the document and 2 in standings.
 * @param isDefined whether the board's definition can be read: without it, all of its seasons are lost.
 */
async function eraseLost(
  services: Services,
  key: SeasonKey,
  player: string,
  isDefined: boolean,
): Promise<ErasedFrom | undefined> {
  const { db } = services;
  const erased = await commitPlayers(services, [], async (players) => {
    const { transaction } = players;
    const paths = [
      seasonPath(key),
      playerPath(key, player),
      topPath(key),
      standingsSummaryPath(key),
    ] as const;
    const [season, document, top, summary] = await documentsAt(db, paths, players);
    const status: unknown = season.get("status");
    const fields = season.data();
    const isWhole = isDefined && fields !== undefined && formOfSeason(fields) !== "damaged";
    const isDeleting = status === "deleting";
    if (isWhole && !isDeleting) return undefined;
    // Of one that is being deleted nobody reads the summary, which may go before what it is about.
    const hasSummary = summary.exists && !isDeleting;
    const of = { season, hasSummary, isDeleting };
    const isInStandings = await eraseLine(services, transaction, key, player, of);
    // What is not written yet may still have the player. Without its record a closing reads the players again
    // (jobs/progress.ts); a note would keep the player's id, maybe for ever.
    const run: unknown = season.get("closing_run");
    if (status === "closing" && !hasSummary && typeof run === "string")
      transaction.delete(db.doc(runPath(key, run)));
    const { own, others } = splitTop(top.data(), player);
    if (document.exists && (status === "closed" || isDeleting)) transaction.delete(document.ref);
    else if (document.exists) players.remove(key, document);
    if (isDeleting) transaction.delete(noteOf(db, key, player));
    // Nobody reads the top of one that is being deleted. A run that has read the player fails without it.
    if (isDeleting && top.exists) transaction.delete(top.ref);
    else if (own.length > 0) transaction.update(top.ref, { entries: others });
    return { found: { player: document.exists, top: own.length > 0 }, isInStandings };
  });
  if (erased === undefined) return undefined;
  const { found, isInStandings } = erased;
  return isInStandings || Object.values(found).includes(true) ? { ...key, ...found } : undefined;
}

/** Takes the player out of standings, final or still being written. @returns whether the player was in them. */
async function eraseLine(
  { db, now }: Services,
  transaction: Transaction,
  key: SeasonKey,
  player: string,
  of: { season: DocumentSnapshot; hasSummary: boolean; isDeleting: boolean },
): Promise<boolean> {
  const found = await transaction.get(standingsWith(db, key, player));
  if (found.empty) return false;
  if (of.hasSummary) {
    const standings = draftStandings(db, transaction, key);
    await standings.put(player, undefined, { order: "descending" });
    const at = Timestamp.fromMillis(now());
    const revised = standings.write(at);
    // Published by a step of its end once it can be read again.
    if (of.season.get("status") === "closed" && revised !== undefined)
      transaction.update(of.season.ref, { revisions: revised.revisions, end_due_at: at });
    return true;
  }
  const documents = await Promise.all(
    found.docs.map(async (document) => {
      const beside = db.doc(`${document.ref.path}-metadata`);
      // A season that is being deleted needs no line of it any more, damaged or not.
      if (of.isDeleting) return { document, beside, next: undefined };
      const standings = storedStandings.parse(document.data());
      const metadata = standings.has_metadata ? (await transaction.get(beside)).data() : undefined;
      const { data } = storedStandingsMetadata.safeParse(metadata);
      const others = playersOf({ standings, metadata: data }).filter((one) => one.player !== player);
      return { document, beside, next: documentsOf(others) };
    }),
  );
  for (const { document, beside, next } of documents) {
    if (next === undefined) {
      transaction.delete(document.ref);
      transaction.delete(beside);
    } else {
      transaction.set(document.ref, next.standings);
      writeMetadata(transaction, beside, next.metadata, true);
    }
  }
  return true;
}
