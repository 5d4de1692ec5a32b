import { describe, expect, test } from "vitest";
import { documentsPerCommitMax, waitingPerPlayerMax } from "../model/limits.ts";
import { type Attempt, createLanes, aloneMs, slowAloneMs, lanesMax } from "./lanes.ts";

interface Job {
  player: string;
  n: number;
}

function stage({ documents = 1, perPlayer = 20 } = {}) {
  const begun: {
    target: string;
    jobs: readonly Job[];
    attempt: Attempt;
    resolve: (results: Map<Job, number>) => void;
    reject: (error: Error) => void;
  }[] = [];
  let nowMs = 0;
  let pass: (() => void) | undefined;
  const lanes = createLanes<string, Job, number>({
    now: () => nowMs,
    deadline: () => {
      const { promise, reject } = Promise.withResolvers<never>();
      pass = () => {
        reject(new Error("too slow"));
      };
      return { passed: promise, cancel: () => (pass = undefined) };
    },
    keyOf: (target) => target,
    documentsOf: () => documents,
    perPlayerMax: perPlayer,
    commit: (target, jobs, attempt) =>
      new Promise((resolve, reject) => {
        begun.push({ target, jobs, attempt, resolve, reject });
      }),
    tooMany: ({ player }) => new Error(`too many of ${player}`),
  });
  let n = 0;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  async function addTo(target: string, ...players: string[]) {
    const jobs = players.map((player) => ({ player, n: ++n }));
    const all = await lanes.add(target, jobs);
    return all.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason)));
  }
  return {
    begun,
    addTo,
    add: (...players: string[]) => addTo("board", ...players),
    /** Ends commits, of all of their jobs or only the first ones, and lets what follows begin. */
    end: (numbers: number[], jobsMax = Infinity) => {
      for (const { jobs, resolve } of numbers.flatMap((one) => begun.at(one) ?? []))
        resolve(new Map(jobs.slice(0, jobsMax).map((job) => [job, job.n])));
      return settle();
    },
    fail: (number: number, error = new Error("busy")) => {
      begun.at(number)?.reject(error);
      return settle();
    },
    advance: (ms: number) => (nowMs += ms),
    timeOut: () => {
      pass?.();
      return settle();
    },
    players: (from = 0) => begun.slice(from).map(({ jobs }) => jobs.map(({ player }) => player).join(" ")),
  };
}

