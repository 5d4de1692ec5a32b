/** Rank movement: the ranks of each midnight against a plain sort of what was counted then. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { baselinesPath, pagePath, playerPath } from "../../../functions/src/documents/paths.ts";
import { beginOf, keptMidnights, nextMidnight } from "../../../functions/src/model/midnights.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { historiesOf, isOnEmulator } from "../../support/database.ts";
import {
  admin,
  allTime,
  callOn,
  createBoard,
  createWorld,
  user,
  versionOf,
  type World,
} from "../../support/world.ts";

const key = allTime("board");
const hour = 3_600_000;
const minute = 60_000;
const players = ["ann", "bob", "cem", "dan", "eva"];

/** What each player is counted with; nothing for one who is not ranked. */
type Counted = Map<string, number>;

const rankIn = (counted: Counted, score: number) =>
  1 + [...counted.values()].filter((other) => other > score).length;

/** A board whose players are followed from midnight to midnight. */
class Days {
  readonly world: World = createWorld();
  readonly counted: Counted = new Map();
  readonly known = new Set<string>();
  readonly midnights = new Map<number, Counted>();
  readonly calendar;
  generation = 0;
  compared = 0;
  /** When something was counted first. */
  firstMs = Infinity;

  constructor(zone: string) {
    this.calendar = { time_zone: zone, week_starts_on: "monday" as const };
  }

  async begin(): Promise<void> {
    await createBoard(this.world, "board", { ...this.calendar, aggregation: "latest", movement: true });
    // So no step lands in the seconds after a midnight in which commits may still be under way.
    this.advance(hour / 6 + 10_000);
  }

  now(): number {
    return this.world.services.now();
  }

  advance(ms: number): void {
    const untilMs = this.now() + ms;
    for (
      let at = nextMidnight(this.now(), this.calendar);
      at <= untilMs;
      at = nextMidnight(at, this.calendar)
    )
      this.midnights.set(at, new Map(this.counted));
    this.world.advance(ms);
  }

  async submit(player: string, score: number): Promise<void> {
    const ref = this.world.db.doc(playerPath(key, player));
    const isHidden = (await ref.get()).get("status") === "hidden";
    await this.world.submit(player, score);
    this.known.add(player);
    if (!isHidden) this.count(player, score);
  }

  count(player: string, score: number): void {
    this.firstMs = Math.min(this.firstMs, this.now());
    this.counted.set(player, score);
  }

  async setStatus(player: string, status: "hidden" | "active"): Promise<void> {
    if (!this.known.has(player)) return;
    await this.world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);
    const score = (await this.world.db.doc(playerPath(key, player)).get()).get("score") as number;
    if (status === "active") this.count(player, score);
    else this.counted.delete(player);
  }

  /** A server replaces the document, the mark with it, and its event comes twice. */
  async overwrite(player: string, score: number): Promise<void> {
    const write = await this.world.writeDirectly(key, player, { score, status: "active" });
    await this.world.follow(key, player, write, 2);
    this.known.add(player);
    this.count(player, score);
  }

  async run(): Promise<void> {
    this.advance(20_000);
    const { generation } = await publishRanking(this.world.services, key);
    this.generation = generation ?? this.generation;
  }

  async step(what: string, player: string, number: number): Promise<void> {
    if (what === "submit") return this.submit(player, number);
    if (what === "overwrite") return this.overwrite(player, number);
    if (what === "hide") return this.setStatus(player, "hidden");
    if (what === "show") return this.setStatus(player, "active");
    if (what === "wait") this.advance(number * hour);
    else await this.run();
    if (what !== "check") return;
    for (const since of ["day", "week"] as const) await this.check(since);
    await this.checkHistory();
  }

  /** Every midnight that is kept, of each player. */
  async checkHistory(): Promise<void> {
    for (const player of players) {
      const asked = { leaderboard: "board", player, min_generation: this.generation };
      const { days } = await this.world.call("getHistory", asked, admin);
      const kept = keptMidnights(this.now(), this.calendar).reverse();
      const expected = kept.flatMap((midnight) => {
        const [then, score] = [this.midnights.get(midnight), this.midnights.get(midnight)?.get(player)];
        if (then === undefined || score === undefined) return [];
        const since = new Date(midnight).toISOString();
        return [{ since, score, rank: rankIn(then, score), players: then.size, exact: true }];
      });
      expect(days).toMatchObject(expected);
    }
  }

  async check(since: "day" | "week"): Promise<void> {
    const midnight = beginOf(since, this.now(), this.calendar);
    const then = this.midnights.get(midnight);
    const asked = { leaderboard: "board", since, min_generation: this.generation };
    const list = await this.world.call("getPage", { ...asked, limit: 100 }, admin);
    expect(list.entries.map(({ player }) => player).sort()).toEqual([...this.counted.keys()].sort());
    for (const player of this.counted.keys()) {
      const answer = await this.world.call("getRank", { ...asked, player }, admin);
      const { moved, moved_why: why } = list.entries.find((entry) => entry.player === player) ?? {};
      expect({ moved, why }).toEqual({ moved: answer.moved, why: answer.moved_why });
      const was = then?.get(player);
      if (then === undefined || midnight <= this.firstMs) {
        expect(answer.moved).toBe(null);
      } else if (was === undefined) {
        expect([answer.moved, ["new", "hidden_then"].includes(answer.moved_why ?? "")]).toEqual([null, true]);
      } else {
        this.compared += 1;
        const from = rankIn(then, was);
        const at = new Date(midnight).toISOString();
        expect(answer.moved).toMatchObject({ since: at, from_rank: from, exact: true });
        expect(answer.moved?.places).toBe(from - rankIn(this.counted, this.counted.get(player) ?? NaN));
      }
    }
  }
}

