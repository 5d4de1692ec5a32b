/**
 * `firerank-client/admin`: the calls for users with a role. All reject with a FirerankError. The last argument bounds the
 * time, by default 70 s, or 540 s where the function may take that long; or ends the call.
 */
import type {
  ExportPlayerAnswer,
  PlayerStatusAnswer,
  RemovePlayerAnswer,
  SeasonOfPlayer,
} from "../../functions/src/model/admin-answers.ts";
import type { FieldProblem } from "../../functions/src/model/errors.ts";
import type { PlayerStatus } from "../../functions/src/model/player-status.ts";
import type { Season, Submission } from "./answers.ts";
import { call } from "./call.ts";
import type { CallOptions } from "./call-options.ts";
import type { Definition, DefinitionChanges } from "./definition.ts";
import type { FirerankErrorCode } from "./firerank-error.ts";
import { generationsOf } from "./generations.ts";
import type { BoardTypes, Leaderboard } from "./leaderboard.ts";
import type { Score } from "./submit-score.ts";

export type {
  Definition,
  DefinitionChanges,
  ExportPlayerAnswer,
  PlayerStatus,
  PlayerStatusAnswer,
  RemovePlayerAnswer,
  SeasonOfPlayer,
};

/**
 * Creates the board, where a field that is left out gets its default; or changes the fields that are named, and keeps
 * the others. `null` takes a field out, such as `max_score`. Resolves to what is stored. Cost: 2 or 3 reads and 1 write.
 */
export function saveLeaderboard(
  board: Leaderboard,
  changes: DefinitionChanges = {},
  options?: CallOptions,
): Promise<Definition> {
  return call(board, "saveLeaderboard", { definition: changes }, options);
}

/**
 * Deletes the board at once, and its seasons, players, statuses and events in steps: a small board is gone in a quarter of
 * an hour. There is no way back. The same call continues one that was cut off. Cost: 1 read and 1 delete a document.
 */
export function deleteLeaderboard(
  board: Leaderboard,
  options?: CallOptions,
): Promise<{ leaderboard: string; seasons: number }> {
  return call(board, "deleteLeaderboard", {}, long(options));
}

/** A season with its board. */
export interface SeasonOfBoard extends Season {
  leaderboard: string;
}

/** When a tournament takes scores. */
export interface SeasonTimes {
  /** ISO 8601; by default now. */
  opens_at?: string | undefined;
  /** ISO 8601; by default `closeSeason` ends it. */
  closes_at?: string | undefined;
}

/**
 * Opens a tournament. The same request again is no error. Scores go to it where the board names it as its `season`.
 *
 * Cost: 6 reads and 2 writes; 2 reads where it exists.
 */
export function openSeason(
  board: Leaderboard,
  season: string,
  { opens_at, closes_at }: SeasonTimes = {},
  options?: CallOptions,
): Promise<SeasonOfBoard> {
  return call(board, "openSeason", { season, opens_at, closes_at }, options);
}

/**
 * Ends a tournament about a minute from now: `closes_at` of the answer says when. Then it is closed in steps. Cost: 1
 * read and 1 write.
 */
export function closeSeason(
  board: Leaderboard,
  season: string,
  options?: CallOptions,
): Promise<SeasonOfBoard> {
  return call(board, "closeSeason", { season }, options);
}

/** A player's score, from a trusted server. */
export type PlayerScore<Types extends BoardTypes = BoardTypes> = Score<Types> & { player: string };

/** Why one submission of many was refused. */
export interface Refusal {
  error: {
    code: FirerankErrorCode;
    message: string;
    details: { fields?: FieldProblem[]; retry_after_seconds?: number };
  };
}

/**
 * Records 1 to 500 submissions, at most 20 of one player; a refused one doesn't affect the others. A player's
 * submissions beyond 20 are refused with `invalid_request`: send them in another call. The call is sent once: to retry,
 * use the same `submission_id`s.
 *
 * Cost: as for each `submitScore`.
 */
