/**
 * Lists of a closed season, from its standings: from any offset, after any cursor, around any player, with exact ranks
 * and positions.
 */
import { playerPath } from "../../documents/paths.ts";
import type { ListPlace } from "../../documents/queries.ts";
import type { Standings } from "../../documents/standings.ts";
import type { AroundAnswer, Entry, PageAnswer } from "../../model/answers.ts";
import { finalOf } from "../final.ts";
import type { ReadingServices } from "../page-cache.ts";
import {
  partsWithScore,
  playersUpTo,
  ranksIn,
  type StandingsPart,
  type StandingsStretch,
  stretchesFrom,
} from "../standings-lookup.ts";
import { type ClosedBoard, StandingsRevised, type StandingsView } from "../standings-reads.ts";
import { type AroundAsked, notRanked } from "./around.ts";
import { type ListEnd, readCursor, type StandingsVersion, writeCursor } from "./cursor.ts";
import { compareListed, dated, entryOf, type ListedPlace } from "./entries.ts";
import type { PageAsked } from "./page.ts";

/**
 * The players from a 0-based offset on, or after a cursor; none beyond the end. A cursor may date from when the season
 * was open: it is a place, and the list continues after it.
 *
 * Cost: 1 read for each document of the standings that holds them, mostly one, and 1 for its metadata if it has any; 1
 * for the summary; 0 for each of these that is in memory. For a cursor from before the season closed or was revised, up
 * to 1 more for each doubling of the documents that hold its score.
 * @throws `invalid_request` about the cursor
 */
export async function closedPage(
  services: ReadingServices,
  board: ClosedBoard,
  { offset: asked, cursor }: { offset: number; cursor?: string | undefined },
  { limit, minGeneration }: PageAsked,
): Promise<PageAnswer> {
  const { key } = board;
  const end = cursor === undefined ? undefined : readCursor(key, cursor);
  return services.standings.answer(board, minGeneration, async (standings) => {
    const offset = end === undefined ? asked : await offsetBehind(board, standings, end);
    const listed = await listFrom(board, standings, offset, limit);
    const last = listed.at(-1);
    return {
      ...key,
      entries: listed.map(({ entry }) => entry),
      ...(last !== undefined && listed.length === limit
        ? { next_cursor: writeCursor(key, last.standing, offset + limit, versionOf(standings)) }
        : {}),
      players: standings.index.players,
      ...dated(standings),
    };
  });
}

/**
 * A player and the neighbours on either side, best first.
 *
 * Cost: 1 read for the player's document, 1 more if it was changed after the season ended, and the documents of the
 * standings as for {@link closedPage}.
 * @throws `player_not_ranked`
 */
export async function closedAround(
  services: ReadingServices,
  board: ClosedBoard,
  player: string,
  { above, below, minGeneration }: AroundAsked,
): Promise<AroundAnswer> {
  const { key } = board;
  const own = await finalOf(services, board, await services.db.doc(playerPath(key, player)).get());
  if (own === undefined) throw notRanked(player, key, "has no ranked score");
  return services.standings.answer(board, minGeneration, async (standings) => {
    const index = (await playersUntil(board, standings, own)) - 1;
    const from = Math.max(0, index - above);
    const listed = await listFrom(board, standings, from, index + 1 + below - from);
    if (listed[index - from]?.entry.player !== player) {
      // A player readmitted after the summary was read is not in it.
      if (!standings.isNew) throw new StandingsRevised(`${player} is not where the summary leads`);
      throw notRanked(player, key, "is not in the standings");
    }
    return { ...key, entries: listed.map(({ entry }) => entry), ...dated(standings) };
  });
}

/** The offset of the first player after a cursor. */
async function offsetBehind(
  board: ClosedBoard,
  standings: StandingsView,
  { place, position, standings: version }: ListEnd,
): Promise<number> {
  const [revisions, asOfMs] = versionOf(standings);
  if (version?.[0] === revisions && version[1] === asOfMs) return position;
  return playersUntil(board, standings, standingAt(place), position - 1);
}

