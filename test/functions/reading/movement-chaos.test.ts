/**
 * Whatever happens beside the usual way, each certain answer about a midnight is what a plain sort of the marks of then
 * says: direct writes and late events, copies, commits that come late, instances with old boards and wrong clocks, runs
 * at once, repairs, settings that change, a definition that cannot be read. An answer may always be that nobody knows.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ZodError } from "zod";
import { commitPlayers } from "../../../functions/src/counting/commit-players.ts";
import { followPlayer, type PlayerWrite } from "../../../functions/src/counting/follow-player.ts";
import { markedIn } from "../../../functions/src/documents/mark.ts";
import { leaderboardPath, playerPath, playersPath } from "../../../functions/src/documents/paths.ts";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { nextMidnight } from "../../../functions/src/model/midnights.ts";
import { createServices, type Services } from "../../../functions/src/operations/services.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { createLocks, patient } from "../../../simulate/memory/locks.ts";
import { createStore } from "../../../simulate/memory/store.ts";
import { createClient, soon } from "../../../simulate/memory/wire/connect.ts";
import { historiesOf, isOnEmulator } from "../../support/database.ts";
import { admin, allTime, callOn, type RequestOf, user, versionOf } from "../../support/world.ts";

const key = allTime("board");
const second = 1_000;
const hour = 3_600_000;
const players = ["ann", "bob", "cem", "dan"] as const;
/** In the first, some days begin at one o'clock, and some hours come twice. */
const zones = ["America/Havana", "Asia/Tokyo"] as const;
const starts = ["2100-01-02T12:00:00Z", "2100-03-11T12:00:00Z", "2100-11-04T12:00:00Z"] as const;
const skews = [0, -20, -2, 3, 20] as const;

/** What each player was counted with. */
type Counted = ReadonlyMap<string, number>;

const rankIn = (counted: Counted, score: number) =>
  1 + [...counted.values()].filter((other) => other > score).length;

/** What one thing that happens is about. */
interface Happening {
  player: string;
  other: string;
  n: number;
}

/** A board with two instances of the functions; the clock of the second may be wrong. */
class Chaos {
  private nowMs: number;
  private ids = 0;
  private readonly db;
  private readonly instances: readonly Services[];
  private readonly midnights = new Map<number, Counted>();
  private readonly changedMs = new Map<string, number>();
  private events: { player: string; write: PlayerWrite }[] = [];
  certain = 0;

  constructor(start: string, skew: number) {
    this.nowMs = Date.parse(start);
    const store = createStore(() => this.nowMs);
    this.db = createClient({ store, locks: createLocks(patient) }, soon).db;
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    this.instances = [0, skew].map((ahead) =>
      createServices({
        db: this.db,
        now: () => this.nowMs + ahead * second,
        random: () => 0.5,
        newId: () => `id-${++this.ids}`,
        sleep: () => Promise.resolve(),
        log,
        intervalMinutesMin: 1,
      }),
    );
  }

  async begin(): Promise<void> {
    await this.save({ aggregation: "latest", movement: true, time_zone: zones[0] });
    this.nowMs += hour / 6;
  }

