/** Submits the signed-in player's score; it counts once, however often it has to be sent. */
import type { Submission } from "./answers.ts";
import { asPlayer, attemptMs, type Manner, namedMs, namePlace } from "./as-player.ts";
import { call } from "./call.ts";
import type { CallOptions } from "./call-options.ts";
import { toFirerankError } from "./firerank-error.ts";
import { generationsOfAll } from "./generations.ts";
import type { BoardTypes, ColumnsOf, Leaderboard, MetadataOf, SegmentsOf } from "./leaderboard.ts";
import type { Fresh } from "./reads.ts";

/** `score`, or on a board with several columns each column by its name; not both. */
export type ScoreValue<Types extends BoardTypes = BoardTypes> =
  | (Types extends { columns: string } ? never : { score: number; columns?: undefined })
  | { columns: ColumnsOf<Types>; score?: undefined };

/** A score, and details. */
export type Score<Types extends BoardTypes = BoardTypes> = ScoreValue<Types> & ScoreDetails<Types>;

interface ScoreDetails<Types extends BoardTypes> {
  /** Names this submission, at most 64 characters; random if left out. The same id counts once, while it is among the player's last 20. */
  submission_id?: string | undefined;
  /** At most 64 characters. */
  display_name?: string | undefined;
  /** Plain JSON, at most 1 KB. */
  metadata?: MetadataOf<Types> | undefined;
  /** The player's values in segments of the board, as in `{ country: "AT" }`; null leaves one; what is left out stays as it was. */
  segments?: { [Name in keyof SegmentsOf<Types>]: SegmentsOf<Types>[Name] | null } | undefined;
}

/** A score, and how fresh the ranks in the answer have to be: without `freshness` live where that costs nothing. */
export type SubmissionRequest<Types extends BoardTypes = BoardTypes> = Score<Types> & Fresh;

/**
 * Records a score of the signed-in player in all spans of the board; in a tournament, if that is the board's `season`. A
 * day, week or month as its `season` is refused with `invalid_request`: it may be over.
 *
 * If the network, a token or the database fails, it is sent again, up to 5 times in all and with the same
 * `submission_id`, so it counts once even on a board that sums. Every error has that id as its `submissionId`: after
 * `unavailable`, `deadline_exceeded`, `contention` or `internal` the score may or may not have counted, and a later
 * call with the same id makes sure.
 *
 * It is not sent again if the user signs out or another one signs in, as the score would then count for the wrong
 * player: it rejects with `unauthenticated`.
 *
 * Cost, of the function: for each span 1 read; where something changed 1 write, and 1 for all that share the commit; at most
 * 1 read for the rank.
 * @param options how long it may take with all attempts, by default 30 s, and what ends it.
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
   * When a score was made that waited, in milliseconds since 1970: if the player has sent a name since then, the score
   * goes without its own.
   */
  madeMs?: number | undefined;
}

/**
 * As {@link submitScore}. If another user than the `player` is signed in, it rejects with `unauthenticated` and sends
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
      // A time that is still to come is from before the device's clock was set.
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
  const request = { ...submission, season: seasonSubmittedTo(board), min_generations: seen };
  const answer = await call<Submission<Types>>(board, "submitScore", request, { timeoutMs: attemptMs });
  saw(answer);
  return answer;
}

/** The season that a submission names: the server takes a tournament, and refuses the season of a span, which may be over. */
export function seasonSubmittedTo({ season }: Leaderboard): string | undefined {
  return season === "all_time" ? undefined : season;
}

/**
 * An id that differs from those of this player's last submissions. It needs no more than that, so any randomness will
 * do: some platforms have no `crypto`.
 */
export function newId(): string {
  const part = () => Math.random().toString(36).slice(2, 12).padEnd(10, "0");
  return part() + part();
}
