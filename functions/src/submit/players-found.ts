/** The stored documents of a submission's players: in the seasons that it goes to, and in those before. */
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import { type Player, readPlayer } from "../documents/player.ts";
import { readPlayerStatus } from "../documents/player-status.ts";
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
  const refsOf = asked.map(({ player, ids }) => ({
    refs: boards.map(({ key }) => db.doc(playerPath(key, player))),
    earlier: earlier.map((board) =>
      board === undefined || ids.size === 0 ? undefined : db.doc(playerPath(board.key, player)),
    ),
  }));
  const all = refsOf.flatMap(({ refs, earlier }) => [...refs, ...earlier.filter((ref) => ref !== undefined)]);
  const read = new Map((await players.getAll(...all)).map((document) => [document.ref.path, document]));
  const documentAt = ({ path }: { path: string }) => {
    const document = read.get(path);
    if (document === undefined) throw new Error(`there is no answer for ${path}`);
    return document;
  };
  const found = refsOf.map(({ refs, earlier }, i): PlayerFound => {
    const ids = asked[i]?.ids ?? new Set();
    const documents = refs.map(documentAt);
    return {
      documents,
      present: documents.map((document) => keepingIds(readPlayer(document.data()), ids)),
      earlier: earlier.map((ref) => readPlayer(ref && documentAt(ref).data())),
    };
  });
  const isKnown = boards.some((board) => board.season.span === "all_time" && !board.gotAllTimeLate);
  const strangers = found.flatMap((one, i) => {
    const isNew = [...one.present, ...one.earlier].every((player) => player === undefined);
    return isNew && !isKnown ? [i] : [];
  });
  const leaderboard = boards[0]?.key.leaderboard ?? "";
  const names = strangers.map((i) => asked[i]?.player ?? "");
  const statuses = await readStatuses(db, players, leaderboard, names);
  return found.map((one, i) => {
    const own = [...one.present, ...one.earlier].find((player) => player !== undefined)?.status;
    const status = own ?? statuses[strangers.indexOf(i)];
    if (status === undefined || status === "active") return one;
    return { ...one, present: one.present.map((player) => player ?? { attempts: 0, status }) };
  });
}

async function readStatuses(
  db: Firestore,
  players: Pick<PlayersTransaction, "getAll">,
  leaderboard: string,
  names: readonly string[],
): Promise<Player["status"][]> {
  if (names.length === 0) return [];
  const refs = names.map((player) => db.doc(playerStatusPath(leaderboard, player)));
  return (await players.getAll(...refs)).map((found) => readPlayerStatus(found.data()));
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
