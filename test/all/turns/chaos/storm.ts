/**
 * Players and a trusted server who submit concurrently and never give up: the submissions of a failed call are resent
 * with the same ids until they are answered. A twin adds up the answered ones in the obvious way.
 */
import { expect } from "vitest";
import { CallableError } from "../../../../scripts/callable-client.ts";
import type { Live, LiveBoard } from "../../../support/live.ts";
import { slowness } from "../../../support/patience.ts";

/** A board under the storm, and what its players should have. */
export interface Target {
  board: LiveBoard;
  aggregation: "sum" | "best";
  /** By player, the answered submissions: score by submission id. */
  answered: Map<string, Map<string, number>>;
}

export interface Storm {
  /** Submits until `isEnough`. Unanswered submissions are postponed, so that a locked player delays nobody. */
  rage(isEnough: () => boolean): Promise<void>;
  /**
   * Resends unanswered submissions until they are answered. @throws if that takes too long, or another error comes
   * back.
   */
  settle(): Promise<void>;
  /** Submissions answered so far. */
  answered(): number;
  /** Submissions whose first call failed. */
  postponed(): number;
}

/**
 * How long a first call may take, as are all times here on an idle machine. The emulator never answers a caller whose
 * process died while it was starting.
 */
const callMsMax = 8_000;

/** How long a call may take that waits for the locks of a dead process: they last a minute. */
export const patientCallMsMax = 30_000;

/** How long a submission or a sweep may stay unanswered after the storm. */
export const answerMsMax = 100_000;

const batchSize = 4;
const playersAtOnce = 8;
const submissionsPerPlayer = 5;

interface Submission {
  target: Target;
  player: string;
  score: number;
  id: string;
}

/** A storm of `lanes` that submit side by side: every second one as the players themselves, the others in batches. */
export function createStorm(
  live: Live,
  targets: readonly Target[],
  random: () => number,
  lanes: number,
): Storm {
  const generators = targets.map((target) => submissionsOf(target, random));
  const unanswered: Submission[] = [];
  let postponed = 0;

  /** Sends submissions to one board, and notes those that were answered. */
  async function send(batch: readonly Submission[], alone: boolean, msMax: number): Promise<void> {
    const [first] = batch;
    if (first === undefined) return;
    const answered = await within(msMax, alone ? submitScore(live, first) : submitScores(live, batch));
    for (const submission of answered) note(live, submission);
    unanswered.push(...batch.filter((submission) => !answered.includes(submission)));
  }

  async function attempt(batch: readonly Submission[], alone: boolean, msMax: number): Promise<void> {
    try {
      await send(batch, alone, msMax);
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      unanswered.push(...batch);
    }
  }

  async function lane(isEnough: () => boolean, alone: boolean): Promise<void> {
    while (!isEnough()) {
      const generator = generators[Math.floor(random() * generators.length)];
      const batch = Array.from({ length: alone ? 1 : batchSize }, () => take(generator));
      const before = unanswered.length;
      await attempt(batch, alone, callMsMax);
      postponed += Math.max(0, unanswered.length - before);
    }
  }

  return {
    answered: () =>
      targets.flatMap(({ answered }) => [...answered.values()]).reduce((sum, { size }) => sum + size, 0),
    postponed: () => postponed,
    async rage(isEnough) {
      await Promise.all(Array.from({ length: lanes }, (_, i) => lane(isEnough, i % 2 === 0)));
    },
    async settle() {
      const deadline = Date.now() + answerMsMax * slowness();
      const worker = async () => {
        for (let next = unanswered.shift(); next !== undefined; next = unanswered.shift()) {
          if (Date.now() > deadline)
            throw new Error(`submission ${next.id} of ${next.player} was never answered`);
          await attempt([next], random() < 0.5, patientCallMsMax);
        }
      };
      await Promise.all(Array.from({ length: lanes }, worker));
    },
  };
}

/** Submits as the player. */
async function submitScore(live: Live, submission: Submission): Promise<Submission[]> {
  const { target, player, score, id } = submission;
  const { leaderboard } = target.board;
  await (await live.as(player)).call("submitScore", { leaderboard, score, submission_id: id });
  return [submission];
}

/** Submits as the server, and returns those that it answered for. */
async function submitScores(live: Live, batch: readonly Submission[]): Promise<Submission[]> {
  const leaderboard = batch[0]?.target.board.leaderboard;
  const submissions = batch.map(({ player, score, id }) => ({
    player: live.uid(player),
    score,
    submission_id: id,
  }));
  const { results } = await live.admin.call("submitScores", { leaderboard, submissions });
  for (const result of results) if ("error" in result) expect(result.error.code).toBe("contention");
  return batch.filter((_, i) => "seasons" in (results[i] ?? {}));
}

function note(live: Live, { target, player, score, id }: Submission): void {
  const own = target.answered.get(live.uid(player)) ?? new Map<string, number>();
  target.answered.set(live.uid(player), own.set(id, score));
}

/** Endless submissions: a few players at a time, each some times, in a random order; then the next few. */
function* submissionsOf(target: Target, random: () => number): Generator<Submission, never> {
  for (let group = 0; ; group++) {
    const turns = Array.from({ length: playersAtOnce * submissionsPerPlayer }, (_, i) => ({
      i,
      order: random(),
    }));
    for (const { i } of turns.sort((a, b) => a.order - b.order)) {
      const player = `p${group * playersAtOnce + (i % playersAtOnce)}`;
      yield { target, player, score: 1 + Math.floor(random() * 1_000), id: `${group}-${i}` };
    }
  }
}

function take<T>(generator: Generator<T, never> | undefined): T {
  if (generator === undefined) throw new Error("there is no such board");
  return generator.next().value;
}

function isWorthRetrying(error: unknown): boolean {
  // UNKNOWN is the emulator's own answer for a process that died; INTERNAL and ABORTED are the functions'.
  return (
    error instanceof CallableError && ["UNREACHABLE", "UNKNOWN", "INTERNAL", "ABORTED"].includes(error.status)
  );
}

/** The promise, or an error like that of a broken connection if it takes longer than `ms`, on an idle machine. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const msMax = ms * slowness();
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallableError(`no answer within ${msMax} ms`, "UNREACHABLE")), msMax);
  });
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
