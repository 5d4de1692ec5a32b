/**
 * A system at work: each operation is done, its answer compared with the truth as far as the system claims it, and its
 * bill compared with the system's formula. What differs is a problem, in a sentence.
 */
import { randomOf } from "../generators/random.ts";
import {
  type Opened,
  type Operation,
  runSecondsDefault,
  type Submission,
  type System,
} from "../systems/system.ts";
import { type Bill, createMeteredClient, type Meter } from "./bill.ts";
import { createJudge } from "./judge.ts";
import { createLiveTruth, type LiveTruth } from "./truth.ts";

/** One operation that was done. */
export interface Sample {
  operation: Operation;
  bill: Bill;
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
}

/** When a contest begins, in milliseconds since 1970: the clocks of the emulators are behind it. */
const beginsAtMs = Date.parse("2100-01-02T12:00:00Z");
/** What passes at a run, in milliseconds. Between two runs, an update takes one. */
const intervalMs = 1_000 * runSecondsDefault;

/** Lets a system play, in a database of its own. FIRESTORE_EMULATOR_HOST names the emulator. */
export async function playOn(
  system: System,
  seed: number,
  play: (contestant: Contestant) => Promise<void>,
): Promise<Contestant> {
  const { db, meter } = createMeteredClient();
  let nowMs = beginsAtMs;
  try {
    const opened = await system.open({ db, meter, now: () => nowMs, random: randomOf(seed) });
    const contestant = contestantOf(system, opened, meter, (ms) => (nowMs += ms));
    await play(contestant);
    return contestant;
  } finally {
    await db.terminate();
  }
}

/**
 * A system with a board without players. It is one function, as each operation is compared with what the updates before it
 * left, and billed by one meter.
 */
function contestantOf(system: System, opened: Opened, meter: Meter, pass: (ms: number) => void): Contestant {
  const truth = createLiveTruth();
  const bills = system.bills(truth.now);
  // A job that only mends leaves an exact rank exact.
  const judge = createJudge(system, truth, opened.run !== undefined && system.rank !== "exact");
  const samples: Sample[] = [];
  const problems: string[] = [];
  const note = (what: string, problem: string | undefined) => {
    if (problem !== undefined) problems.push(`${system.id}: ${what}: ${problem}`);
  };

  /** Does something, and compares its bill. */
  async function measured<T>(
    operation: Operation,
    what: string,
    work: () => Promise<T>,
    expectedOf: (result: T) => Bill | undefined,
  ): Promise<T> {
    meter.take();
    const result = await work();
    const billed = meter.take();
    const [counted, expected] = [billed, expectedOf(result)].map((one) => JSON.stringify(one));
    if (counted !== expected) note(what, `it was billed ${counted}, and its formula says ${expected}`);
    samples.push({ operation, bill: billed });
    return result;
  }

  return {
    system,
    truth,
    samples,
    problems,
    async update(submission) {
      pass(1);
      const { player, score } = submission;
      const change = { player, before: truth.scoreOf(player) ?? null, after: score };
      const what = `the update ${JSON.stringify(change)}`;
      await measured(
        "update",
        what,
        () => opened.submit(submission),
        () => bills.update(truth.now, change),
      );
      if (change.before === score) return;
      truth.set(player, score);
      judge.changed();
    },
    async rank(player) {
      const score = truth.scoreOf(player) ?? NaN;
      const what = `the rank of ${player} with ${score}`;
      const found = await measured(
        "rank",
        what,
        () => opened.rank(player),
        () => bills.rank(truth.now, score),
      );
      note(what, judge.rank(player, found));
    },
    async top(count) {
      const what = `the top ${count}`;
      const list = await measured(
        "top",
        what,
        () => opened.top(count),
        () => bills.top(truth.now, count),
      );
      note(what, judge.list("top", list, 0, count));
    },
    async around(player, before, after) {
      const what = `${before} before and ${after} after ${player}`;
      await measured(
        "around",
        what,
        () => opened.around(player, before, after),
        (list) => {
          const found = judge.around(list, player, { before, after });
          if (typeof found === "number") return bills.around(truth.now, found, before, after);
          note(what, found);
          return undefined;
        },
      );
    },
    async page(from, size) {
      const what = `the page of ${size} from ${from}`;
      const list = await measured(
        "page",
        what,
        () => opened.page(from, size),
        () => bills.page(truth.now, from, size),
      );
      note(what, judge.list("page", list, from, size));
    },
    async run() {
      if (opened.run === undefined) return;
      pass(intervalMs);
      await measured("run", "the run", opened.run, () => bills.run?.(truth.now));
      judge.ran();
    },
    async askForNobody() {
      const rank = await opened.rank("nobody");
      const list = await opened.around("nobody", 4, 4);
      if (rank !== null || list.length > 0)
        note("nobody, who has no score", `has rank ${rank} or neighbours`);
    },
  };
}
