/** Rank movement: what it costs, and what it may not say. The simulation holds each answer to a recount of the midnight. */
import { describe, expect, test } from "vitest";
import { commitPlayers } from "../../../functions/src/counting/commit-players.ts";
import type { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { baselinesPath, leaderboardPath, playerPath } from "../../../functions/src/documents/paths.ts";
import { nextMidnight } from "../../../functions/src/model/midnights.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import {
  admin,
  allTime,
  callOn,
  createBoard,
  createWorld,
  eachWorld,
  user,
  versionOf,
} from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const calendar = { time_zone: "UTC", week_starts_on: "monday" as const };
const since = { leaderboard, since: "day" } as const;
const ofBoard = { leaderboard };

const world = eachWorld();

/** A run over all slots that have ended. */
async function run(): Promise<void> {
  world.advance(20_000);
  await publishRanking(world.services, key);
}

/** The rank of then and the places since, or why there are none; `not certain` where the answer says so. */
async function moved(player: string, services: Services = world.services): Promise<unknown> {
  const { moved: found, moved_why: why } = await callOn(services, "getRank", since, user(player), true);
  if (found == null) return why;
  return [found.from_rank, found.places, ...(found.exact ? [] : ["not certain"])];
}

/** Moves to some time after the next midnight. */
function toMidnight(afterMs = 0): number {
  const midnight = nextMidnight(world.services.now(), calendar);
  world.advance(midnight + afterMs - world.services.now());
  return midnight;
}

const ref = (player: string) => world.db.doc(playerPath(key, player));
const dataOf = async (player: string) => (await ref(player).get()).data() ?? {};
const write = (player: string, data: Record<string, unknown> | undefined) =>
  world.writeDirectly(key, player, data);

/** Ann's document before her score of midnight. */
let annBefore: Record<string, unknown>;

/** Ann is the first with 50 and bob the second with 40 at a midnight, an hour ago. */
async function afterMidnight(definition: object = {}): Promise<void> {
  await createBoard(world, leaderboard, { aggregation: "latest", movement: true, ...definition });
  world.advance(hour);
  await world.submit("ann", 1);
  annBefore = await dataOf("ann");
  await world.submit("ann", 50);
  await world.submit("bob", 40);
  await run();
  toMidnight(hour);
}

/** Something is counted today, and the ranking of the midnight has its copy. */
async function goOn(): Promise<void> {
  await world.submit("eve", 1);
  await run();
  world.advance(5 * minute);
}

describe("cost", () => {
  test("a score costs what it costs elsewhere, and the first run of a day a write for each page", async () => {
    const costs = await Promise.all(
      [true, false].map(async (movement) => {
        const one = createWorld();
        await createBoard(one, leaderboard, { movement });
        one.advance(hour);
        await one.submit("ann", 5);
        one.advance(20_000);
        await publishRanking(one.services, key);
        one.advance(day);
        await one.submit("ann", 1);
        const score = await one.bill(() => one.submit("ann", 6));
        one.advance(20_000);
        return { score, run: await one.bill(() => publishRanking(one.services, key)) };
      }),
    );
    const [kept, plain] = costs;
    expect(kept?.score).toEqual(plain?.score);
    const { reads = 0, writes = 0, deletes = 0 } = plain?.run ?? {};
    // 1 read for the copies that there are, and 1 for this one.
    expect(kept?.run).toEqual({ reads: reads + 2, writes: writes + 1, deletes });
  });

  test("`since` costs 1 read more, or none while the page of then is in memory", async () => {
    await afterMidnight();
    await goOn();
    const reads = (asked: typeof since | typeof ofBoard) =>
      world.reads(() => world.call("getRank", asked, user("ann")));
    await reads(ofBoard);
    const plain = await reads(ofBoard);
    expect([await reads(since), await reads(since)]).toEqual([plain + 1, plain]);
  });

  test("whether nothing was counted since is looked up once, for all midnights and all who ask", async () => {
    await afterMidnight();
    world.advance(20 * day);
    const readsMore = async () => {
      const other = world.anotherInstance();
      const ask = (name: "getRank" | "getHistory", player: string, more: object) =>
        callOn(other, name, { leaderboard, ...more }, user(player), true);
      await ask("getRank", "ann", {});
      const all = ["ann", "bob", "ann", "bob"];
      const ranks = await world.reads(() =>
        Promise.all(all.map((one) => ask("getRank", one, { since: "day" }))),
      );
      return [ranks - all.length, (await world.reads(() => ask("getHistory", "bob", {}))) - 1];
    };
    expect(await readsMore()).toEqual([2, 0]);
    expect(await moved("bob")).toEqual([2, 0]);
    // Until the run comes, what waits may be of before midnight.
    await world.submit("ann", 8);
    world.advance(day);
    expect(await readsMore()).toEqual([2, 0]);
  });

  test("copies that no midnight needs any more go with the next one", async () => {
    await afterMidnight();
    for (let i = 0; i < 45; i++) {
      await world.submit("ann", (i % 2) + 10);
      await run();
      world.advance(day);
    }
    // The last 8 days, 3 or 4 beginnings of weeks before them, and what page 0 listed before.
    expect((await world.db.collection(baselinesPath(key)).listDocuments()).length).toBeLessThanOrEqual(14);
    const { days } = await world.call("getHistory", ofBoard, user("ann"));
    expect(days.length).toBeGreaterThanOrEqual(11);
  });
});

