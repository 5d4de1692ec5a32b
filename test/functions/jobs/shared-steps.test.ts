/** Steps of small seasons that share a task: none harms the others. */
import { beforeEach, describe, expect, test } from "vitest";
import { askAlone, stepTogether } from "../../../functions/src/jobs/schedule/step.ts";
import { pagePath, runsPath, seasonPath, shardsPath } from "../../../functions/src/documents/paths.ts";
import {
  sharedAtOnce,
  sharedBeginsMsMax,
  sharedShardBytesMax,
  slotMs,
} from "../../../functions/src/model/limits.ts";
import { readSeason } from "../../../functions/src/documents/season.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import type { JobRequest, SharedStep } from "../../../functions/src/world/tasks.ts";
import { play } from "../../support/damage.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const boards = ["a", "b", "c"];
const intervalMs = 300_000;

beforeEach(async () => {
  for (const board of boards) {
    await createBoard(world, board);
    await play(world, allTime(board), "ann", 5);
  }
  world.advance(intervalMs);
});

const stepOf = (board: string): SharedStep => ({
  request: { ...allTime(board), job: "ranking" },
  taskId: `own task of ${board}`,
});
const steps = boards.map(stepOf);

/** Services with a queue, and what was requested. */
function withQueue(changes: Partial<Services> = {}) {
  const asked: [taskId: string, request: JobRequest][] = [];
  const enqueueJob: Services["enqueueJob"] = (request, taskId) =>
    Promise.resolve(void asked.push([taskId, request]));
  return { services: { ...world.services, enqueueJob, ...changes }, asked };
}

const published = async (board: string) => {
  const season = await world.db.doc(seasonPath(allTime(board))).get();
  return readSeason(season.data()).ranking.generation;
};
const generations = () => Promise.all(boards.map(published));
const recordsOf = async (board: string) => {
  const { docs } = await world.db.collection(runsPath(allTime(board))).get();
  return docs.map((document) => document.data());
};

test("all are published, each with its own record and bill", async () => {
  const { services, asked } = withQueue();
  const alone = await createBoard(world, "alone");
  await play(world, alone, "ann", 5);
  world.advance(intervalMs);
  await stepTogether(services, [...steps, stepOf("alone")]);
  expect(asked).toEqual([]);
  expect(await generations()).toEqual([1, 1, 1]);
  const [record] = await recordsOf("a");
  const [other] = await recordsOf("alone");
  expect(record).toMatchObject({
    leaderboard: "a",
    outcome: "published",
    billed: other?.["billed"] as unknown,
  });
});

test("one that fails leaves its own record, and gets a task of its own; the others are published", async () => {
  await world.publish(allTime("b"));
  await world.db.doc(pagePath(allTime("b"), 0)).delete();
  await play(world, allTime("b"), "bob", 6);
  world.advance(intervalMs);
  const { services, asked } = withQueue();
  await stepTogether(services, steps);
  expect(asked).toEqual([["own task of b", steps[1]?.request]]);
  expect(await generations()).toEqual([1, 1, 1]);
  const records = await recordsOf("b");
  expect(records.map(({ outcome }) => outcome as unknown).sort()).toEqual(["failed", "published"]);
});

test("one whose board is gone needs no task of its own", async () => {
  await world.db.doc("leaderboards/b").delete();
  const { services, asked } = withQueue();
  await stepTogether(services, steps);
  expect(asked).toEqual([]);
  expect(await generations()).toEqual([1, 0, 1]);
});

test("one that takes longer than 20 seconds gets a task of its own, and holds nobody up", async () => {
  let limits = 0;
  const deadline: Services["deadline"] = () => {
    limits += 1;
    const passed = limits === 2 ? Promise.reject(new Error("too long")) : new Promise<never>(() => undefined);
    return { passed, cancel: () => undefined };
  };
  const { services, asked } = withQueue({ deadline });
  await stepTogether(services, steps);
  expect(asked.map(([taskId]) => taskId)).toEqual(["own task of b"]);
  expect((await generations()).filter((generation) => generation === 1).length).toBeGreaterThanOrEqual(2);
});

