/** The players around one, and their positions. */
import { playerPath, type SeasonKey } from "../../documents/paths.ts";
import { listedPlayers } from "../../documents/queries.ts";
import { readTogether } from "../../documents/reads.ts";
import type { AroundAnswer } from "../../model/answers.ts";
import { FirerankError, nothingRankedYet } from "../../model/errors.ts";
import type { Board } from "../../seasons/board.ts";
import type { ReadingServices } from "../live-sums.ts";
import { isUnpublished, placesAsked, type RanksAsked } from "../live.ts";
import type { Places } from "../lookup.ts";
import { listAnswer, type Listed, listedOf, type Position } from "./entries.ts";
import type { Listing } from "./offset.ts";

/** The request of {@link aroundPlayer}: how many players to list on either side of one. */
export interface AroundAsked extends RanksAsked {
  above: number;
  below: number;
}

/** What was read around a player, as of one moment. */
interface Neighbourhood {
  /** Best first. */
  listed: Listed[];
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
  board: Pick<Board, "key" | "definition">,
  player: string,
  asked: AroundAsked,
): Promise<AroundAnswer> {
  const { db } = services;
  const { key, definition } = board;
  const found = await readTogether(db, (transaction) =>
    readAround({ db, transaction, key, definition }, player, asked),
  );
  const scores = found.listed.map(({ score }) => score);
  const places = await placesAsked(services, key, definition.order, scores, asked);
  if (isUnpublished(places)) throw nothingRankedYet(key);
  const { position, exact } = firstPosition(found, places);
  return listAnswer(board, found.listed, places, (i) => ({ position: position + i, exact }));
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
  { db, transaction, key, definition }: Omit<Listing, "skips">,
  player: string,
  sides: AroundAsked,
): Promise<Neighbourhood> {
  const own = listedOf(await transaction.get(db.doc(playerPath(key, player))));
  if (own === undefined) throw notRanked(player, key, "has no ranked score");
  const side = async (limit: number, upwards: boolean): Promise<Listed[]> => {
    if (limit === 0) return [];
    const query = listedPlayers(db, key, definition, { after: own.place, upwards }).limit(limit);
    return (await transaction.get(query)).docs.flatMap((document) => listedOf(document) ?? []);
  };
  const [above, below] = await Promise.all([side(sides.above, true), side(sides.below, false)]);
  const listed = [...above.toReversed(), own, ...below];
  const reachesTop = above.length < sides.above;
  const [first = own, last = own] = [listed[0], listed.at(-1)];
  if (reachesTop || first.score !== last.score) return { listed, reachesTop, equalsBefore: undefined };
  const equals = listedPlayers(db, key, definition, { from: [first.score], before: first.place });
  const counted = await transaction.get(equals.limit(equalsCountedMax).count());
  return { listed, reachesTop, equalsBefore: counted.data().count };
}

/** The error about a player who is not listed, with the reason. */
export function notRanked(player: string, { leaderboard }: SeasonKey, why: string): FirerankError {
  return new FirerankError("player_not_ranked", `Player "${player}" of leaderboard "${leaderboard}" ${why}.`);
}
