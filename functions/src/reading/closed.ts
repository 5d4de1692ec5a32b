/**
 * A closed season, read from its standings: the places of scores, all exact but in merged rows of segments; the list
 * from any offset, after any cursor, around any player.
 */
import { Timestamp } from "../documents/firestore.ts";
import type { ListPlace } from "../documents/queries.ts";
import { isRevisionOwed } from "../documents/season.ts";
import { comparePlaces } from "../documents/standings.ts";
import type { AroundAnswer, Entry, PageAnswer } from "../model/answers.ts";
import { firstWhere } from "../model/search.ts";
import type { OpenedBoard, RankingBoard } from "../seasons/board.ts";
import { partForScore, partsWithScore, placeOfScore, stretchesFrom } from "../standings/lookup.ts";
import { fieldsOf, placesOf as placesInStandings, playersOf } from "../standings/pack.ts";
import { type ListEnd, readCursor, writeCursor } from "./cursor.ts";
import { type AroundAsked, dated, entryOf, notRanked, type PageAsked } from "./entries.ts";
import { listedAt } from "./listed.ts";
import { knownPlaces, nextScore, placesOf } from "./live.ts";
import type { ReadingServices } from "./live-sums.ts";
import type { Place, Places } from "./lookup.ts";
import { noBaseline } from "./moved.ts";
import { StandingsRevised, type StandingsView } from "./standings-reads.ts";

/**
 * The exact places of scores in a closed season, whether or not a player has them; in a segment those of
 * {@link placesInSegment}.
 *
 * If rows are merged, or a revision's pages are not published yet, all places come from the standings, even those in
 * exact rows: dense ranks from pages, which count a merged row as one score, would contradict them.
 *
 * Cost: if every row of the ranking is one score, 1 read for each page that is not in memory. Otherwise 1 for each
 * document of the standings that is not in memory, mostly one a score, and 1 for the summary unless it is in memory.
 */
