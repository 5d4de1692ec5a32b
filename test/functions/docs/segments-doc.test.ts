/** What docs/segments.md promises about players, seasons and definitions that change. */
import { beforeEach, expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import type { Caller } from "../../../functions/src/operations/shared/access.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const country = { name: "country", from: "submission" as const, values: ["AT", "DE"] };
const league = { name: "league", from: "claim" as const };
const guild = { name: "guild", from: "server" as const };

const world = eachWorld();
beforeEach(async () => {
  await createBoard(world, leaderboard, { segments: [country, league, guild] });
});

const submit = (more: object = {}, caller: Caller = user("ann")) =>
  world.call("submitScore", { leaderboard, score: 5, ...more }, caller);

/** Ann's values in a season. */
async function valuesIn(season = "all_time"): Promise<unknown> {
  const found = await world.db.doc(playerPath({ leaderboard, season }, "ann")).get();
  expect(found.exists).toBe(true);
  const segments: unknown = found.get("segments");
  const marked: unknown = found.get("counted.segments") ?? [];
  expect(marked).toEqual(Object.entries(segments ?? {}).map(([name, value]) => `${name}=${String(value)}`));
  return segments;
}

const day = 86_400_000;

test("in a new season a player begins without values in a tournament, and on a board with a single span", async () => {
  await createBoard(world, leaderboard, { spans: ["daily"] });
  await submit({ segments: { country: "AT" } });
  world.advance(day);
  await submit();
  await world.call("openSeason", { leaderboard, season: "cup" }, admin);
  await submit({ season: "cup" });
  expect(await valuesIn("daily-2100-01-03")).toBeUndefined();
  expect(await valuesIn("cup")).toBeUndefined();
});

test("a claim that is taken away leaves its value, and one that changes replaces it", async () => {
  const as = (claims: object) => ({ uid: "ann", claims: { ...claims } });
  await submit({}, as({ league: "gold" }));
  await submit({ score: 6 }, as({}));
  expect(await valuesIn()).toEqual({ league: "gold" });
  await submit({}, as({ league: "silver" }));
  expect(await valuesIn()).toEqual({ league: "silver" });
});

test("a server sets every segment, in submissions and in players' documents", async () => {
  const segments = { country: "DE", guild: "red", league: "gold" };
  const submissions = [{ player: "ann", score: 7, segments }];
  await world.call("submitScores", { leaderboard, submissions }, admin);
  expect(await valuesIn()).toEqual(segments);
  const said = { ...submissions[0], segments: { country: "FR" } };
  const { results } = await world.call("submitScores", { leaderboard, submissions: [said] }, admin);
  expect(results).toMatchObject([{ segments_passed_over: ["country"] }]);
  const key = allTime(leaderboard);
  const found = await world.db.doc(playerPath(key, "ann")).get();
  await world.writeDirectly(key, "ann", { ...found.data(), segments: { guild: "blue" } });
  await world.deliver(key, "ann");
  expect(await valuesIn()).toEqual({ guild: "blue" });
});

test("a segment that is taken away is ranked until its players score, and is theirs if it comes back before", async () => {
  for (const name of ["ann", "bob"]) await submit({ segments: { country: "AT" } }, user(name));
  await world.publish(allTime(leaderboard));
  const save = async (segments: object[]) => {
    await world.call("saveLeaderboard", { leaderboard, definition: { segments: segments as never } }, admin);
    world.advance(5 * 60_000);
  };
  const ask = () => world.call("getPage", { leaderboard, segment: { country: "AT" } }, admin);
  await save([league, guild]);
  await expect(ask()).rejects.toMatchObject({ code: "invalid_request" });
  await submit({ score: 99 });
  expect(await valuesIn()).toBeUndefined();
  await world.publish(allTime(leaderboard));
  await save([country]);
  expect(await ask()).toMatchObject({ entries: [{ player: "bob", rank: 1 }], players: 1 });
});

test("a value that leaves the list stays with its players, and can't be asked for by name", async () => {
  await submit({ segments: { country: "DE" } });
  await world.publish(allTime(leaderboard));
  const segments = [{ ...country, values: ["AT"] }];
  await world.call("saveLeaderboard", { leaderboard, definition: { segments } }, admin);
  world.advance(5 * 60_000);
  const ask = (value: string) =>
    world.call("getRank", { leaderboard, segment: { country: value } }, user("ann"));
  await expect(ask("DE")).rejects.toMatchObject({ code: "invalid_request" });
  expect(await ask("mine")).toMatchObject({ segment: { country: "DE" }, rank: 1 });
});
