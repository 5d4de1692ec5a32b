/**
 * Lists of players as they are now, with the ranks of one generation: a page of all players, the players around one, and
 * some players, such as a player's friends.
 */
import type { Firestore, QueryDocumentSnapshot, Transaction } from "../documents/firestore.ts";
import { topPath } from "../documents/paths.ts";
import { listedPlayers } from "../documents/queries.ts";
import { readTogether } from "../documents/reads.ts";
import { comparePlaces } from "../documents/standings.ts";
import type { AroundAnswer, PageAnswer, PlayersAnswer } from "../model/answers.ts";
import { nothingRankedYet } from "../model/errors.ts";
import { generationAttemptsMax } from "../model/limits.ts";
import type { Since } from "../model/midnights.ts";
import type { RankingBoard } from "../seasons/board.ts";
import { buildTop } from "../top/build-top.ts";
import { bestPossible } from "../model/score.ts";
import { emptyTop, type TopRead } from "./top-answer.ts";
import { answered } from "./answered.ts";
import { closedPlacesOf } from "./closed.ts";
import { inOrder, listedAt, listedIn } from "./listed.ts";
import {
  isUnpublished,
  liveRowAt,
  liveSumsOf,
  placesAsked,
  placesOn,
  placesWith,
  type RanksAsked,
} from "./live.ts";
import type { ReadingServices } from "./live-sums.ts";
import { type Places, type Row, rowOfOffset } from "./lookup.ts";
import { movedSince } from "./moved.ts";
import { isClosed } from "./standings-reads.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import {
  type AroundAsked,
  dated,
  entryOf,
  type Listed,
  listedOf,
  notRanked,
  type PageAsked,
  type Position,
} from "./entries.ts";
import { type Skips, startOf } from "./offset.ts";

/** The players after a cursor. Cost: as `getPage` says. @throws `invalid_request` about the cursor */
export async function pageBehind(
  services: ReadingServices,
  board: RankingBoard,
  cursor: string,
  { limit, since, ...asked }: PageAsked,
): Promise<PageAnswer> {
  const { key, definition } = board;
  const { place, position } = readCursor(key, cursor);
  const { docs } = await listedPlayers(services.db, key, definition, { after: place }).limit(limit).get();
  const listed = await listedIn(services.db, board, docs);
  const scores = listed.length === 0 ? [place[0]] : scoresOf(listed);
  const places = await placesFor(services, board, scores, asked);
  const found = { docs, listed, position: position + 1, exact: false };
  return pageOf(services, board, isUnpublished(places) ? nobody : found, places, { limit, since });
}

/**
 * The players from a 0-based offset on; none beyond the end. Cost: as `getPage` says; beyond the end 2, or 0 with a page
 * in memory.
 * @throws `invalid_request` about the offset, if it is deeper than 1,000 among equals; `unauthenticated` if it needs
 * more than `skips` allows.
 */
export async function pageFrom(
  services: ReadingServices,
  board: RankingBoard,
  offset: number,
  { freshness, min_generation: minGeneration = 0, skips, ...asked }: PageAsked & { skips: Skips },
): Promise<PageAnswer> {
  const { key, definition } = board;
  const { order } = definition;
  const { limit } = asked;
  if (freshness === "live" && !isClosed(board)) {
    const sums = await liveSumsOf(services, key, order, minGeneration);
    const none = await placesWith(services, sums, []);
    if (offset >= none.players) return pageOf(services, board, nobody, none, asked);
    const row = await liveRowAt(services, sums, offset);
    const found = await playersFrom(services, board, row, offset, { limit, skips });
    return pageOf(services, board, found, await placesWith(services, sums, scoresOf(found.listed)), asked);
  }
  for (let attempt = 1; ; attempt++) {
    const page = await services.pages.pageAt(key, order, offset, minGeneration);
    const row = rowOfOffset(page, offset);
    if (row === undefined) return pageOf(services, board, nobody, placesOn(order, page), asked);
    const found = await playersFrom(services, board, row, offset, { limit, skips });
    const atLeast = Math.max(minGeneration, page.generation);
    const places = await placesFor(services, board, scoresOf(found.listed), { min_generation: atLeast });
    // An offset of one generation must not meet ranks of the next: then everything is read again.
    if (places.generation === page.generation || attempt === generationAttemptsMax)
      return pageOf(services, board, found, places, asked);
  }
}

interface Found extends Position {
  /** As the query has them: the next page begins behind the last one. */
  docs: readonly QueryDocumentSnapshot[];
  listed: readonly Listed[];
}

const nobody: Found = { docs: [], listed: [], position: NaN, exact: false };