export async function closedPlacesOf(
  services: ReadingServices,
  board: OpenedBoard & RankingBoard,
  scores: readonly number[],
  minGeneration?: number,
): Promise<Places> {
  const { key, definition, season } = board;
  if (key.segment !== undefined) return placesInSegment(services, board, scores, minGeneration);
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
 * The places of players' scores in the final ranking of a segment. Where no row has such a score, the ranking is older than
 * the score, as a revision's pages are not published yet: then nothing is certain.
 *
 * Cost: 1 read for each page that is not in memory.
 */
async function placesInSegment(
  services: Pick<ReadingServices, "db" | "pages">,
  { key, definition, season }: OpenedBoard & RankingBoard,
  scores: readonly number[],
  minGeneration = 0,
): Promise<Places> {
  const { order } = definition;
  const atLeast = Math.max(minGeneration, season.ranking.generation);
  const asked = scores.flatMap((score) => [score, nextScore(order, score)]);
  const places = await placesOf(services, key, order, asked, atLeast);
  return {
    ...places,
    of(score) {
      const place = places.of(score);
      const next = places.of(nextScore(order, score));
      return place.exact && next.exact && next.rank === place.rank
        ? { ...place, exact: false, rank_best: 1, rank_worst: places.players + 1 }
        : place;
    },
  };
}

/**
 * The players from a 0-based offset on, or after a cursor; none beyond the end. A cursor may date from when the season
 * was open: it is a place, and the list continues after it.
 *
 * Cost: as `getPage` says. For a cursor from before the season closed or was revised, up to 1 more for each doubling of
 * the documents that hold its score.
 * @throws `invalid_request` about the cursor
 */
export async function closedPage(
  services: ReadingServices,
  board: OpenedBoard,
  { offset: asked, cursor }: { offset: number; cursor?: string | undefined },
  { limit, since, min_generation: minGeneration }: PageAsked,
): Promise<PageAnswer> {
  const { key } = board;
  const end = cursor === undefined ? undefined : readCursor(key, cursor);
  return services.standings.answer(board, minGeneration, async (standings) => {
    const version = [standings.revisions, standings.asOf.toMillis()] as const;
    const isSame = end?.standings?.join() === version.join();
    const until = async ({ place, position }: ListEnd) =>
      isSame ? position : playersUntil(board, standings, place, position - 1);
    const offset = end === undefined ? asked : await until(end);
    const lines = await linesFrom(board, standings, offset, { limit, since });
    const last = lines.length === limit ? lines.at(-1) : undefined;
    return {
      ...key,
      entries: lines.map(({ entry }) => entry),
      ...(last && { next_cursor: writeCursor(key, last.place, offset + limit, version) }),
      players: standings.index.players,
      ...dated(standings),
    };
  });
}

/**
 * A player and the neighbours on either side, best first. Cost: as `getAround` says; 1 more if the player's document was
 * changed after the season ended.
 * @throws `player_not_ranked`
 */
export async function closedAround(
  services: ReadingServices,
  board: OpenedBoard,
  player: string,
  { above, below, since, min_generation: minGeneration }: AroundAsked,
): Promise<AroundAnswer> {
  const { key } = board;
  const [own] = await listedAt(services.db, [{ board, player }]);
  if (own === undefined) throw notRanked(player, key);
  return services.standings.answer(board, minGeneration, async (standings) => {
    const index = (await playersUntil(board, standings, [own.score, own.achievedAt, player])) - 1;
    const from = Math.max(0, index - above);
    const lines = await linesFrom(board, standings, from, { limit: index + 1 + below - from, since });
    if (lines[index - from]?.entry.player !== player) {
      // A player readmitted after the summary was read is not in it.
      if (!standings.isNew) throw new StandingsRevised(`${player} is not where the summary leads`);
      throw notRanked(player, key, "is not in the standings");
    }
    return { ...key, entries: lines.map(({ entry }) => entry), ...dated(standings) };
  });
}

/**
 * How many players stand at or before a place. The documents that may hold it are searched one by one: first the one
 * with the guessed offset, then always the middle one of those that are left.
 */
async function playersUntil(
  { definition: { order } }: OpenedBoard,
  standings: StandingsView,
  [score, achievedAt, player = ""]: ListPlace,
  guess = NaN,
): Promise<number> {
  const parts = partsWithScore(order, standings.index, score);
  let low = 0;
  let high = parts.length;
  const guessed = parts.findIndex(({ before, players }) => before <= guess && guess < before + players);
  for (let at = guessed; low < high; at = -1) {
    const look = at >= 0 ? at : (low + high) >>> 1;
    const part = parts[look];
    if (part === undefined) throw new Error("a document between others is one of them");
    const document = await standings.document(part);
    const packed = { standings: document, metadata: undefined };
    const until = firstWhere(document.players, (_, at) => {
      const [other] = playersOf(packed, at, at + 1);
      if (other === undefined) return true;
      // A place without a time stands for all equals.
      const sought = achievedAt instanceof Timestamp ? { player, score, achievedAt } : { ...other, score };
      return comparePlaces(order, standings.ties, other, sought) > 0;
    });
    if (until > 0 && until < part.players) return part.before + until;
    if (until === 0) high = look;
    else low = look + 1;
  }
  const last = parts.at(-1);
  return parts[low]?.before ?? (last === undefined ? 0 : last.before + last.players);
}

async function linesFrom(
  { definition }: OpenedBoard,
  standings: StandingsView,
  offset: number,
  { limit, since }: Pick<PageAsked, "limit" | "since">,
): Promise<{ entry: Entry; place: ListPlace }[]> {
  const lines = stretchesFrom(standings.index, offset, limit).map(async (stretch) => {
    const document = await standings.document(stretch.part);
    const metadata = document.has_metadata ? await standings.metadata(stretch.part) : undefined;
    return placesInStandings(stretch, { standings: document, metadata }).map((placed) => {
      const { player, score, achievedAt, rank, position } = placed;
      const line = { ...placed, shown: fieldsOf(placed) };
      const entry = entryOf(definition, line, { rank, exact: true }, { position, exact: true });
      return { entry: { ...entry, ...(since && noBaseline) }, place: [score, achievedAt, player] as const };
    });
  });
  return (await Promise.all(lines)).flat();
}