  /** The happenings, by their names. */
  readonly happenings: Record<string, (what: Happening) => Promise<unknown>> = {
    submit: ({ player, n }) => this.call("submitScore", n, { score: n }, player),
    hide: ({ player, n }) => this.call("setPlayerStatus", n, { player, status: "hidden" }),
    show: ({ player, n }) => this.call("setPlayerStatus", n, { player, status: "active" }),
    remove: ({ player, n }) => this.call("removePlayer", n, { player }),
    merge: ({ player, other, n }) => this.call("mergePlayers", n, { from: player, to: other }),
    overwrite: ({ player, n }) => this.write(player, { score: n, status: "active" }),
    change: async ({ player, n }) => this.write(player, { ...(await this.dataOf(player)), score: n }),
    copy: async ({ player, other }) => this.write(player, await this.dataOf(other)),
    delete: ({ player }) => this.write(player, undefined),
    events: ({ n }) => this.deliver(n),
    late: ({ player, n }) => this.commitLate(player, n),
    seconds: ({ n }) => this.advance(n * second),
    hours: ({ n }) => this.advance(n * hour),
    run: ({ n }) => this.run(this.on(n), n % 5 === 0),
    "runs at once": ({ n }) =>
      Promise.all([
        ...this.instances.map((one) => this.run(one, false)),
        this.call("submitScore", n, { score: n }, "eve"),
      ]),
    repair: async ({ n }) => {
      await this.deliver(n);
      await this.call("repairSeason", n, {});
    },
    "time zone": ({ n }) => this.save({ time_zone: zones[n % 2] }),
    weeks: ({ n }) => this.save({ week_starts_on: n % 2 === 0 ? "monday" : "sunday" }),
    movement: ({ n }) => this.save({ movement: n % 3 > 0 }),
    damage: ({ n }) =>
      this.db.doc(leaderboardPath("board")).update({ order: n % 2 === 0 ? "big" : "descending" }),
    check: ({ n }) => this.check(n),
  };

  private on = (n: number) => this.instances[n % 2] ?? expect.fail();
  private ref = (player: string) => this.db.doc(playerPath(key, player));
  private dataOf = async (player: string) => (await this.ref(player).get()).data();

  /** Work that may be refused. */
  private async tried<Result>(work: Promise<Result>): Promise<Result | undefined> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof FirerankError || error instanceof ZodError) return undefined;
      throw error;
    }
  }

  private async call(
    name: Parameters<typeof callOn>[1],
    n: number,
    request: object,
    as?: string,
  ): Promise<void> {
    const caller = as === undefined ? admin : user(as);
    await this.tried(callOn(this.on(n), name, { leaderboard: "board", ...request }, caller, true));
    for (const player of players) this.changedMs.set(player, this.nowMs);
  }

  private save(definition: RequestOf<"saveLeaderboard">["definition"]): Promise<unknown> {
    return this.tried(callOn(this.on(0), "saveLeaderboard", { leaderboard: "board", definition }, admin));
  }

  private run(on: Services, includeOpenSlot: boolean): Promise<unknown> {
    return this.tried(publishRanking(on, key, { includeOpenSlot }));
  }

  /** A trusted server's own write, whose event comes later. */
  private async write(player: string, data: Record<string, unknown> | undefined): Promise<void> {
    const before = versionOf(await this.ref(player).get());
    if (before === undefined && data === undefined) return;
    await (data === undefined ? this.ref(player).delete() : this.ref(player).set(data));
    const after = versionOf(await this.ref(player).get());
    this.events.push({ player, write: { before, after, atMs: this.nowMs } });
  }

  /** Delivers the events that wait, some twice, in some order. */
  private async deliver(n: number): Promise<void> {
    while (this.events.length > 0)
      for (const { player, write } of this.events.splice(n % this.events.length, 1)) {
        for (let i = 0; i <= n % 2; i++) await followPlayer(this.on(n), key, player, write);
        this.changedMs.set(player, this.nowMs);
      }
  }

  /** A commit that has read the player some seconds ago, on the same day. */
  private async commitLate(player: string, n: number): Promise<void> {
    const readMs = this.nowMs - (n + 1) * second;
    const isOfDay = [...this.midnights.keys()].every((at) => at < readMs);
    if (!isOfDay || this.events.length > 0 || (this.changedMs.get(player) ?? Infinity) >= readMs) return;
    const services = { ...this.on(n), databaseMs: () => readMs };
    const board = await this.tried(services.boards.load(key));
    if (board === undefined) return;
    await commitPlayers(services, [board], async (some) => {
      for (const found of await some.getAll(this.ref(player))) some.write(key, found, { score: n });
    });
    this.changedMs.set(player, this.nowMs);
  }

  /** The next midnight of any time zone. */
  private nextMidnight(): number {
    const calendars = zones.map((time_zone) => ({ time_zone, week_starts_on: "monday" as const }));
    return Math.min(...calendars.map((calendar) => nextMidnight(this.nowMs, calendar)));
  }

  private async advance(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (let next = this.nextMidnight(); next <= untilMs; next = this.nextMidnight()) {
      await this.deliver(0);
      this.nowMs = next;
      const { docs } = await this.db.collection(playersPath(key)).get();
      const counted = docs.flatMap((one) => {
        const mark = markedIn(one.data());
        return mark === undefined ? [] : [[one.id, mark.score] as const];
      });
      this.midnights.set(next, new Map(counted));
    }
    this.nowMs = untilMs;
  }

  /** Asks both instances about everybody, before a run and after it; half of the times near a midnight. */
  private async check(n: number): Promise<void> {
    await this.deliver(n);
    await this.advance(20 * second);
    if (n >= 15) await this.advance(this.nextMidnight() + (n - 22) * second - this.nowMs);
    for (const on of this.instances)
      for (const freshness of ["published", "live"] as const) {
        for (const player of players) await this.checkPlayer(on, player, freshness);
        await this.run(on, false);
      }
  }

  private async checkPlayer(on: Services, player: string, freshness: "published" | "live"): Promise<void> {
    const asked = { leaderboard: "board", player };
    for (const since of ["day", "week"] as const) {
      const { moved } =
        (await this.tried(callOn(on, "getRank", { ...asked, since, freshness }, admin, true))) ?? {};
      if (moved?.exact === true) this.checkThen(player, moved.since, moved.from_rank);
    }
    const history = await this.tried(callOn(on, "getHistory", asked, admin, true));
    for (const { since, rank, score } of history?.days ?? []) this.checkThen(player, since, rank, score);
  }

  private checkThen(player: string, since: string, rank: number, score?: number): void {
    this.certain += 1;
    const then = this.midnights.get(Date.parse(since)) ?? expect.fail(`${since} is no midnight`);
    const was = then.get(player) ?? expect.fail(`${player} was not counted at ${since}`);
    expect([player, since, rank, score ?? was]).toEqual([player, since, rankIn(then, was), was]);
  }
}

