/** Closing seasons: the standings equal an independent sort of all players, whatever happened before. */
import { beforeEach, describe, expect, test } from "vitest";
import { FieldValue } from "../../../functions/src/documents/firestore.ts";
import {
  indexEntriesPath,
  indexEntryPath,
  pagePath,
  playerPath,
  runPath,
  type SeasonKey,
  seasonPath,
  shardsPath,
  standingsCollection,
  standingsPath,
} from "../../../functions/src/documents/paths.ts";
import { stepEnd } from "../../../functions/src/closing/step.ts";
import { storedStandings } from "../../../functions/src/documents/standings.ts";
import { nothingRebuilt } from "../../../functions/src/documents/repair-record.ts";
import { setPlayerStatusSpec } from "../../../functions/src/operations/set-player-status.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { rebuild } from "../../../functions/src/repair/rebuild.ts";
import {
  closed,
  createEnding,
  crowd,
  endSeason,
  expectFinal,
  indexAll,
  phaseOf,
  playerFields,
  recordOf,
  seasonOf,
  sortedPlayers,
  writePlayers,
} from "../../support/closing.ts";
import { admin, createWorld, type World } from "../../support/world.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});

async function sizeOf(path: string): Promise<number> {
  return (await world.db.collection(path).count().get()).data().count;
}

describe.each(["descending", "ascending"] as const)("%s", (order) => {
  test.each(["first", "last"] as const)("three thousand players, ties %s", async (ties) => {
    const key = await createEnding(world, "board", crowd(3_200), {
      definition: { order, ties, top_size: 50 },
    });
    await endSeason(world, key);
    await expectFinal(world, key, { order, ties });
    expect(await recordOf(world, key)).toMatchObject({
      outcome: "done",
      phase: "ended",
      rounds: 0,
      problems: [],
    });
    expect(await sizeOf(indexEntriesPath(key))).toBe(0);
    expect(await sizeOf(shardsPath(key))).toBe(0);
    expect(await seasonOf(world, key)).toMatchObject({ end_due_at: null, next_run_at: null });
    const hidden = { leaderboard: "board", player: "p1502", status: "hidden" } as const;
    await world.call(setPlayerStatusSpec, hidden, admin);
    await expectFinal(world, key, { order, ties });
  });
});

test("a season without players, and one that was never ranked, close too", async () => {
  const key = await createEnding(world, "board", {});
  await endSeason(world, key);
  await expectFinal(world, key);
  expect(await sizeOf(standingsCollection(key))).toBe(1);
});

test("a board of the source count ends exact", async () => {
  const definition = { source: "count" as const };
  const key = await createEnding(world, "board", crowd(2_300), { definition });
  await publishRanking(world.services, key);
  await writePlayers(world, key, { late: playerFields(9_999, 1) });
  await endSeason(world, key);
  await expectFinal(world, key);
});

test("a board of the source count ends exact with a trusted server's document whose event has not come yet", async () => {
  const definition = { source: "count" as const };
  const key = await createEnding(world, "board", crowd(30), { definition });
  await world.db.doc(playerPath(key, "bare")).set({ score: 8 });
  await world.db.doc(playerPath(key, "hidden")).set({ score: 7, status: "hidden" });
  await world.db.doc(playerPath(key, "odd")).set({ score: 6, status: "odd" });
  await endSeason(world, key);
  await expectFinal(world, key);
  const bare = await world.db.doc(playerPath(key, "bare")).get();
  expect(bare.get("status")).toBe("active");
  expect(bare.get("achieved_at")).toEqual(bare.createTime);
});

test("a board of the source count is counted no more often while it closes than before", async () => {
  const key = await createEnding(world, "board", crowd(30), { definition: { source: "count" } });
  await endSeason(world, key, { until: ({ status }) => status === "closing" });
  await publishRanking(world.services, key);
  const { next_run_at: due } = await seasonOf(world, key);
  world.advance((due?.toMillis() ?? 0) - world.services.now());
  await publishRanking(world.services, key);
  const { next_run_at: next, interval_ms: intervalMs } = await seasonOf(world, key);
  expect(next?.toMillis()).toBe((due?.toMillis() ?? 0) + intervalMs);
});

test("nothing closes before its end, and an end that moved is followed", async () => {
  const key = await createEnding(world, "board", crowd(3));
  const later = new Date(world.services.now() + 60_000);
  await world.db.doc(`leaderboards/board/seasons/cup`).update({ closes_at: later });
  await endSeason(world, key, { until: ({ end_due_at: due }) => due?.toMillis() === later.getTime() });
  expect(await seasonOf(world, key)).toMatchObject({ status: "open" });
  await endSeason(world, key);
  await expectFinal(world, key);
});

