/** Submissions that share a commit: nobody shares another one's fate. cost.test.ts has what it costs. */
import { beforeEach, describe, expect, test } from "vitest";
import { playerPath, playersPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { submitBeginsMsMax, waitingPerPlayerMax } from "../../../functions/src/model/limits.ts";
import { createServices, type Services } from "../../../functions/src/operations/services.ts";
import { type Outcome, recordSubmissions } from "../../../functions/src/submit/record-submissions.ts";
import { type CommitWrite, failure, type Meddle, watchCommits } from "../../support/commits.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { allTime, createBoard, createWorld, type World } from "../../support/world.ts";
import { batchMsMax } from "../../../functions/src/counting/lanes.ts";

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

describe("no shared fate", () => {
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
});

describe("what counts once", () => {
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
