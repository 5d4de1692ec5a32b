/**
 * A system at work: each operation is done, its answer compared with the truth as far as the system claims it, and its
 * bill compared with the system's formula. What differs is a problem, in a sentence.
 */
import { isChange } from "../systems/player-bills.ts";
import {
  type Event,
  type Opened,
  type Operation,
  type Place,
  runSecondsDefault,
  type Submission,
  type System,
} from "../systems/system.ts";
import { type Bill, bill } from "./bill.ts";
import { listProblem, placeOf } from "./lists.ts";
import { createLiveTruth, type Entry, type LiveTruth, type Truth, truthOf } from "./truth.ts";

/** One operation that was done. */
export interface Sample {
  operation: Operation;
  bill: Bill;
  /** By the formula. */
  expected: Bill;
  /** Size of the documents returned. */
  bytes: number;
}

export interface Contestant {
  system: System;
  truth: LiveTruth;
  samples: Sample[];
  problems: string[];
  /** The largest difference of a rank, as a share of the players, for estimates. */
  worstError: number;
  update(submission: Submission): Promise<void>;
  rank(player: string): Promise<void>;
  top(count: number): Promise<void>;
  around(player: string, before: number, after: number): Promise<void>;
  page(from: number, size: number): Promise<void>;
  run(): Promise<void>;
  close(): Promise<void>;
}

/** When a contest begins, in milliseconds since 1970: the clocks of the emulators are behind it. */
export const beginsAtMs = Date.parse("2100-01-02T12:00:00Z");
/** What passes at a run, in milliseconds. Between two runs, an update takes one. */
export const intervalMs = 1_000 * runSecondsDefault;

/**
 * Opens a system for a board without players, with a clock of its own. It is one function, as each operation is
 * compared with what the updates before it left, and billed by one meter.
 */
export async function enter(system: System, offered: Omit<Place, "now">): Promise<Contestant> {
  let nowMs = beginsAtMs;
  const place = { ...offered, now: () => nowMs };
  const { meter } = place;
  const truth = createLiveTruth();
  const bills = system.bills(truthOf(new Float64Array()));
  const opened = await system.open(place);
  // A job that only mends leaves an exact rank exact.
  const isPeriodic = opened.run !== undefined && system.rank !== "exact";
  meter.take();
  /** Whether the last run has seen all that the players submitted. */
  let isFresh = !isPeriodic;
  const samples: Sample[] = [];
  const problems: string[] = [];
  const note = (text: string) => problems.push(`${system.id}: ${text}`);

  /** Does something, and compares its bill. */
  async function measured<T>(
    operation: Operation,
    what: string,
    work: () => Promise<T>,
    expectedOf: (result: T) => Bill | undefined,
  ): Promise<T> {
    meter.take();
    const result = await work();
    const { bill: counted, bytes } = meter.take();
    const expected = expectedOf(result);
    if (expected === undefined) note(`${operation} has no formula`);
    else if (JSON.stringify(bill(counted)) !== JSON.stringify(bill(expected))) {
      note(`${what} was billed ${JSON.stringify(counted)}, and its formula says ${JSON.stringify(expected)}`);
    }
    samples.push({ operation, bill: counted, expected: expected ?? counted, bytes });
    return result;
  }

  const contestant: Contestant = {
    system,
    truth,
    samples,
    problems,
    worstError: 0,
    async update(submission) {
      nowMs += 1;
      const { player, score } = submission;
      const change = { player, before: truth.scoreOf(player) ?? null, after: score };
      const work = () => submitAndDeliver(opened, submission);
      await measured("update", `the update ${JSON.stringify(change)}`, work, () =>
        bills.update(truth, change),
      );
      if (!isChange(change, system.keeps)) return;
      truth.set(player, score);
      if (isPeriodic) isFresh = false;
    },
    async rank(player) {
      const score = truth.scoreOf(player);
      const { rank } = opened;
      if (rank === undefined || score === undefined) return;
      const what = `the rank of ${player} with ${score}`;
      const found = await measured(
        "rank",
        what,
        () => rank(player),
        () => bills.rank?.(truth, score),
      );
      const problem = rankProblem(system, truth, score, found, isFresh);
      if (problem !== undefined) note(`${what} is ${found}; ${problem}`);
      if (found !== null && isFresh && system.rank === "estimate") {
        const error = Math.abs(found - 1 - truth.above(score)) / truth.players;
        contestant.worstError = Math.max(contestant.worstError, error);
      }
    },
    async top(count) {
      const { top } = opened;
      if (top === undefined) return;
      const list = await measured(
        "top",
        `the top ${count}`,
        () => top(count),
        () => bills.top?.(truth, count),
      );
      check(`the top ${count}`, list, 0, Math.min(count, truth.players));
    },
    async around(player, before, after) {
      const { around } = opened;
      const score = truth.scoreOf(player);
      if (around === undefined || score === undefined) return;
      const what = `${before} before and ${after} after ${player}`;
      await measured(
        "around",
        what,
        () => around(player, before, after),
        (list) => {
          const found = placeOf(truth, list, player, score, { before, after });
          if (typeof found === "string") note(`${what}: ${found}`);
          return typeof found === "string" ? undefined : bills.around?.(truth, found, before, after, player);
        },
      );
    },
    async page(from, size) {
      const { page } = opened;
      if (page === undefined) return;
      const what = `the page of ${size} from ${from}`;
      const list = await measured(
        "page",
        what,
        () => page(from, size),
        () => bills.page?.(truth, from, size),
      );
      check(what, list, from, Math.max(0, Math.min(size, truth.players - from)));
    },
    async run() {
      const { run } = opened;
      if (run === undefined) return;
      nowMs += intervalMs;
      await measured("run", "the run", run, () => bills.run?.(truth));
      isFresh = true;
    },
    close: () => opened.close?.() ?? Promise.resolve(),
  };

  function check(what: string, list: Entry[], from: number, size: number): void {
    if (!isFresh) return;
    const problem = listProblem(truth, list, from, size);
    if (problem !== undefined) note(`${what}: ${problem}`);
  }

  return contestant;
}

/** What an app's submission leads to. */
export async function submitAndDeliver(opened: Opened, submission: Submission): Promise<void> {
  const event: Event | undefined = await opened.submit(submission);
  if (event !== undefined) await opened.deliver?.(event);
}

/** What is wrong with a rank, or `undefined`. */
function rankProblem(
  { rank: claim }: System,
  truth: Truth,
  score: number,
  found: number | null,
  isFresh: boolean,
): string | undefined {
  const right = 1 + truth.above(score);
  if (claim === "top only" && found === null) return undefined;
  if (found === null) return isFresh ? `it is ${right}` : undefined;
  if (claim === "estimate" || !isFresh) {
    return found >= 1 && found <= truth.players + 1 ? undefined : `there are ${truth.players} players`;
  }
  return found === right ? undefined : `it is ${right}`;
}