describe("damage before the end", () => {
  test.each<[string, (key: SeasonKey) => Promise<unknown>]>([
    [
      "events that were lost",
      (key) => writePlayers(world, key, { p1: playerFields(7_777, 1), new: playerFields(3, 1) }),
    ],
    ["a player's document deleted without an event", (key) => world.db.doc(playerPath(key, "p2")).delete()],
    [
      "a bare document of a trusted server",
      (key) => world.db.doc(playerPath(key, "bare")).set({ score: 61 }),
    ],
    [
      "a document of a trusted server that has null for what it does not know",
      (key) => world.db.doc(playerPath(key, "null")).set({ score: 61, status: null, achieved_at: null }),
    ],
    ["a wrong index entry", (key) => world.db.doc(indexEntryPath(key, "p3")).set({ score: 9 })],
    ["an index entry of nobody", (key) => world.db.doc(indexEntryPath(key, "ghost")).set({ score: 9 })],
    ["an unreadable index entry", (key) => world.db.doc(indexEntryPath(key, "p3")).set({ score: "x" })],
    [
      "shards that were deleted",
      async (key) => {
        for (const { ref } of (await world.db.collection(shardsPath(key)).get()).docs) await ref.delete();
      },
    ],
  ])("%s", async (_, damage) => {
    const key = await createEnding(world, "board", crowd(400));
    await damage(key);
    await endSeason(world, key);
    await expectFinal(world, key);
  });
});

describe("late events", () => {
  test("are indexed as usual while it settles, and change nothing once it is closed", async () => {
    const key = await createEnding(world, "board", crowd(300));
    await endSeason(world, key, { until: ({ status }) => status === "closing" });
    await writePlayers(world, key, { late: playerFields(12_345, 1) });
    await world.deliver(key, "late");
    await endSeason(world, key);
    await expectFinal(world, key);
    const before = await world.meter.measure(() => world.deliver(key, "late", "p1"));
    expect(before.bill).toMatchObject({ writes: 0, deletes: 0 });
    await world.db.doc(playerPath(key, "p1")).update({ score: 5 });
    await world.deliver(key, "p1");
    expect(await sizeOf(indexEntriesPath(key))).toBe(0);
    expect(await sizeOf(shardsPath(key))).toBe(0);
  });

  test("from an instance that remembers the season as closing leave the pages equal to the standings", async () => {
    const players = crowd(300);
    const key = await createEnding(world, "board", players);
    const other = world.anotherInstance();
    await endSeason(world, key, { until: ({ status }) => status === "closing" });
    await other.boards.load(key);
    world.advance(-1);
    await endSeason(world, key, { until: closed });
    await writePlayers(world, key, { p8: playerFields(77_777, 8) });
    other.boards.keep({
      ...(await other.boards.load(key)),
      season: { ...(await seasonOf(world, key)), status: "closing" },
    });
    await indexAll(other, key, ["p8"]);
    await publishRanking(other, key, { includeOpenSlot: true });
    await writePlayers(world, key, { p8: players["p8"] ?? {} });
    await endSeason(world, key);
    await expectFinal(world, key);
    expect(await sizeOf(shardsPath(key))).toBe(0);
  });
});

test("a document written late by a stopped step of an earlier pass is overwritten", async () => {
  const key = await createEnding(world, "board", crowd(30));
  const { db } = world;
  let struck = false;
  await endSeason(world, key, {
    async step(services, n) {
      if ((await phaseOf(world, key)) === "checking" && !struck) {
        struck = true;
        const written = db.doc(standingsPath(key, 0));
        await db.doc(standingsPath(key, 1)).set((await written.get()).data() ?? {});
        await written.update({ pass: 2 });
        await db.doc(runPath(key, (await recordOf(world, key)).run)).update({ "written.pass": 2 });
      }
      await stepEnd(services, { ...key, step: n }, { budgetMs: 0 });
    },
  });
  expect(struck).toBe(true);
  await expectFinal(world, key);
});

test("a season whose standings and pages disagree is retried after longer and longer waits, and closes when they agree", async () => {
  const key = await createEnding(world, "board", crowd(30));
  const waitsMs: number[] = [];
  let before = 0;
  await endSeason(world, key, {
    until: () => waitsMs.length === 3,
    async step(services, n) {
      if ((await phaseOf(world, key)) === "checking") await damageStandings(key);
      await stepEnd(services, { ...key, step: n }, { budgetMs: 0 });
      const { disagreements, outcome, run } = await recordOf(world, key);
      if (disagreements === before) return;
      expect(outcome).toBe("failed");
      waitsMs.push(((await seasonOf(world, key)).end_due_at?.toMillis() ?? 0) - services.now());
      before = waitsMs.length === 2 ? 30 : disagreements;
      await world.db.doc(runPath(key, run)).update({ disagreements: before });
    },
  });
  expect(waitsMs.map((ms) => ms / 60_000)).toEqual([10, 20, 24 * 60]);
  await endSeason(world, key);
  await expectFinal(world, key);
});

async function damageStandings(key: SeasonKey): Promise<void> {
  const ref = world.db.doc(standingsPath(key, 0));
  const [, ...scores] = (await ref.get()).get("scores") as number[];
  await ref.update({ scores: [1e6, ...scores] });
}

