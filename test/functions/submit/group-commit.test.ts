/* eslint-disable max-lines -- one instance and its batches serve all cases */
/** Submissions that share a commit: what that costs, and that nobody shares another one's fate. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  playerPath,
  playersPath,
  type SeasonKey,
  shardsPath,
} from "../../../functions/src/documents/paths.ts";
import {
  documentsPerCommitMax,
  submitBeginsMsMax,
  waitingPerPlayerMax,
} from "../../../functions/src/model/limits.ts";
import { createServices, type Services } from "../../../functions/src/operations/services.ts";
import { type Outcome, recordSubmissions } from "../../../functions/src/submit/record-submissions.ts";
import { type CommitWrite, failure, type Meddle, watchCommits } from "../../support/commits.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { allTime, createBoard, createWorld, type World } from "../../support/world.ts";
import { batchMsMax, lanesMax, slowAloneMs } from "../../../functions/src/counting/lanes.ts";

let world: World;
const key = allTime("board");
beforeEach(() => {
  world = createWorld();
});

const submit = async (player: string, score: number, services: Services = world.services) => {
  const [outcome] = await recordSubmissions(services, "board", [{ player, score }]);
  return outcome;
};
const many = (count: number, prefix = "p") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const scoreOf = (outcome: Outcome | undefined) =>
  outcome !== undefined && "applied" in outcome ? outcome.applied[0]?.player.score : undefined;
const errorOf = (outcome: Outcome | undefined) =>
  outcome !== undefined && "error" in outcome ? outcome.error : undefined;

const playersIn = (commit: readonly CommitWrite[] | undefined, of: SeasonKey = key) =>
  (commit ?? []).flatMap(({ path }) =>
    path.startsWith(`${playersPath(of)}/`) ? [path.slice(playersPath(of).length + 1)] : [],
  );
const shardsIn = (commit: readonly CommitWrite[]) =>
  commit.filter(({ path }) => path.startsWith(`${shardsPath(key)}/`)).map(({ path }) => path);

async function scores(): Promise<Record<string, number>> {
  const { docs } = await world.db.collection(playersPath(key)).get();
  return Object.fromEntries(docs.map((player) => [player.id, player.get("score") as number]));
}

async function expectRight(): Promise<void> {
  await expectConserved(world, key);
  await expectConverged(world, key);
}

/** The board, with its season open and in memory. */
async function begin(
  definition: Parameters<typeof createBoard>[2] = { aggregation: "latest" },
): Promise<void> {
  await createBoard(world, "board", definition);
  await submit("first", 1);
}

/** Meddles with the first commits, one after the other; the others are performed as they are. */
function watch(...meddle: Meddle[]): CommitWrite[][] {
  return watchCommits(world, (writes, perform) => {
    const next = meddle.shift();
    return next === undefined ? perform() : next(writes, perform);
  });
}

const refuse: Meddle = () => Promise.reject(failure("invalidArgument"));
const asItIs: Meddle = (_writes, perform) => perform();
const slowly: Meddle = (_writes, perform) => {
  world.advance(slowAloneMs);
  return perform();
};
const loseAnswer: Meddle = async (_writes, perform) => {
  await perform();
  throw failure("unavailable");
};

/** Holds a commit up until the test lets it go. */
function held() {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<undefined>();
  const meddle: Meddle = async (_writes, perform) => {
    reach(undefined);
    await promise;
    return perform();
  };
  return {
    meddle,
    reached,
    letGo: () => {
      resolve(undefined);
    },
  };
}

/** Holds commits up until so many have arrived. */
function together(count: number): Meddle {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let arrived = 0;
  return async (_writes, perform) => {
    if ((arrived += 1) === count) resolve(undefined);
    await promise;
    return perform();
  };
}

/** Services whose batches are given up when the test says so. */
function impatient() {
  const limits: { ms: number; pass: () => void }[] = [];
  const deadline = (ms: number) => {
    const { promise, reject } = Promise.withResolvers<never>();
    const limit = {
      ms,
      pass: () => {
        reject(new Error("too slow"));
      },
    };
    limits.push(limit);
    return { passed: promise, cancel: () => void limits.splice(limits.indexOf(limit), 1) };
  };
  return { services: createServices({ ...world.services, deadline }), limits };
}

