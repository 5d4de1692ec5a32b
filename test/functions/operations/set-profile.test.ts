/** A player's name and metadata without a score: where they change, who may change them, and what it costs. */
import { beforeEach, expect, test } from "vitest";
import { playerPath, playersPath, seasonPath, topPath } from "../../../functions/src/documents/paths.ts";
import { readTop } from "../../../functions/src/documents/top.ts";
import type { ErrorCode } from "../../../functions/src/model/errors.ts";
import { profileSecondsBetween, topGateKeptMs } from "../../../functions/src/model/limits.ts";
import type { Role } from "../../../functions/src/model/role.ts";
import { refreshWhenDue } from "../../../functions/src/groups/refresh.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { expectRefusal, invalid, type Refusal } from "../../support/refusals.ts";
import { admin, allTime, createBoard, user, versionOf, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "board";
const key = allTime(leaderboard);
const submit = (player: string, score: number, more: object = {}) =>
  world.call("submitScore", { leaderboard, score, ...more }, user(player));
const set = (player: string, profile: object) =>
  world.call("setProfile", { leaderboard, ...profile }, user(player));
const stored = async (player: string, of = key) => (await world.db.doc(playerPath(of, player)).get()).data();
const rest = () => {
  world.advance(profileSecondsBetween * 1_000);
};

beforeEach(async () => {
  await createBoard(world, leaderboard, { spans: ["all_time", "daily"] });
  await submit("ann", 30, { display_name: "Ann", metadata: { avatar: "cat" } });
});

test("a profile changes every open season that has the player, and the same again changes nothing", async () => {
  await world.call("openSeason", { leaderboard, season: "cup" }, admin);
  await world.call("openSeason", { leaderboard, season: "other" }, admin);
  await submit("ann", 5, { season: "cup" });
  const before = await stored("ann");
  const profile = { display_name: "Anna", metadata: { avatar: "dog" } };
  const seasons = [
    { season: "all_time", span: "all_time" },
    { season: "cup", span: "custom" },
    { season: "daily-2100-01-02", span: "daily" },
  ];
  const answer = (changed: boolean) => ({
    leaderboard,
    player: "ann",
    seasons: seasons.map((one) => ({ ...one, changed })),
  });
  expect(await set("ann", profile)).toEqual(answer(true));
  for (const { season } of seasons)
    expect(await stored("ann", { leaderboard, season })).toMatchObject(profile);
  const { counted: _, ...fields } = (await stored("ann")) ?? {};
  expect({ ...fields, counted: 0 }).toEqual({ ...before, ...profile, counted: 0 });
  expect((await world.db.collection(playersPath({ leaderboard, season: "other" })).get()).size).toBe(0);
  rest();
  expect(await set("ann", profile)).toEqual(answer(false));
});

test("what is left out stays, and null takes out", async () => {
  await set("ann", { display_name: "Anna" });
  expect(await stored("ann")).toMatchObject({ display_name: "Anna", metadata: { avatar: "cat" } });
  rest();
  await set("ann", { display_name: null, metadata: null });
  const fields = Object.keys((await stored("ann")) ?? {});
  expect(fields).toContain("score");
  expect(fields).not.toContain("display_name");
  expect(fields).not.toContain("metadata");
});

test("a player without a score gets no document", async () => {
  expect(await set("bob", { display_name: "Bob" })).toEqual({ leaderboard, player: "bob", seasons: [] });
  expect(await stored("bob")).toBeUndefined();
});

test("it costs 2 reads a season and 1 write where something changes, and its event costs nothing", async () => {
  await set("bob", { display_name: "Warm" });
  const billOf = async (profile: object) => await world.bill(() => set("ann", profile));
  expect(await billOf({ display_name: "Anna" })).toEqual({ reads: 4, writes: 2, deletes: 0 });
  rest();
  expect(await billOf({ display_name: "Anna" })).toEqual({ reads: 4, writes: 0, deletes: 0 });
  const before = versionOf(await world.db.doc(playerPath(key, "ann")).get());
  rest();
  await set("ann", { display_name: "Ann" });
  const after = versionOf(await world.db.doc(playerPath(key, "ann")).get());
  const { bill } = await world.meter.measure(() =>
    world.follow(key, "ann", { before, after, atMs: world.services.now() }),
  );
  expect(bill).toEqual({ reads: 0, writes: 0, deletes: 0 });
  await world.publish(key);
  await expectConserved(world, key);
  await expectConverged(world, key);
});

test("the top shows it within a minute, and lists at once", async () => {
  await world.publish(key);
  world.advance(topGateKeptMs);
  await set("ann", { display_name: "Anna" });
  const asked = [...world.refreshes.values()].filter(
    ({ season, follows }) => season === "all_time" && follows === "names",
  );
  expect(asked).toHaveLength(1);
  for (const request of asked) {
    expect(Date.parse(request.due_at) - world.services.now()).toBeLessThanOrEqual(60_000);
    await refreshWhenDue(world.services, request);
  }
  const top = readTop((await world.db.doc(topPath(key)).get()).data());
  expect(top.entries).toMatchObject([{ player: "ann", display_name: "Anna" }]);
  const { entries } = await world.call("getPlayers", { leaderboard, players: ["ann"] }, user("ann"));
  expect(entries).toMatchObject([{ display_name: "Anna" }]);
});

test("another one within seconds is refused without a read, but not a server's", async () => {
  await set("ann", { display_name: "Anna" });
  const { bill } = await world.meter.measure(async () => {
    await expect(set("ann", { display_name: "Ann" })).rejects.toMatchObject({
      code: "too_frequent",
      details: { retry_after_seconds: profileSecondsBetween },
    });
  });
  expect(bill.reads).toBe(0);
  await world.call("setProfile", { leaderboard, player: "ann", display_name: "An" }, admin);
  expect(await stored("ann")).toMatchObject({ display_name: "An" });
  rest();
  await set("ann", { display_name: "Ann" });
});

test("a hidden player's profile changes, and a banned one's only by a moderator", async () => {
  await world.call("setPlayerStatus", { leaderboard, player: "ann", status: "hidden" }, admin);
  await set("ann", { display_name: "Anna" });
  expect(await stored("ann")).toMatchObject({ display_name: "Anna", status: "hidden" });
  await world.call("setPlayerStatus", { leaderboard, player: "ann", status: "banned" }, admin);
  rest();
  await expectRefusal(world, "player_banned", () => set("ann", { display_name: "Ann" }));
  const take = (role: Role) =>
    world.call("setProfile", { leaderboard, player: "ann", display_name: null }, { uid: "bo", role });
  await expectRefusal(world, "player_banned", () => take("submitter"));
  await take("moderator");
  expect(await stored("ann")).not.toHaveProperty("display_name");
});

test("a board for a server's scores takes profiles from the server only", async () => {
  await createBoard(world, "served", { submit: "server" });
  const request = { leaderboard: "served", player: "ann", display_name: "Ann" };
  await expectRefusal(world, "server_scores_only", () => world.call("setProfile", request, user("ann")));
  expect(await world.call("setProfile", request, admin)).toMatchObject({ seasons: [] });
});

test.each<[object, ErrorCode | Refusal]>([
  [{}, invalid("display_name")],
  [{ metadata: { text: "a".repeat(1_024) } }, invalid("metadata")],
  [{ display_name: "Bob", player: "bob" }, "not_allowed"],
])("it refuses %j", async (profile, refusal) => {
  await expectRefusal(world, refusal, () => set("ann", profile));
});

test("a season that has ended keeps the names that it ended with", async () => {
  const closes = new Date(world.services.now() + 1_000).toISOString();
  await world.call("openSeason", { leaderboard, season: "cup", closes_at: closes }, admin);
  await submit("ann", 5, { season: "cup", display_name: "Cup" });
  world.advance(1_000);
  await set("ann", { display_name: "Anna" });
  expect(await stored("ann", { leaderboard, season: "cup" })).toMatchObject({ display_name: "Cup" });
});

test("a document without a score keeps its ban and gets no name; a damaged season leaves the others alone", async () => {
  await world.db.doc(playerPath(key, "merged")).set({ status: "hidden", attempts: 0 });
  expect((await set("merged", { display_name: "Back" })).seasons).toEqual([]);
  expect(await stored("merged")).toEqual({ status: "hidden", attempts: 0 });
  await world.db.doc(seasonPath({ leaderboard, season: "broken" })).set({ status: "open" });
  const { seasons } = await set("ann", { display_name: "Anna" });
  expect(seasons.map(({ changed }) => changed)).toEqual([true, true]);
});
