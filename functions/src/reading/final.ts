/**
 * A player of a closed season as its standings have them. The player's document says the same, unless a trusted server has
 * written into it after the season began to close: that doesn't count, and no call may answer from it what another, which
 * reads the standings, does not.
 */
import type { DocumentSnapshot } from "../documents/firestore.ts";
import { standingsMetadataPath } from "../documents/paths.ts";
import { standingsWith } from "../documents/queries.ts";
import { storedStandings, storedStandingsMetadata } from "../documents/standings.ts";
import type { OpenedBoard } from "../seasons/board.ts";
import { type Listed, listedOf } from "./lists/entries.ts";
import type { ReadingServices } from "./page-cache.ts";

/**
 * What is final of a player whose document was read.
 *
 * Cost: nothing where the document has not changed since the season began to close; else 1 read, and 1 for the metadata.
 * @param withMetadata whether the metadata are asked for.
 * @returns nothing for a player who is not in the standings, or has no document.
 */
export async function finalOf(
  { db }: Pick<ReadingServices, "db">,
  { key, season }: Pick<OpenedBoard, "key" | "season">,
  document: DocumentSnapshot,
  withMetadata = false,
): Promise<Listed | undefined> {
  const { id, updateTime } = document;
  const { ended_at: endedAt } = season;
  const isUnchanged =
    endedAt === undefined || updateTime === undefined || updateTime.valueOf() <= endedAt.valueOf();
  if (isUnchanged) return listedOf(document);
  const found = (await standingsWith(db, key, id).get()).docs[0];
  if (found === undefined) return undefined;
  const standings = storedStandings.parse(found.data());
  const at = standings.players.indexOf(id);
  const [score, achievedAt] = [standings.scores[at], standings.achieved_at[at]];
  if (score === undefined || achievedAt === undefined)
    throw new Error(`${found.ref.path} has lists of different lengths`);
  const text = withMetadata && standings.has_metadata ? await metadataAt(db, key, Number(found.id), at) : "";
  const name = standings.display_names[at] ?? "";
  return {
    id,
    score,
    achievedAt,
    place: [score, achievedAt, id],
    player: {
      attempts: 0,
      status: "active",
      score,
      achieved_at: achievedAt,
      ...(name === "" ? {} : { display_name: name }),
      ...(text === "" ? {} : { metadata: JSON.parse(text) as Record<string, unknown> }),
    },
  };
}

async function metadataAt(
  db: ReadingServices["db"],
  key: OpenedBoard["key"],
  n: number,
  at: number,
): Promise<string> {
  const found = await db.doc(standingsMetadataPath(key, n)).get();
  return found.exists ? (storedStandingsMetadata.parse(found.data()).metadata[at] ?? "") : "";
}