describe("what it costs", () => {
  test("a changed score alone costs 1 read and 2 writes, and one that changes nothing 1 read", async () => {
    await begin({ aggregation: "best" });
    const changed = await world.meter.measure(() => submit("first", 2));
    expect(changed.bill).toEqual({ reads: 1, writes: 2, deletes: 0 });
    const same = await world.meter.measure(() => submit("first", 2));
    expect(same.bill).toEqual({ reads: 1, writes: 0, deletes: 0 });
  });

  test("a hundred players at once share two commits, and so two shard documents", async () => {
    await begin();
    const commits = watch();
    const { bill } = await world.meter.measure(() =>
      Promise.all(many(100).map((player, i) => submit(player, i))),
    );
    // The first goes at once, and the others together with the next commit.
    expect(commits.map((commit) => playersIn(commit).length)).toEqual([1, 99]);
    expect(bill).toEqual({ reads: 100, writes: 100 + 2, deletes: 0 });
    await expectRight();
  });

  test("all submissions of a player that wait share one write", async () => {
    await begin({ aggregation: "sum" });
    const { result, bill } = await world.meter.measure(() =>
      Promise.all([submit("first", 1), ...[1, 2, 3].map((score) => submit("ann", score))]),
    );
    expect(result.map(scoreOf)).toEqual([2, 1, 3, 6]);
    expect(bill).toEqual({ reads: 2, writes: 2 + 2, deletes: 0 });
    await expectRight();
  });

  test("a further lane begins only for a full batch", async () => {
    await begin();
    const commits = watch();
    await Promise.all(many(3 * documentsPerCommitMax).map((player, i) => submit(player, i)));
    expect(commits.length).toBeLessThanOrEqual(1 + 3 + 1);
    expect(lanesMax).toBeGreaterThan(3);
    await expectRight();
  });

  test("an instance writes to documents of its own, and no two commits to one at a time", async () => {
    await begin();
    const instances = [world.services, world.anotherInstance(), world.anotherInstance()];
    const writing = new Set<string>();
    const shared: string[] = [];
    const commits = watchCommits(world, (writes, perform) => {
      const shards = shardsIn(writes);
      shared.push(...shards.filter((shard) => writing.has(shard)));
      for (const shard of shards) writing.add(shard);
      return perform().finally(() => {
        for (const shard of shards) writing.delete(shard);
      });
    });
    await Promise.all(
      instances.flatMap((services, i) => many(20, `${i}-`).map((player) => submit(player, 5, services))),
    );
    const shards = commits.flatMap(shardsIn);
    expect(shards).toHaveLength(commits.length);
    expect(shared).toEqual([]);
    const names = shards.map((path) =>
      path
        .split("/")
        .at(-1)
        ?.replace(/-\d+-\d+$/, ""),
    );
    expect(new Set(names).size).toBe(3);
    await expectRight();
  });
});

