/** A segment that takes the place of others has those whom a server puts into it, by whichever way they are counted. */
import { beforeEach, expect, test } from "vitest";
import { countedIn } from "../../../functions/src/documents/mark.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { repair } from "../../support/damage.ts";
import { admin, allTime, createBoard, eachWorld, user, versionOf } from "../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const world = eachWorld();
const named = (...names: string[]) => names.map((name) => ({ name, from: "server" as const }));
const save = (...names: string[]) =>
  world.call("saveLeaderboard", { leaderboard, definition: { segments: named(...names) } }, admin);
const submit = (player: string, score: number, segments?: Record<string, string>) =>
  world.call("submitScores", { leaderboard, submissions: [{ player, score, segments }] }, admin);
const refOf = (player: string) => world.db.doc(playerPath(key, player));
const markOf = async (player: string) => countedIn((await refOf(player).get()).data());
const audit = () => repair(world, key, { kind: "audit", full: true });
/** What an audit says where so many players are counted otherwise than their document asks for. */
const differing = (players: number) => ({
  repair: players > 0 ? "repair" : "none",
  found: { convergence: { players }, conservation: { scores: 0 } },
});
const free = { reads: 0, writes: 0, deletes: 0 };

/** A server's write of fields, as its event has it. */
async function write(player: string, fields: Record<string, string>) {
  const before = versionOf(await refOf(player).get());
  await refOf(player).update(fields);
  return { before, after: versionOf(await refOf(player).get()), atMs: world.services.now() };
}

/** Everybody is in four segments, and the board has `league` alone. The first four by name are those of before. */
beforeEach(async () => {
  await createBoard(world, leaderboard, { segments: named("city", "class", "country", "guild") });
  await submit("ann", 5, { city: "Linz", class: "elf", country: "AT", guild: "red" });
  await world.publish(key);
  await save("league");
  world.advance(120_000);
});

const inLeague = "5 city=Linz class=elf country=AT league=gold";

test("also where players still have values of four that the board had before", async () => {
  await world.follow(key, "ann", await write("ann", { "segments.league": "gold" }));
  await world.call("repairSeason", { leaderboard }, admin);
  world.advance(120_000);
  const rank = await world.call("getRank", { leaderboard, segments: ["league"] }, user("ann"));
  expect(rank.segments?.["league"]).toMatchObject({ rank: 1, players: 1 });
});

test("by the trigger alone: the audit agrees, and neither our own event nor one that changes nothing writes", async () => {
  const joined = await write("ann", { "segments.league": "gold" });
  await world.follow(key, "ann", joined);
  expect(await markOf("ann")).toBe(inLeague);
  expect(await audit()).toMatchObject(differing(0));
  const own = {
    before: joined.after,
    after: versionOf(await refOf("ann").get()),
    atMs: world.services.now(),
  };
  world.advance(120_000);
  expect(await world.bill(() => world.follow(key, "ann", own))).toEqual(free);
  const noted = await write("ann", { notes: "a server's own" });
  // The board alone, which is remembered.
  expect(await world.bill(() => world.follow(key, "ann", noted))).toEqual({ ...free, reads: 2 });
  expect(await world.bill(() => world.follow(key, "ann", noted))).toEqual(free);
});

test("by a repair alone, and a second one finds nothing", async () => {
  await write("ann", { "segments.league": "gold" });
  world.advance(120_000);
  expect(await audit()).toMatchObject(differing(1));
  await world.call("repairSeason", { leaderboard }, admin);
  expect(await markOf("ann")).toBe(inLeague);
  world.advance(120_000);
  expect(await audit()).toMatchObject(differing(0));
});

test("by a change of status and by a merge", async () => {
  await write("ann", { "segments.league": "gold" });
  const setStatus = (status: "hidden" | "active") =>
    world.call("setPlayerStatus", { leaderboard, player: "ann", status }, admin);
  await setStatus("hidden");
  await setStatus("active");
  expect(await markOf("ann")).toBe(inLeague);
  // The guest is in the league, and the account has values of before.
  await submit("bob", 7, { league: "iron" });
  await refOf("cem").set({
    ...(await refOf("bob").get()).data(),
    segments: { city: "Wels", class: "orc", country: "AT", guild: "red" },
  });
  await world.call("mergePlayers", { leaderboard, from: "bob", to: "cem" }, admin);
  expect(await markOf("cem")).toContain("league=iron");
});

test("by a score, for the price of any other", async () => {
  await write("ann", { "segments.x": "1", "segments.league": "gold", "segments.a": "1", "segments.b": "2" });
  // Values that the board never had stay in the document, and go after its own.
  await submit("ann", 6);
  expect(await markOf("ann")).toBe("6 a=1 b=2 league=gold x=1");
  expect(await world.bill(() => submit("ann", 7))).toEqual({ ...free, reads: 1, writes: 2 });
});

test("a segment that comes instead asks for a repair once, and what is there stays counted until then", async () => {
  await world.follow(key, "ann", await write("ann", { "segments.league": "gold" }));
  await save("guild");
  world.advance(120_000);
  expect(await markOf("ann")).toBe(inLeague);
  expect(await audit()).toMatchObject(differing(1));
  await world.call("repairSeason", { leaderboard }, admin);
  world.advance(120_000);
  expect(await markOf("ann")).toBe("5 city=Linz class=elf country=AT guild=red");
  expect(await audit()).toMatchObject(differing(0));
});
