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
import { createJudge } from "./judge.ts";
import { createLiveTruth, type LiveTruth, truthOf } from "./truth.ts";

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
  update(submission: Submission): Promise<void>;
  rank(player: string): Promise<void>;
  top(count: number): Promise<void>;
  around(player: string, before: number, after: number): Promise<void>;
  page(from: number, size: number): Promise<void>;
  run(): Promise<void>;
  /** Asks about a player who is not there. */
  askForNobody(): Promise<void>;
  close(): Promise<void>;
}

/** What a system offers unless it names a reason. */
const questions = ["rank", "top", "around", "page", "run"] as const;
const nobody = "nobody";

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
  const judge = createJudge(system, truth, isPeriodic);
  const samples: Sample[] = [];
  const problems: string[] = [];
  const note = (text: string) => problems.push(`${system.id}: ${text}`);
  for (const operation of questions) {
    const claimed = !(operation in system.cannot);
    if (claimed !== (opened[operation] !== undefined))
      note(
        claimed
          ? `it has no ${operation}, and names no reason`
          : `it has ${operation}, though it says it cannot`,
      );
  }

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
      judge.changed();
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
      const problem = judge.rank(player, found);
      if (problem !== undefined) note(`${what} is ${found}; ${problem}`);
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
      check(`the top ${count}`, judge.list("top", list, 0, Math.min(count, truth.players)));
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
          const found = judge.around(list, player, { before, after });
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
      check(what, judge.list("page", list, from, Math.max(0, Math.min(size, truth.players - from))));
    },
    async run() {
      const { run } = opened;
      if (run === undefined) return;
      nowMs += intervalMs;
      await measured("run", "the run", run, () => bills.run?.(truth));
      judge.ran();
    },
    async askForNobody() {
      const rank = (await opened.rank?.(nobody)) ?? null;
      const list = (await opened.around?.(nobody, 4, 4)) ?? [];
      if (rank !== null) note(`the rank of ${nobody}, who has no score, is ${rank}`);
      if (list.length > 0) note(`around ${nobody}, who has no score, are ${list.length} players`);
    },
    close: () => opened.close?.() ?? Promise.resolve(),
  };

  function check(what: string, problem: string | undefined): void {
    if (problem !== undefined) note(`${what}: ${problem}`);
  }

  return contestant;
}

/** What an app's submission leads to. */
export async function submitAndDeliver(opened: Opened, submission: Submission): Promise<void> {
  const event: Event | undefined = await opened.submit(submission);
  if (event !== undefined) await opened.deliver?.(event);
}
