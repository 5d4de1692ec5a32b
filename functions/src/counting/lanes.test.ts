import { describe, expect, test } from "vitest";
import { documentsPerCommitMax, waitingPerPlayerMax } from "../model/limits.ts";
import { type Attempt, createLanes, aloneMs, slowAloneMs, lanesMax } from "./lanes.ts";

interface Job {
  player: string;
  n: number;
}

/** A commit that was begun, and how the test ends it. */
interface Begun {
  target: string;
  jobs: readonly Job[];
  attempt: Attempt;
  end(results?: readonly Job[]): void;
  fail(error?: Error): void;
}

function stage({ documents = 1, perPlayer = 20 } = {}) {
  const begun: Begun[] = [];
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
        begun.push({
          target,
          jobs,
          attempt,
          end: (done = jobs) => {
            resolve(new Map(done.map((job) => [job, job.n])));
          },
          fail: (error = new Error("busy")) => {
            reject(error);
          },
        });
      }),
    tooMany: ({ player }) => new Error(`too many of ${player}`),
  });
  let n = 0;
  const add = (...players: string[]) => addTo("board", ...players);
  function addTo(target: string, ...players: string[]) {
    const done = lanes.add(
      target,
      players.map((player) => ({ player, n: ++n })),
    );
    return done.then((all) =>
      all.map((one) => (one.status === "fulfilled" ? one.value : String(one.reason))),
    );
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    add,
    addTo,
    settle,
    advance: (ms: number) => (nowMs += ms),
    timeOut: () => pass?.(),
    players: () => begun.map(({ jobs }) => jobs.map(({ player }) => player).join(" ")),
  };
}

const many = (count: number, prefix = "p") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

describe("group commit", () => {
  test("the first change goes at once, and what comes meanwhile goes together with the next commit", async () => {
    const { begun, add, settle, players } = stage();
    const all = [add("ann"), add("bob"), add("cem")];
    expect(players()).toEqual(["ann"]);
    begun[0]?.end();
    await settle();
    expect(players()).toEqual(["ann", "bob cem"]);
    begun[1]?.end();
    expect((await Promise.all(all)).flat()).toEqual([1, 2, 3]);
  });

  test("changes of one call begin together", () => {
    const { add, players } = stage();
    void add("ann", "bob", "cem");
    expect(players()).toEqual(["ann bob cem"]);
  });

  test("each target has commits of its own", () => {
    const { addTo, begun } = stage();
    void addTo("monday", "ann");
    void addTo("tuesday", "ann");
    expect(begun.map(({ target }) => target)).toEqual(["monday", "tuesday"]);
  });

  test("a player is in one commit at a time, whose changes keep their order", async () => {
    const { begun, add, settle } = stage({ perPlayer: 2 });
    void add("ann", "ann", "ann");
    void add("ann", "bob");
    expect(begun.map(({ jobs }) => jobs.map(({ n }) => n))).toEqual([[1, 2]]);
    begun[0]?.end();
    await settle();
    expect(begun[1]?.jobs.map(({ n }) => n)).toEqual([3, 4, 5]);
  });

  test("a second lane begins only with a full batch, and there are a few at most", async () => {
    const { add, begun, settle } = stage();
    void add("first");
    void add(...many(documentsPerCommitMax - 1));
    expect(begun).toHaveLength(1);
    void add("last");
    expect(begun.map(({ jobs }) => jobs.length)).toEqual([1, documentsPerCommitMax]);
    void add(...many(documentsPerCommitMax * lanesMax, "q"));
    expect(begun).toHaveLength(lanesMax);
    begun[0]?.end();
    await settle();
    expect(begun).toHaveLength(lanesMax + 1);
  });

  test("a batch has as many players as their documents fit, one for each season", () => {
    const { add, begun } = stage({ documents: 4 });
    void add(...many(documentsPerCommitMax));
    expect(begun.map(({ jobs }) => jobs.length)).toEqual([25, 25, 25, 25]);
  });

  test("changes for which a commit had no room go with the next one, before those that came later", async () => {
    const { add, begun, settle, players } = stage();
    const all = [add("ann", "bob", "cem"), add("dan")];
    begun[0]?.end(begun[0].jobs.slice(0, 1));
    await settle();
    expect(players()).toEqual(["ann bob cem", "bob cem dan"]);
    begun[1]?.end();
    expect((await Promise.all(all)).flat()).toEqual([1, 2, 3, 4]);
  });
});

