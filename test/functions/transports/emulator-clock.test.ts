/** The clock that ranks and closes on the emulators of somebody who has started them without `npm run emulators`. */
import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Services } from "../../../functions/src/world/services.ts";
import {
  type EmulatorClock,
  leaseFile,
  startEmulatorClock,
} from "../../../functions/src/transports/emulator-clock.ts";
import { patienceMs } from "../../support/patience.ts";
import { admin, allTime, createBoard, eachWorld, stepsIn, user } from "../../support/world.ts";

const hourMs = 3_600_000;
const leaderboard = "race";
const world = eachWorld();

let folder: string;
let clocks: EmulatorClock[];
/** Ids of the requested tasks; as in the Tasks emulator, the same id is one task. */
let runs: Map<string, number>;
let ends: Set<string>;

beforeEach(async () => {
  await createBoard(world, leaderboard);
  folder = mkdtempSync(join(tmpdir(), "firerank-test-"));
  clocks = [];
  runs = new Map();
  ends = new Set();
});

afterEach(() => {
  for (const clock of clocks) clock.stop();
  rmSync(folder, { recursive: true });
});

/** The clock of a process of its own. */
function processOf(changes: Partial<Services> = {}): EmulatorClock {
  const clock = startEmulatorClock(
    {
      ...world.services,
      enqueueJob: (request, id) => {
        const isRun = stepsIn(request).some(({ job }) => job === "ranking");
        if (isRun) runs.set(id, runs.get(id) ?? Date.now());
        else ends.add(id);
        return Promise.resolve();
      },
      ...changes,
    },
    join(folder, "lease"),
  );
  clocks.push(clock);
  return clock;
}

test("changes of one slot, indexed by several processes, request one run, after the slot has ended", async () => {
  const slotMs = 300;
  let nowMs = 1_000 * slotMs;
  const twins = [1, 2].map(() => processOf({ now: () => nowMs, slotMs }));
  const begunMs = Date.now();
  for (const afterMs of [0, 100, slotMs - 1, slotMs, slotMs + 100]) {
    nowMs = 1_000 * slotMs + afterMs;
    for (const twin of [...twins, ...twins]) {
      twin.rankSoon(allTime("race"));
      twin.rankSoon(allTime("other"));
    }
  }
  const [boards, slots] = [2, 2];
  await vi.waitFor(
    () => {
      expect(runs.size).toBe(boards * slots);
    },
    { timeout: patienceMs(), interval: 20 },
  );
  for (const askedMs of runs.values()) expect(askedMs - begunMs).toBeGreaterThanOrEqual(slotMs / 2);
});

test("a beat requests the runs and the steps of ends that are due, in one of the processes", async () => {
  const nowMs = world.services.now();
  const closes = new Date(nowMs + 30_000).toISOString();
  await world.call("openSeason", { leaderboard, season: "cup", closes_at: closes }, admin);
  await world.call("submitScore", { leaderboard, score: 5 }, user("ann"));
  const [first, second] = [processOf(), processOf()];
  await first.beat();
  expect([runs.size, ends.size]).toEqual([0, 0]);

  world.advance(hourMs);
  await second.beat();
  expect([runs.size, ends.size]).toEqual([0, 0]);
  await first.beat();
  expect(runs.size).toBeGreaterThan(0);
  expect(ends.size).toBe(1);
  const asked = new Set(runs.keys());
  await first.beat();
  expect(new Set(runs.keys())).toEqual(asked);
});

test("another process takes over when the one that acted has ended", async () => {
  await world.call("submitScore", { leaderboard, score: 5 }, user("ann"));
  const [first, second] = [processOf(), processOf()];
  await first.beat();
  first.stop();
  const old = new Date(Date.now() - 60_000);
  utimesSync(join(folder, "lease"), old, old);
  world.advance(hourMs);
  await second.beat();
  expect(runs.size).toBe(1);
});

test("a beat that fails is logged once, and the clock goes on", async () => {
  await world.call("submitScore", { leaderboard, score: 5 }, user("ann"));
  world.advance(hourMs);
  let isDown = true;
  const now = () => {
    if (isDown) throw new Error("the database is not there");
    return world.services.now();
  };
  const clock = processOf({ now });
  await clock.beat();
  await clock.beat();
  expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(1);
  isDown = false;
  await clock.beat();
  expect(runs.size).toBe(1);
});

test("codebases that share a machine have a lease each", () => {
  const project = { GCLOUD_PROJECT: "demo-game", FIRESTORE_EMULATOR_HOST: "127.0.0.1:8080" };
  const files = [
    leaseFile(project, "/game/firerank"),
    leaseFile(project, "/other/firerank"),
    leaseFile({ ...project, FIRESTORE_EMULATOR_HOST: "127.0.0.1:8081" }, "/game/firerank"),
    leaseFile({ ...project, DATABASE: "ranks" }, "/game/firerank"),
    leaseFile({ ...project, FIREBASE_KIT_INSTANCE_ID: "ranks" }, "/game/firerank"),
  ];
  expect(new Set(files).size).toBe(5);
  expect(leaseFile(project, "/game/firerank")).toBe(files[0]);
});
