/**
 * Players as they are shown to whoever asks. Reading calls get players from here alone, so none can forget to ask whether a
 * player is listed: who is hidden, banned or absent is nobody. ESLint keeps the paths of players' documents from all other
 * files of these calls.
 */
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { playerPath, type RankingKey, standingsMetadataPath } from "../documents/paths.ts";
import { newestStandings, standingsWith } from "../documents/queries.ts";
import { documentsAt, type Reader } from "../documents/reads.ts";
import type { Season } from "../documents/season.ts";
import { comparePlaces } from "../documents/standings.ts";
import type { Steps } from "../model/arithmetic.ts";
import type { RankingBoard } from "../seasons/board.ts";
import { fieldsOf, playersOf, unpack } from "../standings/pack.ts";
import { isIn, type Listed, listedOf } from "./entries.ts";

/** A season, or a segment of it. */
interface Listing {
  key: RankingKey;
  season: Season | undefined;
  /** The board's; not asked for in a closed season, whose documents were rounded. */
  definition?: Steps;
}

interface Wanted {
  board: Listing;
  player: string;
}

/**
 * Players as lists show them, in order; undefined for one who is not listed: hidden, banned or without a score, or not
 * in the segment.
 *
 * Cost: 1 read each; in a closed season what {@link finalOf} costs.
 * @param reader a transaction, for players as of its time.
 */
export async function listedAt(
  db: Firestore,
  wanted: readonly Wanted[],
  { reader = db, withMetadata = false }: { reader?: Reader; withMetadata?: boolean } = {},
): Promise<(Listed | undefined)[]> {
  const paths = wanted.map(({ board, player }) => playerPath(board.key, player));
  const documents = await documentsAt(db, paths, reader);
  return Promise.all(
    wanted.map(async ({ board }, i) => documents[i] && listedFrom(db, board, documents[i], withMetadata)),
  );
}

/**
 * The players of documents as lists show them, of a segment those who are in it, in the order of the documents; in a closed
 * season best first, as {@link finalOf} has them. Cost: nothing; in a closed season what that costs.
 */
export async function listedIn(
  db: Firestore,
  board: RankingBoard,
  documents: readonly DocumentSnapshot[],
): Promise<readonly Listed[]> {
  const found = await Promise.all(documents.map((document) => listedFrom(db, board, document, true)));
  return inOrder(
    board,
    found.filter((one) => one !== undefined),
  );
}

/**
 * Players as lists have them: as their documents were found; in a closed season best first, as a server may have
 * changed those.
 */
export function inOrder(board: RankingBoard, listed: readonly Listed[]): readonly Listed[] {
  const { order, ties } = board.definition;
  return isFinal(board) ? listed.toSorted((a, b) => comparePlaces(order, ties, a, b)) : listed;
}

function isFinal<Of extends Listing>(board: Of): board is Of & { season: Season } {
  return board.season?.status === "closed";
}

async function listedFrom(
  db: Firestore,
  board: Listing,
  document: DocumentSnapshot,
  withMetadata: boolean,
): Promise<Listed | undefined> {
  const found = isFinal(board)
    ? await finalOf(db, board, document, withMetadata)
    : listedOf(document, board.definition);
  return found !== undefined && isIn(board.key, found) ? found : undefined;
}

/**
 * A player of a closed season as its standings have them. The player's document says the same, unless a trusted server
 * has written into it after the season began to close. That doesn't count: every call answers what the standings say.
 *
 * Cost: nothing where the document has not changed since the season began to close; else 1 read, and 1 for the metadata.
 * @returns nothing for a player who is not in the standings, or has no document.
 */
async function finalOf(
  db: Firestore,
  { key, season }: { key: RankingKey; season: Season },
  document: DocumentSnapshot,
  withMetadata: boolean,
): Promise<Listed | undefined> {
  const { id, updateTime } = document;
  const { ended_at: endedAt } = season;
  if (endedAt === undefined || updateTime === undefined || updateTime <= endedAt) return listedOf(document);
  const found = newestStandings((await standingsWith(db, key, id).get()).docs);
  if (found === undefined) return undefined;
  const path = standingsMetadataPath(key, Number(found.id));
  const beside = withMetadata && found.get("has_metadata") === true ? await db.doc(path).get() : undefined;
  const packed = unpack(found.data(), beside?.data());
  const at = packed.standings.players.indexOf(id);
  const [standing] = playersOf(packed, at, at + 1);
  if (standing === undefined) return undefined;
  const { score, achievedAt, segments: text } = standing;
  const segments = text === "" ? [] : text.split(" ");
  return { ...standing, segments, place: [score, achievedAt, id], shown: fieldsOf(standing) };
}
