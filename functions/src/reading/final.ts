/**
 * A player of a closed season as its standings have them. The player's document says the same, unless a trusted server
 * has written into it after the season began to close. That doesn't count: every call answers what the standings say.
 */
import type { DocumentSnapshot } from "../documents/firestore.ts";
import { standingsMetadataPath } from "../documents/paths.ts";
import { newestStandings, standingsWith } from "../documents/queries.ts";
import type { OpenedBoard } from "../seasons/board.ts";
import { fieldsOf, playersOf, unpack } from "../standings/pack.ts";
import { type Listed, listedOf } from "./lists/entries.ts";
import type { ReadingServices } from "./services.ts";

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
  const found = newestStandings((await standingsWith(db, key, id).get()).docs);
  if (found === undefined) return undefined;
  const stored = found.data();
  const path = standingsMetadataPath(key, Number(found.id));
  const beside = withMetadata && stored["has_metadata"] === true ? await db.doc(path).get() : undefined;
  const packed = unpack(stored, beside?.data());
  const at = packed.standings.players.indexOf(id);
  const [standing] = playersOf(packed, at, at + 1);
  if (standing === undefined) return undefined;
  const { score, achievedAt } = standing;
  return {
    id,
    score,
    achievedAt,
    place: [score, achievedAt, id],
    player: { attempts: 0, ...fieldsOf(standing) },
  };
}
