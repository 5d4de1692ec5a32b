/** Each alert planted: `listAlerts` has it, and the schedule logs it. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import {
  leaderboardPath,
  pagePath,
  playerPath,
  runPath,
  type SeasonKey,
  seasonPath,
  shardPath,
} from "../../../functions/src/documents/paths.ts";
import type { AlertCode } from "../../../functions/src/jobs/alerts.ts";
import { enqueueDue } from "../../../functions/src/jobs/schedule/schedule.ts";
import { stepJob } from "../../../functions/src/jobs/schedule/step.ts";
import { findAlerts } from "../../../functions/src/jobs/schedule/watch.ts";
import { play, repair } from "../../support/damage.ts";
import { admin, createBoard, eachWorld, presentOf } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const atOnce = { inFlightMs: 0 };

const world = eachWorld();
let key: SeasonKey;
/** A season of three players, ranked, in a project that publishes. */
beforeEach(async () => {
  key = await createBoard(world, "board");
  for (const [player, score] of Object.entries({ ann: 10, bob: 20, cyd: 30 }))
    await play(world, key, player, score);
  await rank();
});

const rank = (of = key) => world.publish(of);
const ago = (ms: number) => Timestamp.fromMillis(world.services.now() - ms);
const change = (fields: object) => world.db.doc(seasonPath(key)).update(fields);
const codes = async (of?: SeasonKey) =>
  (await findAlerts(world.services, of, atOnce)).alerts.map(({ code }) => code);

/** Services whose queue takes everything and does nothing. */
const standing = () => ({ ...world.services, enqueueJob: () => Promise.resolve() });
const alarmed = () =>
  world.logged.flatMap(({ level, fields }) => {
    const { firerank_alert: code } = (fields ?? {}) as { firerank_alert?: AlertCode };
    return level === "error" && code !== undefined ? [code] : [];
  });
const schedule = () => enqueueDue(standing(), atOnce);

/** Lets the season fall asleep, as the schedule and its runs do. */
async function sleep(of = key): Promise<void> {
  for (let i = 0; i < 8; i++) {
    world.advance(5 * minute);
    await world.tick();
  }
  expect((await world.db.doc(seasonPath(of)).get()).get("next_run_at")).toBeNull();
}

const addRun = (fields: { kind: string; outcome: string; [name: string]: unknown }, agoMs = 0) =>
  world.db
    .doc(runPath(key, randomUUID()))
    .set({ started_at: ago(agoMs), finished_at: ago(agoMs), ...fields });

/** What brings each alert about. */
const planted: Partial<Record<AlertCode, () => Promise<unknown>>> = {
  season_unreadable: () => change({ status: "lost", next_run_at: ago(hour) }),
  /** The definition of a board is deleted. */
  async season_parked() {
    await world.db.doc(leaderboardPath("board")).delete();
    world.advance(2 * minute);
    await stepJob(world.services, { ...key, job: "ranking" });
  },
  async time_zone_unknown() {
    await world.db.doc(leaderboardPath("board")).update({ time_zone: "JST", movement: true });
    boardCacheOf(world.services).forget("board");
  },
  /** Each run fails at a damaged page. */
  async run_failed() {
    await world.db.doc(pagePath(key, 0)).delete();
    await play(world, key, "dan", 40);
    world.advance(hour);
    await expect(stepJob(world.services, { ...key, job: "ranking" })).rejects.toThrow("damaged");
  },
  /** The queue of tasks stands still. */
  async season_late() {
    await play(world, key, "dan", 40);
    for (let i = 0; i < 20; i++) {
      world.advance(minute);
      await schedule();
    }
  },
  /** Changes wait in a season that sleeps, as nothing has woken it, and its numbers agree. */
  async not_ranked() {
    await sleep();
    const now = ago(0);
    await world.db.doc(playerPath(key, "ann")).update({ score: 11, "counted.score": 11 });
    await world.db
      .doc(shardPath(key, "lost", now.toMillis()))
      .set({ slot_ends_at: now, player_count: { "10": -1, "11": 1 }, marks: 0 });
    world.advance(hour);
  },
  /** The events of a server's writes stop, and the season sleeps. */
  async players_uncounted() {
    await sleep();
    await world.writeDirectly(key, "dan", { score: 40 });
  },
  /** An audit finds a score counted twice. */
  async audit_differs() {
    const now = ago(0);
    const twice = { slot_ends_at: now, player_count: { "10": 1 }, marks: 1 };
    await world.db.doc(shardPath(key, "twice", now.toMillis())).set(twice);
    await rank();
    await repair(world, key, { kind: "audit" });
  },
  /** Each step of a season's end fails. */
  async closing_failing() {
    await change({ closes_at: ago(0), end_due_at: ago(0) });
    const boards = boardCacheOf(world.services);
    const { load } = boards;
    boards.load = () => Promise.reject(new Error("no board today"));
    for (let i = 0; i < 4; i++) {
      world.advance(11 * minute);
      await stepJob(world.services, { ...key, job: "end", step: i }).catch(() => undefined);
    }
    boards.load = load;
    world.advance(11 * minute);
  },
  /** No task of a season's end runs. */
  async closing_stuck() {
    await change({ closes_at: ago(0), end_due_at: ago(0) });
    world.advance(21 * minute);
  },
  repair_dead: () => addRun({ kind: "repair", outcome: "running" }, 36 * minute),
  values_left_out: () => change({ "ranking.left_out": { guild: 2 } }),
};

