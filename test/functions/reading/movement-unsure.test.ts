/** What movement may not say for certain: whatever changes beside the usual way leaves a true answer, or none. */
import { expect, test } from "vitest";
import { commitPlayers } from "../../../functions/src/counting/commit-players.ts";
import type { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { leaderboardPath, pagePath, playerPath } from "../../../functions/src/documents/paths.ts";
import { nextMidnight } from "../../../functions/src/model/midnights.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import type { Services } from "../../../functions/src/operations/services.ts";
import { admin, allTime, callOn, createBoard, createWorld, user, type World } from "../../support/world.ts";

const key = allTime("board");
const hour = 3_600_000;
const minute = 60_000;
const calendar = { time_zone: "UTC", week_starts_on: "monday" as const };
const since = { leaderboard: "board", since: "day" } as const;

const run = (world: World) => publishRanking(world.services, key);

/** The rank of then and the places since, or why there are none; `certain` only where the answer says so. */
async function moved(world: World, player: string, services: Services = world.services): Promise<unknown> {
  const { moved: found, moved_why: why } = await callOn(services, "getRank", since, user(player), true);
  if (found == null) return why;
  return [found.from_rank, found.places, found.exact ? "certain" : "not certain"];
}

function advanceTo(world: World, ms: number): void {
  world.advance(ms - world.services.now());
}

/** Moves to some time after the next midnight, which it returns. */
function toMidnight(world: World, afterMs = 0): number {
  const midnight = nextMidnight(world.services.now(), calendar);
  advanceTo(world, midnight + afterMs);
  return midnight;
}

/** Ann is the first and bob the second at a midnight, an hour ago. */
async function afterMidnight(definition: object = {}): Promise<World> {
  const world = createWorld();
  await createBoard(world, "board", { aggregation: "latest", movement: true, ...definition });
  world.advance(hour);
  await world.submit("ann", 50);
  await world.submit("bob", 40);
  world.advance(20_000);
  await run(world);
  toMidnight(world, hour);
  return world;
}

/** Something is counted today, and the ranking of the midnight has its copy. */
async function goOn(world: World): Promise<void> {
  await world.submit("eve", 1);
  world.advance(20_000);
  await run(world);
  world.advance(5 * minute);
}

/** A commit that has read the player before, and took long. */
async function submitLate(world: World, player: string, score: number, readMs: number): Promise<void> {
  const services = { ...world.services, databaseMs: () => readMs };
  const board = await services.boards.load(key);
  await commitPlayers(services, [board], async (players) => {
    for (const found of await players.getAll(world.db.doc(playerPath(key, player))))
      players.write(key, found, { score });
  });
}

const dataOf = async (world: World, player: string) =>
  (await world.db.doc(playerPath(key, player)).get()).data() ?? {};

test("a document that a server deletes stays deleted, whatever its mark has noted", async () => {
  const world = await afterMidnight();
  await world.submit("bob", 60);
  const write = await world.writeDirectly(key, "bob", undefined);
  await world.follow(key, "bob", write, 2);
  expect((await world.db.doc(playerPath(key, "bob")).get()).exists).toBe(false);
});

/** Bob's document is overwritten with Ann's; the event has not come yet. */
async function bobCopied() {
  const world = await afterMidnight();
  return { world, write: await world.writeDirectly(key, "bob", await dataOf(world, "ann")) };
}

test("a player made of the copy of another's document is new", async () => {
  const world = await afterMidnight();
  const write = await world.writeDirectly(key, "cem", await dataOf(world, "ann"));
  await world.follow(key, "cem", write, 2);
  await goOn(world);
  expect(await moved(world, "cem")).toBe("new");
});

test("a player whose document became the copy of another's has moved from the own place", async () => {
  const { world, write } = await bobCopied();
  await world.follow(key, "bob", write, 2);
  await goOn(world);
  expect(await moved(world, "bob")).toEqual([2, 1, "certain"]);
});

test("a player who submits over such a copy, before its event comes, is unknown", async () => {
  const { world, write } = await bobCopied();
  await world.submit("bob", 60);
  await world.follow(key, "bob", write, 2);
  await goOn(world);
  expect(await moved(world, "bob")).toBe("unknown");
});

test("of two such writes whose events come in the wrong order nobody knows", async () => {
  const world = await afterMidnight();
  const first = await world.writeDirectly(key, "bob", await dataOf(world, "ann"));
  const second = await world.writeDirectly(key, "bob", { score: 70, status: "active" });
  await world.follow(key, "bob", second);
  await world.follow(key, "bob", first);
  await goOn(world);
  expect(await moved(world, "bob")).toBe("unknown");
});

test("what was counted while the definition could not be read is unknown", async () => {
  const world = await afterMidnight();
  const definition = world.db.doc(leaderboardPath("board"));
  await definition.update({ order: "big" });
  world.advance(2 * minute);
  const write = await world.writeDirectly(key, "bob", { ...(await dataOf(world, "bob")), score: 60 });
  await world.follow(key, "bob", write);
  await definition.update({ order: "descending" });
  world.advance(2 * minute);
  await goOn(world);
  expect(await moved(world, "ann")).toEqual([1, -1, "certain"]);
  expect(await moved(world, "bob")).toBe("unknown");
});

test("a definition that was saved without movement by an older release compares with no midnight before", async () => {
  const world = await afterMidnight();
  await goOn(world);
  expect(await moved(world, "bob")).toEqual([2, 0, "certain"]);
  const ref = world.db.doc(leaderboardPath("board"));
  const { movement: _, movement_since: __, ...others } = (await ref.get()).data() ?? {};
  await ref.set(others);
  world.advance(2 * minute);
  await world.submit("bob", 60);
  await world.call("saveLeaderboard", { leaderboard: "board", definition: { movement: true } }, admin);
  world.advance(minute);
  expect(await moved(world, "bob")).toBe("no_baseline");
});

test("a change that came late to a slot of before midnight is in its ranking", async () => {
  const world = await afterMidnight();
  toMidnight(world, -10 * minute);
  const slotEnd = world.services.now();
  await world.submit("eve", 1);
  world.advance(20_000);
  await run(world);
  await submitLate(world, "bob", 60, slotEnd - 5_000);
  toMidnight(world, minute);
  await run(world);
  await world.submit("ann", 45);
  world.advance(20_000);
  await run(world);
  world.advance(5 * minute);
  expect(await moved(world, "bob")).toEqual([1, 0, "certain"]);
  expect(await moved(world, "ann")).toEqual([2, 0, "certain"]);
});

test("a change that comes late with one of the new day is in the ranking of midnight too", async () => {
  const world = await afterMidnight();
  toMidnight(world, -10 * minute);
  const slotEnd = world.services.now();
  await world.submit("eve", 1);
  world.advance(20_000);
  await run(world);
  await submitLate(world, "bob", 60, slotEnd - 5_000);
  const baseline = toMidnight(world, minute);
  await world.submit("ann", 45);
  world.advance(20_000);
  await run(world);
  const copy = await world.db.doc(pagePath({ ...key, baseline }, 0)).get();
  expect((copy.get("as_of") as Timestamp).toMillis()).toBeGreaterThan(slotEnd);
  world.advance(5 * minute);
  expect(await moved(world, "bob")).toEqual([1, 0, "certain"]);
  expect(await moved(world, "ann")).toEqual([2, 0, "certain"]);
});

test("an instance whose clock is ahead does not take today's ranking for that of the midnight to come", async () => {
  const world = await afterMidnight();
  toMidnight(world, -15_000);
  const ahead: Services = { ...world.anotherInstance(), now: () => world.services.now() + 25_000 };
  expect(await moved(world, "bob", ahead)).toBe("no_baseline");
  world.advance(5_000);
  await world.submit("bob", 60);
  world.advance(16_000);
  expect(await moved(world, "bob", ahead)).toBe("no_baseline");
});

test("a player who changes after midnight keeps the oldest note for readers whose clock is behind", async () => {
  const world = await afterMidnight();
  for (let i = 0; i < 12; i++) {
    await world.submit("bob", 41 + i);
    world.advance(20_000);
    await run(world);
    toMidnight(world, hour);
  }
  toMidnight(world, -minute);
  const asked = { leaderboard: "board" };
  const before = await world.call("getHistory", asked, user("bob"));
  world.advance(minute + 1_000);
  await world.submit("bob", 60);
  const behind: Services = { ...world.anotherInstance(), now: () => world.services.now() - 2_000 };
  expect((await callOn(behind, "getHistory", asked, user("bob"), true)).days).toEqual(before.days);
});

test("of players who are read on both sides of midnight, in one commit, nothing is noted of another day than it counts in", async () => {
  const world = await afterMidnight();
  const midnight = toMidnight(world, 0);
  const times: Timestamp[] = [];
  const services = {
    ...world.services,
    databaseMs: (time: Timestamp) => midnight + (times[0]?.isEqual(time) === true ? -1 : 1),
  };
  const board = await services.boards.load(key);
  await commitPlayers(services, [board], async (players) => {
    const found = [];
    for (const player of ["bob", "ann"])
      found.push(...(await players.getAll(world.db.doc(playerPath(key, player)))));
    times.push(...found.map(({ readTime }) => readTime));
    for (const one of found) players.write(key, one, { score: one.id === "bob" ? 60 : 45 });
  });
  expect(times[0]?.isEqual(times[1] ?? expect.fail())).toBe(false);
  world.advance(20_000);
  await run(world);
  world.advance(5 * minute);
  expect(await moved(world, "bob")).toEqual([2, 1, "certain"]);
  expect(await moved(world, "ann")).toEqual([1, -1, "certain"]);
});

test("whether nothing was counted since is looked up once, for all midnights and all who ask", async () => {
  const world = await afterMidnight();
  world.advance(20 * 24 * hour);
  const bill = async () => {
    const other = world.anotherInstance();
    const ask = (name: "getRank" | "getHistory", player: string, more: object) =>
      callOn(other, name, { leaderboard: "board", ...more }, user(player), true);
    await ask("getRank", "ann", {});
    const all = ["ann", "bob", "ann", "bob"];
    const ranks = await world.bill(() =>
      Promise.all(all.map((one) => ask("getRank", one, { since: "day" }))),
    );
    const history = await world.bill(() => ask("getHistory", "bob", {}));
    return [ranks.reads - all.length, history.reads - 1];
  };
  expect(await bill()).toEqual([2, 0]);
  // Until the run comes, what waits may be of before midnight.
  await world.submit("ann", 8);
  world.advance(24 * hour);
  expect(await bill()).toEqual([2, 0]);
});
