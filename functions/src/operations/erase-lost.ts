/**
 * Erases a player from seasons that were lost: somebody has deleted or damaged the season's document by hand, or the
 * definition of its board, and left what is below. Nothing ranks such a season, so nothing is published here. If the
 * document is mended, the season goes on without the player.
 */
import { draftStandings } from "../closing/draft-standings.ts";
import { FieldValue, Timestamp } from "../documents/firestore.ts";
import { idsIn } from "../documents/ids-in.ts";
import {
  indexEntryPath,
  playerPath,
  type SeasonKey,
  seasonPath,
  seasonsPath,
  topPath,
} from "../documents/paths.ts";
import { splitTop } from "../documents/top.ts";
import { formOfSeason } from "../documents/season.ts";
import { indexErased } from "./index-erased.ts";
import type { Services } from "./services.ts";

/** What a season had of a player who was erased. */
export interface ErasedFrom extends SeasonKey {
  /** Whether there was a document, an index entry, and a line in the top. */
  player: boolean;
  index_entry: boolean;
  top: boolean;
}

/**
 * Erases a player from a board's lost seasons.
 *
 * Cost: 1 read for each season of the board, lost or not. For each that is lost, or is being deleted, 5 reads; where it
 * has the player, 1 delete for the document, 1 write for the top, 2 reads, 1 write and 1 delete for the index, and in
 * standings 2 reads and 4 writes, and 5 reads to look again.
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
  const { db, now } = services;
  const paths = [seasonPath(key), playerPath(key, player), indexEntryPath(key, player), topPath(key)];
  const erased = await db.runTransaction(async (transaction) => {
    const [season, document, entry, top] = await transaction.getAll(...paths.map((path) => db.doc(path)));
    if (season === undefined || document === undefined || entry === undefined || top === undefined)
      throw new Error("there is no answer for a document");
    const status: unknown = season.get("status");
    const fields = season.data();
    const isWhole = isDefined && fields !== undefined && formOfSeason(fields) !== "damaged";
    if (status === "deleting" || isWhole) return undefined;
    const standings = draftStandings(db, transaction, key);
    const isInStandings = await standings.has(player);
    await standings.takeOut(player);
    const { own, others } = splitTop(top.data(), player);
    const at = Timestamp.fromMillis(now());
    const revised = standings.write(at);
    if (document.exists) transaction.delete(document.ref);
    if (own.length > 0) transaction.update(top.ref, { entries: others });
    if (status === "closing" && (document.exists || isInStandings))
      transaction.update(season.ref, { changed_at: FieldValue.serverTimestamp() });
    if (status === "closed") {
      if (entry.exists) transaction.delete(entry.ref);
      // Published by a step of its end once it can be read again.
      if (revised !== undefined)
        transaction.update(season.ref, { revisions: revised.revisions, end_due_at: at });
    }
    const found = { player: document.exists, index_entry: entry.exists, top: own.length > 0 };
    const isIndexed = status !== "closed" && (document.exists || entry.exists);
    return { found, isInStandings, entry: isIndexed ? entry : undefined };
  });
  if (erased === undefined) return undefined;
  const { found, isInStandings, entry } = erased;
  if (entry !== undefined) await indexErased(services, key, [player], entry);
  // A closing that began its standings again may have left the player in a document of each pass.
  if (isInStandings) await eraseFrom(services, key, player, isDefined);
  return isInStandings || Object.values(found).includes(true) ? { ...key, ...found } : undefined;
}
