/** Submissions that share a commit: nobody shares another one's fate. cost.test.ts has what it costs. */
import { describe, expect, test } from "vitest";
import { playerPath, playersPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { submitBeginsMsMax, waitingPerPlayerMax } from "../../../functions/src/model/limits.ts";
import { type Services } from "../../../functions/src/world/services.ts";
import {
  type SubmissionOutcome,
  recordSubmissions,
} from "../../../functions/src/submit/record-submissions.ts";
import { type CommitWrite, failure, type Meddle, watchCommits } from "../../support/commits.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const submit = async (player: string, score: number, services: Services = world.services) => {
  const [outcome] = await recordSubmissions(services, "board", [{ player, score }]);
  return outcome;
};
const many = (count: number, prefix = "p") => Array.from({ length: count }, (_, i) => `${prefix}${i}`);
const scoreOf = (outcome: SubmissionOutcome | undefined) =>
  outcome !== undefined && "applied" in outcome ? outcome.applied[0]?.player?.score : undefined;
const errorOf = (outcome: SubmissionOutcome | undefined) =>
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

describe("no shared fate", () => {
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

test("the time limit of a submission holds in each attempt", async () => {
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
