/**
 * Lists of a closed season, from its standings: from any offset, after any cursor, around any player, with exact ranks
 * and positions.
 */
import { Timestamp } from "../../documents/firestore.ts";
import { playerPath } from "../../documents/paths.ts";
import type { ListPlace } from "../../documents/queries.ts";
import { comparePlaces } from "../../documents/standings.ts";
import type { AroundAnswer, Entry, PageAnswer } from "../../model/answers.ts";
import type { OpenedBoard } from "../../seasons/board.ts";
import { partsWithScore, playersUpTo, stretchesFrom } from "../../standings/lookup.ts";
import { fieldsOf, placesOf, playersOf } from "../../standings/pack.ts";
import { finalOf } from "../closed.ts";
import type { ReadingServices } from "../live-sums.ts";
import { StandingsRevised, type StandingsView } from "../standings-reads.ts";
import { type AroundAsked, notRanked } from "./around.ts";
import { type ListEnd, readCursor, type StandingsVersion, writeCursor } from "./cursor.ts";
import { dated, entryOf } from "./entries.ts";
import type { PageAsked } from "./page.ts";

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
  { limit, min_generation: minGeneration }: PageAsked,
): Promise<PageAnswer> {
  const { key } = board;
  const end = cursor === undefined ? undefined : readCursor(key, cursor);
  return services.standings.answer(board, minGeneration, async (standings) => {
    const offset = end === undefined ? asked : await offsetBehind(board, standings, end);
    const lines = await linesFrom(board, standings, offset, limit);
    const last = lines.length === limit ? lines.at(-1) : undefined;
    return {
      ...key,
      entries: lines.map(({ entry }) => entry),
      ...(last && { next_cursor: writeCursor(key, last.place, offset + limit, versionOf(standings)) }),
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
  { above, below, min_generation: minGeneration }: AroundAsked,
): Promise<AroundAnswer> {
  const { key } = board;
  const own = await finalOf(services, board, await services.db.doc(playerPath(key, player)).get());
  if (own === undefined) throw notRanked(player, key, "has no ranked score");
  return services.standings.answer(board, minGeneration, async (standings) => {
    const index = (await playersUntil(board, standings, [own.score, own.achievedAt, player])) - 1;
    const from = Math.max(0, index - above);
    const lines = await linesFrom(board, standings, from, index + 1 + below - from);
    if (lines[index - from]?.entry.player !== player) {
      // A player readmitted after the summary was read is not in it.
      if (!standings.isNew) throw new StandingsRevised(`${player} is not where the summary leads`);
      throw notRanked(player, key, "is not in the standings");
    }
    return { ...key, entries: lines.map(({ entry }) => entry), ...dated(standings) };
  });
}

/** The offset of the first player after a cursor. */
async function offsetBehind(
  board: OpenedBoard,
  standings: StandingsView,
  { place, position, standings: version }: ListEnd,
): Promise<number> {
  const isSame = version?.join() === versionOf(standings).join();
  return isSame ? position : playersUntil(board, standings, place, position - 1);
}

function versionOf({ revisions, asOf }: StandingsView): StandingsVersion {
  return [revisions, asOf.toMillis()];
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
    const until = playersUpTo(document, (i) => {
      const [other] = playersOf({ standings: document, metadata: undefined }, i, i + 1);
      if (other === undefined) return 1;
      // A place without a time stands for all equals.
      const sought = achievedAt instanceof Timestamp ? { player, score, achievedAt } : { ...other, score };
      return comparePlaces(order, standings.ties, other, sought);
    });
    if (until > 0 && until < part.players) return part.before + until;
    if (until === 0) high = look;
    else low = look + 1;
  }
  const last = parts.at(-1);
  return parts[low]?.before ?? (last === undefined ? 0 : last.before + last.players);
}

/** The entries of up to `limit` players from an offset on, with their places in the total order. */
async function linesFrom(
  { definition }: OpenedBoard,
  standings: StandingsView,
  offset: number,
  limit: number,
): Promise<{ entry: Entry; place: ListPlace }[]> {
  const lines = stretchesFrom(standings.index, offset, limit).map(async (stretch) => {
    const document = await standings.document(stretch.part);
    const metadata = document.has_metadata ? await standings.metadata(stretch.part) : undefined;
    return placesOf(stretch, { standings: document, metadata }).map((placed) => {
      const { player, score, achievedAt, rank, position } = placed;
      const line = { ...placed, shown: fieldsOf(placed) };
      const entry = entryOf(definition, line, { rank, exact: true }, { position, exact: true });
      return { entry, place: [score, achievedAt, player] as const };
    });
  });
  return (await Promise.all(lines)).flat();
}
