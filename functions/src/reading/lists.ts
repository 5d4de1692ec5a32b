/**
 * Lists of players as they are now, with the ranks of one generation: from an offset, behind a list key, around a player, or of
 * some players, such as a player's friends. A list's players are documents, so lists and ranks may differ by what was counted
 * in between.
 */
import type { Firestore, QueryDocumentSnapshot, Transaction } from "../documents/firestore.ts";
import { listedPlayers } from "../documents/queries.ts";
import { readTogether } from "../documents/reads.ts";
import { comparePlayers } from "../model/compare-players.ts";
import { nothingRankedYet } from "../model/errors.ts";
import { generationAttemptsMax } from "../model/limits.ts";
import type { RankingBoard } from "../seasons/read-board.ts";
import type { ListEnd } from "./cursor.ts";
import { type Listed, listedOf, notRanked, type Position } from "./entries.ts";
import { playersAt, playersOfDocuments, type PlayersShown } from "./listed.ts";
import { isUnpublished, type Places, type PageRow } from "./lookup.ts";
import { type Skips, startOf } from "./offset.ts";
import type { Line, Lines, Lists, Ranks, ScoreFound } from "./ranking-view.ts";

/** What lists are made of. */
interface Source {
  db: Firestore;
  board: RankingBoard;
  ranks: Ranks;
  shown: PlayersShown;
}

/** The lists of a ranking. @param shown how its season shows the players of documents. */
export function listsOf(db: Firestore, board: RankingBoard, ranks: Ranks, shown: PlayersShown): Lists {
  const source = { db, board, ranks, shown };
  return {
    players: (ids) =>
      playersAt(
        db,
        ids.map((player) => ({ key: board.key, player, show: shown.show })),
      ),
    async best(limit) {
      const found = await listedPlayers(db, board.key, board.definition).limit(limit).get();
      return { players: await playersOfDocuments(board.key, found.docs, shown), readAt: found.readTime };
    },
    linesFrom: (offset, limit, skips) => linesFrom(source, offset, limit, skips),
    linesFromScore: (score, limit) => linesFromScore(source, score, limit),
    linesBehind: (end, limit) => linesBehind(source, end, limit),
    linesAround: (player, sides) => linesAround(source, player, sides),
    linesOf: (players) => linesOf(source, players),
    scoreAt: (offsetOf) => scoreAt(ranks, offsetOf),
  };
}

/** Of one generation, unless publications do not stop. Cost: 1 read for each page that is not in memory. */
async function scoreAt(ranks: Ranks, offsetOf: (players: number) => number): Promise<ScoreFound> {
  let atLeast = 0;
  for (let attempt = 1; ; attempt++) {
    const whole = await ranks.placesOf([], atLeast);
    const { row, ranking, exact } = await ranks.rowAt(offsetOf(whole.players), atLeast);
    const isOfOne = whole.generation === ranking.generation;
    if (isOfOne || attempt === generationAttemptsMax)
      return { score: row && { best: row.score, worst: row.low }, ranking, exact: exact && isOfOne };
    atLeast = Math.max(whole.generation, ranking.generation);
  }
}

async function linesFrom(source: Source, offset: number, limit: number, skips: Skips): Promise<Lines> {
  for (let attempt = 1; ; attempt++) {
    const { row, ranking } = await source.ranks.rowAt(offset);
    if (row === undefined) return { ranking, lines: [] };
    const found = await documentsFrom(source, row, offset, limit, skips);
    const places = await source.ranks.placesOf(scoresOf(found.listed), ranking.generation);
    // An offset of one generation must not meet ranks of the next: then everything is read again.
    if (places.generation === ranking.generation || attempt === generationAttemptsMax)
      return linesIn(source, found, places, limit);
  }
}

/** Cost: 1 read a player, at least 1. */
async function linesFromScore(source: Source, score: number, limit: number): Promise<Lines> {
  const { db, board, ranks, shown } = source;
  const { key, definition } = board;
  const { docs } = await listedPlayers(db, key, definition, { from: [score] })
    .limit(limit)
    .get();
  const listed = await playersOfDocuments(key, docs, shown);
  const places = await ranks.placesOf([score, ...scoresOf(listed)]);
  if (isUnpublished(places)) return { ranking: places, lines: [] };
  return linesIn(source, { docs, listed, position: places.of(score).rank, exact: false }, places, limit);
}

/** Cost: 1 read a player, at least 1. */
async function linesBehind(source: Source, { listKey, position }: ListEnd, limit: number): Promise<Lines> {
  const { db, board, ranks, shown } = source;
  const { key, definition } = board;
  const { docs } = await listedPlayers(db, key, definition, { after: listKey }).limit(limit).get();
  const listed = await playersOfDocuments(key, docs, shown);
  const places = await ranks.placesOf(listed.length === 0 ? [listKey[0]] : scoresOf(listed));
  if (isUnpublished(places)) return { ranking: places, lines: [] };
  return linesIn(source, { docs, listed, position: position + 1, exact: false }, places, limit);
}

/** Players as a query has found them. */
interface DocumentsFound extends Position {
  /** In the order of the query: the next part of the list begins behind the last one. */
  docs: readonly QueryDocumentSnapshot[];
  listed: readonly Listed[];
}

