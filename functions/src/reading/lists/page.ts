/** A page of the list of all players: from an offset, or from the end of another page. */
import type { QuerySnapshot } from "../../documents/firestore.ts";
import { listedPlayers } from "../../documents/queries.ts";
import type { PageAnswer } from "../../model/answers.ts";
import { generationAttemptsMax } from "../../model/limits.ts";
import type { Board } from "../../seasons/board.ts";
import { isUnpublished, liveRowAt, placesAsked, placesWith, type RanksAsked } from "../live.ts";
import { type Places, type Row, rowOfOffset } from "../lookup.ts";
import { placesOf } from "../places.ts";
import type { ReadingServices } from "../live-sums.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { dated, entryOf, listedOf } from "./entries.ts";
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
  const found = await listedPlayers(services.db, key, definition, { after: place }).limit(limit).get();
  const scores = found.empty ? [place[0]] : scoresIn(found);
  const places = await placesAsked(services, key, definition.order, scores, asked);
  return isUnpublished(places) ? emptyPage(board, places) : pageOf(board, found, places, position + 1, limit);
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
  { freshness, min_generation: minGeneration = 0, ...how }: PageAsked & { skips: Skips },
): Promise<PageAnswer> {
  const { pages } = services;
  const { key, definition } = board;
  const { order } = definition;
  if (freshness === "live") {
    const sums = await services.live.sumsOf(key, order, minGeneration);
    const none = await placesWith(services, sums, []);
    if (offset >= none.players) return emptyPage(board, none);
    const row = await liveRowAt(services, sums, offset);
    const found = await playersFrom(services, board, row, offset, how);
    const places = await placesWith(services, sums, scoresIn(found));
    return pageOf(board, found, places, offset + 1, how.limit);
  }
  for (let attempt = 1; ; attempt++) {
    const page = await pages.pageAt(key, order, offset, minGeneration);
    const row = rowOfOffset(page, offset);
    if (row === undefined) return emptyPage(board, { ...page, asOf: page.as_of });
    const found = await playersFrom(services, board, row, offset, how);
    const atLeast = Math.max(minGeneration, page.generation);
    const places = await placesOf(services, key, order, scoresIn(found), atLeast);
    // An offset of one generation must not meet ranks of the next: then everything is read again.
    if (places.generation === page.generation || attempt === generationAttemptsMax) {
      return pageOf(board, found, places, offset + 1, how.limit);
    }
  }
}

/** The players from an offset on, which lies in a row. */
function playersFrom(
  { db }: ReadingServices,
  { key, definition }: Board,
  row: Row,
  offset: number,
  { limit, skips }: Pick<PageAsked, "limit"> & { skips: Skips },
): Promise<QuerySnapshot> {
  return db.runTransaction(
    async (transaction) => {
      const { score, skip } = await startOf({ db, transaction, key, definition, skips }, row, offset);
      const query = listedPlayers(db, key, definition, { from: [score] });
      return transaction.get(query.offset(skip).limit(limit));
    },
    { readOnly: true },
  );
}

function scoresIn({ docs }: QuerySnapshot): number[] {
  return docs.map((document) => document.get("score") as number);
}

function emptyPage({ key }: Board, places: Pick<Places, "asOf" | "generation" | "players">): PageAnswer {
  return { ...key, entries: [], players: places.players, ...dated(places) };
}

function pageOf(
  { key, definition }: Board,
  { docs }: QuerySnapshot,
  places: Places,
  position: number,
  limit: number,
): PageAnswer {
  const listed = docs.flatMap((document) => listedOf(document) ?? []);
  const entries = listed.map((one, index) =>
    entryOf(definition, one, places.of(one.score), { position: position + index, exact: true }),
  );
  const last = listed.at(-1);
  const isFull = docs.length === limit;
  return {
    ...key,
    entries,
    ...(isFull && last !== undefined
      ? { next_cursor: writeCursor(key, last.place, position + listed.length - 1) }
      : {}),
    players: places.players,
    ...dated(places),
  };
}
