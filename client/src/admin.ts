/**
 * `firerank-client/admin`: the calls for users with a role. Each call rejects with a FirerankError. The last argument of
 * each call says how long the call may take, and what ends it: by default 70 s, or 540 s where the function may take so long.
 * Any other option is refused, and nothing is sent.
 */
import type {
  ExportPlayerAnswer,
  MergePlayersAnswer,
  PlayerStatusAnswer,
  RemovePlayerAnswer,
  SeasonOfPlayer,
} from "../../functions/src/model/admin-answers.ts";
import type { FieldProblem } from "../../functions/src/model/errors.ts";
import type { PlayerStatus } from "../../functions/src/model/player-status.ts";
import type { Season, Submission } from "./answers.ts";
import { call, callAbout } from "./call.ts";
import type { CallOptions } from "./call-options.ts";
import type { Definition, DefinitionChanges } from "./definition.ts";
import type { FirerankErrorCode } from "./firerank-error.ts";
import { generationsOf } from "./generations.ts";
import { checkOptions, type Rule } from "./known-options.ts";
import type { BoardTypes, Leaderboard } from "./leaderboard.ts";
import { type Score, seasonSubmittedTo } from "./submit-score.ts";

export type {
  Definition,
  DefinitionChanges,
  ExportPlayerAnswer,
  MergePlayersAnswer,
  PlayerStatus,
  PlayerStatusAnswer,
  RemovePlayerAnswer,
  SeasonOfPlayer,
};

/**
 * Creates a board, or changes a board that exists. On a new board a field that is left out gets its default. On a board
 * that exists only the fields that are named change. `null` takes a field out, such as `max_score`. Resolves to the stored
 * definition. Cost: 1 read, 1 more for each open season (2 if none is open), and 1 write.
 */
export async function saveLeaderboard(
  board: Leaderboard,
  changes: DefinitionChanges = {},
  options?: CallOptions,
): Promise<Definition> {
  return call(board, "saveLeaderboard", { definition: changes }, short(options));
}

/**
 * Deletes the board at once, and its seasons, players, statuses and events in steps: a small board is gone in a quarter of
 * an hour. There is no way back. If a deletion was cut off, the same call continues it. Cost: 1 read and 1 delete a document.
 */
export async function deleteLeaderboard(
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
  /** When the tournament begins, in ISO 8601; by default now. */
  opens_at?: string | undefined;
  /** When the tournament ends, in ISO 8601; by default it runs until `closeSeason`. */
  closes_at?: string | undefined;
}

/**
 * Opens a tournament. The same request again is no error. A score goes to the tournament if the board that `submitScore`
 * gets names the tournament as its `season`.
 *
 * Cost: 2 reads and 2 writes; no write if the tournament exists.
 */
export async function openSeason(
  board: Leaderboard,
  season: string,
  times: SeasonTimes = {},
  options?: CallOptions,
): Promise<SeasonOfBoard> {
  return call(board, "openSeason", { ...times, season }, short(options));
}

/**
 * Ends a tournament about a minute from now: `closes_at` of the answer says when. Afterwards the tournament is closed in
 * steps. Cost: 1 read and 1 write.
 */
export async function closeSeason(
  board: Leaderboard,
  season: string,
  options?: CallOptions,
): Promise<SeasonOfBoard> {
  return call(board, "closeSeason", { season }, short(options));
}

/** A player's score, as a trusted server submits it. */
export type PlayerScore<Types extends BoardTypes = BoardTypes> = Score<Types> & { player: string };

/** The answer about a submission that was refused, among several submissions. */
export interface Refusal {
  error: {
    code: FirerankErrorCode;
    message: string;
    details: { fields?: FieldProblem[]; retry_after_seconds?: number };
  };
}

/**
 * Records 1 to 500 submissions, at most 20 of one player, in all spans of the board, or in a tournament if the board names the
 * tournament as its `season`. A refused submission does not affect the others. A player's
 * submissions beyond 20 are refused with `invalid_request`: send them in another call. The client sends the call once. To
 * send it again, use the same `submission_id`s.
 *
 * Cost: for each submission that of `submitScore`.
 */
export async function submitScores<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  submissions: readonly PlayerScore<Types>[],
  options?: CallOptions,
): Promise<(Submission<Types> | Refusal)[]> {
  const request = { season: seasonSubmittedTo(board), submissions };
  const { results } = await call<{ results: (Submission<Types> | Refusal)[] }>(
    board,
    "submitScores",
    request,
    short(options),
  );
  return results;
}

/**
 * Hides, bans or readmits a player in all seasons of the board. A `hidden` player is kept, but neither ranked nor listed. A
 * `banned` player is hidden, and further submissions are refused. Other moderators see the `reason`, of at most 500
 * characters, and players don't. Cost: about 6 reads and 2 writes a season.
 */
