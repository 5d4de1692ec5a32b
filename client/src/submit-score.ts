/** `submitScore`: submits the signed-in player's score. The score counts once, however often it has to be sent. */
import type { Submission } from "./answers.ts";
import { asPlayer, attemptMs, type Manner, namedMs, namePlace } from "./as-player.ts";
import { call } from "./call.ts";
import type { CallOptions } from "./call-options.ts";
import { toFirerankError } from "./firerank-error.ts";
import { generationsOfAll } from "./generations.ts";
import type { BoardTypes, ColumnsOf, Leaderboard, MetadataOf, SegmentsOf } from "./leaderboard.ts";
import type { Fresh } from "./reads.ts";

/** A score: a number as `score`, or on a board with columns each column by its name. */
export type ScoreValue<Types extends BoardTypes = BoardTypes> =
  | (Types extends { columns: string } ? never : { score: number; columns?: undefined })
  | { columns: ColumnsOf<Types>; score?: undefined };

/** A score with its details. */
export type Score<Types extends BoardTypes = BoardTypes> = ScoreValue<Types> & ScoreDetails<Types>;

interface ScoreDetails<Types extends BoardTypes> {
  /**
   * The id of this submission, at most 64 characters; by default a random id. Submissions with the same id count once, while
   * the id is among the player's last 20.
   */
  submission_id?: string | undefined;
  /** At most 64 characters. */
  display_name?: string | undefined;
  /** Plain JSON, at most 1 KB. */
  metadata?: MetadataOf<Types> | undefined;
  /**
   * The player's values in the board's segments, as in `{ country: "AT" }`. Null takes the player out of a segment. A segment
   * that is left out stays as it is.
   */
  segments?: { [Name in keyof SegmentsOf<Types>]: SegmentsOf<Types>[Name] | null } | undefined;
}

/**
 * A score, and how fresh the ranks in the answer have to be. Without `freshness` they are live where that costs nothing.
 */
export type SubmissionRequest<Types extends BoardTypes = BoardTypes> = Score<Types> & Fresh;

/**
 * Records a score of the signed-in player in all spans of the board, or in a tournament if the board names the tournament as its
 * `season`. A day, week or month as the board's `season` is refused with `invalid_request`, as it may be over.
 *
 * If the network, a token or the database fails, the score is sent again, up to 5 times in all. Each attempt has the same
 * `submission_id`, so the score counts once, even on a board that sums. Every error has this id as its `submissionId`. After
 * `unavailable`, `deadline_exceeded`, `contention` or `internal` the score may have counted or not: a later call with the same
 * id makes sure.
 *
 * If the user signs out or another user signs in, the score is not sent again, as it would count for the wrong player. The call
 * then rejects with `unauthenticated`.
 *
 * Cost, of the function: for each span 1 read, and 1 write if something changed; 1 write for all submissions that share the
 * commit; at most 1 read for the rank.
 * @param options how long the call may take with all attempts, by default 30 s, and what ends the call.
 * @throws FirerankError
 */
export function submitScore<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  score: SubmissionRequest<Types>,
  options: CallOptions = {},
): Promise<Submission<Types>> {
  return submitScoreAs({}, board, score, options);
}

/** How a score is sent. */
interface ScoreManner extends Manner {
  /**
   * When a queued score was made, in milliseconds since 1970. If the player has sent a display name since then, the score goes
   * without its own name.
   */
  madeMs?: number | undefined;
}

/**
 * As {@link submitScore}, for a given player. If another user is signed in, this rejects with `unauthenticated` and sends
 * nothing.
 */
export async function submitScoreAs<Types extends BoardTypes>(
  manner: ScoreManner,
  board: Leaderboard<Types>,
  score: SubmissionRequest<Types>,
  options: CallOptions = {},
): Promise<Submission<Types>> {
  const { madeMs } = manner;
  const beganMs = Date.now();
  const submissionId = score.submission_id ?? newId();
  const submission = { ...score, submission_id: submissionId };
  try {
    return await asPlayer("submitScore", board, { ...options, ...manner }, async (player) => {
      const place = namePlace(board, player);
      const namedAt = namedMs.get(place) ?? 0;
      // If `namedAt` is still to come, the device's clock was set back since.
      const isOlder = madeMs !== undefined && madeMs < namedAt && namedAt <= Date.now();
      const answer = await sendOnce(board, isOlder ? { ...submission, display_name: undefined } : submission);
      if (madeMs === undefined && submission.display_name !== undefined) namedMs.set(place, beganMs);
      return answer;
    });
  } catch (error) {
    throw Object.assign(toFirerankError("submitScore", error), { submissionId });
  }
}

async function sendOnce<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  submission: object,
): Promise<Submission<Types>> {
  const { seen, saw } = generationsOfAll(board);
  const request = { season: seasonSubmittedTo(board), min_generations: seen, ...submission };
  const answer = await call<Submission<Types>>(board, "submitScore", request, { timeoutMs: attemptMs });
  saw(answer);
  return answer;
}

/**
 * The season that a submission names. The server takes a tournament, and refuses the season of a span, as it may be over.
 */
export function seasonSubmittedTo({ season }: Leaderboard): string | undefined {
  return season === "all_time" ? undefined : season;
}

/**
 * A random id for a submission. It has to differ only from the ids of the player's last submissions, so `Math.random` is good
 * enough: some platforms have no `crypto`.
 */
export function newId(): string {
  const part = () => Math.random().toString(36).slice(2, 12).padEnd(10, "0");
  return part() + part();
}
