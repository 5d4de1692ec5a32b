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
import { createLiveTruth, type Entry } from "./truth.ts";

/** One operation that was done. */
export interface Sample {
  operation: Operation;
  bill: Bill;
}

export type Contestant = ReturnType<typeof contestantOf>;

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
function contestantOf(system: System, opened: Opened, meter: Meter, pass: (ms: number) => void) {
  const truth = createLiveTruth(system.ties);
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
    expectedOf: () => Bill | undefined,
    problemOf: (result: T) => string | undefined = () => undefined,
  ): Promise<void> {
    meter.take();
    const result = await work();
    const billed = meter.take();
    note(what, problemOf(result));
    const [counted, expected] = [billed, expectedOf()].map((one) => JSON.stringify(one));
    if (counted !== expected) note(what, `it was billed ${counted}, and its formula says ${expected}`);
    samples.push({ operation, bill: billed });
  }

  return {
    system,
    truth,
    samples,
    problems,
    async update({ player, score }: Submission): Promise<void> {
      pass(1);
      const change = { player, before: truth.scoreOf(player) ?? null, after: score };
      const what = `the update ${JSON.stringify(change)}`;
      const submit = () => opened.submit({ player, score });
      await measured("update", what, submit, () => bills.update(truth.now, change));
      if (change.before === score) return;
      truth.set(player, score);
      judge.changed();
    },
    rank(player: string): Promise<void> {
      const score = truth.scoreOf(player) ?? NaN;
      const expected = () => bills.rank(truth.now, score);
      const problem = (found: number | null) => judge.rank(player, found);
      return measured("rank", `the rank of ${player}`, () => opened.rank(player), expected, problem);
    },
    top(count: number): Promise<void> {
      const expected = () => bills.top(truth.now, count);
      const problem = (list: Entry[]) => judge.list("top", list, 0, count);
      return measured("top", `the top ${count}`, () => opened.top(count), expected, problem);
    },
    around(player: string, before: number, after: number): Promise<void> {
      const index = truth.best.findIndex((entry) => entry.player === player);
      const expected = () => bills.around(truth.now, index, before, after);
      const problem = (list: Entry[]) => judge.around(list, player, { before, after });
      const ask = () => opened.around(player, before, after);
      return measured("around", `${before} before and ${after} after ${player}`, ask, expected, problem);
    },
    page(from: number, size: number): Promise<void> {
      const expected = () => bills.page(truth.now, from, size);
      const problem = (list: Entry[]) => judge.list("page", list, from, size);
      const ask = () => opened.page(from, size);
      return measured("page", `the page of ${size} from ${from}`, ask, expected, problem);
    },
    async run(): Promise<void> {
      if (opened.run === undefined) return;
      pass(intervalMs);
      await measured("run", "the run", opened.run, () => bills.run?.(truth.now));
      judge.ran();
    },
    /** Asks about a player who is not there. */
    async askForNobody(): Promise<void> {
      const rank = await opened.rank("nobody");
      const list = await opened.around("nobody", 4, 4);
      if (rank !== null || list.length > 0)
        note("nobody, who has no score", `has rank ${rank} or neighbours`);
    },
  };
}