const many = (count: number, prefix = "p") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe("group commit", () => {
  test("the first change goes at once, and what comes meanwhile goes together with the next commit", async () => {
    const { add, end, players } = stage();
    const all = [add("ann"), add("bob"), add("cem")];
    expect(players()).toEqual(["ann"]);
    await end([0]);
    expect(players()).toEqual(["ann", "bob cem"]);
    await end([1]);
    expect((await Promise.all(all)).flat()).toEqual([1, 2, 3]);
  });

  test("each target has commits of its own", () => {
    const { addTo, begun } = stage();
    void addTo("monday", "ann");
    void addTo("tuesday", "ann");
    expect(begun.map(({ target }) => target)).toEqual(["monday", "tuesday"]);
  });

  test("a player is in one commit at a time, whose changes keep their order", async () => {
    const { begun, add, end } = stage({ perPlayer: 2 });
    void add("ann", "ann", "ann");
    void add("ann", "bob");
    await end([0]);
    expect(begun.map(({ jobs }) => jobs.map(({ n }) => n))).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  test("a second lane begins only with a full batch, and there are a few at most", async () => {
    const { add, begun, end } = stage();
    void add("first");
    void add(...many(documentsPerCommitMax - 1));
    expect(begun).toHaveLength(1);
    void add("last");
    expect(begun.map(({ jobs }) => jobs.length)).toEqual([1, documentsPerCommitMax]);
    void add(...many(documentsPerCommitMax * lanesMax, "q"));
    expect(begun).toHaveLength(lanesMax);
    await end([0]);
    expect(begun).toHaveLength(lanesMax + 1);
  });

  test("a batch has as many players as their documents fit, one for each season", () => {
    const { add, begun } = stage({ documents: 4 });
    void add(...many(documentsPerCommitMax));
    expect(begun.map(({ jobs }) => jobs.length)).toEqual([25, 25, 25, 25]);
  });

  test("changes for which a commit had no room go with the next one, before those that came later", async () => {
    const { add, end, players } = stage();
    const all = [add("ann", "bob", "cem"), add("dan")];
    await end([0], 1);
    expect(players()).toEqual(["ann bob cem", "bob cem dan"]);
    await end([1]);
    expect((await Promise.all(all)).flat()).toEqual([1, 2, 3, 4]);
  });
});

describe("no shared fate", () => {
  test("if a batch fails, its players go alone, at once and side by side, while others go on in the lane", async () => {
    const { add, begun, end, fail, players } = stage();
    const done = add("ann", "ann", "bob");
    void add("cem");
    await fail(0);
    expect(players()).toEqual(["ann ann bob", "ann ann", "bob", "cem"]);
    expect(begun.map(({ attempt }) => attempt.isShared)).toEqual([true, false, false, true]);
    await fail(1, new Error("damaged"));
    await end([2]);
    expect(await done).toEqual(["Error: damaged", "Error: damaged", 3]);
  });

  test("a batch that takes too long is given up, and must write nothing any more", async () => {
    const { add, begun, end, fail, timeOut, players } = stage();
    const done = add("ann", "bob");
    expect(begun[0]?.attempt.isOver()).toBe(false);
    await timeOut();
    expect(begun[0]?.attempt.isOver()).toBe(true);
    expect(players()).toEqual(["ann bob", "ann", "bob"]);
    await fail(0);
    await end([1, 2]);
    expect(await done).toEqual([1, 2]);
  });

  test("who failed alone goes alone for a minute, and nobody waits for them", async () => {
    const { add, begun, end, fail, players, advance } = stage();
    void add("ann");
    await fail(0);
    await fail(1);
    void add("bob");
    void add("ann");
    expect(players(2)).toEqual(["bob", "ann"]);
    expect(begun[3]?.attempt.isShared).toBe(false);
    await end([2, 3]);
    advance(aloneMs);
    void add("bob", "ann");
    expect(players(4)).toEqual(["bob ann"]);
  });

  test("who was slow alone goes alone too, and who was quick does not", async () => {
    const { add, end, fail, players, advance } = stage();
    void add("ann", "bob");
    await fail(0);
    await end([1]);
    advance(slowAloneMs);
    await end([2]);
    void add("cem", "ann", "bob");
    expect(players(3)).toEqual(["bob", "cem ann"]);
  });

  test("who had to begin again alone, as somebody else writes the same player, goes alone too", async () => {
    const { add, begun, end, fail, players } = stage();
    void add("ann", "bob", "cem");
    await fail(0);
    for (const number of [1, 2, 2, 3]) begun[number]?.attempt.begins();
    await end([1, 2, 3]);
    void add("ann", "bob", "cem");
    expect(players(4)).toEqual(["bob", "ann cem"]);
  });

  test("who was in two failed batches, one after the other, goes alone too", async () => {
    const { add, begun, end, fail, players } = stage();
    const failing = async (...names: string[]) => {
      void add(...names);
      await fail(-1);
      await end(names.map((_, i) => -1 - i));
    };
    await failing("flood", "ann");
    void add("ann");
    await end([-1]);
    await failing("flood", "ann", "bob");
    const before = begun.length;
    void add("bob", "flood", "ann");
    expect(players(before)).toEqual(["flood", "bob ann"]);
  });

  test("a player of whom too many changes wait is told so, and others are not", async () => {
    const { add, end } = stage({ perPlayer: 1 });
    const flood = add(...Array.from({ length: waitingPerPlayerMax + 2 }, () => "ann"));
    const other = add("bob");
    for (let i = 0; i <= waitingPerPlayerMax; i++) await end([i]);
    expect((await flood).filter((one) => one === "Error: too many of ann")).toHaveLength(2);
    expect(await other).toEqual([waitingPerPlayerMax + 3]);
  });
});
