/**
 * The view of a final ranking. Ranks of all players are exact: they come from the pages where each row is one score, or else
 * from the standings; lists come from the standings, from any offset, behind any list key, around any player. A segment has
 * pages, and lists of players' documents, as in a season that goes on; ranks in its merged rows have bounds.
 */
import { Timestamp } from "../documents/firestore.ts";
import type { ListKey } from "../documents/queries.ts";
import { hasUnpublishedRevision } from "../documents/season.ts";
import { comparePlayers } from "../model/compare-players.ts";
import { firstWhere } from "../model/search.ts";
import type { ListEnd } from "../reading/cursor.ts";
import { notRanked } from "../reading/entries.ts";
import { listsOf } from "../reading/lists.ts";
import { nextScore } from "../reading/live.ts";
import { type Place, type Places, placesKnown } from "../reading/lookup.ts";
import { pageCacheOf } from "../reading/page-cache.ts";
import { publishedPlaces, rowFound } from "../reading/published.ts";
import type { Line, Lines, Ranks, RanksAsked, RankingView } from "../reading/ranking-view.ts";
import type { OpenedBoard, RankingBoard } from "../seasons/read-board.ts";
import { finalPlayers, listedStanding } from "./final-players.ts";
import { partForScore, partsWithScore, placeOfScore, stretchesFrom } from "./lookup.ts";
import { placedIn, playersOf } from "./pack.ts";
import { type StandingsReads, StandingsRevised, type StandingsView } from "./standings-reads.ts";
import type { Services } from "../world/services.ts";

/** What final views read from. */
export interface FinalSources extends Pick<Services, "db" | "memory"> {
  tables: StandingsReads;
}

type FinalBoard = OpenedBoard & RankingBoard;

/** The view of the final ranking of a season that has closed, whatever a request says of freshness and exactness. */
export function finalView(
  sources: FinalSources,
  board: FinalBoard,
  { min_generation: seen = 0 }: RanksAsked,
): RankingView {
  const { db, tables } = sources;
  const ranks = finalRanks(sources, board, seen);
  const lists = listsOf(db, board, ranks, finalPlayers(db, tables, board));
  const view = { board, ...ranks, ...lists };
  if (board.key.segment !== undefined) return view;
  return {
    ...view,
    linesFrom: (offset, limit) =>
      tables.answer(board, seen, (standings) => tableLines(board, standings, offset, limit)),
    linesFromScore: (score, limit) =>
      tables.answer(board, seen, async (standings) => {
        const places = await placesInTable(board, standings, [score]);
        return tableLines(board, standings, places.of(score).rank - 1, limit);
      }),
    linesBehind: (end, limit) =>
      tables.answer(board, seen, async (standings) => {
        const offset = await offsetBehind(board, standings, end);
        return tableLines(board, standings, offset, limit);
      }),
    async linesAround(player, sides) {
      const [own] = await lists.players([player]);
      if (own === undefined) throw notRanked(player, board.key);
      const listKey = [own.score, own.achievedAt, player] as const;
      return tables.answer(board, seen, (standings) => tableAround(board, standings, listKey, sides));
    },
    scoreAt: (offsetOf) =>
      tables.answer(board, seen, async (standings) => {
        const offset = offsetOf(standings.index.players);
        const { lines, ranking } = await tableLines(board, standings, offset, 1);
        const [score] = lines.map(({ player }) => player.score);
        return {
          score: score === undefined ? undefined : { best: score, worst: score },
          ranking,
          exact: true,
        };
      }),
  };
}

