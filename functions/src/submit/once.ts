/**
 * Submissions that count once although their transaction runs twice.
 *
 * The client library runs a transaction again after any error that may pass, also when the commit went through and
 * only its answer was lost. On most boards the second time changes nothing. Where it would (a sum; a limit on
 * attempts or on their frequency), a submission that came without an id is given one for the call, so that its
 * player's document tells.
 */
import type { Definition } from "../model/leaderboard.ts";
import type { Applied, Submission } from "./apply.ts";

/** Submissions of one call, and what its earlier attempts made of them. */
export interface OnceEach<Sent extends Submission> {
  submissions: readonly Sent[];
  /** What a submission came to: if an earlier attempt had recorded it, what that one answered. */
  answerOf: (index: number, applied: Applied[]) => Applied[];
}

/** @param newId gives an id that nobody else has. */
export function countOnce<Sent extends Submission>(
  definitions: readonly Definition[],
  sent: readonly Sent[],
  newId: () => string,
): OnceEach<Sent> {
  const earlier = new Map<number, Applied[]>();
  const needsId = definitions.some(repeatCounts);
  return {
    submissions: sent.map((submission) =>
      submission.submission_id === undefined && needsId
        ? { ...submission, submission_id: newId() }
        : submission,
    ),
    answerOf(index, applied) {
      const wasOurs = sent[index]?.submission_id === undefined && applied.some(({ repeated }) => repeated);
      const answer = (wasOurs ? earlier.get(index) : undefined) ?? applied;
      earlier.set(index, answer);
      return answer;
    },
  };
}

function repeatCounts({ aggregation, max_attempts: most, min_seconds_between: wait }: Definition): boolean {
  return aggregation === "sum" || most !== undefined || wait !== undefined;
}
