import { expect, test } from "vitest";
import { countRequests, noBill } from "../../functions/src/world/meter.ts";
import { randomOf } from "../generators/random.ts";
import { boardName, drawCalls, startFull, startMs } from "./boards.ts";
import type { Part, Spendings } from "./ledger.ts";
import { startPlay } from "./play.ts";
import { sumOf } from "./spent.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** What of a part is counted, without its time. */
function countedOf(spendings: Spendings, part: Part) {
  const { reads, writes, deletes, queued, times, invocations } = sumOf(spendings[part] ?? {});
  return { times, reads, writes, deletes, queued, invocations };
}

test("a lone score on a board that sleeps is billed part by part, and then the board costs nothing", async () => {
  const play = await startFull({ boards: 1, players: 300, topSize: 100 }, randomOf(1));
  const all = play.store.list(`leaderboards/${boardName(0)}/seasons/all_time/players`);
  const [last] = all.toSorted((a, b) => Number(a.data["score"]) - Number(b.data["score"]));
  play.score(startMs + 11 * minuteMs, boardName(0), last?.id ?? "", 2_000_000);
  await play.pass(startMs + 2 * hourMs);
  const found = play.take();
  // The player, and the mark in a shard; and what the answer and the top's gate read.
  expect(countedOf(found, "scores")).toMatchObject({ times: 1, reads: 1, writes: 2, deletes: 0, queued: 0 });
  expect(countedOf(found, "scores: wakes")).toMatchObject({ times: 1, reads: 1, writes: 1 });
  expect(countedOf(found, "scores: gate")).toMatchObject({ reads: 1 });
  expect(countedOf(found, "scores: pages")).toMatchObject({ reads: 1 });
  // The page, a shard, the top, which a refresh has renewed, and the open slot, as the season dozes then; it writes page,
  // top and season, which tells of the run in numbers.
  expect(countedOf(found, "runs")).toEqual({
    times: 1,
    reads: 1 + 1 + 1 + 1,
    writes: 1 + 2,
    deletes: 1,
    queued: 0,
    invocations: 0,
  });
  // It is a small season's: its task is a shared one, though it is alone.
  expect(countedOf(found, "shared tasks")).toEqual({
    times: 1,
    reads: 0,
    writes: 0,
    deletes: 0,
    queued: 1,
    invocations: 1,
  });
  // The top, the shard and the player, with two events: who entered, and the new leader. No task.
  expect(countedOf(found, "scores: top")).toEqual({
    times: 1,
    reads: 3,
    writes: 1 + 2,
    deletes: 2,
    queued: 0,
    invocations: 0,
  });
  expect(found.refreshes).toBeUndefined();
  expect(found["season ends"]).toBeUndefined();
  await play.pass(startMs + 3 * hourMs);
  expect(Object.keys(play.take())).toEqual(["schedule"]);
});

test("all that Firestore bills in two hours of two boards is in one part or another", async () => {
  const full = { boards: 2, players: 50, topSize: 100 };
  const random = randomOf(2);
  const play = await startFull(full, random);
  const bill = noBill();
  countRequests(play.db, () => bill);
  const rates = { scoresPerSecond: 0.005, ranksPerSecond: 0.01 };
  const scores = drawCalls(play, full, rates, 7_200, random);
  await play.pass(startMs + 2 * hourMs);
  const found = play.take();
  const { reads, writes, deletes } = sumOf(...Object.values(found));
  expect({ reads, writes }).toEqual({ reads: bill.reads, writes: bill.writes });
  // Records, of each eighth run, and events are deleted weeks later.
  expect(deletes).toBeGreaterThan(bill.deletes + (found.runs?.times ?? NaN) / 8);
  expect(found.scores?.times).toBe(scores);
  expect(found.ranks).toMatchObject({ writes: 0, queued: 0, invocations: 0 });
  // Each task is requested once at least, and delivered once.
  const tasks = sumOf(...(["shared tasks", "refreshes"] as const).map((part) => found[part] ?? {})).times;
  expect(tasks).toBeGreaterThan(20);
  const { queued } = sumOf(...Object.values(found));
  expect(queued).toBeGreaterThanOrEqual(2 * tasks);
});

test("a day that is over is closed by tasks, which its players pay once", async () => {
  const play = startPlay(startMs - hourMs);
  await play.createBoard("daily", { spans: ["daily"] });
  for (let player = 0; player < 20; player++)
    play.score(startMs - 30 * minuteMs + player, "daily", `player-${player}`, 100 + player);
  await play.pass(startMs);
  expect(play.take()["season ends"]).toBeUndefined();
  await play.pass(startMs + hourMs);
  const { "season ends": ends = expect.fail(), "shared tasks": tasks, ...others } = play.take();
  expect(ends.reads).toBeGreaterThanOrEqual(20);
  expect(ends.times).toBeGreaterThan(2);
  expect(tasks).toMatchObject({ invocations: ends.times, queued: ends.times });
  expect(others.runs).toBeUndefined();
  expect(play.store.list("leaderboards/daily/seasons").map(({ data }) => data["status"])).toEqual(["closed"]);
});
