/**
 * Places of scores in a closed season: all exact, from the pages if every row is one score, otherwise from the
 * standings.
 */
import { isRevisionOwed } from "../documents/season.ts";
import type { Place, Places } from "./lookup.ts";
import type { ReadingServices } from "./live-sums.ts";
import { knownPlaces, placesOf } from "./places.ts";
import { partForScore, placeOfScore } from "../standings/lookup.ts";
import type { OpenedBoard } from "../seasons/board.ts";
import type { DocumentSnapshot } from "../documents/firestore.ts";
import { standingsMetadataPath } from "../documents/paths.ts";
import { newestStandings, standingsWith } from "../documents/queries.ts";
import { fieldsOf, playersOf, unpack } from "../standings/pack.ts";
import { type Listed, listedOf } from "./lists/entries.ts";

/**
 * The exact places of scores in a closed season, whether or not a player has them.
 *
 * If rows are merged, or a revision's pages are not published yet, all places come from the standings, even those in
 * exact rows: dense ranks from pages, which count a merged row as one score, would contradict them.
 *
 * Cost: if every row of the ranking is one score, 1 read for each page that is not in memory. Otherwise 1 for each
 * document of the standings that is not in memory, mostly one a score, and 1 for the summary unless it is in memory.
 */
export async function closedPlacesOf(
  services: ReadingServices,
  board: OpenedBoard,
  scores: readonly number[],
  minGeneration?: number,
): Promise<Places> {
  const { key, definition, season } = board;
  const { order } = definition;
  if (season.ranking.exact && !isRevisionOwed(season)) {
    // The board may have left the memory by now. Only its generation shows that pages in memory predate a revision.
    const atLeast = Math.max(minGeneration ?? 0, season.ranking.generation);
    const places = await placesOf(services, key, order, scores, atLeast);
    // Of a season that is being deleted no page may be left.
    const isThere = places.generation >= season.ranking.generation;
    if (isThere && scores.every((score) => places.of(score).exact)) return places;
  }
  return services.standings.answer(board, minGeneration, async (standings) => {
    const { index, asOf, generation } = standings;
    const placeOf = async (score: number): Promise<[number, Place]> => {
      const part = partForScore(order, index, score);
      const document = part && (await standings.document(part));
      const place = placeOfScore(order, index, score, document?.scores);
      return [score, { ...place, exact: true, rank_best: place.rank, rank_worst: place.rank }];
    };
    const places = new Map(await Promise.all([...new Set(scores)].map(placeOf)));
    return knownPlaces({ generation, asOf, players: index.players, freshness: "published" }, places);
  });
}

/**
 * A player of a closed season as its standings have them. The player's document says the same, unless a trusted server
 * has written into it after the season began to close. That doesn't count: every call answers what the standings say.
 *
 * Cost: nothing where the document has not changed since the season began to close; else 1 read, and 1 for the metadata.
 * @returns nothing for a player who is not in the standings, or has no document.
 */
export async function finalOf(
  { db }: Pick<ReadingServices, "db">,
  { key, season }: Pick<OpenedBoard, "key" | "season">,
  document: DocumentSnapshot,
  withMetadata = false,
): Promise<Listed | undefined> {
  const { id, updateTime } = document;
  const { ended_at: endedAt } = season;
  if (endedAt === undefined || updateTime === undefined || updateTime <= endedAt) return listedOf(document);
  const found = newestStandings((await standingsWith(db, key, id).get()).docs);
  if (found === undefined) return undefined;
  const path = standingsMetadataPath(key, Number(found.id));
  const beside = withMetadata && found.get("has_metadata") === true ? await db.doc(path).get() : undefined;
  const packed = unpack(found.data(), beside?.data());
  const at = packed.standings.players.indexOf(id);
  const [standing] = playersOf(packed, at, at + 1);
  if (standing === undefined) return undefined;
  const { score, achievedAt } = standing;
  return { ...standing, place: [score, achievedAt, id], shown: fieldsOf(standing) };
}
