/** A page of the list of all players: from an offset, or from the end of another page. */
import type { QueryDocumentSnapshot } from "../../documents/firestore.ts";
import { listedPlayers } from "../../documents/queries.ts";
import { readTogether } from "../../documents/reads.ts";
import type { PageAnswer } from "../../model/answers.ts";
import { generationAttemptsMax } from "../../model/limits.ts";
import type { Board } from "../../seasons/board.ts";
import { isUnpublished, liveRowAt, placesAsked, placesWith, type RanksAsked } from "../live.ts";
import { type Places, placesIn, type Row, rowOfOffset } from "../lookup.ts";
import { placesOf } from "../places.ts";
import type { ReadingServices } from "../live-sums.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { listAnswer, listedOf, type Position } from "./entries.ts";
import { type Skips, startOf } from "./offset.ts";

/** The request for a page. */
export interface PageAsked extends RanksAsked {
  limit: number;
}

/** The players after a cursor. Cost: as `getPage` says. @throws `invalid_request` about the cursor */
export async function pageBehind(
  services: ReadingServices,
  board: Board,
  cursor: string,
  { limit, ...asked }: PageAsked,
): Promise<PageAnswer> {
  const { key, definition } = board;
  const { place, position } = readCursor(key, cursor);
  const { docs } = await listedPlayers(services.db, key, definition, { after: place }).limit(limit).get();
  const scores = docs.length === 0 ? [place[0]] : scoresIn(docs);
  const places = await placesAsked(services, key, definition.order, scores, asked);
  const found = { docs: isUnpublished(places) ? [] : docs, position: position + 1, exact: false };
  return pageOf(board, found, places, limit);
}

/**
 * The players from a 0-based offset on; none beyond the end. Cost: as `getPage` says; beyond the end 2, or 0 with a page
 * in memory.
 * @throws `invalid_request` about the offset, if it is deeper than 1,000 among equals; `unauthenticated` if it needs
 * more than `skips` allows.
 */
export async function pageFrom(
  services: ReadingServices,
  board: Board,
  offset: number,
  { freshness, min_generation: minGeneration = 0, limit, skips }: PageAsked & { skips: Skips },
): Promise<PageAnswer> {
  const { key, definition } = board;
  const { order } = definition;
  if (freshness === "live") {
    const sums = await services.live.sumsOf(key, order, minGeneration);
    const none = await placesWith(services, sums, []);
    if (offset >= none.players) return pageOf(board, nobody, none, limit);
    const row = await liveRowAt(services, sums, offset);
    const found = await playersFrom(services, board, row, offset, { limit, skips });
    return pageOf(board, found, await placesWith(services, sums, scoresIn(found.docs)), limit);
  }
  for (let attempt = 1; ; attempt++) {
    const page = await services.pages.pageAt(key, order, offset, minGeneration);
    const row = rowOfOffset(page, offset);
    if (row === undefined) return pageOf(board, nobody, placesIn(order, page), limit);
    const found = await playersFrom(services, board, row, offset, { limit, skips });
    const atLeast = Math.max(minGeneration, page.generation);
    const places = await placesOf(services, key, order, scoresIn(found.docs), atLeast);
    // An offset of one generation must not meet ranks of the next: then everything is read again.
    if (places.generation === page.generation || attempt === generationAttemptsMax)
      return pageOf(board, found, places, limit);
  }
}

/** Players in the total order, and the position of the first one. */
interface Found extends Position {
  docs: readonly QueryDocumentSnapshot[];
}

const nobody: Found = { docs: [], position: NaN, exact: false };

/** The players from an offset on, which lies in a row. */
function playersFrom(
  { db }: ReadingServices,
  { key, definition }: Board,
  row: Row,
  offset: number,
  { limit, skips }: Pick<PageAsked, "limit"> & { skips: Skips },
): Promise<Found> {
  return readTogether(db, async (transaction) => {
    const start = await startOf({ db, transaction, key, definition, skips }, row, offset);
    const query = listedPlayers(db, key, definition, { from: [start.score] });
    const { docs } = await transaction.get(query.offset(start.skip).limit(limit));
    return { docs, position: offset + 1, exact: start.reachesTop };
  });
}

function scoresIn(docs: readonly QueryDocumentSnapshot[]): number[] {
  return docs.map((document) => document.get("score") as number);
}

function pageOf(board: Board, { docs, position, exact }: Found, places: Places, limit: number): PageAnswer {
  const listed = docs.flatMap((document) => listedOf(document) ?? []);
  const list = listAnswer(board, listed, places, (i) => ({ position: position + i, exact }));
  const end = docs.length === limit ? listed.at(-1)?.place : undefined;
  return {
    ...list,
    ...(end && { next_cursor: writeCursor(board.key, end, position + listed.length - 1) }),
    players: places.players,
  };
}
