/** Reads what the seasons of a submission have of its players: the document there, and the player in the season before. */
import type { PlayersTransaction } from "../counting/commit-players.ts";
import type { PlayerJob } from "../counting/lanes.ts";
import { erasurePath, isErased } from "../documents/erasure.ts";
import type { DocumentSnapshot, Firestore, Timestamp } from "../documents/firestore.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import type { FirerankError } from "../model/errors.ts";
import { type PlayerStatus, statusNamed } from "../model/player-status.ts";
import {
  type ChangedPlayer,
  type Player,
  playerData,
  storedPlayerOf,
  readPlayerStatus,
} from "../documents/player.ts";
import { documentsAt } from "../documents/reads.ts";
import { isOfTemplate } from "../model/template.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import type { Target, TargetSeason } from "./aim.ts";
import { type AppliedTo, keepingIds } from "./apply.ts";
import type { Submission } from "./schema.ts";

/** A submission on its way into a player's documents. It keeps its id and its result from one attempt to the next. */
export interface SubmissionJob extends PlayerJob {
  /** With an id of ours where it has none and a repetition would count. */
  submission: Submission;
  /** Whether its id is ours. */
  isOwnId: boolean;
  /** When it was achieved: the server's time at its arrival. */
  at: Timestamp;
  arrivedMs: number;
  /**
   * What an earlier attempt came to, which may have been committed: it was applied, or refused beside others of the player;
   * and its changes to the player's documents.
   */
  attempted?: readonly AppliedTo[] | undefined;
  refused?: FirerankError | undefined;
  changes?: readonly ChangedPlayer[];
}

/** A player in one season that submissions go to: as the database has the player, and then as each submission leaves it. */
export interface PlayerInSeason {
  board: OpenedBoard;
  /** The season of the span before, with the player there, if a submission may be one to it that is sent again. */
  earlier: Pick<PlayerInSeason, "board" | "data" | "player"> | undefined;
  /** The player's document in the season, as the transaction read it, whether it exists or not. */
  document: DocumentSnapshot;
  /** The fields of the document. */
  data: Record<string, unknown> | undefined;
  player: Player | undefined;
  /** Whether a submission has changed the player, so that the document must be written. */
  changed: boolean;
}

/** A player with the submissions of a commit, in the order in which they came. */
export interface PlayerFound {
  player: string;
  jobs: readonly SubmissionJob[];
  seasons: readonly PlayerInSeason[];
  /** Whether the board takes no document of the player, who was erased a while ago. */
  isErased: boolean;
}

/**
 * Reads players' documents. A player who has none in a season begins there with the status that the player has elsewhere, so
 * that a ban outlasts the season, and with the name and the segments of the other seasons of the submission. A server's
 * document that names no status has the one that the board keeps, as anywhere (see withStatuses in counting/kept-status.ts).
 * Cost: 1 read for each player and season, and 1 for each season before if the call names an id of the player. For a
 * player who has played in none of the seasons 1 for an erasure. For the board's status 1 where a document names none,
 * and 1 where the seasons before have no document either, unless `all_time` is among them and was from the beginning, and
 * the board is of no template.
 */
export async function readPlayers(
  db: Firestore,
  players: Pick<PlayersTransaction, "getAll">,
  target: Target,
  jobs: readonly SubmissionJob[],
  nowMs: number,
): Promise<PlayerFound[]> {
  const { leaderboard, seasons, closed } = target;
  const asked = [...Map.groupBy(jobs, ({ player }) => player)].map(([player, own]) => {
    const ids = own.flatMap(({ submission }) => submission.submission_id ?? []);
    return { player, jobs: own, ids: new Set(ids) };
  });
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
  const strangers = found.filter(({ seasons: all }) => {
    return all.some(namesNoStatus) || (!isInAllTime(target) && statusIn(all) === undefined);
  });
  // An erasure is through only when it finds no document of the player: so who has one is not erased, or not yet.
  // A document with a status alone is what a merge leaves of somebody hidden.
  const unseen = closed === undefined ? found.filter((one) => hasPlayedNowhere(one.seasons)) : [];
  const beside = [
    ...unseen.map(({ player }) => erasurePath(player)),
    ...strangers.map(({ player }) => playerStatusPath(leaderboard, player)),
  ];
  const besides = new Map((await documentsAt(db, beside, players)).map((one) => [one.ref.path, one]));
  return found.map((one) => {
    const kept = besides.get(playerStatusPath(leaderboard, one.player));
    const erasure = unseen.includes(one) ? besides.get(erasurePath(one.player)) : undefined;
    return {
      ...one,
      seasons: withNewPlayer(one.seasons, kept),
      isErased: isErased(erasure, leaderboard, nowMs),
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
  const dataBefore = documentBefore && playerData(documentBefore);
  const playerBefore = documentBefore && storedPlayerOf(documentBefore, dataBefore);
  const before = earlier && { board: earlier, data: dataBefore, player: playerBefore };
  const player = keepingIds(storedPlayerOf(document, data), ids);
  return { board, earlier: before, document, data, player, changed: false };
}

/**
 * Whether every player of the board has a document in one of the seasons, so that no status is kept elsewhere. A status
 * holds for all boards of a template, also for those in which the player has no document yet.
 */
function isInAllTime({ leaderboard, seasons }: Target): boolean {
  if (isOfTemplate(leaderboard)) return false;
  return seasons.some(({ board }) => board.season.span === "all_time" && !board.gotAllTimeLate);
}

function hasPlayedNowhere(seasons: readonly PlayerInSeason[]): boolean {
  return seasons.every(
    ({ player }) => player?.score === undefined && player?.last_submission_at === undefined,
  );
}

type Data = Pick<PlayerInSeason, "data">;

const statusOf = ({ data }: Data) => statusNamed(data?.["status"]);

/** Whether a server has written the document without a status. */
const namesNoStatus = (season: Data) => season.data !== undefined && statusOf(season) === undefined;

/** The status that a document of the player names, the present seasons' first; undefined if no document names one. */
function statusIn(seasons: readonly PlayerInSeason[]): PlayerStatus | undefined {
  const all = [...seasons, ...seasons.flatMap(({ earlier }) => earlier ?? [])];
  return all.map(statusOf).find((status) => status !== undefined);
}

/**
 * The seasons of a player. Where the player has no document, the player begins with the status that the player has elsewhere,
 * and with the name and the segments of the other seasons; where the document names no status, the player has the status
 * that the board keeps.
 */
function withNewPlayer(
  seasons: readonly PlayerInSeason[],
  statusDocument: DocumentSnapshot | undefined,
): readonly PlayerInSeason[] {
  const kept = readPlayerStatus(statusDocument?.data());
  const status = statusIn(seasons) ?? kept;
  // A server may have written an empty map, which hides no values of another season.
  const hasValues = (player: Player | undefined) => Object.keys(player?.segments ?? {}).length > 0;
  // Not of the seasons before, which are read only for a while, and only for submissions with an id.
  const segments = seasons.find(({ player }) => hasValues(player))?.player?.segments;
  const name = seasons.find(({ player }) => player?.display_name !== undefined)?.player?.display_name;
  const begun = {
    attempts: 0,
    status,
    ...(name !== undefined && { display_name: name }),
    ...(segments && { segments }),
  };
  const isPlain = status === "active" && name === undefined && segments === undefined;
  return seasons.map((season) => {
    if (season.player === undefined) return isPlain ? season : { ...season, player: begun };
    return namesNoStatus(season) ? { ...season, player: { ...season.player, status: kept } } : season;
  });
}