async function playersFrom(
  services: ReadingServices,
  board: RankingBoard,
  row: Row,
  offset: number,
  { limit, skips }: Pick<PageAsked, "limit"> & { skips: Skips },
): Promise<Found> {
  const { db } = services;
  const { key, definition } = board;
  const { docs, reachesTop } = await readTogether(db, async (transaction) => {
    const start = await startOf({ db, transaction, key, definition, skips }, row, offset);
    const query = listedPlayers(db, key, definition, { from: [start.score] });
    const found = await transaction.get(query.offset(start.skip).limit(limit));
    return { docs: found.docs, reachesTop: start.reachesTop };
  });
  const listed = await listedIn(services.db, board, docs);
  return { docs, listed, position: offset + 1, exact: reachesTop && areAsFound(listed, docs.length) };
}

/** Whether players are listed where their documents were found: in a closed season a server may have changed those since. */
function areAsFound(listed: readonly Listed[], documents: number): boolean {
  return listed.length === documents && listed.every(({ data }) => data !== undefined);
}

/**
 * Whether the positions of a list agree with its ranks. In a closed season a server may have replaced or deleted documents,
 * so that the list lacks players whom the ranking has. @param isLast whether the list ends with the worst player.
 */
function fitRanks(
  board: RankingBoard,
  listed: readonly Listed[],
  places: Places,
  { position, isLast }: { position: number; isLast: boolean },
): boolean {
  if (!isClosed(board)) return true;
  if (isLast && position - 1 + listed.length < places.players) return false;
  return listed.every(({ score }, i) => {
    const { rank, exact } = places.of(score);
    // Who is first may have equals before.
    if (!exact || score === listed[i - 1]?.score) return true;
    return i === 0 ? rank <= position : rank === position + i;
  });
}

function scoresOf(listed: readonly Listed[]): number[] {
  return listed.map(({ score }) => score);
}

/** The places of scores that players have: in a closed season the final ones. */
function placesFor(
  services: ReadingServices,
  board: RankingBoard,
  scores: readonly number[],
  asked: RanksAsked,
): Promise<Places> {
  return isClosed(board)
    ? closedPlacesOf(services, board, scores, asked.min_generation)
    : placesAsked(services, board.key, board.definition.order, scores, asked);
}

async function pageOf(
  services: ReadingServices,
  board: RankingBoard,
  { docs, listed, position, exact }: Found,
  places: Places,
  { limit, since }: Pick<PageAsked, "limit" | "since">,
): Promise<PageAnswer> {
  const isCertain = exact && fitRanks(board, listed, places, { position, isLast: docs.length < limit });
  const positionOf = (i: number) => ({ position: position + i, exact: isCertain });
  const list = await listAnswer(services, board, listed, places, { positionOf, since });
  const last = docs.length === limit ? docs.at(-1) : undefined;
  const end = last && listedOf(last)?.place;
  return {
    ...list,
    ...(end && { next_cursor: writeCursor(board.key, end, position + listed.length - 1) }),
    players: places.players,
  };
}

/** The answer that lists players, with their ranks and how far they have moved. Cost: {@link movedSince} with `since`. */
async function listAnswer(
  services: ReadingServices,
  board: RankingBoard,
  listed: readonly Listed[],
  places: Places,
  { positionOf, since }: { positionOf: (index: number) => Position; since?: Since | undefined },
) {
  const movers = listed.map(({ data = {}, score }) => ({ data, place: places.of(score) }));
  const moved = since && (await movedSince(services, board, places, since, movers));
  const entries = listed.map((one, i) => {
    return { ...entryOf(board.definition, one, places.of(one.score), positionOf(i)), ...moved?.[i] };
  });
  return { ...answered(board.key), entries, ...dated(places) };
}

interface Neighbourhood {
  listed: readonly Listed[];
  /** Whether the best of all is the first of them. */
  reachesTop: boolean;
  /** If all have the same score: how many with this score come before the first, at most 20,000. */
  equalsBefore: number | undefined;
}

/**
 * A player and the neighbours on either side, best first. Cost: as `getAround` says.
 * @throws `player_not_ranked`, also before the first publication
 */
export async function aroundPlayer(
  services: ReadingServices,
  board: RankingBoard,
  player: string,
  asked: AroundAsked,
): Promise<AroundAnswer> {
  const { db } = services;
  const found = await readTogether(db, (transaction) => readAround(db, transaction, board, player, asked));
  const places = await placesFor(services, board, scoresOf(found.listed), asked);
  if (isUnpublished(places)) throw nothingRankedYet(board.key);
  const { position, exact } = firstPosition(found, places);
  const { listed, reachesEnd } = found;
  const isCertain = exact && fitRanks(board, listed, places, { position, isLast: reachesEnd });
  const positionOf = (i: number) => ({ position: position + i, exact: isCertain });
  return listAnswer(services, board, listed, places, { positionOf, since: asked.since });
}

/**
 * The position of the first of some neighbours; the others follow one by one. In order of preference: the list begins
 * with the best player of all; or a listed player is the first with a score, so the position is the rank; or the equals
 * were counted. Only the first case is exact: a rank counts the players of the publication, and nothing shows which
 * players of the current list were among them.
 */
