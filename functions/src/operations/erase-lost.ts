/**
 * Erases a player from seasons that were lost: somebody has deleted or damaged the season's document by hand, or the
 * definition of its board, and left what is below. Nothing ranks such a season, so nothing is published here. If the
 * document is mended, the season goes on without the player: one whose standings are being written reads the players again.
 */
import { draftStandings, writeMetadata } from "../standings/draft-standings.ts";
import { commitPlayers } from "../counting/commit-players.ts";
import { type DocumentSnapshot, Timestamp, type Transaction } from "../documents/firestore.ts";
import { idsIn } from "../documents/ids-in.ts";
import {
  playerPath,
  runPath,
  type SeasonKey,
  seasonPath,
  seasonsPath,
  standingsSummaryPath,
  topPath,
} from "../documents/paths.ts";
import { standingsWith } from "../documents/queries.ts";
import { storedStandings, storedStandingsMetadata } from "../documents/standings.ts";
import { splitTop } from "../documents/top.ts";
import { formOfSeason } from "../documents/season.ts";
import { documentsOf, playersOf } from "../standings/pack.ts";
import type { Services } from "./services.ts";

/** What a season had of a player who was erased. */
export interface ErasedFrom extends SeasonKey {
  /** Whether there was a document, and a line in the top. */
  player: boolean;
  top: boolean;
}

/**
 * Erases a player from a board's lost seasons.
 *
 * Cost: 1 read for each season of the board, lost or not. For each that is lost, or is being deleted, 5 reads; where it
 * has the player, 1 delete for the document and 2 writes to count it, 1 write for the top, and in standings 2 reads and 4
 * writes. 1 delete for each whose standings are being written.
 * @param isDefined whether the board's definition can be read: without it, all of its seasons are lost.
 * @param known seasons that are not lost.
 */
export async function* eraseLost(
  services: Services,
  leaderboard: string,
  player: string,
  { isDefined, known }: { isDefined: boolean; known: ReadonlySet<string> },
): AsyncGenerator<ErasedFrom> {
  for (const season of await idsIn(services.db, seasonsPath(leaderboard))) {
    if (known.has(season)) continue;
    const erased = await eraseFrom(services, { leaderboard, season }, player, isDefined);
    if (erased !== undefined) yield erased;
  }
}

async function eraseFrom(
  services: Services,
  key: SeasonKey,
  player: string,
  isDefined: boolean,
): Promise<ErasedFrom | undefined> {
  const { db } = services;
  const erased = await commitPlayers(services, [], async (players) => {
    const { transaction } = players;
    const paths = [seasonPath(key), playerPath(key, player), topPath(key), standingsSummaryPath(key)];
    const [season, document, top, summary] = await players.getAll(...paths.map((path) => db.doc(path)));
    if (season === undefined || document === undefined || top === undefined || summary === undefined)
      throw new Error("there is no answer for a document");
    const status: unknown = season.get("status");
    const fields = season.data();
    const isWhole = isDefined && fields !== undefined && formOfSeason(fields) !== "damaged";
    if (status === "deleting" || isWhole) return undefined;
    const hasSummary = summary.exists;
    const isInStandings = await eraseLine(services, transaction, key, player, { season, hasSummary });
    // What is not written yet may still have the player. Without its record a closing reads the players again
    // (jobs/progress.ts); a note would keep the player's id, maybe for ever.
    const run: unknown = season.get("closing_run");
    if (status === "closing" && !hasSummary && typeof run === "string")
      transaction.delete(db.doc(runPath(key, run)));
    const { own, others } = splitTop(top.data(), player);
    if (document.exists && status === "closed") transaction.delete(document.ref);
    else if (document.exists) players.remove(key, document);
    if (own.length > 0) transaction.update(top.ref, { entries: others });
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
  { season, hasSummary }: { season: DocumentSnapshot; hasSummary: boolean },
): Promise<boolean> {
  const found = await transaction.get(standingsWith(db, key, player));
  if (found.empty) return false;
  if (hasSummary) {
    const standings = draftStandings(db, transaction, key);
    await standings.put(player, undefined, { order: "descending" });
    const at = Timestamp.fromMillis(now());
    const revised = standings.write(at);
    // Published by a step of its end once it can be read again.
    if (season.get("status") === "closed" && revised !== undefined)
      transaction.update(season.ref, { revisions: revised.revisions, end_due_at: at });
    return true;
  }
  const documents = await Promise.all(
    found.docs.map(async (document) => {
      const standings = storedStandings.parse(document.data());
      const beside = db.doc(`${document.ref.path}-metadata`);
      const metadata = standings.has_metadata ? (await transaction.get(beside)).data() : undefined;
      const { data } = storedStandingsMetadata.safeParse(metadata);
      const others = playersOf({ standings, metadata: data }).filter((one) => one.player !== player);
      return { document, beside, next: documentsOf(others) };
    }),
  );
  for (const { document, beside, next } of documents) {
    transaction.set(document.ref, next.standings);
    writeMetadata(transaction, beside, next.metadata, true);
  }
  return true;
}