describe("no shared fate", () => {
  test("players whose batch fails go alone, side by side, each with a shard document of its own", async () => {
    await begin();
    const three = together(3);
    const commits = watch(asItIs, refuse, three, three, three);
    const all = [submit("first", 2), ...["ann", "bob", "cem"].map((player) => submit(player, 7))];
    expect((await Promise.all(all)).map(scoreOf)).toEqual([2, 7, 7, 7]);
    expect(commits.slice(0, 2).map((commit) => playersIn(commit))).toEqual([
      ["first"],
      ["ann", "bob", "cem"],
    ]);
    const alone = commits.slice(2);
    // Side by side: which of them arrives first is for the network.
    expect(alone.map((commit) => playersIn(commit)).sort()).toEqual([["ann"], ["bob"], ["cem"]]);
    expect(new Set(alone.flatMap(shardsIn)).size).toBe(3);
    await expectRight();
  });

  test("a batch has one attempt, even after an error that may pass", async () => {
    await begin();
    const commits = watch(() => Promise.reject(failure("aborted")));
    expect(scoreOf(await submit("first", 2))).toBe(2);
    expect(commits).toHaveLength(2);
  });

  test("a batch that hangs is given up after seconds, and writes nothing later", async () => {
    await begin();
    const { services, limits } = impatient();
    await submit("first", 2, services);
    const hangs = held();
    const run = world.db.runTransaction.bind(world.db);
    world.db.runTransaction = async (...args) => {
      world.db.runTransaction = run;
      await hangs.meddle([], () => Promise.resolve());
      return run(...args);
    };
    const commits = watch();
    const both = Promise.all(["ann", "bob"].map((player) => submit(player, 7, services)));
    await hangs.reached;
    expect(limits.map(({ ms }) => ms)).toEqual([batchMsMax]);
    limits[0]?.pass();
    expect((await both).map(scoreOf)).toEqual([7, 7]);
    hangs.letGo();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(
      commits
        .map((commit) => playersIn(commit))
        .flat()
        .toSorted(),
    ).toEqual(["ann", "bob"]);
    await expectRight();
  });

  test("a damaged document is the outcome of its own submission, and no batch fails for it", async () => {
    await begin();
    await world.db.doc(playerPath(key, "bad")).set({ own: "x".repeat(1_048_000) });
    const commits = watch();
    const submissions = ["ann", "bad", "bob"].map((player) => ({
      player,
      score: 7,
      metadata: { text: "y".repeat(900) },
    }));
    const outcomes = await recordSubmissions(world.services, "board", submissions);
    expect(outcomes.map(scoreOf)).toEqual([7, undefined, 7]);
    expect(errorOf(outcomes[1])).toMatchObject({ code: "contention" });
    expect(commits.map((commit) => playersIn(commit))).toEqual([["ann", "bob"]]);
    await expect(recordSubmissions(world.services, "board", submissions.slice(1, 2))).rejects.toThrow(
      /bytes/,
    );
    await expectConserved(world, key);
  });

  test("one player who floods several instances delays nobody else", async () => {
    await begin({ aggregation: "sum" });
    const other = world.anotherInstance();
    const flood = [world.services, other].map((services) =>
      Promise.allSettled(many(waitingPerPlayerMax + 20).map(() => submit("ann", 1, services))),
    );
    const commits = watch();
    expect(scoreOf(await submit("bob", 7))).toBe(7);
    expect(commits.length).toBeLessThan(10);
    const outcomes = (await Promise.all(flood)).flat();
    const values = outcomes.map((one) => (one.status === "fulfilled" ? one.value : undefined));
    const refused = values.filter((value) => errorOf(value)?.code === "contention").length;
    // In each instance the first goes at once, and a hundred wait.
    expect(refused).toBeGreaterThanOrEqual(2 * 19);
    const taken = values.filter((value) => scoreOf(value) !== undefined).length;
    expect(taken).toBeGreaterThan(0);
    expect((await scores())["ann"]).toBe(taken);
    await expectRight();
  });

  test("who failed alone goes alone for a minute, and holds up no batch", async () => {
    await begin();
    const commits = watch(refuse, refuse);
    await expect(submit("ann", 7)).rejects.toThrow();
    const slow = held();
    commits.splice(0);
    const stop = watch(slow.meddle);
    const ann = submit("ann", 8);
    await slow.reached;
    expect(scoreOf(await submit("bob", 7))).toBe(7);
    slow.letGo();
    expect(scoreOf(await ann)).toBe(8);
    expect(stop.map((commit) => playersIn(commit))).toEqual([["ann"], ["bob"]]);
    await expectRight();
  });

  test("a slow database sends nobody alone for long: whom it slows down together goes together again", async () => {
    await begin();
    const names = ["ann", "bob", "cem"];
    const commits = watch(asItIs, refuse, ...names.map(() => slowly));
    await Promise.all(["first", ...names].map((player) => submit(player, 7)));
    commits.splice(0);
    await Promise.all(["first", ...names].map((player) => submit(player, 8)));
    expect(commits.map((commit) => playersIn(commit))).toEqual([["first"], names]);
    await expectRight();
  });

  test("of a batch, who alone fails goes alone for a minute, and nobody else", async () => {
    await begin();
    const names = ["ann", "bob", "cem"];
    const commits = watch(asItIs, refuse, refuse);
    await Promise.allSettled(["first", ...names].map((player) => submit(player, 7)));
    const [troubled = ""] = playersIn(commits[2]);
    const others = names.filter((player) => player !== troubled);
    commits.splice(0);
    await Promise.all(["first", troubled, ...others].map((player) => submit(player, 8)));
    const together = commits.map((commit) => playersIn(commit).toSorted());
    expect(together.toSorted()).toEqual([[troubled], ["first"], others].toSorted());
    await expectRight();
  });
});

