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
import { createLiveTruth, type Entry, type LiveTruth } from "./truth.ts";

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

  /** Does something, and compares its bill; whatever is wrong with the answer is a problem too. */
  async function measured<T>(
    operation: Operation,
    what: string,
    work: () => Promise<T>,
    expectedOf: (result: T) => Bill | undefined,
    problemOf: (result: T) => string | undefined = () => undefined,
  ): Promise<void> {
    meter.take();
    const result = await work();
    const billed = meter.take();
    note(what, problemOf(result));
    const [counted, expected] = [billed, expectedOf(result)].map((one) => JSON.stringify(one));
    if (counted !== expected) note(what, `it was billed ${counted}, and its formula says ${expected}`);
    samples.push({ operation, bill: billed });
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
      const expected = () => bills.update(truth.now, change);
      await measured("update", what, () => opened.submit(submission), expected);
      if (change.before === score) return;
      truth.set(player, score);
      judge.changed();
    },
    rank(player) {
      const score = truth.scoreOf(player) ?? NaN;
      const expected = () => bills.rank(truth.now, score);
      const problem = (found: number | null) => judge.rank(player, found);
      const what = `the rank of ${player} with ${score}`;
      return measured("rank", what, () => opened.rank(player), expected, problem);
    },
    top(count) {
      const expected = () => bills.top(truth.now, count);
      const problem = (list: Entry[]) => judge.list("top", list, 0, count);
      return measured("top", `the top ${count}`, () => opened.top(count), expected, problem);
    },
    around(player, before, after) {
      const placeIn = (list: Entry[]) => judge.around(list, player, { before, after });
      const expected = (list: Entry[]) => {
        const index = placeIn(list);
        return typeof index === "number" ? bills.around(truth.now, index, before, after) : undefined;
      };
      const problem = (list: Entry[]) => {
        const found = placeIn(list);
        return typeof found === "number" ? undefined : found;
      };
      const what = `${before} before and ${after} after ${player}`;
      return measured("around", what, () => opened.around(player, before, after), expected, problem);
    },
    page(from, size) {
      const expected = () => bills.page(truth.now, from, size);
      const problem = (list: Entry[]) => judge.list("page", list, from, size);
      return measured(
        "page",
        `the page of ${size} from ${from}`,
        () => opened.page(from, size),
        expected,
        problem,
      );
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