export async function setPlayerStatus(
  board: Leaderboard,
  player: string,
  status: PlayerStatus,
  options: CallOptions & { reason?: string | undefined } = {},
): Promise<PlayerStatusAnswer> {
  checkOptions(options, { reason: ["must be a text", (value) => typeof value === "string"], ...callRules });
  const { reason, ...others } = options;
  return call(board, "setPlayerStatus", { player, status, reason }, long(others));
}

/** Erases a player from the board. Cost: about 8 reads, 3 writes and 1 delete a season. */
export async function removePlayer(
  board: Leaderboard,
  player: string,
  options?: CallOptions,
): Promise<RemovePlayerAnswer> {
  return call(board, "removePlayer", { player }, long(options));
}

/**
 * Merges the player `from` into `to` in all seasons of the board, open and closed. `from` is gone afterwards. A merge
 * that is sent again adds nothing. Cost: about 10 reads, 3 writes and 1 delete a season.
 */
export async function mergePlayers(
  board: Leaderboard,
  from: string,
  to: string,
  options?: CallOptions,
): Promise<MergePlayersAnswer> {
  return call(board, "mergePlayers", { from, to }, long(options));
}

/**
 * Resolves to all that is stored about a player on the board, which is what `removePlayer` erases. Cost: about 5 reads a
 * season, and 1 for each event that names the player.
 */
export async function exportPlayer(
  board: Leaderboard,
  player: string,
  options?: CallOptions,
): Promise<ExportPlayerAnswer> {
  return call(board, "exportPlayer", { player }, long(options));
}

/** What a ranking run did. The stored record has more fields: see the run in the dashboard. */
export interface RunRecord {
  kind: "ranking";
  leaderboard: string;
  /** The season that was ranked. */
  season: string;
  outcome: "published" | "nothing_to_do" | "failed";
  /** The generation that the run published, or with `nothing_to_do` has found; null if there is none. */
  generation: number | null;
  /** Players ranked in that generation. */
  players: number;
  /** Rows of that generation: one for each distinct score, and fewer where scores share a row. */
  rows: number;
  /** Whether every row has one score, so that every rank is certain. */
  exact: boolean;
  /** In ISO 8601. */
  started_at: string;
  finished_at: string;
  billed: { reads: number; writes: number; deletes: number };
}

/** What an audit or a repair has done so far. The stored record has more fields: see the run in the dashboard. */
export interface RepairRecord {
  kind: "audit" | "repair";
  /** The id of the stored record, which is the document `runs/{run}` of the season. */
  run: string;
  /** `running`: the season is large, so the work goes on in steps. The stored record shows how far it is. */
  outcome: "running" | "done" | "failed";
  leaderboard: string;
  season: string;
  /** Whether an audit compared every player and every score. */
  full: boolean;
  /** Whether `repairSeason` has to mend what an audit found. */
  repair?: "none" | "repair" | undefined;
  started_at: string;
  finished_at: string;
  billed: { reads: number; writes: number; deletes: number };
}

/**
 * Checks whether the ranking and the players agree: in totals, or with `full` score by score and player by player. Changes
 * nothing.
 */
export async function auditSeason(
  board: Leaderboard,
  request: { full?: boolean } = {},
  options?: CallOptions,
): Promise<RepairRecord> {
  return callAbout(board, "auditSeason", request, long(options));
}

/** Makes the ranking anew from the players. Scores may come in meanwhile. Cost: 2 reads a player. */
export async function repairSeason(board: Leaderboard, options?: CallOptions): Promise<RepairRecord> {
  return callAbout(board, "repairSeason", {}, long(options));
}

const timeoutMsMax = 2 ** 31 - 1;

/** The options that every call takes. */
const callRules: Readonly<Record<string, Rule>> = {
  signal: [
    "must be an AbortSignal",
    (value) => typeof value === "object" && value !== null && "addEventListener" in value,
  ],
  timeoutMs: [
    `must be a number of milliseconds from 0 to ${timeoutMsMax}`,
    (value) => typeof value === "number" && value >= 0 && value <= timeoutMsMax,
  ],
};

/** Options of a call. @throws `invalid_request` for an option that calls do not have */
function short(options: CallOptions = {}): CallOptions {
  checkOptions(options, callRules);
  return options;
}

/** As {@link short}, of a call whose function may take up to 540 s. */
function long(options?: CallOptions): CallOptions {
  const { signal, timeoutMs = 540_000 } = short(options);
  return { signal, timeoutMs };
}

/**
 * Ranks the board's season now. If the board names a span, the span's present season is ranked. From then on this app never
 * gets an answer of an older generation.
 *
 * Cost: that of a ranking run.
 * @param request with `include_open_slot` the ranking has everything that was counted so far. Without it, changes of the
 * last ten seconds wait for the next run.
 */
export async function runRanking(
  board: Leaderboard,
  request: { include_open_slot?: boolean } = {},
  options?: CallOptions,
): Promise<RunRecord> {
  const { saw } = generationsOf(board);
  const record = await callAbout<RunRecord>(board, "runRanking", request, long(options));
  if (record.generation !== null) saw(record.generation, record.season);
  return record;
}
