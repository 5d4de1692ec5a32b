/** `submitScores`: many players' scores from a trusted server. */
import { z } from "zod";
import type { SubmissionAnswer } from "../model/answers.ts";
import { type ErrorCode, type ErrorDetails, errorWithin, FirerankError } from "../model/errors.ts";
import { leaderboardId, scorerId } from "../model/ids.ts";
import { submissionsPerCallMax } from "../model/limits.ts";
import type { Definition } from "../model/definition.ts";
import { submissionFields } from "../submit/schema.ts";
import { segmentsSaid } from "../submit/segments.ts";
import {
  type SubmissionOutcome,
  type PlayerSubmission,
  recordSubmissions,
} from "../submit/record-submissions.ts";
import type { Services } from "../world/services.ts";
import { withoutNulls } from "./shared/without-nulls.ts";
import { type OperationSpec, parse } from "./shared/spec.ts";
import { answerSubmission, seasonSubmittedTo, showChanges } from "./shared/submission.ts";
import { boardCacheOf } from "../seasons/board.ts";

const request = z.strictObject({
  leaderboard: leaderboardId,
  season: seasonSubmittedTo,
  submissions: z
    .array(z.unknown())
    .min(1, "must hold at least one submission")
    .max(
      submissionsPerCallMax,
      `must hold at most ${submissionsPerCallMax} submissions; send the rest in another call`,
    ),
});

const submission = z.strictObject({ player: scorerId, ...submissionFields });

/** Why one submission was refused. */
export interface Refused {
  error: { code: ErrorCode; message: string; details: ErrorDetails };
}

type ResultOfOne = SubmissionAnswer | Refused;

/**
 * Records up to 500 submissions, at most 20 of one player, in all spans of a board or in one open custom season; a
 * refused one doesn't affect the others. A player's submissions apply in their order; those after the twentieth are
 * refused.
 *
 * Cost: for each player (however many submissions) and span 1 read, and 1 write if something changed; for each span 1
 * write for each commit, which takes 100 documents (25 players with four spans); for the ranks in the answers 1 read
 * for each page that is not in memory; for the top {@link showChanges}.
 */
export const submitScoresSpec: OperationSpec<typeof request, { results: ResultOfOne[] }> = {
  name: "submitScores",
  request,
  async handle(services, { leaderboard, season, submissions }) {
    const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
    const parsed = submissions.map((data, index) => parseOne(definition, data, index));
    const good = parsed.flatMap((item) => ("error" in item ? [] : [item.one]));
    const outcomes = await recordSubmissions(services, leaderboard, good, season);
    const pending = outcomes[Symbol.iterator]();
    const results: ResultOfOne[] = [];
    for (const [index, item] of parsed.entries()) {
      if ("error" in item) results.push(item);
      // One after the other: the first to need a page brings it into memory for the rest.
      else results.push(await resultOf(services, leaderboard, item, pending.next().value, index));
    }
    await showChanges(
      services,
      outcomes.flatMap(({ changes = [] }) => changes),
    );
    return { results };
  },
};

interface Parsed extends Pick<ReturnType<typeof segmentsSaid>, "passedOver"> {
  one: PlayerSubmission;
}

function parseOne(definition: Definition, data: unknown, index: number): Parsed | Refused {
  try {
    const one = parse(submission, withoutNulls(submission, data));
    const said = segmentsSaid({ definition, isTrusted: true }, one.segments);
    return { one: { ...one, segments: said.values }, passedOver: said.passedOver };
  } catch (error) {
    return refused(error, index);
  }
}

async function resultOf(
  services: Services,
  leaderboard: string,
  { one: { player }, passedOver }: Parsed,
  outcome: SubmissionOutcome | undefined,
  index: number,
): Promise<ResultOfOne> {
  if (outcome === undefined) throw new Error("a submission came back without an outcome");
  return "error" in outcome
    ? refused(outcome.error, index)
    : answerSubmission(services, { leaderboard, player, applied: outcome.applied, passedOver });
}

function refused(cause: unknown, index: number): Refused {
  if (!(cause instanceof FirerankError)) throw cause;
  const { code, message, details } = errorWithin(`submissions.${index}`, cause);
  return { error: { code, message, details } };
}
