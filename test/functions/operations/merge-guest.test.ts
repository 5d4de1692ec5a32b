/** A guest's scores go to the account that the guest has signed in to, if both tokens are there and attempts are free. */
import { beforeEach, expect, test } from "vitest";
import { closingNotesPath, leaderboardPath, playerPath } from "../../../functions/src/documents/paths.ts";
import { boardCacheMs, mergeKeptMs } from "../../../functions/src/model/limits.ts";
import { createEnding, endSeason, expectFinal, playerFields } from "../../support/closing.ts";
import { expectRefusal, type Refusal } from "../../support/refusals.ts";
import { admin, allTime, createBoard, user, eachWorld } from "../../support/world.ts";

const leaderboard = "arena";
const world = eachWorld();
let token: string;
beforeEach(async () => {
  token = world.accounts.addGuest("guest");
  await createBoard(world, leaderboard, {});
  await submit("guest", 5);
  await submit("ann", 3);
});

const submit = (player: string, score: number) =>
  world.call("submitScore", { leaderboard, score }, user(player));
const merge = (guest_token = token, caller = "ann") =>
  world.call("mergeGuest", { leaderboard, guest_token }, user(caller));

test("the guest's score is the caller's, however often the call is sent", async () => {
  const { result, bill } = await world.meter.measure(merge);
  expect(result).toEqual({ from: "guest", to: "ann", seasons: [{ season: "all_time", span: "all_time" }] });
  expect(bill).toMatchObject({ reads: 19, writes: 7, deletes: 1 });
  await expectRefusal(world, "player_not_ranked", merge);
  expect((await world.db.doc(playerPath(allTime(leaderboard), "ann")).get()).get("score")).toBe(5);
  expect((await world.db.doc(playerPath(allTime(leaderboard), "guest")).get()).exists).toBe(false);
});

test("a token of nobody, of the caller, or no caller at all merges nothing", async () => {
  const bad: Refusal = { code: "invalid_request", paths: ["guest_token"] };
  await expectRefusal(world, bad, () => merge("forged"));
  await expectRefusal(world, bad, () => merge(""));
  await expectRefusal(world, bad, () => merge(token, "guest"));
  await expectRefusal(world, "unauthenticated", () =>
    world.call("mergeGuest", { leaderboard, guest_token: token }, undefined),
  );
});

test.each([
  { max_attempts: 3 },
  { max_change: 10 },
  { min_seconds_between: 10 },
  { aggregation: "sum", max_score: 10 },
  { submit: "server" },
] as const)("guests give no further chances on a board with %j", async (limits) => {
  await createBoard(world, "limited", limits);
  await expectRefusal(world, { code: "invalid_request", paths: ["leaderboard"] }, () =>
    world.call("mergeGuest", { leaderboard: "limited", guest_token: token }, user("ann")),
  );
});

test("nor in a season of sums, whatever somebody has made of the stored definition since", async () => {
  await createBoard(world, "sums", { spans: ["daily"], aggregation: "sum" });
  for (const [player, score] of Object.entries({ guest: 5, ann: 3 }))
    await world.call("submitScore", { leaderboard: "sums", score }, user(player));
  await world.db.doc(leaderboardPath("sums")).update({ aggregation: "best" });
  world.advance(boardCacheMs);
  await expectRefusal(world, { code: "invalid_request", paths: ["leaderboard"] }, () =>
    world.call("mergeGuest", { leaderboard: "sums", guest_token: token }, user("ann")),
  );
});

test.each(["hidden", "banned"] as const)("a guest who is %s stays apart", async (status) => {
  await world.call("setPlayerStatus", { leaderboard, player: "guest", status }, admin);
  await expectRefusal(world, "player_banned", merge);
});

test("a final table stays, and a season that is closing is not held up", async () => {
  const cup = await createEnding(world, "cup-board", { ann: playerFields(3, 0), guest: playerFields(5, 1) });
  const here = { leaderboard: cup.leaderboard };
  const inCup = () => world.call("mergeGuest", { ...here, guest_token: token }, user("ann"));
  await world.call("submitScore", { ...here, score: 1 }, user("guest"));
  await endSeason(world, cup, { until: ({ status }) => status === "closing" });
  await inCup();
  expect((await world.db.collection(closingNotesPath(cup)).get()).size).toBe(0);
  await endSeason(world, cup);
  world.advance(mergeKeptMs);
  await world.call("submitScore", { ...here, score: 2 }, user("guest"));
  await inCup();
  await expectFinal(world, cup);
});

test("a guest without a score costs two reads a season and one for private groups, not those of a merge", async () => {
  const stranger = world.accounts.addGuest("stranger");
  await merge(stranger).catch(() => undefined);
  expect(await world.bill(() => merge(stranger).catch(() => undefined))).toMatchObject({
    reads: 3,
    writes: 0,
    deletes: 0,
  });
});

test("on boards of a template each board is merged by itself, by what getMyBoards has told the guest", async () => {
  await createBoard(world, "level", { template: { ids: "any" } });
  const levels = ["level:1", "level:2", "level:3"];
  for (const level of levels)
    await world.call("submitScore", { leaderboard: level, score: 5 }, user("guest"));
  const { boards } = await world.call("getMyBoards", {}, user("guest"));
  expect(boards.map(({ leaderboard: level }) => level).toSorted()).toEqual(levels);
  const mergeOn = (level: string) =>
    world.call("mergeGuest", { leaderboard: level, guest_token: token }, user("ann"));
  await expectRefusal(world, "leaderboard_not_found", () => mergeOn("level"));
  await mergeOn("level:1");
  expect((await world.call("getMyBoards", {}, user("guest"))).boards).toHaveLength(2);
  await expectRefusal(world, "player_not_ranked", () => mergeOn("level:1"));
  for (const level of levels.slice(1)) await mergeOn(level);
  expect((await world.call("getMyBoards", {}, user("ann"))).boards).toHaveLength(3);
  const renamed = { leaderboard: "level:1", display_name: "Ann" };
  expect((await world.call("setProfile", renamed, user("ann"))).seasons).toHaveLength(1);
  await world.call("setProfile", { ...renamed, leaderboard: "level:2" }, user("ann"));
});