test("a check that takes minutes is not taken for dead", async () => {
  const key = await createEnding(world, "board", crowd(3_500));
  const { db } = world;
  const getAll = db.getAll.bind(db);
  const dead: string[] = [];
  const isStandings = (ref: unknown) => /standings\/\d+$/.test((ref as { path?: string }).path ?? "");
  db.getAll = async (...refs) => {
    if (isStandings(refs[0])) {
      const { end_due_at: due, status } = await seasonOf(world, key);
      if ((due?.toMillis() ?? 0) <= world.services.now()) dead.push(status);
      world.advance(200_000);
    }
    return getAll(...refs);
  };
  await endSeason(world, key, { until: closed });
  expect(dead).toEqual([]);
  db.getAll = getAll;
  await endSeason(world, key);
  await expectFinal(world, key);
});

test("a season whose index was left to counts is indexed and ranked again before it closes", async () => {
  const players = crowd(60);
  const key = await createEnding(world, "board", players);
  await indexAll(world.services, key, Object.keys(players));
  await publishRanking(world.services, key, { includeOpenSlot: true });
  const mark = { left_to_counts_at: FieldValue.serverTimestamp() };
  for (const path of [seasonPath(key), pagePath(key, 0)]) await world.db.doc(path).update(mark);
  // Their events are not in the index.
  await writePlayers(world, key, { p1: playerFields(1_234, 1), p2: playerFields(0, 2) });
  await endSeason(world, key);
  await expectFinal(world, key);
  expect(await recordOf(world, key)).toMatchObject({ outcome: "done", phase: "ended" });
  expect((await world.db.doc(seasonPath(key)).get()).data()).not.toHaveProperty("left_to_counts_at");
});

test("a season with too many players for one count closes too", async () => {
  const key = await createEnding(world, "board", crowd(30));
  const { db } = world;
  const run = db.runTransaction.bind(db);
  let counts = 0;
  db.runTransaction = async (...args) => {
    const [, options] = args;
    const isAudit = options?.readOnly === true && (await phaseOf(world, key)) === "auditing";
    if (!isAudit || !args[0].toString().includes("count")) return run(...args);
    counts += 1;
    throw Object.assign(new Error("4 DEADLINE_EXCEEDED"), { code: 4 });
  };
  await endSeason(world, key, {
    step: (services, n) => stepEnd(services, { ...key, step: n }, { budgetMs: 0 }),
  });
  db.runTransaction = run;
  expect(counts).toBe(1);
  await expectFinal(world, key);
});

test("a rebuild that remembers the season as closing leaves the pages of a closed one alone", async () => {
  const key = await createEnding(world, "board", crowd(30));
  const board = await world.services.boards.load(key);
  await endSeason(world, key);
  await expect(rebuild(world.services, board, nothingRebuilt)).rejects.toMatchObject({
    code: "season_closed",
  });
  await publishRanking(world.services, key);
  await expectFinal(world, key);
});

test("names and metadata of a megabyte, which a trusted server wrote, are cut, and the season closes", async () => {
  const megabyte = 1_040_000;
  const names = ["x".repeat(megabyte), "😀".repeat(megabyte / 4), `${"\u2800".repeat(600)}x`];
  const named = names.map((name, i) => [`big-${i}`, playerFields(7 + i, i, { display_name: name })] as const);
  const metadata = { note: "x".repeat(megabyte) };
  const key = await createEnding(world, "board", {
    ...crowd(20),
    ...Object.fromEntries(named),
    wide: playerFields(3, 1, { metadata }),
  });
  await endSeason(world, key);
  const { players, display_names: kept } = storedStandings.parse(
    (await world.db.doc(standingsPath(key, 0)).get()).data(),
  );
  expect(players).toHaveLength((await sortedPlayers(world, key, "descending", "first")).length);
  const nameOf = (player: string) => kept[players.indexOf(player)];
  expect(nameOf("big-0")).toBe("x".repeat(1_499));
  expect(nameOf("big-1")).toBe("😀".repeat(374));
  // What is left of it shows nothing.
  expect(nameOf("big-2")).toBe("");
  expect(nameOf("p0")).toBe("Player 0 ✓");
  expect(world.logged).toContainEqual({
    level: "warn",
    message: "names or metadata are too long for the standings and were cut",
    fields: { ...key, players: 4 },
  });
  expect(await recordOf(world, key)).toMatchObject({ outcome: "done", rounds: 0, problems: [] });
});

test("a closed season costs nothing while nobody reads it", async () => {
  const key = await createEnding(world, "board", crowd(100));
  await endSeason(world, key);
  const { bill } = await world.meter.measure(() => publishRanking(world.services, key));
  expect(bill).toMatchObject({ writes: 0, deletes: 0 });
  expect(await seasonOf(world, key)).toMatchObject({ next_run_at: null, end_due_at: null });
});
