/** Players of a season that has closed, as its final table has them, whatever their documents say. */
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { type RankingKey, standingsMetadataPath } from "../documents/paths.ts";
import { newestStandings, standingsWith } from "../documents/queries.ts";
import type { Season } from "../documents/season.ts";
import { comparePlayers } from "../model/compare-players.ts";
import { type Listed, listedOf, type Position } from "../reading/entries.ts";
import type { PlayersShown, ShowPlayer } from "../reading/listed.ts";
import type { Places } from "../reading/lookup.ts";
import type { OpenedBoard, RankingBoard } from "../seasons/read-board.ts";
import { fieldsOf, playersOf, type Standing, unpack } from "./pack.ts";
import type { StandingsReads } from "./standings-reads.ts";

/** How the lists of a closed season show players. */
export function finalPlayers(
  db: Firestore,
  tables: StandingsReads,
  board: OpenedBoard & RankingBoard,
): PlayersShown {
  const { order, ties } = board.definition;
  return {
    show: finalPlayer(db, tables, board),
    // Best first: a server may have changed the documents by whose order they were found.
    inOrder: (listed) => listed.toSorted((a, b) => comparePlayers(order, ties, a, b)),
    fits: fitRanks,
  };
}

/**
 * Shows a player of a closed season. The player's document says what the final table says, unless the document
 * was written after the season began to close. Then the table is asked: it has what the document was when the players were
 * read.
 *
 * Cost of each: nothing where the document has not changed since the season began to close; else 1 read, and 1 for the
 * metadata; in the minutes until the season is cleared, what {@link StandingsReads.isInTable} costs. Shows nobody who is not
 * in the table, or has no document.
 */
export function finalPlayer(
  db: Firestore,
  tables: StandingsReads,
  of: { key: RankingKey; season: Season },
): ShowPlayer {
  return async (document: DocumentSnapshot, withMetadata: boolean) => {
    const { id, updateTime } = document;
    const { ended_at: endedAt } = of.season;
    if (endedAt === undefined || updateTime === undefined || updateTime <= endedAt) return listedOf(document);
    const standing = await finalStanding(db, tables, of, { id, withMetadata });
    return standing && listedStanding(standing);
  };
}

/**
 * The line of a player in a final table; undefined where the table has none. Cost: 1 read, 1 for the metadata, and in the
 * minutes until the season is cleared, what {@link StandingsReads.isInTable} costs.
 */
export async function finalStanding(
  db: Firestore,
  tables: StandingsReads,
  of: { key: RankingKey; season: Season },
  { id, withMetadata }: { id: string; withMetadata: boolean },
): Promise<Standing | undefined> {
  const { key } = of;
  const [found] = newestStandings((await standingsWith(db, key, id).get()).docs);
  if (found === undefined || !(await tables.isInTable(of, Number(found.id)))) return undefined;
  const path = standingsMetadataPath(key, Number(found.id));
  const beside = withMetadata && found.get("has_metadata") === true ? await db.doc(path).get() : undefined;
  const packed = unpack(found.data(), beside?.data());
  const at = packed.standings.players.indexOf(id);
  const [standing] = playersOf(packed, at, at + 1);
  return standing;
}

/** A line of a final table as lists have players. */
export function listedStanding(standing: Standing): Listed {
  const { player, score, achievedAt, segments: text } = standing;
  const segments = text === "" ? [] : text.split(" ");
  return {
    player,
    score,
    achievedAt,
    segments,
    listKey: [score, achievedAt, player],
    shown: fieldsOf(standing),
  };
}

/**
 * Whether the positions of a list of documents agree with its ranks: a server may have replaced or deleted documents, so that
 * the list lacks players whom the ranking has. @param isLast whether the list ends with the worst player.
 */
function fitRanks(
  listed: readonly Listed[],
  places: Places,
  { position, isLast }: Pick<Position, "position"> & { isLast: boolean },
): boolean {
  if (isLast && position - 1 + listed.length < places.players) return false;
  return listed.every(({ score }, i) => {
    const { rank, exact } = places.of(score);
    // Who is first may have equals before.
    if (!exact || score === listed[i - 1]?.score) return true;
    return i === 0 ? rank <= position : rank === position + i;
  });
}
