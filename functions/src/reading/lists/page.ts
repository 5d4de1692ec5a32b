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
import { listAnswer, listedOf } from "./entries.ts";
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
  return pageOf(board, isUnpublished(places) ? [] : docs, places, position + 1, limit);
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
    if (offset >= none.players) return pageOf(board, [], none, offset + 1, limit);
    const row = await liveRowAt(services, sums, offset);
    const docs = await playersFrom(services, board, row, offset, { limit, skips });
    return pageOf(board, docs, await placesWith(services, sums, scoresIn(docs)), offset + 1, limit);
  }
  for (let attempt = 1; ; attempt++) {
    const page = await services.pages.pageAt(key, order, offset, minGeneration);
    const row = rowOfOffset(page, offset);
    if (row === undefined) return pageOf(board, [], placesIn(order, page), offset + 1, limit);
    const docs = await playersFrom(services, board, row, offset, { limit, skips });
    const atLeast = Math.max(minGeneration, page.generation);
    const places = await placesOf(services, key, order, scoresIn(docs), atLeast);
    // An offset of one generation must not meet ranks of the next: then everything is read again.
    if (places.generation === page.generation || attempt === generationAttemptsMax)
      return pageOf(board, docs, places, offset + 1, limit);
  }
}

/** The players from an offset on, which lies in a row. */
function playersFrom(
  { db }: ReadingServices,
  { key, definition }: Board,
  row: Row,
  offset: number,
  { limit, skips }: Pick<PageAsked, "limit"> & { skips: Skips },
): Promise<QueryDocumentSnapshot[]> {
  return readTogether(db, async (transaction) => {
    const { score, skip } = await startOf({ db, transaction, key, definition, skips }, row, offset);
    const query = listedPlayers(db, key, definition, { from: [score] });
    return (await transaction.get(query.offset(skip).limit(limit))).docs;
  });
}

function scoresIn(docs: readonly QueryDocumentSnapshot[]): number[] {
  return docs.map((document) => document.get("score") as number);
}

/** A page whose first player has a position. */
function pageOf(
  board: Board,
  docs: readonly QueryDocumentSnapshot[],
  places: Places,
  position: number,
  limit: number,
): PageAnswer {
  const listed = docs.flatMap((document) => listedOf(document) ?? []);
  const list = listAnswer(board, listed, places, (i) => ({ position: position + i, exact: true }));
  const end = docs.length === limit ? listed.at(-1)?.place : undefined;
  return {
    ...list,
    ...(end && { next_cursor: writeCursor(board.key, end, position + listed.length - 1) }),
    players: places.players,
  };
}
