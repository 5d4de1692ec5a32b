/** All players, one after the other. */
import type { Entry } from "./answers.ts";
import type { CallOptions } from "./call-options.ts";
import type { BoardTypes, Leaderboard } from "./leaderboard.ts";
import { getPage, type PageRequest } from "./reads.ts";

/**
 * The players from an offset or cursor on, best first, until the list ends or the loop is left. Pages are asked for as they
 * are needed, all of the season in which the first one was.
 *
 * Cost: for each page that is reached that of `getPage`; `limit` is a page's size, by default 25.
 * @param options for each page.
 * @throws FirerankError
 * @example for await (const { rank, player } of pages(board)) if (rank > 100) break;
 */
export async function* pages<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  { offset, cursor, ...request }: PageRequest = {},
  options?: CallOptions,
): AsyncGenerator<Entry<Types>, void, undefined> {
  let place: PageRequest = cursor === undefined ? { offset } : { cursor };
  let asked = board;
  for (;;) {
    const { season, entries, next_cursor: next } = await getPage(asked, { ...request, ...place }, options);
    yield* entries;
    if (next === undefined) return;
    place = { cursor: next };
    asked = { ...board, season, span: undefined };
  }
}
