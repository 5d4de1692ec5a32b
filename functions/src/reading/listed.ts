/**
 * Players as they are shown to whoever asks. Views get players from here alone, so none can forget to ask whether a player
 * is listed: who is hidden, banned or absent is nobody. ESLint keeps the paths of players' documents from all other files of
 * reading calls.
 */
import { statusOf } from "../counting/kept-status.ts";
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { playerPath, type RankingKey } from "../documents/paths.ts";
import { documentsAt, type Reader } from "../documents/reads.ts";
import type { RankingBoard } from "../seasons/read-board.ts";
import { isIn, type Listed, listedOf, type Position } from "./entries.ts";
import type { Places } from "./lookup.ts";

/** Shows a player by the document; undefined for one who is not listed. */
export type ShowPlayer = (
  document: DocumentSnapshot,
  withMetadata: boolean,
) => Promise<Listed | undefined> | Listed | undefined;

/** How a season shows the players whose documents are found. */
export interface PlayersShown {
  show: ShowPlayer;
  /** Players in the order of lists; they come in the order in which queries find their documents. */
  inOrder(listed: readonly Listed[]): readonly Listed[];
  /**
   * Whether the positions of a list agree with its ranks. @param isLast whether the list ends with the worst player.
   */
  fits(
    listed: readonly Listed[],
    places: Places,
    begins: Pick<Position, "position"> & { isLast: boolean },
  ): boolean;
}

/**
 * How a season that has not closed shows players: its documents are right, and newer than its ranks. A score that a server
 * wrote is shown as the nearest one of the board. Cost of each: what {@link statusOf} costs.
 */
export const asStored = (db: Firestore, { key, definition }: RankingBoard): PlayersShown => ({
  async show(document) {
    const listed = listedOf(document, definition);
    if (listed === undefined || (await statusOf(db, key, document)) !== "active") return undefined;
    return listed;
  },
  inOrder: (listed) => listed,
  fits: () => true,
});

interface PlayerAsked {
  key: RankingKey;
  player: string;
  show: ShowPlayer;
}

/**
 * Players as lists show them, in order; undefined for one who is not listed: hidden, banned or without a score, or not
 * in the segment. Cost: 1 read each, and what `show` reads.
 * @param reader a transaction, for players as of its time.
 */
export async function playersAt(
  db: Firestore,
  asked: readonly PlayerAsked[],
  { reader = db, withMetadata = false }: { reader?: Reader; withMetadata?: boolean } = {},
): Promise<(Listed | undefined)[]> {
  const paths = asked.map(({ key, player }) => playerPath(key, player));
  const documents = await documentsAt(db, paths, reader);
  return Promise.all(
    asked.map(async ({ key, show }, i) => documents[i] && shownIn(key, documents[i], show, withMetadata)),
  );
}

/** The players of documents as lists show them, of a segment those who are in it. Cost: what `show` reads. */
export async function playersOfDocuments(
  key: RankingKey,
  documents: readonly DocumentSnapshot[],
  shown: PlayersShown,
): Promise<readonly Listed[]> {
  const found = await Promise.all(documents.map((document) => shownIn(key, document, shown.show, true)));
  return shown.inOrder(found.filter((one) => one !== undefined));
}

async function shownIn(key: RankingKey, document: DocumentSnapshot, show: ShowPlayer, withMetadata: boolean) {
  const found = await show(document, withMetadata);
  return found !== undefined && isIn(key, found) ? found : undefined;
}
