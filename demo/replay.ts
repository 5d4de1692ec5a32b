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

/** Where submissions go: a tournament, or all of the board's spans. */
interface Target {
  leaderboard: string;
  season?: string;
}

/** Submissions in a batch: `submitScores` takes 500; fewer show more of how the table changes. */
const batchSize = 400;
const attemptsMax = 8;
const firstWaitMs = 250;

/** What the replay tells as it goes on. */
interface Listener {
  /** After each batch: the number of matches that are in. */
  after: (matches: number) => void;
  /** Between two parts: the next one waits for it. */
  between: () => Promise<void>;
}

/**
 * Submits all results, part after part in batches, and one season after the other: each concurrent call makes the
 * emulators start another process for its function. A tournament is opened before its first match and closed after its last.
 * @throws if a submission is refused, or a call fails again and again.
 */
export async function replay(
  senders: Senders,
  parts: readonly (readonly Result[])[],
  { after, between }: Listener,
): Promise<void> {
  const { leaderboard, admin } = senders;
  const lasts = new Map(parts.flat().map((result) => [result.year.season, result]));
  const opened = new Set<string>();
  let matches = 0;
  const batches = parts.flatMap((part) => inBatches(part, batchSize));
  const firsts = parts.slice(1).map(([first]) => first);
  for (const batch of batches) {
    if (firsts.includes(batch[0])) await between();
    await submit(senders, { leaderboard }, batch);
    for (const [season, ofSeason] of Map.groupBy(batch, ({ year }) => year.season)) {
      const target = { leaderboard, season };
      if (!opened.has(season)) await patiently(() => admin.call("openSeason", target));
      opened.add(season);
      await submit(senders, target, ofSeason);
      if (lasts.get(season) === ofSeason.at(-1)) await patiently(() => admin.call("closeSeason", target));
    }
    after((matches += batch.length));
  }
}

async function submit({ admin, own }: Senders, target: Target, results: readonly Result[]): Promise<void> {
  const submissions = results.flatMap((result) => result.submissions);
  const byTeam = Map.groupBy(submissions, ({ player }) => (own.has(player) ? player : ""));
  await Promise.all(
    [...byTeam].map(([team, group]) => {
      const client = own.get(team);
      return client === undefined ? submitMany(admin, target, group) : submitOwn(client, target, group);
    }),
  );
}

/** All at once, and all again if one met contention. */
function submitMany(admin: CallableClient, target: Target, submissions: TeamSubmission[]): Promise<void> {
  return patiently(async () => {
    const { results } = await admin.call("submitScores", { ...target, submissions });
    for (const [i, result] of results.entries()) {
      if (!("error" in result)) continue;
      const { code, message } = result.error;
      const what = `The result ${submissions[i]?.submission_id} of ${submissions[i]?.player} was refused`;
      throw new CallableError(
        `${what}: ${message}`,
        code === "contention" ? "ABORTED" : "FAILED_PRECONDITION",
      );
    }
  });
}

/** A team's own results, one after the other. Its league is a claim of its account, which no app can choose. */
async function submitOwn(
  client: CallableClient,
  target: Target,
  submissions: TeamSubmission[],
): Promise<void> {
  for (const { player: _, segments: __, ...submission } of submissions)
    await patiently(() => client.call("submitScore", { ...target, ...submission }));
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
      if (!passes || attempt === attemptsMax) throw error;
      await sleep(firstWaitMs * 2 ** (attempt - 1));
    }
  }
}