describe("documents that a server writes by itself", () => {
  /** What movement says of a player after something has happened. */
  function says(moves: unknown, player: string, what: string, happen: () => Promise<unknown>): void {
    test(`of ${player}, ${what}, movement says ${JSON.stringify(moves)}`, async () => {
      await afterMidnight();
      await happen();
      await goOn();
      expect(await moved(player)).toEqual(moves);
    });
  }

  says("new", "cem", "made of the copy of another's document", async () => {
    await world.follow(key, "cem", await write("cem", await dataOf("ann")), 2);
  });
  says([2, 1], "bob", "whose document became the copy of another's", async () => {
    await world.follow(key, "bob", await write("bob", await dataOf("ann")), 2);
  });
  says([1, -1], "ann", "who got back a version of before the midnight", async () => {
    await world.follow(key, "ann", await write("ann", annBefore));
  });
  says("unknown", "bob", "who submits over a copy before its event comes", async () => {
    const copied = await write("bob", await dataOf("ann"));
    await world.submit("bob", 60);
    await world.follow(key, "bob", copied, 2);
  });
  says("unknown", "ann", "who submits over a bare score before its event comes", async () => {
    const replaced = await write("ann", { score: 7, status: "active" });
    await world.submit("ann", 8);
    await world.follow(key, "ann", replaced);
  });
  says("unknown", "bob", "whose two events come in the wrong order", async () => {
    const first = await write("bob", await dataOf("ann"));
    const second = await write("bob", { score: 70, status: "active" });
    await world.follow(key, "bob", second);
    await world.follow(key, "bob", first);
  });
  says("new", "ann", "who was hidden and removed, however late the event comes", async () => {
    const of = { leaderboard, player: "ann" };
    await world.call("setPlayerStatus", { ...of, status: "hidden" }, admin);
    const before = versionOf(await ref("ann").get());
    await world.call("removePlayer", of, admin);
    await world.call("setPlayerStatus", { ...of, status: "active" }, admin);
    await world.submit("ann", 7);
    await world.follow(key, "ann", { before, after: undefined, atMs: world.services.now() });
  });

  test("a document that a server deletes stays deleted, whatever its mark has noted", async () => {
    await afterMidnight();
    await world.submit("bob", 60);
    await world.follow(key, "bob", await write("bob", undefined), 2);
    expect((await ref("bob").get()).exists).toBe(false);
  });
});