function versionOf({ revisions, asOf }: StandingsView): StandingsVersion {
  return [revisions, asOf.toMillis()];
}

/** A place in the total order; without a time, after all equals of the score. */
type Sought = Pick<ListedPlace, "score"> & Partial<ListedPlace>;

function standingAt([score, achievedAt, id]: ListPlace): Sought {
  return achievedAt === undefined ? { score } : ({ score, achievedAt, id } as ListedPlace);
}

/**
 * How many players stand at or before a place. The documents that may hold it are searched one by one: first the one
 * with the guessed offset, then always the middle one of those that are left.
 */
async function playersUntil(
  { definition }: ClosedBoard,
  standings: StandingsView,
  place: Sought,
  guess = NaN,
): Promise<number> {
  const ordering = { order: definition.order, ties: standings.ties };
  const parts = partsWithScore(definition.order, standings.index, place.score);
  let low = 0;
  let high = parts.length;
  const guessed = parts.findIndex(({ before, players }) => before <= guess && guess < before + players);
  for (let at = guessed; low < high; at = -1) {
    const look = at >= 0 ? at : (low + high) >>> 1;
    const part = parts[look];
    if (part === undefined) throw new Error("a document between others is one of them");
    const document = await standings.document(part);
    const until = playersUpTo(document, (i) => compareSought(ordering, standingOf(document, i), place));
    if (until > 0 && until < part.players) return part.before + until;
    if (until === 0) high = look;
    else low = look + 1;
  }
  return parts[low]?.before ?? endOf(parts.at(-1));
}

function endOf(part: StandingsPart | undefined): number {
  return part === undefined ? 0 : part.before + part.players;
}

function compareSought(ordering: Parameters<typeof compareListed>[0], a: ListedPlace, place: Sought): number {
  // A place without a time stands for all equals.
  if (place.achievedAt === undefined)
    return a.score === place.score ? 0 : compareListed(ordering, a, { ...a, ...place });
  return compareListed(ordering, a, place as ListedPlace);
}

function standingOf({ players, scores, achieved_at: achieved }: Standings, i: number): ListedPlace {
  const [id, score, achievedAt] = [players[i], scores[i], achieved[i]];
  if (id === undefined || score === undefined || achievedAt === undefined)
    throw new Error(`a document of the standings has no player ${i}`);
  return { id, score, achievedAt };
}

interface Line {
  entry: Entry;
  standing: ListedPlace & { place: ListPlace };
}

/** The lines of up to `limit` players from an offset on. */
async function listFrom(
  board: ClosedBoard,
  standings: StandingsView,
  offset: number,
  limit: number,
): Promise<Line[]> {
  const stretches = stretchesFrom(standings.index, offset, limit);
  return (await Promise.all(stretches.map((stretch) => linesOf(board, standings, stretch)))).flat();
}

async function linesOf(
  { definition }: ClosedBoard,
  standings: StandingsView,
  stretch: StandingsStretch,
): Promise<Line[]> {
  const { part, from, until } = stretch;
  const document = await standings.document(part);
  const texts = document.has_metadata ? await standings.metadata(part) : [];
  const ranks = ranksIn(stretch, document);
  return document.players.slice(from, until).map((_, i) => {
    const at = from + i;
    const standing = standingOf(document, at);
    const name = document.display_names[at] ?? "";
    const text = texts[at] ?? "";
    const player = {
      ...(name === "" ? {} : { display_name: name }),
      ...(text === "" ? {} : { metadata: JSON.parse(text) as Record<string, unknown> }),
    };
    const place = { rank: ranks[i] ?? NaN, exact: true };
    const position = { position: part.before + at + 1, exact: true };
    const entry = entryOf(definition, { ...standing, player }, place, position);
    return { entry, standing: { ...standing, place: [standing.score, standing.achievedAt, standing.id] } };
  });
}
