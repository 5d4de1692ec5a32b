/** Sends the results, in order of date, through the callables. */
import { setTimeout as sleep } from "node:timers/promises";
import { CallableError, type CallableClient } from "../scripts/callable-client.ts";
import { inBatches, type Result, type TeamSubmission } from "./football.ts";

export interface Senders {
  leaderboard: string;
  /** Sends for all teams, through `submitScores`. */
  admin: CallableClient;
  /** Teams that have an account and send their own results, through `submitScore`. */
  own: ReadonlyMap<string, CallableClient>;
}

/** Submissions in a batch: `submitScores` takes 500; fewer show more of how the table changes. */
const batchSize = 400;
const attemptsMax = 8;
const firstWaitMs = 250;

/**
 * Submits all results, batch after batch; `after` is told of each that is in.
 * @throws if a submission is refused, or a call fails again and again.
 */
export async function replay(
  senders: Senders,
  results: readonly Result[],
  after: (matches: number, date: string) => Promise<void>,
): Promise<void> {
  let matches = 0;
  for (const batch of inBatches(results, batchSize)) {
    const submissions = batch.flatMap((result) => result.submissions);
    const byTeam = Map.groupBy(submissions, ({ player }) => (senders.own.has(player) ? player : ""));
    await Promise.all(
      [...byTeam].map(([team, group]) => {
        const client = senders.own.get(team);
        return client === undefined ? submitMany(senders, group) : submitOwn(senders, client, group);
      }),
    );
    matches += batch.length;
    await after(matches, batch.at(-1)?.date ?? "");
  }
}

/** Submits a batch, and again, with the same ids, those that met contention. */
async function submitMany({ leaderboard, admin }: Senders, batch: readonly TeamSubmission[]): Promise<void> {
  let rest = batch;
  for (let attempt = 1; rest.length > 0; attempt++) {
    const { results } = await patiently(() => admin.call("submitScores", { leaderboard, submissions: rest }));
    const failed = results.flatMap((result, i) =>
      "error" in result ? [{ error: result.error, submission: rest[i] }] : [],
    );
    const refused = failed.find(({ error }) => error.code !== "contention" || attempt === attemptsMax);
    if (refused !== undefined) {
      const { submission, error } = refused;
      throw new Error(
        `The result ${submission?.submission_id} of ${submission?.player} was refused: ${error.message}`,
      );
    }
    rest = failed.flatMap(({ submission }) => (submission === undefined ? [] : [submission]));
    if (rest.length > 0) {
      await sleep(firstWaitMs * 2 ** (attempt - 1));
    }
  }
}

/** Submits a team's own results, one after the other. */
async function submitOwn(
  { leaderboard }: Senders,
  client: CallableClient,
  submissions: readonly TeamSubmission[],
): Promise<void> {
  for (const { player: _, ...submission } of submissions) {
    await patiently(() => client.call("submitScore", { leaderboard, ...submission }));
  }
}

/** Repeats a call that failed for a reason which may pass. Each submission has an id, so that none counts twice. */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const passes =
        error instanceof CallableError &&
        ["UNREACHABLE", "ABORTED", "UNAVAILABLE", "DEADLINE_EXCEEDED", "INTERNAL"].includes(error.status);
      if (!passes || attempt === attemptsMax) {
        throw error;
      }
      await sleep(firstWaitMs * 2 ** (attempt - 1));
    }
  }
}