export function firstPosition(
  { listed, reachesTop, equalsBefore = 0 }: Neighbourhood,
  places: Pick<Places, "of">,
): Position {
  if (reachesTop) return { position: 1, exact: true };
  const scores = listed.map(({ score }) => score);
  const changes = scores.flatMap((score, i) => (i > 0 && score !== scores[i - 1] ? [i] : []));
  const change = changes.find((i) => places.of(scores[i] ?? NaN).exact) ?? changes[0] ?? 0;
  const position = places.of(scores[change] ?? NaN).rank - change + equalsBefore;
  const best = places.of(scores[0] ?? NaN).rank_best;
  return { position: Math.max(best, position), exact: false };
}

/** Players with an equal score that are counted to find the first position: 20 reads. */
export const equalsCountedMax = 20_000;

async function readAround(
  db: Firestore,
  transaction: Transaction,
  board: RankingBoard,
  player: string,
  sides: AroundAsked,
): Promise<Neighbourhood & { reachesEnd: boolean }> {
  const { key, definition } = board;
  const [own] = await listedAt(db, [{ board, player }], { reader: transaction, withMetadata: true });
  if (own === undefined) throw notRanked(player, key);
  const side = async (limit: number, upwards: boolean): Promise<QueryDocumentSnapshot[]> => {
    if (limit === 0) return [];
    const query = listedPlayers(db, key, definition, { after: own.place, upwards }).limit(limit);
    return (await transaction.get(query)).docs;
  };
  const [above, below] = await Promise.all([side(sides.above, true), side(sides.below, false)]);
  const isOther = ({ id }: QueryDocumentSnapshot) => id !== player;
  const [up, down] = [above.toReversed().filter(isOther), below.filter(isOther)] as const;
  const [better, worse] = await Promise.all([listedIn(db, board, up), listedIn(db, board, down)]);
  const listed = inOrder(board, [...better, own, ...worse]);
  const reachesTop = above.length < sides.above && areAsFound(listed, up.length + 1 + down.length);
  const reachesEnd = below.length < sides.below;
  const [first = own, last = own] = [listed[0], listed.at(-1)];
  if (reachesTop || first.score !== last.score)
    return { listed, reachesTop, reachesEnd, equalsBefore: undefined };
  const equals = listedPlayers(db, key, definition, { from: [first.place[0]], before: first.place });
  const counted = await transaction.get(equals.limit(equalsCountedMax).count());
  return { listed, reachesTop, reachesEnd, equalsBefore: counted.data().count };
}

/** The ranked ones of some players, each named once, best first. Cost: as `getPlayers` says. */
export async function listPlayers(
  services: ReadingServices,
  board: RankingBoard,
  players: readonly string[],
  asked: RanksAsked = {},
): Promise<PlayersAnswer> {
  const { order, ties } = board.definition;
  const { db } = services;
  const wanted = players.map((player) => ({ board, player }));
  const found = await readTogether(db, (reader) => listedAt(db, wanted, { reader, withMetadata: true }));
  const listed = found
    .filter((one) => one !== undefined)
    .toSorted((a, b) => comparePlaces(order, ties, a, b));
  const places = await placesFor(services, board, scoresOf(listed), asked);
  const shown = isUnpublished(places) ? [] : listed;
  const positions = positionsOf(shown, places);
  const positionOf = (i: number) => ({ position: positions[i] ?? NaN, exact: false });
  return listAnswer(services, board, shown, places, { positionOf, since: asked.since });
}

/**
 * The best position that each of some players can have: the rank, plus the listed players with the same score who come
 * before. It is always a guess: a page says how many players have a score, not which ones, so it may count another
 * player who comes before. If scores changed since the publication, two players may get the same position; the second
 * one then moves down.
 * @param listed in the total order.
 */
export function positionsOf(listed: readonly Pick<Listed, "score">[], places: Pick<Places, "of">): number[] {
  const positions: number[] = [];
  for (const [i, { score }] of listed.entries()) {
    const next = (positions[i - 1] ?? 0) + 1;
    positions.push(score === listed[i - 1]?.score ? next : Math.max(places.of(score).rank, next));
  }
  return positions;
}

/**
 * The best players of a segment as they are now, with ranks that are exact in the list. Cost: 1 read a player, at least 1,
 * and 1 for a page, 0 while in memory; in a closed season as {@link listedIn} says.
 */
export async function topOfSegment(
  { db, pages }: ReadingServices,
  board: RankingBoard,
  limit: number,
  minGeneration?: number,
): Promise<TopRead> {
  const { key, definition } = board;
  const { order } = definition;
  const page = await pages.pageOf(key, order, bestPossible(order), minGeneration);
  if (page.generation === 0) return emptyTop(page.as_of);
  const { docs, readTime } = await listedPlayers(db, key, definition).limit(limit).get();
  const listed = (await listedIn(db, board, docs)).map(({ player, score, achievedAt, shown }) => ({
    id: player,
    data: { ...shown, score, achieved_at: achievedAt },
  }));
  const { generation, players } = page;
  const about = { generation, players, as_of: readTime };
  return buildTop(topPath(key), { ...definition, top_size: limit }, listed, about);
}
