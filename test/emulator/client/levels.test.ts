/**
 * docs/levels.md on the real functions: a level's board is opened by its first score, and works in each way in which a
 * board does.
 */
import type { FirebaseApp } from "firebase/app";
import * as client from "firerank-client";
import * as admin from "firerank-client/admin";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { leaderboardPath, playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { addressesIn, callableUrl } from "../../../scripts/callable-client.ts";
import { type ClientApp, createClientApp } from "../../support/client/client-app.ts";
import { listen } from "../../support/client-listening.ts";
import { eventually, soon, untilCounted, useLive } from "../../support/live.ts";
import { runSample, samplesOf } from "../../support/samples.ts";
import { allTime } from "../../support/world.ts";

const live = useLive();
let reader: ClientApp;
let ann: string;
beforeAll(async () => {
  reader = createClientApp();
  ann = live.uid("ann");
  await reader.signIn(ann, { leaderboard_role: "admin" });
});
afterAll(() => reader.close());

test("docs/levels.md: a template is saved, and the first score of a level opens its board", async () => {
  const template = live.uid("level");
  const leaderboard = (app: FirebaseApp, id: string, options?: client.LeaderboardOptions) =>
    client.leaderboard(app, id.replace("level", template), options);
  await live.db.doc("levels/dungeon-7").set({ by: "maker" });
  const [sample = expect.fail("there is no sample")] = samplesOf("docs/levels.md");
  const { entries } = await runSample(sample, { ...client, ...admin, leaderboard, app: reader.app });
  await admin.saveLeaderboard(client.leaderboard(reader.app, template), { ranking_interval_minutes: 0.02 });
  const id = `${template}:dungeon-7`;
  const key = allTime(id);
  const board = client.leaderboard(reader.app, id);
  expect((entries as client.Entry[]).length).toBeLessThanOrEqual(1);
  expect((await live.db.doc(leaderboardPath(id)).get()).exists).toBe(false);

  const rank = () => live.admin.call("runRanking", { leaderboard: id, include_open_slot: true });
  await rank();
  const ranked = listen<client.WatchedRank | null>();
  onTestFinished(client.watchRank(board, ranked.hear, (error) => expect.unreachable(error.message), ann));
  await ranked.match({ score: 81.2, rank: 1, players: 1, exact: true });
  await (await live.as("bob")).call("submitScore", { leaderboard: id, score: 70 });
  await rank();
  await ranked.match({ rank: 2, players: 2 });
  expect(await client.rankOf(board, 75)).toMatchObject({ rank: 2 });
  const top = listen<client.Top>();
  onTestFinished(client.watchTop(board, top.hear));
  // A refresh is a task, with a name that the queue takes.
  await top.match({ entries: [{ score: 70 }, { score: 81.2 }] });

  // A trusted server writes a player's document, and the trigger's event has a path with a colon.
  await live.db.doc(playerPath(key, "cyd")).set({ score: 60, status: "active" });
  await untilCounted(live.db, key);
  await rank();
  await soon(async () => (await live.admin.call("getRank", { leaderboard: id, player: ann })).rank).toBe(3);

  const { idToken: token } = await live.account("dan");
  const rest = `${callableUrl(addressesIn(process.env), "leaderboardApi")}/v1/leaderboards/`;
  for (const path of [id, encodeURIComponent(id)]) {
    const answer = await fetch(`${rest}${path}/top`, { headers: { Authorization: `Bearer ${token}` } });
    expect(await answer.json()).toMatchObject({ leaderboard: id });
  }
  await expect(live.admin.call("submitScore", { leaderboard: `${template}:none`, score: 1 })).rejects.toThrow(
    "there is no document levels/none",
  );
  await eventually(async () => {
    const season = await live.db.doc(seasonPath(key)).get();
    expect(season.get("ranking.players")).toBe(3);
  });
  await live.db.doc(seasonPath(key)).update({ next_run_at: null, "ranking.published_at": null });
});