describe("what counts once", () => {
  test.each([
    ["that was committed, though its answer was lost", loseAnswer],
    ["that was refused", refuse],
  ])("a sum in a batch %s", async (_what, meddle) => {
    await begin({ aggregation: "sum" });
    watch(asItIs, meddle);
    const all = [submit("first", 1), submit("ann", 5), submit("ann", 6), submit("bob", 7)];
    expect((await Promise.all(all)).map(scoreOf)).toEqual([2, 5, 11, 7]);
    expect(await scores()).toEqual({ first: 2, ann: 11, bob: 7 });
    await expectRight();
  });

  test("a sum whose answer is lost in the batch, and again alone", async () => {
    await begin({ aggregation: "sum" });
    const commits = watch(loseAnswer, refuse, loseAnswer);
    // Refused for good, the batch's commit notwithstanding: but the next attempt finds that it was recorded.
    expect(scoreOf(await submit("ann", 5))).toBe(5);
    expect(await scores()).toEqual({ first: 1, ann: 5 });
    expect(commits.length).toBeGreaterThan(0);
    await expectRight();
  });

  test("a sum in a batch that is given up while its commit is on its way", async () => {
    await begin({ aggregation: "sum" });
    const { services, limits } = impatient();
    await submit("first", 1, services);
    const hangs = held();
    watch(hangs.meddle);
    const both = Promise.all([submit("ann", 5, services), submit("bob", 7, services)]);
    await hangs.reached;
    limits[0]?.pass();
    hangs.letGo();
    expect((await both).map(scoreOf)).toEqual([5, 7]);
    expect(await scores()).toEqual({ first: 2, ann: 5, bob: 7 });
    await expectRight();
  });

  test("an attempt of a board that limits attempts, whose answer is lost", async () => {
    await begin({ aggregation: "best", max_attempts: 1 });
    watch(loseAnswer);
    expect(scoreOf(await submit("ann", 5))).toBe(5);
    expect(errorOf(await submit("ann", 6))).toMatchObject({ code: "too_many_attempts" });
  });
});

describe("the time limit of a submission", () => {
  test("holds in each attempt", async () => {
    await begin();
    const commits = watch(() => {
      world.advance(submitBeginsMsMax + 1);
      return Promise.reject(failure("aborted"));
    });
    expect(errorOf(await submit("ann", 5))).toMatchObject({
      code: "contention",
      message: expect.stringContaining("send it again with the same submission_id") as string,
    });
    expect(commits).toHaveLength(1);
    expect(await scores()).toEqual({ first: 1 });
  });

  test("holds for who waited behind others, and those who came later are taken", async () => {
    await begin();
    const slow = held();
    const commits = watch(slow.meddle);
    const first = submit("first", 2);
    await slow.reached;
    const late = submit("ann", 5);
    world.advance(submitBeginsMsMax + 1);
    const inTime = submit("bob", 6);
    slow.letGo();
    expect((await Promise.all([first, inTime])).map(scoreOf)).toEqual([2, 6]);
    expect(errorOf(await late)).toMatchObject({ code: "contention" });
    expect(commits.map((commit) => playersIn(commit))).toEqual([["first"], ["bob"]]);
  });
});

test("submissions before and after midnight share no commit", async () => {
  await createBoard(world, "board", { aggregation: "latest", spans: ["daily"] });
  const [today, tomorrow] = ["daily-2100-01-02", "daily-2100-01-03"].map((season) => ({
    leaderboard: "board",
    season,
  })) as [SeasonKey, SeasonKey];
  world.advance(12 * 3_600_000 - 1_000);
  await submit("first", 1);
  const slow = held();
  const commits = watch(slow.meddle);
  const before = [submit("ann", 1), submit("bob", 1), submit("cem", 1)];
  await slow.reached;
  world.advance(2_000);
  const after = [submit("bob", 2), submit("dan", 2)];
  expect((await Promise.all(after)).map(scoreOf)).toEqual([2, 2]);
  slow.letGo();
  await Promise.all(before);
  const seasons = commits.map((commit) => [playersIn(commit, today), playersIn(commit, tomorrow)]);
  for (const [old = [], next = []] of seasons) expect(Math.min(old.length, next.length)).toBe(0);
  expect(seasons.flatMap(([old = []]) => old)).toEqual(["ann", "bob", "cem"]);
  expect(seasons.flatMap(([, next = []]) => next).toSorted()).toEqual(["bob", "dan"]);
  for (const season of [today, tomorrow]) await expectConserved(world, season);
});