export async function submitScores<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  submissions: readonly PlayerScore<Types>[],
  options?: CallOptions,
): Promise<(Submission<Types> | Refusal)[]> {
  const request = { submissions };
  const { results } = await call<{ results: (Submission<Types> | Refusal)[] }>(
    board,
    "submitScores",
    request,
    options,
  );
  return results;
}

/**
 * Hides, bans or readmits a player in all seasons of the board. `hidden`: kept, not ranked, not listed. `banned`: hidden,
 * and further submissions are refused. Cost: about 6 reads and 2 writes a season.
 */
export function setPlayerStatus(
  board: Leaderboard,
  player: string,
  status: PlayerStatus,
  options?: CallOptions,
): Promise<PlayerStatusAnswer> {
  return call(board, "setPlayerStatus", { player, status }, options);
}

/** Erases a player from the board. Cost: about 8 reads, 3 writes and 1 delete a season. */
export function removePlayer(
  board: Leaderboard,
  player: string,
  options?: CallOptions,
): Promise<RemovePlayerAnswer> {
  return call(board, "removePlayer", { player }, options);
}

/**
 * All that is stored about a player on the board: what `removePlayer` erases there. Cost: about 5 reads a season, and 1 for
 * each event that names the player.
 */
export function exportPlayer(
  board: Leaderboard,
  player: string,
  options?: CallOptions,
): Promise<ExportPlayerAnswer> {
  return call(board, "exportPlayer", { player }, long(options));
}

/** What a ranking run did; the record has more, see the run in the dashboard. */
export interface RunRecord {
  kind: "ranking";
  leaderboard: string;
  /** The season that was ranked. */
  season: string;
  outcome: "published" | "nothing_to_do" | "failed";
  /** The generation published. With `nothing_to_do` the one that is published already, with its players; null without any. */
  generation: number | null;
  players: number;
  /** Distinct scores; fewer where scores are merged into rows. */
  rows: number;
  /** Whether every row is one score. */
  exact: boolean;
  /** ISO 8601. */
  started_at: string;
  finished_at: string;
  billed: { reads: number; writes: number; deletes: number };
}

/** What an audit or a repair did so far; the record has more, see the run in the dashboard. */
export interface RepairRecord {
  kind: "audit" | "repair";
  /** The id of the record, `runs/{run}` of the season. */
  run: string;
  /** `running`: the season is large, and the repair goes on in steps. The record shows its progress. */
  outcome: "running" | "done" | "failed";
  leaderboard: string;
  season: string;
  /** Of an audit: whether it compared every player and score. */
  full: boolean;
  /** Of an audit: whether `repairSeason` has to mend what it found. */
  repair?: "none" | "repair" | undefined;
  started_at: string;
  finished_at: string;
  billed: { reads: number; writes: number; deletes: number };
}

/** Checks whether ranking and players agree; with `full` score by score and player by player. Changes nothing. */
export function auditSeason(
  board: Leaderboard,
  request: { full?: boolean } = {},
  options?: CallOptions,
): Promise<RepairRecord> {
  return call(board, "auditSeason", { season: board.season, ...request }, long(options));
}

/** Brings the ranking in line with the players, while scores come in. Cost: 2 reads a player. */
export function repairSeason(board: Leaderboard, options?: CallOptions): Promise<RepairRecord> {
  return call(board, "repairSeason", { season: board.season }, long(options));
}

/** As long as the function may take. */
function long({ signal, timeoutMs = 540_000 }: CallOptions = {}): CallOptions {
  return { signal, timeoutMs };
}

/**
 * Ranks the board's season now; if the board names a span, the present season of that. Answers to this app are never of an
 * older generation from then on.
 *
 * Cost: that of a ranking run.
 * @param request `include_open_slot` includes everything counted so far.
 */
export async function runRanking(
  board: Leaderboard,
  request: { include_open_slot?: boolean } = {},
  options?: CallOptions,
): Promise<RunRecord> {
  const { season, span } = board;
  const { saw } = generationsOf(board);
  const record = await call<RunRecord>(board, "runRanking", { season, span, ...request }, long(options));
  if (record.generation !== null) saw(record.generation, record.season);
  return record;
}