async function documentsFrom(
  { db, board: { key, definition }, shown }: Source,
  row: PageRow,
  offset: number,
  limit: number,
  skips: Skips,
): Promise<DocumentsFound> {
  const { docs, reachesTop } = await readTogether(db, async (transaction) => {
    const start = await startOf({ db, transaction, key, definition, skips }, row, offset);
    const query = listedPlayers(db, key, definition, { from: [start.score] });
    const found = await transaction.get(query.offset(start.skip).limit(limit));
    return { docs: found.docs, reachesTop: start.reachesTop };
  });
  const listed = await playersOfDocuments(key, docs, shown);
  return { docs, listed, position: offset + 1, exact: reachesTop && areAsFound(listed, docs.length) };
}

/** Whether players are listed where their documents were found: in a closed season a server may have changed those since. */
function areAsFound(listed: readonly Listed[], documents: number): boolean {
  return listed.length === documents && listed.every(({ data }) => data !== undefined);
}

function linesIn({ shown }: Source, found: DocumentsFound, places: Places, limit: number): Lines {
  const { docs, listed, position, exact } = found;
  const isCertain = exact && shown.fits(listed, places, { position, isLast: docs.length < limit });
  const lines = listed.map((player, i) =>
    lineOf(player, places, { position: position + i, exact: isCertain }),
  );
  const last = docs.length === limit ? docs.at(-1) : undefined;
  const listKey = last && listedOf(last)?.listKey;
  const end = listKey && { listKey, position: position + listed.length - 1 };
  return { ranking: places, lines, end };
}

function lineOf(player: Listed, places: Places, position: Position): Line {
  return { player, place: places.of(player.score), position };
}

function scoresOf(listed: readonly Listed[]): number[] {
  return listed.map(({ score }) => score);
}

/** @throws `player_not_ranked`, also before the first publication */
async function linesAround(
  source: Source,
  player: string,
  sides: { above: number; below: number },
): Promise<Lines> {
  const { db, board, ranks, shown } = source;
  const found = await readTogether(db, (transaction) => readAround(source, transaction, player, sides));
  const { listed, reachesEnd } = found;
  const places = await ranks.placesOf(scoresOf(listed));
  if (isUnpublished(places)) throw nothingRankedYet(board.key);
  const { position, exact } = firstPosition(found, places);
  const isCertain = exact && shown.fits(listed, places, { position, isLast: reachesEnd });
  const lines = listed.map((one, i) => lineOf(one, places, { position: position + i, exact: isCertain }));
  return { ranking: places, lines };
}

interface Neighbourhood {
  listed: readonly Listed[];
  /** Whether the best of all is the first of them. */
  reachesTop: boolean;
  /** If all have the same score: how many with this score come before the first, at most 20,000. */
  equalsBefore: number | undefined;
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
  { db, board: { key, definition }, shown }: Source,
  transaction: Transaction,
  player: string,
  sides: { above: number; below: number },
): Promise<Neighbourhood & { reachesEnd: boolean }> {
  const asked = [{ key, player, show: shown.show }];
  const [own] = await playersAt(db, asked, { reader: transaction, withMetadata: true });
  if (own === undefined) throw notRanked(player, key);
  const side = async (limit: number, upwards: boolean): Promise<QueryDocumentSnapshot[]> => {
    if (limit === 0) return [];
    const query = listedPlayers(db, key, definition, { after: own.listKey, upwards }).limit(limit);
    return (await transaction.get(query)).docs;
  };
  const [above, below] = await Promise.all([side(sides.above, true), side(sides.below, false)]);
  const isOther = ({ id }: QueryDocumentSnapshot) => id !== player;
  const [up, down] = [above.toReversed().filter(isOther), below.filter(isOther)] as const;
  const [better, worse] = await Promise.all([
    playersOfDocuments(key, up, shown),
    playersOfDocuments(key, down, shown),
  ]);
  const listed = shown.inOrder([...better, own, ...worse]);
  const reachesTop = above.length < sides.above && areAsFound(listed, up.length + 1 + down.length);
  const reachesEnd = below.length < sides.below;
  const [first = own, last = own] = [listed[0], listed.at(-1)];
  if (reachesTop || first.score !== last.score)
    return { listed, reachesTop, reachesEnd, equalsBefore: undefined };
  const equals = listedPlayers(db, key, definition, { from: [first.listKey[0]], before: first.listKey });
  const counted = await transaction.get(equals.limit(equalsCountedMax).count());
  return { listed, reachesTop, reachesEnd, equalsBefore: counted.data().count };
}

async function linesOf(source: Source, players: readonly string[]): Promise<Lines> {
  const { db, board, ranks, shown } = source;
  const { order, ties } = board.definition;
  const asked = players.map((player) => ({ key: board.key, player, show: shown.show }));
  const found = await readTogether(db, (reader) => playersAt(db, asked, { reader, withMetadata: true }));
  const listed = found
    .filter((one) => one !== undefined)
    .toSorted((a, b) => comparePlayers(order, ties, a, b));
  const places = await ranks.placesOf(scoresOf(listed));
  if (isUnpublished(places)) return { ranking: places, lines: [] };
  const positions = positionsOf(listed, places);
  const lines = listed.map((one, i) => lineOf(one, places, { position: positions[i] ?? NaN, exact: false }));
  return { ranking: places, lines };
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
