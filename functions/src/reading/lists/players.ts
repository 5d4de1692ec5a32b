/** Some players, such as a player's friends, best first. */
import { playerPath } from "../../documents/paths.ts";
import { documentsAt, readTogether } from "../../documents/reads.ts";
import { comparePlaces } from "../../documents/standings.ts";
import type { PlayersAnswer } from "../../model/answers.ts";
import type { Board } from "../../seasons/board.ts";
import { closedPlacesOf, finalOf } from "../closed.ts";
import type { ReadingServices } from "../live-sums.ts";
import { isUnpublished, placesAsked, type RanksAsked } from "../live.ts";
import type { Places } from "../lookup.ts";
import { isClosed } from "../standings-reads.ts";
import { listAnswer, type Listed, listedOf } from "./entries.ts";

/**
 * The ranked ones of some players, best first. Cost: as `getPlayers` says.
 * @param players without duplicates.
 */
export async function listPlayers(
  services: ReadingServices,
  board: Board,
  players: readonly string[],
  asked: RanksAsked = {},
): Promise<PlayersAnswer> {
  const { key, definition } = board;
  const { order, ties } = definition;
  const { db } = services;
  const paths = players.map((player) => playerPath(key, player));
  const documents = await readTogether(db, (transaction) => documentsAt(db, paths, transaction));
  const found = isClosed(board)
    ? await Promise.all(documents.map((document) => finalOf(services, board, document, true)))
    : documents.map(listedOf);
  const listed = found.filter((one) => one !== undefined).sort((a, b) => comparePlaces(order, ties, a, b));
  const scores = listed.map(({ score }) => score);
  const places = isClosed(board)
    ? await closedPlacesOf(services, board, scores, asked.min_generation)
    : await placesAsked(services, key, order, scores, asked);
  const shown = isUnpublished(places) ? [] : listed;
  const positions = positionsOf(shown, places);
  return listAnswer(board, shown, places, (i) => ({ position: positions[i] ?? NaN, exact: false }));
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
