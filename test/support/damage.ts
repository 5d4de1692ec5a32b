/** A season to be damaged and repaired, and the ways to damage it. */
import { createSteps } from "../../cli/repairs.ts";
import { FieldValue, Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  pagePath,
  playerPath,
  type SeasonKey,
  shardPath,
  shardsPath,
} from "../../functions/src/documents/paths.ts";
import type { RepairKind, RepairRecord } from "../../functions/src/documents/repair-record.ts";
import { submissionsPerCallMax } from "../../functions/src/model/limits.ts";
import type { Services } from "../../functions/src/world/services.ts";
import { type RepairOptions, startRepair, stepRepair } from "../../functions/src/jobs/repair/repair.ts";
import type { JobRequest, RepairRequest } from "../../functions/src/world/tasks.ts";
import { admin, createBoard, type World } from "./world.ts";

/** A published season of many players; no two pages' worth of them have the same score. */
export async function createSeason(world: World, leaderboard: string, size: number): Promise<SeasonKey> {
  const key = await createBoard(world, leaderboard, { aggregation: "latest", top_size: 10 });
  const submissions = Array.from({ length: size }, (_, i) => ({ player: `p${i}`, score: 10 * i }));
  for (let i = 0; i < size; i += submissionsPerCallMax) {
    const part = submissions.slice(i, i + submissionsPerCallMax);
    await world.call("submitScores", { leaderboard, submissions: part }, admin);
  }
  await world.publish(key);
  return key;
}

/** Submits a score. */
export async function play(world: World, key: SeasonKey, player: string, score: number) {
  const submissions = [{ player, score }];
  await world.call("submitScores", { leaderboard: key.leaderboard, submissions }, admin);
}

async function pagesIn(db: World["db"], key: SeasonKey): Promise<number> {
  return Number((await db.doc(pagePath(key, 0)).get()).get("pages"));
}

/** Ways to damage a season that must never happen. */
export const damages: Record<string, (world: World, key: SeasonKey) => Promise<unknown>> = {
  "page 0 deleted": ({ db }, key) => db.doc(pagePath(key, 0)).delete(),
  "the last page deleted": async ({ db }, key) =>
    db.doc(pagePath(key, (await pagesIn(db, key)) - 1)).delete(),
  "a page of an older generation": ({ db }, key) => db.doc(pagePath(key, 1)).update({ generation: 7 }),
  "a page that is none": ({ db }, key) => db.doc(pagePath(key, 0)).update({ scores: "gone" }),
  "a page with wrong counts": ({ db }, key) =>
    db.doc(pagePath(key, 0)).update({ players_above: [7, 8, 9], players_until: 9, scores: [3, 2, 1] }),
  "a page too many": async ({ db }, key) => {
    const page = await pagesIn(db, key);
    const last = (await db.doc(pagePath(key, page - 1)).get()).data() ?? {};
    await db.doc(pagePath(key, page)).set({ ...last, page, from_score: 5 });
  },
  async "a shard deleted"(world, key) {
    await play(world, key, "p1", 4_321);
    await play(world, key, "p2", 1_234);
    for (const { ref } of (await world.db.collection(shardsPath(key)).get()).docs) await ref.delete();
  },
  async "increments applied twice"(world, key) {
    await play(world, key, "p1", 4_321);
    for (const shard of (await world.db.collection(shardsPath(key)).get()).docs) {
      const counts = shard.get("player_count") as Record<string, number>;
      await shard.ref.update({
        player_count: Object.fromEntries(Object.entries(counts).map(([score, n]) => [score, 2 * n])),
      });
    }
  },
  async "increments applied twice and folded"(world, key) {
    await damages["increments applied twice"]?.(world, key);
    await world.publish(key);
  },
  "a mark that is wrong": ({ db }, key) => db.doc(playerPath(key, "p3")).update({ "counted.score": 50 }),
  async "a mark that is wrong, and counted so"(world, key) {
    await world.db.doc(playerPath(key, "p3")).update({ "counted.score": 5_555 });
    await world.db.doc(shardPath(key, "hand", world.services.now())).set({
      slot_ends_at: Timestamp.fromMillis(world.services.now()),
      player_count: { "30": -1, "5555": 1 },
      marks: 1,
    });
  },
  "a mark that is none": ({ db }, key) => db.doc(playerPath(key, "p3")).update({ counted: "30" }),
  "a mark deleted": ({ db }, key) => db.doc(playerPath(key, "p3")).update({ counted: FieldValue.delete() }),
  "a mark of a player without a score": ({ db }, key) =>
    db.doc(playerPath(key, "ghost")).set({ counted: { score: 9_999, of: "nothing" } }),
  async "players changed while no trigger heard"(world, key) {
    await world.db.doc(playerPath(key, "p1")).update({ score: 4_321 });
    await world.db.doc(playerPath(key, "newcomer")).set({ score: 77, status: "active" });
    await world.db.doc(playerPath(key, "p4")).delete();
    await world.db.doc(playerPath(key, "p5")).update({ status: "hidden" });
    await world.db.doc(playerPath(key, "bare")).set({ score: 66 });
  },
};

/** Services with a queue: the test empties it of repairs, and the rest is dropped. */
export function withQueue(services: Services): { services: Services; queue: RepairRequest[] } {
  const queue: RepairRequest[] = [];
  const enqueueJob = (request: JobRequest) => {
    const steps = request.job === "shared" ? request.steps.map((step) => step.request) : [request];
    for (const step of steps) if (step.job === "audit" || step.job === "repair") queue.push(step);
    return Promise.resolve();
  };
  return { services: { ...services, enqueueJob }, queue };
}

/** What a command that repairs works with: it makes the steps itself, and its waits move the world's clock. */
export function withSteps(world: World) {
  const steps = createSteps();
  const sleep = (ms: number) => {
    world.advance(ms);
    return Promise.resolve();
  };
  return { steps, services: { ...world.services, enqueueJob: steps.enqueueJob, sleep } };
}

/** Starts a repair and runs its steps until it has ended; `betweenSteps` is called in between. */
export async function repair(
  { services: plain }: Pick<World, "services">,
  key: SeasonKey,
  what: { kind: RepairKind; full?: boolean } = { kind: "repair" },
  options: RepairOptions = {},
  betweenSteps: () => Promise<unknown> = () => Promise.resolve(),
): Promise<RepairRecord> {
  const { services, queue } = withQueue(plain);
  const all = { inFlightMs: 0, ...options };
  let record = await startRepair(services, key, { full: false, ...what }, all);
  for (let request = queue.shift(); request !== undefined; request = queue.shift()) {
    await betweenSteps();
    record = await stepRepair(services, request, all);
  }
  return record;
}
