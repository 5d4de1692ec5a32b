/**
 * Chaos: players submit, triggers look on and runs publish, all for real, while the worker processes of the Functions
 * emulator are killed in the middle of their work. In the end every answered submission is ranked.
 */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { playersPath } from "../../../functions/src/documents/paths.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import { addressesIn } from "../../../scripts/callable-client.ts";
import { type Clock, startClock } from "../../../scripts/clock.ts";
import { createLive, eventually, type Live } from "../../support/live.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { slowness } from "../../support/patience.ts";
import { type Executions, watchExecutions } from "../../support/executions.ts";
import { startKiller } from "./chaos/killer.ts";
import { startSampler } from "./chaos/sampler.ts";
import { createStorm, type Target, within } from "./chaos/storm.ts";

const hub = process.env["FIREBASE_EMULATOR_HUB"] ?? "";
const seed = Number(process.env["FIRERANK_SEED"]);
const killsPerPhase = 3;
const generationsMin = 4;
const lanes = 3;
const submissionsMin = 200;

/** On an idle machine, where it takes much less; at most three times as long on a busy one. */
const stormMsMax = 180_000;

let live: Live;
let executions: Executions;
beforeAll(async () => {
  [live, executions] = await Promise.all([createLive(), watchExecutions(hub)]);
});
afterAll(async () => {
  executions.close();
  await live.end();
});

test("every answered submission is ranked, although processes were killed in the middle of submissions, triggers and runs", async () => {
  const random = seededRandom(seed);
  const targets = [await createTarget("sum"), await createTarget("best")];
  const samplers = targets.map(({ board }) => startSampler(live.db, board.key));
  onTestFinished(async () => {
    await Promise.all(samplers.map((sampler) => sampler.stop()));
  });
  const storm = createStorm(live, targets, random, lanes);
  const killer = await startKiller({ hub, executions, random, killsPerPhase });
  const clock = startBeats();
  const startedMs = Date.now();
  const since = () => `${((Date.now() - startedMs) / 1000).toFixed(1)} s`;
  const isOver = () => {
    const hasSeenEnough = samplers.every(({ generations }) => generations.length >= generationsMin);
    const isDone = hasSeenEnough && killer.isDone() && storm.answered() >= submissionsMin;
    return isDone || Date.now() > startedMs + stormMsMax * Math.min(3, slowness());
  };
  await Promise.all([storm.rage(isOver), keepRanking(targets, isOver, random)]);
  killer.stop();
  await clock.stop();
  const kills = killer.kills();
  console.log(
    `Storm of ${since()}: kills ${JSON.stringify(kills)}, ${storm.postponed()} submissions sent again.`,
  );
  await storm.settle();
  console.log(`All ${storm.answered()} submissions answered after ${since()}.`);

  for (const target of targets) {
    await eventually(() => expectConverged(live, target.board.key));
    await target.board.rank();
    await eventually(async () => {
      await expectConserved(live, target.board.key);
      await expectRanked(live, target.board.key);
    });
    await expectAllCounted(target);
    await expectRanks(target);
  }
  for (const { generations, problems } of samplers) {
    expect(problems).toEqual([]);
    expect(generations.length).toBeGreaterThanOrEqual(generationsMin);
    expect(generations).toEqual(generations.toSorted((a, b) => a - b));
  }
  for (const count of Object.values(kills)) expect(count).toBeGreaterThanOrEqual(killsPerPhase);
});

/** A board whose season is open and published; processes that submit and run are up. */
async function createTarget(aggregation: Target["aggregation"]): Promise<Target> {
  const board = await live.board({ aggregation, ranking_interval_minutes: 0.05 });
  const { leaderboard } = board;
  const first = await live.as("first");
  await first.call("submitScore", { leaderboard, score: 500, submission_id: "first" });
  await board.rank();
  return { board, aggregation, answered: new Map([[live.uid("first"), new Map([["first", 500]])]]) };
}

/** The schedule, which the emulators lack. Its errors come from calls that were cut off. */
function startBeats(): Clock {
  const { functions } = addressesIn(process.env);
  return startClock(functions, 1_000, () => undefined);
}

/** An impatient admin who keeps requesting runs, whatever their results. */
async function keepRanking(
  targets: readonly Target[],
  isOver: () => boolean,
  random: () => number,
): Promise<void> {
  while (!isOver()) {
    for (const { board } of targets) {
      const request = { leaderboard: board.leaderboard, include_open_slot: random() < 0.8 };
      await within(10_000, live.admin.call("runRanking", request)).catch(() => undefined);
    }
  }
}

/** Each player has the result of the answered submissions, each counted once. */
async function expectAllCounted({ board, aggregation, answered }: Target): Promise<void> {
  const players = await live.db.collection(playersPath(board.key)).get();
  const stored = players.docs.map((player) => [
    player.id,
    aggregation === "sum"
      ? { score: player.get("score") as unknown, ids: [...(player.get("submission_ids") as string[])].sort() }
      : { score: player.get("score") as unknown },
  ]);
  const wanted = [...answered].map(([player, own]) => [
    player,
    aggregation === "sum"
      ? { score: [...own.values()].reduce((sum, score) => sum + score, 0), ids: [...own.keys()].sort() }
      : { score: Math.max(...own.values()) },
  ]);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(wanted));
}

/** What an app sees of each player equals a sort of the answered submissions. */
async function expectRanks({ board, aggregation, answered }: Target): Promise<void> {
  const scores = [...answered].map(([player, own]) => ({
    player,
    score:
      aggregation === "sum"
        ? [...own.values()].reduce((sum, score) => sum + score, 0)
        : Math.max(...own.values()),
  }));
  for (const { player, score } of scores) {
    const rank = 1 + scores.filter((other) => other.score > score).length;
    expect(await board.rankOf({ player })).toMatchObject({ player, score, rank, players: scores.length });
  }
}