/** How often each thing happens. */
const weights: Record<string, number> = {
  ...{
    submit: 80,
    hide: 10,
    show: 10,
    remove: 10,
    merge: 10,
    overwrite: 10,
    change: 10,
    copy: 20,
    delete: 10,
  },
  ...{ events: 30, late: 20, seconds: 50, hours: 50, run: 50, "runs at once": 20, check: 30 },
  ...{ repair: 3, "time zone": 4, weeks: 3, movement: 4, damage: 6 },
};
const happening = fc.oneof(
  ...Object.entries(weights).map(([name, weight]) => ({
    weight,
    arbitrary: fc.record({
      name: fc.constant(name),
      player: fc.constantFrom(...players),
      other: fc.constantFrom(...players),
      n: fc.nat({ max: 29 }),
    }),
  })),
);

test("a ranking that is made anew, with a part of a slot, is not that of the midnight before the slot", async () => {
  const chaos = new Chaos(starts[0], 0);
  await chaos.begin();
  const happened = [
    ["submit", "ann", 1],
    ["seconds", "", 16 * 3_600 + 50 * 60 + 5],
    ["submit", "bob", 9],
    ["run", "", 0],
    ["submit", "bob", 7],
    ["repair", "", 0],
    ["check", "", 0],
  ] as const;
  for (const [name, player, n] of happened) await chaos.happenings[name]?.({ player, other: "", n });
});

test("each certain answer is true", async () => {
  let certain = 0;
  const all = fc.array(happening, { minLength: 40, maxLength: 90 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...starts),
      fc.constantFrom(...skews),
      all,
      async (start, skew, happened) => {
        const chaos = new Chaos(start, skew);
        await chaos.begin();
        for (const { name, ...what } of happened) await chaos.happenings[name]?.(what);
        certain += chaos.certain;
      },
    ),
    { numRuns: historiesOf(8) },
  );
  if (!isOnEmulator) expect(certain).toBeGreaterThan(20);
});