function finalRanks(sources: FinalSources, board: FinalBoard, seen: number): Ranks {
  const { tables } = sources;
  const pages = pageCacheOf(sources);
  const { key, definition, season } = board;
  const { order } = definition;
  // The board may have left the memory by now. Only its generation shows that pages in memory predate a revision.
  const newest = Math.max(seen, season.ranking.generation);
  const onPages = async (scores: readonly number[], atLeast = 0) =>
    final(await publishedPlaces(sources, key, order, scores, Math.max(newest, atLeast)));

  async function placesOf(scores: readonly number[], atLeast = 0, held = true): Promise<Places> {
    if (key.segment !== undefined) return held ? placesInSegment(scores, atLeast) : onPages(scores, atLeast);
    if (season.ranking.exact && !hasUnpublishedRevision(season)) {
      const places = await onPages(scores, atLeast);
      // Of a season that is being deleted no page may be left.
      const isThere = places.generation >= season.ranking.generation;
      if (isThere && scores.every((score) => places.of(score).exact)) return places;
    }
    // Not only those in merged rows: dense ranks from pages, which count a merged row as one score, would contradict others.
    return tables.answer(board, Math.max(seen, atLeast), (standings) =>
      placesInTable(board, standings, scores),
    );
  }

  /**
   * In a segment, the places of scores that players have. Where no row has such a score, the ranking is older than the score,
   * as a revision's pages are not published yet: then nothing is certain.
   */
  async function placesInSegment(scores: readonly number[], atLeast: number): Promise<Places> {
    const asked = scores.flatMap((score) => [score, nextScore(order, score)]);
    const places = await onPages(asked, atLeast);
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

  return {
    placesOf,
    placeOf: (score, held, atLeast) => placesOf([score], atLeast, held),
    async rowAt(offset, atLeast = 0) {
      const page = await pages.pageAt(key, order, offset, Math.max(newest, atLeast));
      const { generation, players, as_of: asOf } = page;
      return {
        ...rowFound(order, page, offset),
        ranking: { generation, players, asOf, freshness: "published" },
      };
    },
  };
}

/** Places without what pages say of movement: a final ranking does not say how players stood before. */
function final({ published: _, ...places }: Places): Places {
  return places;
}

/**
 * The places of scores, whether or not a player has them. Cost: 1 read for each document of the standings that is not in
 * memory, mostly one a score.
 */
async function placesInTable(
  { definition: { order } }: FinalBoard,
  standings: StandingsView,
  scores: readonly number[],
): Promise<Places> {
  const { index } = standings;
  const placeOf = async (score: number): Promise<[number, Place]> => {
    const part = partForScore(order, index, score);
    const document = part && (await standings.document(part));
    const place = placeOfScore(order, index, score, document?.scores);
    return [score, { ...place, exact: true, rank_best: place.rank, rank_worst: place.rank }];
  };
  const places = new Map(await Promise.all([...new Set(scores)].map(placeOf)));
  return placesKnown(factsOf(standings), places);
}

function factsOf({ index: { players }, asOf, generation }: StandingsView) {
  return { generation, asOf, players, freshness: "published" as const };
}

/** The lines from a 0-based offset on; none beyond the end. */
async function tableLines(
  board: FinalBoard,
  standings: StandingsView,
  offset: number,
  limit: number,
): Promise<Lines> {
  const stretches = stretchesFrom(standings.index, offset, limit).map(async (stretch): Promise<Line[]> => {
    const document = await standings.document(stretch.part);
    const metadata = document.has_metadata ? await standings.metadata(stretch.part) : undefined;
    return placedIn(stretch, { standings: document, metadata }).map((placed) => {
      const { rank, position } = placed;
      return {
        player: listedStanding(placed),
        place: { rank, exact: true, rank_best: rank, rank_worst: rank },
        position: { position, exact: true },
      };
    });
  });
  const lines = (await Promise.all(stretches)).flat();
  const last = lines.length === limit ? lines.at(-1) : undefined;
  const end = last && {
    listKey: last.player.listKey,
    position: offset + limit,
    standings: standingsVersionOf(standings),
  };
  return { ranking: factsOf(standings), lines, end };
}

function standingsVersionOf({ revisions, asOf }: StandingsView) {
  return [revisions, asOf.toMillis()] as const;
}

/**
 * How many players stand at or before the end of another list. The cursor may be from when the season was open: then the
 * list continues behind its key.
 */
async function offsetBehind(board: FinalBoard, standings: StandingsView, end: ListEnd): Promise<number> {
  const isSame = end.standings?.join() === standingsVersionOf(standings).join();
  return isSame ? end.position : playersUntil(board, standings, end.listKey, end.position - 1);
}

/** @throws `player_not_ranked` */
async function tableAround(
  board: FinalBoard,
  standings: StandingsView,
  listKey: readonly [score: number, achievedAt: Timestamp, player: string],
  { above, below }: { above: number; below: number },
): Promise<Lines> {
  const [, , player] = listKey;
  const index = (await playersUntil(board, standings, listKey)) - 1;
  const from = Math.max(0, index - above);
  const found = await tableLines(board, standings, from, index + 1 + below - from);
  if (found.lines[index - from]?.player.player === player) return found;
  // A player readmitted after the summary was read is not in it.
  if (!standings.isNew) throw new StandingsRevised(`${player} is not where the summary leads`);
  throw notRanked(player, board.key, "is not in the standings");
}

/**
 * How many players stand at or before a list key. The documents that may hold it are searched one by one: first the one
 * with the guessed offset, then always the middle one of those that are left.
 */
async function playersUntil(
  { definition: { order, ties } }: FinalBoard,
  standings: StandingsView,
  [score, achievedAt, player = ""]: ListKey,
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
      // A key without a time stands for all equals.
      const sought = achievedAt instanceof Timestamp ? { player, score, achievedAt } : { ...other, score };
      return comparePlayers(order, ties, other, sought) > 0;
    });
    if (until > 0 && until < part.players) return part.before + until;
    if (until === 0) high = look;
    else low = look + 1;
  }
  const last = parts.at(-1);
  return parts[low]?.before ?? (last === undefined ? 0 : last.before + last.players);
}
