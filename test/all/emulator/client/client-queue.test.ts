/** Scores that wait on the device: what the functions make of them when they come late, by each aggregation. */
import { type FirerankError, leaderboard, type Score, type Submission, submitScore } from "firerank-client";
import { closeSeason, openSeason } from "firerank-client/admin";
import { type QueuedScore, type QueueOptions, scoreQueue } from "firerank-client/queue";
import { expect, onTestFinished, test, vi } from "vitest";
import { startFailingProxy, type Fate } from "../../../support/failing-proxy.ts";
import { addressesIn } from "../../../../scripts/callable-client.ts";
import { useLive, eventually } from "../../../support/live.ts";
import { patienceMs } from "../../../support/patience.ts";
import { type ClientApp, clientApp } from "../../../support/client/client-app.ts";

const live = useLive();

/** An app of a player, whose first calls end as told. */
async function playing(uid: string, fates: readonly Fate[] = []) {
  const proxy = await startFailingProxy(addressesIn(process.env).functions, fates);
  const client = clientApp({ functionsPort: proxy.port });
  await client.signIn(live.uid(uid), uid === "boss" ? { leaderboard_admin: true } : {});
  return client;
}

function deviceStorage() {
  const texts = new Map<string, string>();
  return {
    getItem: (key: string) => Promise.resolve(texts.get(key) ?? null),
    setItem: (key: string, value: string) => Promise.resolve(void texts.set(key, value)),
  };
}

function reporting() {
  const sent: Submission[] = [];
  const dropped: FirerankError[] = [];
  const reports = {
    onSent: (answer: Submission) => void sent.push(answer),
    onDropped: (error: FirerankError) => void dropped.push(error),
  } satisfies QueueOptions;
  return { sent, dropped, reports };
}

/** Leaves scores on a device, as an app that was closed before it could send them. */
async function leave(app: ClientApp, id: string, scores: readonly number[], season?: string) {
  const storage = deviceStorage();
  const queue = scoreQueue(leaderboard(app.app, id, { season }), { storage });
  queue.stop();
  const queued: QueuedScore[] = [];
  for (const score of scores) queued.push(await queue.submit({ score }));
  return { storage, queued };
}

/** Leaves a score whose answers were all lost on a device, as a player's app that was closed while it waited. */
async function leaveUnanswered(player: string, id: string, score: Score) {
  const { app } = await playing(player, Array<Fate>(5).fill("body_lost"));
  const storage = deviceStorage();
  const waits = vi.fn<(error: FirerankError) => void>();
  const queue = scoreQueue(leaderboard(app, id), { storage, onWaiting: waits });
  await queue.submit(score);
  await vi.waitFor(() => expect(waits).toHaveBeenCalled(), patienceMs());
  queue.stop();
  expect(waits.mock.calls[0]?.[0]).toMatchObject({ code: "unavailable" });
  return storage;
}

test.each([
  { aggregation: "best", late: "a late one counts if it is better", expected: { score: 9, attempts: 2 } },
  { aggregation: "latest", late: "what arrives last counts", expected: { score: 3, attempts: 4 } },
  { aggregation: "sum", late: "each is added once", expected: { score: 35, attempts: 4 } },
] as const)("by $aggregation, $late", async ({ aggregation, expected }) => {
  const { leaderboard: id } = await live.board({ aggregation });
  const app = await playing(`late-${aggregation}`);
  const { storage, queued } = await leave(app, id, [5, 9, 3]);
  await submitScore(leaderboard(app.app, id), { score: aggregation === "sum" ? 18 : 7 });
  const { sent, dropped, reports } = reporting();
  const queue = scoreQueue(leaderboard(app.app, id), { storage, ...reports });
  onTestFinished(queue.stop);
  await eventually(async () => {
    expect(sent).toHaveLength(3);
    expect(await queue.waiting()).toEqual([]);
  });
  expect(queued.map(({ made_at: at }) => at).toSorted()).toEqual(queued.map(({ made_at: at }) => at));
  expect(sent.at(-1)?.seasons).toMatchObject([expected]);
  expect(dropped).toEqual([]);
});

test("a score for a tournament that has closed is dropped with a report", async () => {
  const { leaderboard: id } = await live.board({ spans: [] });
  const boss = await playing("boss");
  const board = leaderboard(boss.app, id);
  expect(await openSeason(board, "cup")).toMatchObject({ leaderboard: id, season: "cup", status: "open" });
  const app = await playing("eve");
  const { storage } = await leave(app, id, [5], "cup");
  const { closes_at: end } = await closeSeason(board, "cup");
  await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(end ?? "")));
  const { sent, dropped, reports } = reporting();
  const queue = scoreQueue(leaderboard(app.app, id, { season: "cup" }), { storage, ...reports });
  onTestFinished(queue.stop);
  await eventually(() => expect(dropped).toMatchObject([{ code: "season_closed" }]));
  expect([sent, await queue.waiting()]).toEqual([[], []]);
});

test("a guest's score whose answer was lost counts once for the account that claims it after the merge", async () => {
  const { leaderboard: id } = await live.board({ aggregation: "sum" });
  const storage = await leaveUnanswered("guest", id, { score: 30, display_name: "Guest" });
  const account = await playing("jon");
  const uids = { from: live.uid("guest"), to: live.uid("jon") };
  const { sent, reports } = reporting();
  const queue = scoreQueue(leaderboard(account.app, id), { storage, ...reports });
  onTestFinished(queue.stop);
  await live.admin.send("mergePlayers", { ...uids, leaderboard: id });
  expect(await queue.claim(uids.from)).toMatchObject([{ player: uids.to, score: { score: 30 } }]);
  await eventually(() => {
    expect(sent).toMatchObject([{ player: uids.to, seasons: [{ score: 30, attempts: 1, repeated: true }] }]);
  });
});
