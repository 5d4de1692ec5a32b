/** A segment that is visible to "self": nobody but the player and moderators sees which value a player has. */
import { beforeEach, expect, test } from "vitest";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { admin, allTime, createBoard, type Operation, user } from "../../support/world.ts";
import { callOn } from "../../support/world.ts";
import type { Caller } from "../../../functions/src/operations/shared/access.ts";
import { closeNow } from "../../support/closing.ts";

const leaderboard = "arena";
const cup = { leaderboard, season: "cup" };
const moderator: Caller = { uid: "mod", role: "moderator" };
const league = { league: "gold" };
let world: RestWorld;

beforeEach(async () => {
  world = createRestWorld();
  const segments = [
    { name: "league", from: "claim" as const, visible: "self" as const },
    { name: "country", from: "submission" as const, values: ["AT"] },
  ];
  await createBoard(world, leaderboard, { visibility: "public", segments });
  await world.call("openSeason", cup, admin);
  for (const [player, score, claims] of [
    ["ann", 500, league],
    ["bob", 400, league],
    ["cyd", 300, { league: "tin" }],
  ] as const)
    for (const season of [undefined, "cup"])
      await world.call(
        "submitScore",
        { leaderboard, season, score, segments: { country: "AT" } },
        { uid: player, claims },
      );
  world.advance(20_000);
  for (const key of [allTime(leaderboard), cup]) await publishRanking(world.services, key);
});

const ask = (name: Operation, more: object, caller?: Caller) =>
  callOn(world.services, name, { leaderboard, ...more }, caller);

test.each([
  ["getRank", { player: "ann", segments: ["league"] }],
  ["getRank", { player: "ann", segments: ["country", "league"] }],
  ["getRank", { player: "ann", segment: league }],
  ["getRank", { player: "cyd", segment: league }],
  ["getAround", { player: "ann", segment: league }],
  ["getPage", { segment: league }],
  ["getTop", { segment: league }],
  ["getPlayers", { players: ["ann", "cyd"], segment: league }],
] as const)("%s %j tells it to moderators alone, in an open season and a closed one", async (name, asked) => {
  const check = async (more: object) => {
    for (const caller of [undefined, user("bob"), { uid: "server", role: "submitter" as const }])
      await expect(ask(name, { ...asked, ...more }, caller)).rejects.toMatchObject({ code: "not_allowed" });
    const told = ask(name, { ...asked, ...more }, moderator);
    if ("player" in asked && asked.player === "cyd")
      await expect(told).rejects.toMatchObject({ code: "player_not_ranked" });
    else expect(JSON.stringify(await told)).toContain("gold");
  };
  await check({});
  await check({ season: "cup" });
  await closeNow(world, cup);
  await check({ season: "cup" });
});

test("lists of the others' are refused to a player of it, too", async () => {
  for (const name of ["getTop", "getPage", "getAround"] as const)
    for (const segment of [league, { league: "mine" }])
      await expect(ask(name, { segment }, user("ann"))).rejects.toMatchObject({ code: "not_allowed" });
});

test("everybody sees the rank of a score in it, and the own one", async () => {
  expect(await ask("getRank", { score: 450, segment: league })).toMatchObject({ rank: 2, players: 2 });
  for (const own of [{}, { player: "bob" }]) {
    const caller = user("bob");
    expect(await ask("getRank", { ...own, segment: { league: "mine" } }, caller)).toMatchObject({ rank: 2 });
    expect(await ask("getRank", { ...own, segment: league }, caller)).toMatchObject({ rank: 2 });
    const { segments } = (await ask("getRank", { ...own, segments: ["league"] }, caller)) as {
      segments?: object;
    };
    expect(segments).toMatchObject({ league: { segment: league, rank: 2 } });
  }
  expect(await ask("getTop", { segment: { country: "AT" } })).toMatchObject({ players: 3 });
});

test("no answer of another call, and no document that apps read, has a value", async () => {
  const open = [
    await ask("getTop", {}),
    await ask("getPage", {}),
    await ask("getAround", { player: "ann" }),
    await ask("getPlayers", { players: ["ann"] }),
    await ask("getRank", { player: "ann", segments: ["country"] }),
    (await world.db.doc(`leaderboards/${leaderboard}/seasons/all_time/top/current`).get()).data(),
  ];
  expect(JSON.stringify(open)).not.toMatch(/gold|league/);
});

test("no shared cache keeps what a moderator is told", async () => {
  const path = `/v1/leaderboards/${leaderboard}`;
  for (const question of [
    "scores?segment=league:gold",
    "scores/ann?segments=league",
    "top?segment=league:gold",
  ]) {
    const told = await world.get(`${path}/${question}`, "moderator");
    expect(told.status).toBe(200);
    expect(told.headers.get("cache-control")).toMatch(/^private/);
    expect((await world.get(`${path}/${question}`)).status).toBe(403);
  }
  const country = await world.get(`${path}/scores?segment=country:AT`);
  expect(country.headers.get("cache-control")).toMatch(/^public/);
});

test("nor in a closed season, once the board has the segment no more", async () => {
  await closeNow(world, cup);
  const definition = { segments: [{ name: "country", from: "submission" as const, values: ["AT"] }] };
  await world.call("saveLeaderboard", { leaderboard, definition }, admin);
  world.advance(61_000);
  for (const list of ["scores", "top"]) {
    const question = `/v1/leaderboards/${leaderboard}/${list}?season=cup&segment=league:gold`;
    const told = await world.get(question, "moderator");
    expect([told.status, (await world.get(question)).status]).toEqual([200, 403]);
    expect(told.headers.get("cache-control")).toMatch(/^private/);
  }
});

test("nor where another season was read while the segment was for everybody", async () => {
  const path = `/v1/leaderboards/${leaderboard}/scores`;
  // As another instance does it: this one goes on with what it remembers.
  const save = (visible: "everybody" | "self") =>
    world.db
      .doc(`leaderboards/${leaderboard}`)
      .update({ segments: [{ name: "league", from: "claim", visible }] });
  await save("everybody");
  world.advance(61_000);
  const before = await world.get(`${path}?segment=league:gold`);
  expect(before.headers.get("cache-control")).toMatch(/^public/);
  await save("self");
  const told = await world.get(`${path}?season=cup&segment=league:gold`, "moderator");
  expect(told.status).toBe(200);
  expect(told.headers.get("cache-control")).toMatch(/^private/);
});