describe("no shared fate", () => {
  test("if a batch fails, its players go alone, at once and side by side", async () => {
    const { add, begun, settle, players } = stage();
    const done = add("ann", "ann", "bob");
    begun[0]?.fail();
    await settle();
    expect(players()).toEqual(["ann ann bob", "ann ann", "bob"]);
    expect(begun.map(({ attempt }) => attempt.isShared)).toEqual([true, false, false]);
    begun[1]?.fail(new Error("damaged"));
    begun[2]?.end();
    expect(await done).toEqual(["Error: damaged", "Error: damaged", 3]);
  });

  test("a batch that takes too long is given up, and must write nothing any more", async () => {
    const { add, begun, settle, timeOut, players } = stage();
    const done = add("ann", "bob");
    expect(begun[0]?.attempt.isOver()).toBe(false);
    timeOut();
    await settle();
    expect(begun[0]?.attempt.isOver()).toBe(true);
    expect(players()).toEqual(["ann bob", "ann", "bob"]);
    begun[0]?.fail();
    begun[1]?.end();
    begun[2]?.end();
    expect(await done).toEqual([1, 2]);
  });

  test("while a batch's players go alone, others go on in the lane", async () => {
    const { add, begun, settle, players } = stage();
    void add("ann");
    void add("bob");
    begun[0]?.fail();
    await settle();
    expect(players()).toEqual(["ann", "ann", "bob"]);
  });

  test("who failed alone goes alone for a minute, and nobody waits for them", async () => {
    const { add, begun, settle, players, advance } = stage();
    void add("ann");
    begun[0]?.fail();
    await settle();
    begun[1]?.fail();
    await settle();
    void add("bob");
    void add("ann");
    expect(players().slice(2)).toEqual(["bob", "ann"]);
    expect(begun[3]?.attempt.isShared).toBe(false);
    begun[2]?.end();
    begun[3]?.end();
    await settle();
    advance(aloneMs);
    void add("bob", "ann");
    expect(players().at(-1)).toBe("bob ann");
  });

  test("who was slow alone goes alone too, and who was quick does not", async () => {
    const { add, begun, settle, players, advance } = stage();
    void add("ann", "bob");
    begun[0]?.fail();
    await settle();
    begun[1]?.end();
    await settle();
    advance(slowAloneMs);
    begun[2]?.end();
    await settle();
    void add("cem", "ann", "bob");
    expect(players().slice(3)).toEqual(["bob", "cem ann"]);
  });

  test("who had to begin again alone, as somebody else writes the same player, goes alone too", async () => {
    const { add, begun, settle, players } = stage();
    void add("ann", "bob", "cem");
    begun[0]?.fail();
    await settle();
    for (const { attempt } of begun.slice(1)) attempt.begins();
    begun[2]?.attempt.begins();
    for (const one of begun.slice(1)) one.end();
    await settle();
    void add("ann", "bob", "cem");
    expect(players().slice(4)).toEqual(["bob", "ann cem"]);
  });

  test("who was in two failed batches, one after the other, goes alone too", async () => {
    const { add, begun, settle, players } = stage();
    const failing = async (...names: string[]) => {
      const first = begun.length;
      void add(...names);
      begun[first]?.fail();
      await settle();
      for (const one of begun.slice(first + 1)) one.end();
      await settle();
    };
    await failing("flood", "ann");
    void add("ann");
    begun.at(-1)?.end();
    await settle();
    await failing("flood", "ann", "bob");
    const before = begun.length;
    void add("bob", "flood", "ann");
    expect(players().slice(before)).toEqual(["flood", "bob ann"]);
  });

  test("a player of whom too many changes wait is told so, and others are not", async () => {
    const { add, begun, settle } = stage({ perPlayer: 1 });
    const flood = add(...Array.from({ length: waitingPerPlayerMax + 2 }, () => "ann"));
    const other = add("bob");
    for (let i = 0; i <= waitingPerPlayerMax; i++) {
      begun[i]?.end();
      await settle();
    }
    expect((await flood).filter((one) => one === "Error: too many of ann")).toHaveLength(2);
    expect(await other).toEqual([waitingPerPlayerMax + 3]);
  });
});
