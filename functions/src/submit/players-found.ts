/** The stored documents of a submission's players: in the seasons that it goes to, and in those before. */
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import { type Player, readPlayer, readPlayerStatus } from "../documents/player.ts";
import type { PlayersTransaction } from "../counting/commit-players.ts";
import type { OpenedBoard } from "../seasons/board.ts";
import type { Target } from "./aim.ts";
import { type Applied, keepingIds, type Submission } from "./apply.ts";

/** The result of a submission in one season. */
export type AppliedTo = Applied & { board: OpenedBoard };

/** A player's documents, in the order of the boards of a {@link Target}. */
export interface PlayerFound {
  /** As they were read, whether they exist or not. */
  documents: DocumentSnapshot[];
  present: (Player | undefined)[];
  earlier: (Player | undefined)[];
}

/** A player, and the submission ids that a call names. */
interface PlayerAsked {
  player: string;
  ids: ReadonlySet<string>;
}

/**
 * Reads players' documents. A player who has none in a season begins there with the status that the player has
 * elsewhere, so that a ban outlasts the season.
 * Cost: 1 read for each player and board, 1 for each season before if the call names an id of the player, and 1 for a
 * player who has no document in any of them, unless `all_time` is among them and was from the beginning.
 */
export async function readPlayers(
  db: Firestore,
  players: Pick<PlayersTransaction, "getAll">,
  { boards, earlier }: Target,
  asked: readonly PlayerAsked[],
): Promise<PlayerFound[]> {
  const refs = asked.map(({ player, ids }) =>
    [...boards, ...earlier.map((board) => (ids.size === 0 ? undefined : board))].map(
      (board) => board && db.doc(playerPath(board.key, player)),
    ),
  );
  const read = (await players.getAll(...refs.flat().filter((ref) => ref !== undefined))).values();
  const found = asked.map(({ player, ids }, i): PlayerFound & { player: string } => {
    const all = (refs[i] ?? []).map((ref) => ref && read.next().value);
    const documents = all.slice(0, boards.length).filter((document) => document !== undefined);
    const present = documents.map((document) => keepingIds(readPlayer(document.data()), ids));
    const before = all.slice(boards.length).map((document) => readPlayer(document?.data()));
    return { player, documents, present, earlier: before };
  });
  const isKnown = boards.some((board) => board.season.span === "all_time" && !board.gotAllTimeLate);
  const strangers = isKnown ? [] : found.filter((one) => firstOf(one) === undefined);
  const leaderboard = boards[0]?.key.leaderboard ?? "";
  const statusRefs = strangers.map(({ player }) => db.doc(playerStatusPath(leaderboard, player)));
  const statuses = statusRefs.length === 0 ? [] : await players.getAll(...statusRefs);
  return found.map((one) => {
    const status = firstOf(one)?.status ?? readPlayerStatus(statuses[strangers.indexOf(one)]?.data());
    if (status === "active") return one;
    return { ...one, present: one.present.map((player) => player ?? { attempts: 0, status }) };
  });
}

function firstOf({ present, earlier }: PlayerFound): Player | undefined {
  return [...present, ...earlier].find((player) => player !== undefined);
}

/**
 * The result of a submission that was recorded before, found by its id, in the seasons of that time. It may be known in
 * only some of the seasons that it went to: all changed together, but a score that was no better left nothing behind.
 */
export function repeatedTo(
  { boards, earlier }: Target,
  found: Pick<PlayerFound, "present" | "earlier">,
  { submission_id: id }: Submission,
): AppliedTo[] | undefined {
  // Banned players are refused as always, by applySubmission.
  if (id === undefined || found.present.some((player) => player?.status === "banned")) return undefined;
  const knows = (player: Player | undefined) => player?.submission_ids?.includes(id) === true;
  const isOfBefore = found.earlier.some(knows);
  if (!isOfBefore && !found.present.some(knows)) return undefined;
  return boards.flatMap((present, i) => {
    const before = earlier[i];
    const useBefore = before !== undefined && (isOfBefore || found.present[i] === undefined);
    const player = useBefore ? found.earlier[i] : found.present[i];
    if (player?.score === undefined) return [];
    const board = useBefore ? before : present;
    return [{ board, player, changed: false, improved: false, repeated: true }];
  });
}
