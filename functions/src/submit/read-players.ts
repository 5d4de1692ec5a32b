/** Reads what the seasons of a submission have of its players: the document there, and the player in the season before. */
import type { PlayersTransaction } from "../counting/commit-players.ts";
import { erasurePath, isErased } from "../documents/erasure.ts";
import type { DocumentSnapshot, Firestore } from "../documents/firestore.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import { type Player, playerData, readPlayer, readPlayerStatus } from "../documents/player.ts";
import { documentsAt } from "../documents/reads.ts";
import type { OpenedBoard } from "../seasons/board.ts";
import { keepingIds } from "./apply.ts";
import type { Target, TargetSeason } from "./aim.ts";

/** A player in one season that submissions go to: as the database has the player, and then as each submission leaves it. */
export interface PlayerInSeason {
  board: OpenedBoard;
  /** The season of the span before, with the player there, if a submission may be one to it that is sent again. */
  earlier: { board: OpenedBoard; player: Player | undefined } | undefined;
  /** The player's document in the season, as the transaction read it, whether it exists or not. */
  document: DocumentSnapshot;
  /** The fields of the document. */
  data: Record<string, unknown> | undefined;
  player: Player | undefined;
  /** Whether a submission has changed the player, so that the document must be written. */
  changed: boolean;
}

export interface PlayerFound {
  seasons: readonly PlayerInSeason[];
  /** Whether the board takes no document of the player, who was erased a while ago. */
  isErased: boolean;
}

/**
 * Reads players' documents. A player who has none in a season begins there with the status and the segments that the
 * player has elsewhere, so that a ban outlasts the season.
 * Cost: 1 read for each player and season, and 1 for each season before if the call names an id of the player. For a
 * player who has no document in any of the seasons 1 for an erasure; and 1 for the status where the seasons before have
 * none either, unless `all_time` is among them and was from the beginning.
 * @param asked players, with the submission ids that the call names.
 */
export async function readPlayers<Asked extends { player: string; ids: ReadonlySet<string> }>(
  db: Firestore,
  players: Pick<PlayersTransaction, "getAll">,
  target: Target,
  asked: readonly Asked[],
  nowMs: number,
): Promise<(Asked & PlayerFound)[]> {
  const { leaderboard, seasons, closed } = target;
  const paths = asked.flatMap(({ player, ids }) => {
    const boards = seasons.flatMap(({ board, earlier }) =>
      earlier === undefined || ids.size === 0 ? [board] : [board, earlier],
    );
    return boards.map(({ key }) => playerPath(key, player));
  });
  const read = new Map((await documentsAt(db, paths, players)).map((one) => [one.ref.path, one]));
  const found = asked.map((one) => ({
    ...one,
    seasons: seasons.map((season) => playerIn(season, one, read)),
  }));
  const strangers = isInAllTime(target) ? [] : found.filter((one) => isUnknown(one.seasons));
  // An erasure is through only when it finds no document of the player: so who has one is not erased, or not yet.
  const unseen = closed === undefined ? found.filter((one) => hasNoDocument(one.seasons)) : [];
  const beside = await documentsAt(
    db,
    [
      ...unseen.map(({ player }) => erasurePath(player)),
      ...strangers.map(({ player }) => playerStatusPath(leaderboard, player)),
    ],
    players,
  );
  const besides = new Map(beside.map((one) => [one.ref.path, one]));
  return found.map((one) => {
    const kept = besides.get(playerStatusPath(leaderboard, one.player));
    return {
      ...one,
      seasons: withNewPlayer(one.seasons, kept),
      isErased: isErased(besides.get(erasurePath(one.player)), leaderboard, nowMs),
    };
  });
}

function playerIn(
  { board, earlier }: TargetSeason,
  { player: name, ids }: { player: string; ids: ReadonlySet<string> },
  read: ReadonlyMap<string, DocumentSnapshot>,
): PlayerInSeason {
  const path = playerPath(board.key, name);
  const document = read.get(path);
  if (document === undefined) throw new Error(`${path} was not read`);
  const data = playerData(document);
  const documentBefore = earlier && read.get(playerPath(earlier.key, name));
  const before = earlier && {
    board: earlier,
    player: readPlayer(documentBefore && playerData(documentBefore)),
  };
  const player = keepingIds(readPlayer(data), ids);
  return { board, earlier: before, document, data, player, changed: false };
}

/** Whether every player of the board has a document in one of the seasons, so that no status is kept elsewhere. */
function isInAllTime({ seasons }: Target): boolean {
  return seasons.some(({ board }) => board.season.span === "all_time" && !board.gotAllTimeLate);
}

function hasNoDocument(seasons: readonly PlayerInSeason[]): boolean {
  return seasons.every(({ player }) => player === undefined);
}

function isUnknown(seasons: readonly PlayerInSeason[]): boolean {
  return hasNoDocument(seasons) && seasons.every(({ earlier }) => earlier?.player === undefined);
}

/**
 * The seasons of a player. Where the player has no document, the player begins with the status and the segments that the
 * player has elsewhere.
 */
function withNewPlayer(
  seasons: readonly PlayerInSeason[],
  statusDocument: DocumentSnapshot | undefined,
): readonly PlayerInSeason[] {
  const known = [...seasons.map(({ player }) => player), ...seasons.map(({ earlier }) => earlier?.player)];
  const first = known.find((player) => player !== undefined);
  const status = first?.status ?? readPlayerStatus(statusDocument?.data());
  // A server may have written an empty map, which hides no values of another season.
  const hasValues = (player: Player | undefined) => Object.keys(player?.segments ?? {}).length > 0;
  const segments = known.find(hasValues)?.segments;
  if (status === "active" && segments === undefined) return seasons;
  const begun = { attempts: 0, status, ...(segments && { segments }) };
  return seasons.map((season) => ({ ...season, player: season.player ?? begun }));
}
