/** Sends the results, in order of date, through the callables: to all time, and to the tournament of their football year. */
import { setTimeout as sleep } from "node:timers/promises";
import { CallableError, type CallableClient } from "../scripts/callable-client.ts";
import { inBatches, type Result, type TeamSubmission } from "./football.ts";

export interface Senders {
  leaderboard: string;
  /** Sends for all teams, through `submitScores`; opens and closes tournaments. */
  admin: CallableClient;
  /** Teams that have an account and send their own results, through `submitScore`. */
  own: ReadonlyMap<string, CallableClient>;
}

/** The progress of the replay. */
export interface Played {
  matches: number;
  date: string;
  /** Matches by tournament; none for future ones. */
  bySeason: ReadonlyMap<string, number>;
}

/** Where submissions go: a tournament, or all of the board's spans. */
interface Target {
  leaderboard: string;
  season?: string;
}

/** Submissions in a batch: `submitScores` takes 500; fewer show more of how the table changes. */
const batchSize = 400;
const attemptsMax = 8;
const firstWaitMs = 250;

/**
 * Submits all results, batch after batch, and one season after the other: each concurrent call makes the emulators
 * start another process for its function. A tournament is opened before its first match and closed after its last;
 * `after` is called for each batch.
 * @throws if a submission is refused, or a call fails again and again.
 */
export async function replay(
  senders: Senders,
  results: readonly Result[],
  after: (played: Played) => Promise<void>,
): Promise<void> {
  const total = countBySeason(results);
  const bySeason = new Map<string, number>();
  let matches = 0;
  for (const batch of inBatches(results, batchSize)) {
    const inBatch = countBySeason(batch);
    const begun = [...inBatch.keys()].filter((season) => !bySeason.has(season));
    await forEach(senders, "openSeason", begun);
    await submitBatch(senders, batch);
    for (const [season, count] of inBatch) {
      bySeason.set(season, (bySeason.get(season) ?? 0) + count);
    }
    const ended = [...inBatch.keys()].filter((season) => bySeason.get(season) === total.get(season));
    await forEach(senders, "closeSeason", ended);
    matches += batch.length;
    await after({ matches, date: batch.at(-1)?.date ?? "", bySeason });
  }
}

function countBySeason(results: readonly Result[]): Map<string, number> {
  const bySeason = Map.groupBy(results, ({ season }) => season);
  return new Map([...bySeason].map(([season, { length }]) => [season, length]));
}

async function forEach(
  { leaderboard, admin }: Senders,
  call: "openSeason" | "closeSeason",
  seasons: readonly string[],
): Promise<void> {
  for (const season of seasons) {
    await patiently(() => admin.call(call, { leaderboard, season }));
  }
}

async function submitBatch(senders: Senders, batch: readonly Result[]): Promise<void> {
  const { leaderboard } = senders;
  await submitAll(senders, { leaderboard }, batch);
  for (const [season, results] of Map.groupBy(batch, ({ season }) => season)) {
    await submitAll(senders, { leaderboard, season }, results);
  }
}

async function submitAll({ admin, own }: Senders, target: Target, results: readonly Result[]): Promise<void> {
  const submissions = results.flatMap((result) => result.submissions);
  const byTeam = Map.groupBy(submissions, ({ player }) => (own.has(player) ? player : ""));
  await Promise.all(
    [...byTeam].map(([team, group]) => {
      const client = own.get(team);
      return client === undefined ? submitMany(admin, target, group) : submitOwn(client, target, group);
    }),
  );
}

/** Submits a batch, and resubmits, with the same ids, submissions that met contention. */
async function submitMany(
  admin: CallableClient,
  target: Target,
  batch: readonly TeamSubmission[],
): Promise<void> {
  let rest = batch;
  for (let attempt = 1; rest.length > 0; attempt++) {
    const { results } = await patiently(() => admin.call("submitScores", { ...target, submissions: rest }));
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
  client: CallableClient,
  target: Target,
  submissions: readonly TeamSubmission[],
): Promise<void> {
  for (const { player: _, ...submission } of submissions) {
    await patiently(() => client.call("submitScore", { ...target, ...submission }));
  }
}

/** Repeats a call that failed for a temporary reason. Each submission has an id, so none counts twice. */
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
