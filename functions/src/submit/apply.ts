/** How one submission changes a player's document. Pure: reading and writing are up to commit-submissions.ts. */
import { isDeepStrictEqual } from "node:util";
import type { Timestamp } from "../documents/firestore.ts";
import type { Player } from "../documents/player.ts";
import type { Season } from "../documents/season.ts";
import { add, exceeds, sizeMaxOf, sizeMaxSaid, toStep } from "../model/arithmetic.ts";
import { type Column, type ColumnValues, packColumns, unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import {
  FirerankError,
  invalidField,
  invalidRequest,
  outOfRange,
  type SeasonRefusal,
} from "../model/errors.ts";
import { submissionIdsMax } from "../model/limits.ts";
import { many } from "../model/many.ts";
import { isBetter } from "../model/score.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import type { Submission } from "./schema.ts";
import { withSaid } from "./segments.ts";

export interface Applied {
  player: Player;
  /** Whether the document differs from the one before and must be written. */
  changed: boolean;
  /** Whether the score got better; the first one does. */
  improved: boolean;
  /** Whether this submission's id had been applied before, so that nothing was done. */
  repeated: boolean;
}

/** What a submission does in a season. */
export interface AppliedTo extends Omit<Applied, "player"> {
  board: OpenedBoard;
  /** Undefined for one who has no document there, where the submission does not count. */
  player: Player | undefined;
  /** Why it does not count in this season, though it does in another. */
  refused: (FirerankError & { code: SeasonRefusal }) | undefined;
}

interface ScoreMade {
  score: number;
  columns?: ColumnValues;
}

/**
 * Applies a submission to a player's document by the board's aggregation and limits.
 *
 * - `best`: keeps the better score, with the metadata it came with, if any. `latest`: takes the submission's. `sum`: adds
 *   the two, column by column; metadata stays until the next.
 * - `max_change` bounds how far the stored score may move (for `sum` also the first time, from 0);
 *   `min_score` and `max_score` bound the submitted score, for `sum` the total.
 * - Values of segments count even if the score does not improve.
 * - A submission that changes nothing is not counted as an attempt, so that it costs no write, unless the board limits
 *   attempts or their frequency, or the submission's id must be remembered.
 *
 * @param player the document before, if there is one.
 * @param now the server's time.
 * @param of `span` of the season; `isOwnId` whether the submission's id is ours: no caller repeats it, so it is not worth a
 * write.
 * @throws `player_banned`, `too_many_attempts`, `too_frequent`, `invalid_request`, `score_out_of_range`
 */
export function applySubmission(
  definition: Definition,
  player: Player | undefined,
  submission: Submission,
  now: Timestamp,
  { span = "all_time", isOwnId = false }: { span?: Season["span"]; isOwnId?: boolean } = {},
): Applied {
  if (player?.status === "banned") throw playerBanned();
  const { aggregation } = definition;
  const { submission_id: id } = submission;
  if (player?.submission_ids?.some((known) => known === id) === true)
    return { player, changed: false, improved: false, repeated: true };
  const usedUp = attemptsUsedUp(definition, span, player);
  if (usedUp !== undefined) throw usedUp;
  checkFrequency(definition, player, now);
  // A trusted server's score may have more decimals than the board.
  const before = player?.score === undefined ? undefined : toStep(definition, player.score);
  const submitted = readValue(definition, submission);
  const after = aggregate(definition, { score: before, columns: player?.columns }, submitted);
  checkRange(definition, before, after, submitted);

  const scoreChanged = after.score !== before;
  const next: Player = {
    ...(player ?? { attempts: 0, status: "active" }),
    ...after,
    ...(scoreChanged || player?.achieved_at === undefined ? { achieved_at: now } : {}),
    ...(submission.display_name === undefined ? {} : { display_name: submission.display_name }),
  };
  // Metadata belongs to the score that it came with; on a board of sums it belongs to the player.
  const { metadata, segments } = submission;
  if (aggregation !== "sum" && scoreChanged) delete next.metadata;
  if (metadata !== undefined && (aggregation !== "best" || scoreChanged)) next.metadata = metadata;
  const values = segments && withSaid(next.segments, segments);
  if (values !== undefined) next.segments = values;

  const mustRemember = id !== undefined && !isOwnId && aggregation !== "best";
  const changed = scoreChanged || limitsAttempts(definition) || mustRemember || !sameProfile(player, next);
  if (!changed) return { player: next, changed, improved: false, repeated: false };
  next.attempts += 1;
  next.last_submission_at = now;
  if (id !== undefined) {
    const known = next.submission_ids ?? [];
    // A merge leaves the ids of two players, whose devices may still repeat them.
    next.submission_ids = [...known, id].slice(-Math.max(submissionIdsMax, known.length));
  }
  const improved = before === undefined || isBetter(definition.order, after.score, before);
  return { player: next, changed, improved, repeated: false };
}

/** The refusal of a banned player's submission. */
export const playerBanned = () =>
  new FirerankError("player_banned", "This player is banned from the leaderboard; no score was recorded.");

/**
 * Whether a submission that is applied twice counts twice, is refused the second time, or replaces a later one that came
 * in between. It may be applied twice: after a commit whose answer was lost, or alone while a batch that it shared is
 * being committed. So one without an id gets one, and the player's document shows whether it was recorded.
 */
export function needsId(definition: Definition): boolean {
  return definition.aggregation !== "best" || limitsAttempts(definition);
}

/**
 * Whether an attempt that was committed has to be known when its answer is lost: also where a limit goes by the score
 * before, as what the attempt refused might be allowed after what it recorded.
 */
export function isAtRisk(definition: Definition): boolean {
  return needsId(definition) || definition.max_change !== undefined;
}

function limitsAttempts({ max_attempts: most, min_seconds_between: wait }: Definition): boolean {
  return most !== undefined || wait !== undefined;
}

/**
 * A player's document in which the ids of a call are the last to be forgotten, so that ids which the call adds do not
 * push them out. At most `submissionsPerPlayerMax` ids fit.
 */
export function keepingIds(player: Player | undefined, ids: ReadonlySet<string>): Player | undefined {
  if (player?.submission_ids === undefined) return player;
  const named = player.submission_ids.filter((id) => ids.has(id));
  const others = player.submission_ids.filter((id) => !ids.has(id));
  return { ...player, submission_ids: [...others, ...named] };
}

/**
 * Applies a submission to its player in the seasons of several spans. A season in which the player's attempts are used up, or
 * which a total would leave the range of, does not take the others down: the player stays there as before, with the refusal.
 * @returns the seasons with the player as the submission leaves the player there.
 * @throws what {@link applySubmission} throws; of refusals by season the first one, if each season refuses
 */
export function applyToSeasons<
  Season extends Pick<AppliedTo, "board" | "changed"> & { player: Player | undefined },
>(
  seasons: readonly Season[],
  submission: Submission,
  now: Timestamp,
  isOwnId: boolean,
): (Season & AppliedTo)[] {
  const applied = seasons.map((season) => {
    const { board, player, changed } = season;
    const { span } = board.season;
    try {
      const made = applySubmission(board.definition, player, submission, now, { span, isOwnId });
      return { ...season, ...made, changed: changed || made.changed, refused: undefined };
    } catch (error) {
      if (!isOfSeason(board.definition, error)) throw error;
      return { ...season, improved: false, repeated: false, refused: error };
    }
  });
  const [first] = applied;
  if (first?.refused !== undefined && applied.every(({ refused }) => refused !== undefined))
    throw first.refused;
  return applied;
}

/** Why a submission that is not known in a season does not count there, though it does in another; undefined if it would. */
export function refusedIn(
  { definition, season: { span } }: OpenedBoard,
  player: Player | undefined,
  submission: Submission,
  now: Timestamp,
): AppliedTo["refused"] {
  try {
    applySubmission(definition, player, submission, now, { span });
  } catch (error) {
    if (isOfSeason(definition, error)) return error;
  }
  return undefined;
}

/** The refusal of a submission that a season refused when it first came, for a reason that may be over. */
export function refusedThen({ definition }: OpenedBoard): AppliedTo["refused"] {
  const why = "was refused in this season when it first came, and does not count there";
  const isTotal = definition.aggregation === "sum";
  const error = isTotal ? outOfRange("score", why) : new FirerankError("too_many_attempts", `It ${why}.`);
  return isOfSeason(definition, error) ? error : undefined;
}

/** Whether a refusal is for what the player has in the season already: attempts, or a total. */
function isOfSeason(
  { aggregation }: Definition,
  error: unknown,
): error is FirerankError & { code: SeasonRefusal } {
  if (!(error instanceof FirerankError)) return false;
  const { code } = error;
  return code === "too_many_attempts" || (aggregation === "sum" && code === "score_out_of_range");
}

/** Why a player may submit no more in a season of this span; undefined if more is allowed. */
function attemptsUsedUp(
  { max_attempts: most }: Definition,
  span: Season["span"],
  player: Player | undefined,
): FirerankError | undefined {
  const allowed = most?.[span] ?? Infinity;
  if (player === undefined || player.attempts < allowed) return undefined;
  const message = `All ${allowed} attempts that this leaderboard allows (max_attempts.${span}) have been used in this season; the score does not count there.`;
  return new FirerankError("too_many_attempts", message);
}

function checkFrequency(
  { min_seconds_between: wait = -Infinity }: Definition,
  player: Player | undefined,
  now: Timestamp,
): void {
  if (player?.last_submission_at === undefined) return;
  const leftMs = wait * 1_000 - (now.toMillis() - player.last_submission_at.toMillis());
  if (leftMs > 0) {
    const seconds = Math.ceil(leftMs / 1_000);
    throw new FirerankError(
      "too_frequent",
      `This leaderboard takes one submission in ${many(wait, "second")} from each player; send it again in ${many(seconds, "second")}.`,
      { retry_after_seconds: seconds },
    );
  }
}

function aggregate(
  definition: Definition,
  { score, columns }: { [Name in keyof ScoreMade]: ScoreMade[Name] | undefined },
  submitted: ScoreMade,
): ScoreMade {
  const { aggregation, order } = definition;
  if (aggregation === "sum") return addUp(definition, score, submitted);
  if (aggregation !== "best" || score === undefined || isBetter(order, submitted.score, score))
    return submitted;
  return { score, ...(columns && { columns }) };
}

/**
 * The submitted value; for `sum` with columns its `score` means nothing until the columns are added up.
 * @throws `invalid_request`; `score_out_of_range` if a column is outside its range
 */
export function readValue(
  definition: Definition,
  { score, columns }: Pick<Submission, "score" | "columns">,
): ScoreMade {
  const { columns: wanted, order, aggregation } = definition;
  if (wanted === undefined) {
    // Some JSON has an empty list for each map that is not set.
    if (columns !== undefined && Object.keys(columns).length > 0)
      throw invalidField("columns", "this leaderboard has no columns; send score");
    if (score === undefined) throw invalidField("score", "is missing");
    return { score: toStep(definition, score) };
  }
  if (score !== undefined)
    throw invalidField("score", `this leaderboard has columns; send columns: {${names(wanted)}}`);
  const values = readColumns(wanted, columns);
  if (aggregation === "sum") return { score: 0, columns: values };
  checkColumns(wanted, values);
  return { score: packColumns(order, wanted, values), columns: values };
}

/** Submitted columns, whole and of this board. @throws `invalid_request` naming each that is not */
export function readColumns(wanted: readonly Column[], columns: ColumnValues | undefined): ColumnValues {
  if (columns === undefined) throw invalidField("columns", `is missing; send {${names(wanted)}}`);
  const unknown = Object.keys(columns).filter((name) => !wanted.some((column) => column.name === name));
  const problems = unknown.map((name) => {
    const message = `is not a column of this leaderboard, which has ${names(wanted)}`;
    return { path: `columns.${name}`, message };
  });
  for (const { name } of wanted) {
    const value = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (Number.isSafeInteger(value)) continue;
    const message = value === undefined ? "is missing" : `is ${value}, not a whole number`;
    problems.push({ path: `columns.${name}`, message });
  }
  if (problems.length > 0) throw invalidRequest(problems);
  return Object.fromEntries(wanted.map(({ name }) => [name, 0 + (columns[name] ?? 0)]));
}

/** @throws `score_out_of_range` for the first that is outside its column's range. */
export function checkColumns(wanted: readonly Column[], values: ColumnValues): void {
  for (const { name, min, max } of wanted) {
    const value = values[name] ?? NaN;
    if (!(value >= min && value <= max))
      throw outOfRange(`columns.${name}`, `${value} is not from ${min} to ${max}, the column's range`);
  }
}

/**
 * A player's total, plus what was submitted. It begins with zero, again where a server has written a score that no columns
 * make. @throws `score_out_of_range` if a column leaves its range
 */
export function addUp(definition: Definition, score: number | undefined, submitted: ScoreMade): ScoreMade {
  const { columns: wanted, order } = definition;
  if (wanted === undefined) return { score: add(definition, score ?? 0, submitted.score) };
  const present = score === undefined ? undefined : unpackColumns(order, wanted, score);
  const { columns: added = {} } = submitted;
  const sums = Object.fromEntries(
    wanted.map(({ name }) => [name, (present?.[name] ?? 0) + (added[name] ?? 0)]),
  );
  checkColumns(wanted, sums);
  return { score: packColumns(order, wanted, sums), columns: sums };
}

function checkRange(
  definition: Definition,
  before: number | undefined,
  after: ScoreMade,
  submitted: ScoreMade,
): void {
  const { aggregation, max_change: most = Infinity } = definition;
  if (definition.columns !== undefined) return;
  const judged = aggregation === "sum" ? after.score : submitted.score;
  const what = aggregation === "sum" ? `the total ${judged}` : String(judged);
  const broken = limitBroken(definition, judged, what);
  if (broken !== undefined) throw outOfRange("score", broken);
  // The first score of a player changes none.
  const from = before ?? (aggregation === "sum" ? 0 : after.score);
  const change = Math.abs(add(definition, after.score, -from));
  if (exceeds(definition, change, most))
    throw outOfRange("score", `changes the stored score by ${change}, more than max_change, ${most}`);
}

/**
 * Which limit of a board a score breaks, as in `1200 is above max_score, 1000`; undefined for none. The columns of a score
 * have limits of their own, {@link checkColumns}.
 * @param what names the score.
 */
export function limitBroken(definition: Definition, score: number, what = String(score)): string | undefined {
  const { columns, min_score: min = -Infinity, max_score: max = Infinity } = definition;
  if (columns !== undefined) return undefined;
  if (Math.abs(score) > sizeMaxOf(definition))
    return `${what} would be larger in size than ${sizeMaxSaid(definition)}`;
  if (exceeds(definition, min, score)) return `${what} is below min_score, ${min}`;
  return exceeds(definition, score, max) ? `${what} is above max_score, ${max}` : undefined;
}

/** Whether both documents agree in all that a player shows besides the score. */
function sameProfile(before: Partial<Player> = {}, after: Player): boolean {
  return (
    before.display_name === after.display_name &&
    before.achieved_at === after.achieved_at &&
    isDeepStrictEqual(before.segments, after.segments) &&
    isDeepStrictEqual(before.metadata, after.metadata)
  );
}

function names(columns: readonly Column[]): string {
  return columns.map(({ name }) => name).join(", ");
}