test("a later attempt does nothing but request a task for each", async () => {
  const { services, asked } = withQueue();
  await askAlone(services, steps);
  expect(asked.sort()).toEqual(steps.map(({ taskId, request }) => [taskId, request]));
  expect(await generations()).toEqual([0, 0, 0]);
});

test("what has not begun after 40 seconds stays due, but an audit gets a task of its own", async () => {
  let nowMs = world.services.now();
  const many = Array.from({ length: sharedAtOnce + 2 }, (_, i) => stepOf(boards[i] ?? `none-${i}`));
  const last = [stepOf("c"), ...many.filter(({ taskId }) => !taskId.endsWith(" c"))].reverse();
  const deadline: Services["deadline"] = () => {
    nowMs += sharedBeginsMsMax / sharedAtOnce;
    return { passed: new Promise<never>(() => undefined), cancel: () => undefined };
  };
  const { services, asked } = withQueue({ now: () => nowMs, deadline });
  const audit: SharedStep = {
    request: { ...allTime("c"), job: "audit", full: false, run: "audit-1", step: 0 },
    taskId: "audit of c",
  };
  await stepTogether(services, [...last, audit]);
  expect(asked).toEqual([["audit of c", audit.request]]);
  expect(await published("c")).toBe(0);
});

describe("a season with many shards", () => {
  const key = allTime("a");

  /** Documents of one slot, each with some kilobytes of changes that come and go. */
  async function fill(slot: number, documents: number): Promise<void> {
    const endsAt = Timestamp.fromMillis(world.services.now() - intervalMs + slot * slotMs);
    for (let i = 0; i < documents; i++) {
      const counts = Array.from({ length: 2_000 }, (_, j) => [`${10_000 * i + j}`, 1] as const);
      await world.db
        .collection(shardsPath(key))
        .doc(`${slot}-${i}`)
        .set({ slot_ends_at: endsAt, player_count: Object.fromEntries(counts), marks: 2_000 });
    }
  }

  test("publishes a part, and gets a task of its own for the rest", async () => {
    const documents = Math.ceil(sharedShardBytesMax / (2_000 * 14));
    await fill(1, 4);
    await fill(2, documents);
    const { services, asked } = withQueue();
    await stepTogether(services, [stepOf("a")]);
    expect(asked.map(([taskId]) => taskId)).toEqual(["own task of a"]);
    expect(await published("a")).toBe(1);
    expect((await world.db.collection(shardsPath(key)).get()).size).toBe(documents);
  });

  test("is left as it is where one slot is too much", async () => {
    const documents = Math.ceil((1.5 * sharedShardBytesMax) / (2_000 * 14));
    await fill(-5, documents);
    const { services, asked } = withQueue();
    await stepTogether(services, [stepOf("a")]);
    expect(asked.map(([taskId]) => taskId)).toEqual(["own task of a"]);
    expect(await published("a")).toBe(0);
  });
});

test("steps of ends share a task too", async () => {
  const at = new Date(world.services.now() + 60_000).toISOString();
  for (const board of boards)
    await world.call("openSeason", { leaderboard: board, season: "cup", closes_at: at }, admin);
  world.advance(120_000);
  const ends = boards.map((leaderboard) => ({
    request: { leaderboard, season: "cup", job: "end" as const, step: 0 },
    taskId: `own task of ${leaderboard}`,
  }));
  const { services, asked } = withQueue();
  await stepTogether(services, ends);
  expect(asked).toEqual([]);
  for (const leaderboard of boards) {
    const season = await world.db.doc(seasonPath({ leaderboard, season: "cup" })).get();
    expect(season.get("status")).toBe("closing");
  }
});