/** The schedule finds these once a day. */
const daily = ["season_parked", "time_zone_unknown", "audit_differs", "repair_dead", "values_left_out"];

/** These are of a season that sleeps, at which only `listAlerts` looks. The others are found each minute. */
const asleep = ["not_ranked", "players_uncounted"];

test.each(Object.entries(planted))("%s is found and logged", async (code, plant) => {
  await plant();
  expect(await codes()).toEqual([code]);
  expect(await codes(key)).toEqual([code]);
  if ([...daily, ...asleep].includes(code)) {
    // What found it has logged it already, or nothing yet.
    expect(alarmed()).toEqual(["season_parked", "audit_differs"].filter((one) => one === code));
    world.logged.length = 0;
    expect(await nextAuditMinute()).toBeGreaterThan(0);
  }
  await schedule();
  if (asleep.includes(code)) {
    expect(alarmed()).toEqual([]);
    return;
  }
  expect(alarmed()).toEqual([code]);
  await schedule();
  world.advance(minute);
  await schedule();
  expect(alarmed()).toEqual([code]);
});

/** Moves the clock to the minute of the day in which audits are requested. */
async function nextAuditMinute(): Promise<number> {
  const nowMs = world.services.now();
  const nextMs = Math.ceil((nowMs - 4 * hour) / day) * day + 4 * hour;
  world.advance(nextMs - nowMs);
  return Promise.resolve(nextMs);
}

async function otherSeason(): Promise<SeasonKey> {
  const other = await createBoard(world, "other");
  await play(world, other, "ann", 1);
  return other;
}

test("an alert is logged each three hours while it lasts, with what to do", async () => {
  await addRun({ kind: "repair", outcome: "running" }, 36 * minute);
  await change({ end_due_at: ago(21 * minute) });
  for (let i = 0; i < 24; i++) {
    await schedule();
    world.advance(15 * minute);
  }
  expect(alarmed()).toEqual(["closing_stuck", "repair_dead", "closing_stuck", "repair_dead"]);
  const { fields } = world.logged.find(({ level }) => level === "error") ?? {};
  expect(fields).toMatchObject({
    ...key,
    firerank_alert: "closing_stuck",
    since: expect.stringMatching(/^2100-01-02T11:39/) as string,
    what_to_do: expect.stringContaining("stepSeason") as string,
  });
});

test("a daily look that fails is logged, and the schedule is not repeated for it", async () => {
  world.advance(day + 4 * hour - (world.services.now() % day));
  world.db.collection = () => {
    throw new Error("Firestore is away");
  };
  await schedule();
  expect(world.logged.map(({ message }) => message)).toContain("the daily look for alerts failed");
});

describe("no alert", () => {
  test("comes of boards that fall asleep, were never played, or open later, in a day of schedules", async () => {
    const empty = await createBoard(world, "empty");
    await boardCacheOf(world.services).open(presentOf(empty));
    const opensAt = new Date(world.services.now() + 40 * day).toISOString();
    await world.call("openSeason", { leaderboard: "board", season: "cup", opens_at: opensAt }, admin);
    const data = (await world.db.doc(seasonPath(key)).get()).data() ?? {};
    await world.db
      .doc("seasons/spring")
      .set({ ...data, next_run_at: ago(9 * hour), parked: "no_definition" });
    for (let i = 0; i < 24 * 60; i += 2) {
      world.advance(2 * minute);
      await schedule();
      for (const one of [key, empty]) await stepJob(world.services, { ...one, job: "ranking" });
      if (i % 60 === 0) expect(await codes()).toEqual([]);
    }
    expect(alarmed()).toEqual([]);
  });

  test("comes of a server's late write that opens a week which is long over, from then until its table is final", async () => {
    await createBoard(world, "weeks", { spans: ["weekly"] });
    const week = { leaderboard: "weeks", season: "weekly-2099-W52" };
    const closing = { ...week, job: "end", step: 0 } as const;
    await world.follow(week, "ann", await world.writeDirectly(week, "ann", { score: 5 }));
    const status = async () => (await world.db.doc(seasonPath(week)).get()).get("status") as unknown;
    expect([await status(), await codes()]).toEqual(["open", []]);
    await schedule();
    for (let i = 0; i < 5 && (await status()) !== "closed"; i++) {
      await stepJob(world.services, closing);
      expect(await codes()).toEqual([]);
      world.advance(minute);
    }
    expect(await status()).toBe("closed");
    expect(alarmed()).toEqual([]);
  });

  test("comes of documents that cannot be ranked, or whose event is on its way", async () => {
    await world.deliver(key, "ann");
    const written = await world.writeDirectly(key, "eve", { score: 5, status: "cheater" });
    await world.follow(key, "eve", written);
    await rank();
    await sleep();
    expect(await codes()).toEqual([]);
    await world.writeDirectly(key, "dan", { score: 40 });
    expect((await findAlerts(world.services, key)).alerts).toEqual([]);
    expect(await codes()).toEqual(["players_uncounted"]);
  });
});