const player = fc.constantFrom(...players);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("submit"), player, number: fc.nat({ max: 9 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("overwrite"), player, number: fc.nat({ max: 9 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("hide", "show"), player, number: fc.constant(0) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("wait"), player, number: fc.integer({ min: 1, max: 30 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("run", "check"), player, number: fc.constant(0) }),
  },
);

describe("each rank has moved from that of a plain sort at the last midnight", () => {
  test.each(["UTC", "America/New_York", "Asia/Kathmandu", "Pacific/Kiritimati"])("in %s", async (zone) => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80 }), async (steps) => {
        const days = new Days(zone);
        await days.begin();
        for (const { do: what, player, number } of steps) await days.step(what, player, number);
        compared += days.compared;
      }),
      { numRuns: historiesOf(5) },
    );
    if (!isOnEmulator) expect(compared).toBeGreaterThan(20);
  });
});

describe("on a board that keeps movement", () => {
  const day = 24 * hour;
  const since = { leaderboard: "board", since: "day" } as const;
  const moved = async (world: World, player = "ann") => {
    const { moved, moved_why: why } = await world.call("getRank", since, user(player));
    return moved === null ? why : [moved?.from_rank, moved?.places];
  };
  const baselines = (world: World) => world.db.collection(baselinesPath(key)).listDocuments();
  const run = (world: World) => publishRanking(world.services, key);

  /** Ann leads, a midnight passes, and bob overtakes her. */
  async function overtaken(more: object = {}): Promise<World> {
    const world = createWorld();
    await createBoard(world, "board", { movement: true, ...more });
    world.advance(hour);
    await world.submit("ann", 5);
    await world.submit("bob", 4);
    world.advance(day);
    await world.submit("bob", 9);
    world.advance(20_000);
    await run(world);
    return world;
  }

  test("a score costs what it costs elsewhere, and the first run of a day a write for each page", async () => {
    const costs = await Promise.all(
      [true, false].map(async (movement) => {
        const world = createWorld();
        await createBoard(world, "board", { movement });
        world.advance(hour);
        await world.submit("ann", 5);
        world.advance(20_000);
        await run(world);
        world.advance(day);
        await world.submit("ann", 1);
        const score = await world.bill(() => world.submit("ann", 6));
        world.advance(20_000);
        return { score, run: await world.bill(() => run(world)) };
      }),
    );
    const [kept, plain] = costs;
    expect(kept?.score).toEqual(plain?.score);
    const { reads = 0, writes = 0, deletes = 0 } = plain?.run ?? {};
    // 1 read for the copies that there are, and 1 for this one.
    expect(kept?.run).toEqual({ reads: reads + 2, writes: writes + 1, deletes });
  });

  test("`since` costs 1 read more, or none while the page of then is in memory", async () => {
    const world = await overtaken();
    const plain = { leaderboard: "board" };
    await world.call("getRank", plain, user("ann"));
    const before = await world.bill(() => world.call("getRank", plain, user("ann")));
    const first = await world.bill(() => world.call("getRank", since, user("ann")));
    const again = await world.bill(() => world.call("getRank", since, user("ann")));
    expect([first.reads - before.reads, again.reads - before.reads]).toEqual([1, 0]);
    expect(await moved(world)).toEqual([1, -1]);
    expect(await moved(world, "bob")).toEqual([2, 1]);
  });

  test("an idle board writes nothing, and its ranking is that of each midnight since", async () => {
    const world = await overtaken();
    world.advance(20 * day);
    const { writes } = await world.bill(() => moved(world));
    expect(writes).toBe(0);
    expect(await moved(world)).toEqual([2, 0]);
  });

  test("an instance that remembers an older ranking does not take it for that of a midnight", async () => {
    const world = createWorld();
    await createBoard(world, "board", { movement: true, ranking_interval_minutes: 1_440 });
    world.advance(hour);
    await world.submit("ann", 5);
    await world.submit("bob", 4);
    world.advance(20_000);
    await run(world);
    await world.submit("bob", 9);
    const other = world.anotherInstance();
    const ask = () => callOn(other, "getRank", since, user("ann"), true);
    world.advance(
      nextMidnight(world.services.now(), { time_zone: "UTC", week_starts_on: "monday" }) +
        6_000 -
        world.services.now(),
    );
    const unknown = { generation: 1, rank: 1, moved: null, moved_why: "no_baseline" };
    expect(await ask()).toMatchObject(unknown);
    await run(world);
    world.advance(2_000);
    // Bob was the first at midnight, but this instance still has the page of before.
    expect(await ask()).toMatchObject(unknown);
    expect(await moved(world)).toEqual([2, 0]);
  });

  test("copies that no midnight needs any more go with the next one", async () => {
    const world = await overtaken();
    for (let i = 0; i < 45; i++) {
      world.advance(day);
      await world.submit("ann", (i % 2) + 1);
      await world.submit("ann", (i % 2) + 10);
      world.advance(20_000);
      await run(world);
    }
    // The last 8 days, 3 or 4 beginnings of weeks before them, and what page 0 listed before.
    expect((await baselines(world)).length).toBeLessThanOrEqual(14);
    const { days } = await world.call("getHistory", { leaderboard: "board" }, user("ann"));
    expect(days.length).toBeGreaterThanOrEqual(11);
  });

  test("a repair lists no midnight any more, as it cannot know what was wrong then", async () => {
    const world = await overtaken();
    const listed = async () => (await world.db.doc(pagePath(key, 0)).get()).get("baselines") as unknown;
    expect(await listed()).toHaveLength(1);
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    expect(await listed()).toBe(undefined);
  });

  test("another time zone asks for midnights that nobody has noted yet", async () => {
    const world = await overtaken();
    const definition = { time_zone: "Asia/Tokyo" };
    await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
    world.advance(5 * minute);
    expect(await moved(world, "bob")).toMatch(/no_baseline|unknown/);
  });

  test("a document that a server has replaced twice is unknown until the next midnight", async () => {
    const world = await overtaken();
    const first = await world.writeDirectly(key, "ann", { score: 7, status: "active" });
    await world.submit("ann", 8);
    await world.follow(key, "ann", first);
    world.advance(20_000);
    await run(world);
    world.advance(5 * minute);
    expect(await moved(world)).toBe("unknown");
  });

  test("a version that a server copies back from before the midnight does not say what was counted then", async () => {
    const world = createWorld();
    await createBoard(world, "board", { movement: true });
    world.advance(hour);
    await world.submit("ann", 1);
    const old = (await world.db.doc(playerPath(key, "ann")).get()).data();
    await world.submit("ann", 5);
    await world.submit("bob", 4);
    world.advance(day);
    const copied = await world.writeDirectly(key, "ann", old);
    await world.follow(key, "ann", copied);
    world.advance(20_000);
    await run(world);
    expect(await moved(world)).toEqual([1, -1]);
  });

  test("a document that a server has deleted stays deleted when the event comes", async () => {
    const world = await overtaken();
    const deleted = await world.writeDirectly(key, "ann", undefined);
    await world.follow(key, "ann", deleted, 2);
    expect((await world.db.doc(playerPath(key, "ann")).get()).exists).toBe(false);
  });

  test("a player who was hidden and removed is new, however late the event comes", async () => {
    const world = await overtaken();
    const of = { leaderboard: "board", player: "ann" };
    await world.call("setPlayerStatus", { ...of, status: "hidden" }, admin);
    const before = versionOf(await world.db.doc(playerPath(key, "ann")).get());
    await world.call("removePlayer", of, admin);
    await world.submit("ann", 7);
    await world.follow(key, "ann", { before, after: undefined, atMs: world.services.now() });
    world.advance(20_000);
    await run(world);
    world.advance(5 * minute);
    expect(await moved(world)).toBe("new");
  });

  test("a repair with a change of before midnight pending is not the ranking of that midnight", async () => {
    const world = await overtaken();
    const midnight = nextMidnight(world.services.now(), { time_zone: "UTC", week_starts_on: "monday" });
    world.advance(midnight - 5_000 - world.services.now());
    await world.submit("cem", 2);
    world.advance(7_000);
    await world.submit("ann", 10);
    await publishRanking(world.services, key, { includeOpenSlot: true });
    await world.submit("cem", 3);
    // The rows have ann's new score, and are as of midnight, as a change of the first slot waits.
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    await world.submit("cem", 4);
    world.advance(20_000);
    await run(world);
    expect(await moved(world)).toBe("no_baseline");
  });

  test("a season of a day has nothing to compare with, nor has a score by itself", async () => {
    const world = await overtaken({ spans: ["all_time", "daily"] });
    const refused = { code: "invalid_request" };
    await expect(world.call("getRank", { ...since, span: "daily" }, user("ann"))).rejects.toMatchObject(
      refused,
    );
    await expect(world.call("getRank", { ...since, score: 5 }, user("ann"))).rejects.toMatchObject(refused);
  });
});

test("a board that keeps no movement says so", async () => {
  const world = createWorld();
  await createBoard(world, "board");
  await world.submit("ann", 1);
  const asked = world.call("getRank", { leaderboard: "board", since: "day" }, user("ann"));
  await expect(asked).rejects.toMatchObject({ code: "invalid_request" });
});