describe("a definition", () => {
  const definition = () => world.db.doc(leaderboardPath(leaderboard));

  test("that could not be read leaves unknown what was counted meanwhile", async () => {
    await afterMidnight();
    await definition().update({ order: "big" });
    world.advance(2 * minute);
    await world.follow(key, "bob", await write("bob", { ...(await dataOf("bob")), score: 60 }));
    await definition().update({ order: "descending" });
    world.advance(2 * minute);
    await goOn();
    expect([await moved("ann"), await moved("bob")]).toEqual([[1, -1], "unknown"]);
  });

  test("that was saved without movement by an older release compares with no midnight before", async () => {
    await afterMidnight();
    await goOn();
    expect(await moved("bob")).toEqual([2, 0]);
    const { movement: _, movement_since: __, ...others } = (await definition().get()).data() ?? {};
    await definition().set(others);
    world.advance(2 * minute);
    await world.submit("bob", 60);
    await world.call("saveLeaderboard", { leaderboard, definition: { movement: true } }, admin);
    world.advance(minute);
    expect(await moved("bob")).toBe("no_baseline");
  });

  test.each([
    [
      "of a season of a day",
      { movement: true, spans: ["all_time" as const, "daily" as const] },
      { span: "daily" },
    ],
    ["of a score by itself", { movement: true }, { score: 5 }],
    ["where it does not keep any", {}, {}],
  ])("refuses to tell movement %s", async (_what, kept, asked) => {
    await createBoard(world, leaderboard, kept);
    await world.submit("ann", 1);
    const refused = world.call("getRank", { ...since, ...asked }, user("ann"));
    await expect(refused).rejects.toMatchObject({ code: "invalid_request" });
  });

  test.each([
    ["leaderboard", {}, {}],
    ["season", { movement: true, spans: ["all_time" as const, "daily" as const] }, { span: "daily" }],
  ])("names the field %s where getHistory has nothing to tell", async (path, kept, asked) => {
    await createBoard(world, leaderboard, kept);
    await world.submit("ann", 1);
    await expect(world.call("getHistory", { ...ofBoard, ...asked }, user("ann"))).rejects.toMatchObject({
      details: { fields: [{ path }] },
    });
  });
});

describe("near midnight", () => {
  test("an instance that remembers an older ranking does not take it for that of the midnight", async () => {
    await afterMidnight({ ranking_interval_minutes: 1_440 });
    await world.submit("bob", 60);
    const other = world.anotherInstance();
    toMidnight(6_000);
    const ask = () => callOn(other, "getRank", since, user("ann"), true);
    const unknown = { generation: 1, rank: 1, moved: null, moved_why: "no_baseline" };
    expect(await ask()).toMatchObject(unknown);
    await publishRanking(world.services, key);
    world.advance(2_000);
    // Bob was the first at midnight, but this instance still has the page of before.
    expect(await ask()).toMatchObject(unknown);
    expect(await moved("ann")).toEqual([2, 0]);
  });

  test("an instance whose clock is ahead does not take today's ranking for that of the midnight to come", async () => {
    await afterMidnight();
    toMidnight(-15_000);
    const ahead: Services = { ...world.anotherInstance(), now: () => world.services.now() + 25_000 };
    expect(await moved("bob", ahead)).toBe("no_baseline");
    world.advance(5_000);
    await world.submit("bob", 60);
    world.advance(16_000);
    expect(await moved("bob", ahead)).toBe("no_baseline");
  });

  test("a player who changes keeps the oldest note for readers whose clock is behind", async () => {
    await afterMidnight();
    for (let i = 0; i < 12; i++) {
      await world.submit("bob", 41 + i);
      await run();
      toMidnight(hour);
    }
    toMidnight(-minute);
    const before = await world.call("getHistory", ofBoard, user("bob"));
    world.advance(minute + 1_000);
    await world.submit("bob", 60);
    const behind: Services = { ...world.anotherInstance(), now: () => world.services.now() - 2_000 };
    expect((await callOn(behind, "getHistory", ofBoard, user("bob"), true)).days).toEqual(before.days);
  });

  test("of players who are read on both sides of it, in one commit, nothing is noted of another day than it counts in", async () => {
    await afterMidnight();
    const midnight = toMidnight();
    const times: Timestamp[] = [];
    const services = {
      ...world.services,
      databaseMs: (time: Timestamp) => midnight + (times[0]?.isEqual(time) === true ? -1 : 1),
    };
    await commitPlayers(services, [await boardCacheOf(services).load(key)], async (players) => {
      players.letIn(services.now());
      const found = [];
      for (const player of ["bob", "ann"]) found.push(...(await players.getAll(ref(player))));
      times.push(...found.map(({ readTime }) => readTime));
      for (const one of found) players.write(players.draft(key, one, { score: one.id === "bob" ? 60 : 45 }));
    });
    expect(times[0]?.isEqual(times[1] ?? expect.fail())).toBe(false);
    await run();
    world.advance(5 * minute);
    expect([await moved("bob"), await moved("ann")]).toEqual([
      [2, 1],
      [1, -1],
    ]);
  });
});