test.each(["hidden", "banned"] as const)(
  "players whom a server wrote as %s, without a time, are missing only until their event or a repair",
  async (status) => {
    const message = async () => (await findAlerts(world.services, key, atOnce)).alerts[0]?.message;
    const written = await world.writeDirectly(key, "eve", { score: 9, status });
    await world.writeDirectly(key, "fay", { score: 8, status });
    await sleep();
    expect(await message()).toMatch("lacks 2 players");
    await world.follow(key, "eve", written);
    expect(await message()).toMatch("lacks 1 player,");
    await repair(world, key, { kind: "repair" });
    expect(await codes()).toEqual([]);
  },
);

test("a board that hears of no player is found when it falls asleep, before it has published anything", async () => {
  const deaf = await createBoard(world, "deaf");
  await boardCacheOf(world.services).open(presentOf(deaf));
  await world.writeDirectly(deaf, "ann", { score: 1 });
  world.advance(6 * minute);
  await world.tick();
  expect(alarmed()).toEqual([]);
  world.advance(8 * minute);
  await schedule();
  expect(alarmed()).toEqual(["players_uncounted"]);
  await sleep(deaf);
});

test("a change that waits in an awake season, though no run is overdue, is found once a day", async () => {
  await play(world, key, "dan", 40);
  await nextAuditMinute();
  await change({ next_run_at: Timestamp.fromMillis(world.services.now() + minute) });
  await schedule();
  expect(alarmed()).toEqual(["not_ranked"]);
});

test("where all seasons sleep, the daily look costs no read more than its queries, however many there are", async () => {
  await sleep();
  const data = (await world.db.doc(seasonPath(key)).get()).data() ?? {};
  for (let i = 0; i < 30; i++)
    await world.db.doc(seasonPath({ ...key, leaderboard: `level-${i}` })).set(data);
  world.advance(4 * day);
  await nextAuditMinute();
  const { bill } = await world.meter.measure(schedule);
  // Two queries for what is due, one for what was published, one for what erasures have left, one for groups
  // that are to end, and six of the look.
  expect(bill).toEqual({ reads: 5 + 6, writes: 0, deletes: 0 });
});

describe("cost", () => {
  const free = { reads: 0, writes: 0, deletes: 0 };
  const ask = (request: object) => world.bill(() => world.call("listAlerts", request, admin));
  const [board, season, records, pending] = [1, 1, 3, 1];

  test("of a season is 6 reads, and 3 and 1 for each thousand players more once it is idle", async () => {
    expect(await ask(key)).toEqual({ ...free, reads: board + season + records + pending });
    world.advance(hour);
    expect(await ask(key)).toEqual({ ...free, reads: board + season + records + pending + 3 });
  });

  test("of all is 2 reads a board and 2 a season, and 6 more", async () => {
    await rank(await otherSeason());
    const overdue = 3;
    expect(await ask({})).toEqual({ ...free, reads: 2 * (board + season + pending) + records + overdue });
  });

  test("of an idle season is nothing in the schedule, but for the last look of 1 read", async () => {
    const task = () => stepJob(world.services, { ...key, job: "ranking" });
    let [spent, found] = [0, 0];
    for (let i = 0; i < 3 * 60; i++) {
      world.advance(minute);
      spent += (await world.bill(schedule)).reads;
      const season = await world.db.doc(seasonPath(key)).get();
      const due = season.get("next_run_at") as Timestamp | null;
      // Each minute two queries, at 1 read for each document, at least 1.
      found += 2;
      // Every ten minutes one for private groups that are to end.
      if (Math.floor(world.services.now() / minute) % 10 === 0) found += 1;
      if (due !== null && due.toMillis() <= world.services.now()) await task();
    }
    expect(spent - found).toBe(1);
    expect(alarmed()).toEqual([]);
  });
});

test("of a request without a board, a season is refused; of one whose board is gone, it is read", async () => {
  await expect(world.call("listAlerts", { season: "all_time" }, admin)).rejects.toThrow(/leaderboard/);
  await world.db.doc(leaderboardPath("board")).delete();
  expect(await world.call("listAlerts", key, admin)).toMatchObject({ alerts: [], is_complete: true });
});

test("a step of an end that succeeds forgets the failures before it", async () => {
  await change({ closes_at: ago(0), end_due_at: ago(0), end_failures: 2 });
  world.advance(11 * minute);
  await stepJob(world.services, { ...key, job: "end", step: 0 });
  expect((await world.db.doc(seasonPath(key)).get()).data()).not.toHaveProperty("end_failures");
});
