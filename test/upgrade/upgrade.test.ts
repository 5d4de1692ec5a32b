/** Data that the releases before have stored, under the functions of this one: before, during and after the upgrade. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { upgrade, type Upgraded, upgradeSummary } from "../../cli/upgrade.ts";
import {
  leaderboardPath,
  runPath,
  type SeasonKey,
  seasonPath,
  standingsSummaryPath,
} from "../../functions/src/documents/paths.ts";
import { schemaVersion } from "../../functions/src/model/schema-version.ts";
import { getRankSpec } from "../../functions/src/operations/get-rank.ts";
import { runRankingSpec } from "../../functions/src/operations/run-ranking.ts";
import { saveLeaderboardSpec } from "../../functions/src/operations/save-leaderboard.ts";
import { setPlayerStatusSpec } from "../../functions/src/operations/set-player-status.ts";
import { submitScoreSpec } from "../../functions/src/operations/submit-score.ts";
import { expectFinal, sortedPlayers } from "../support/closing.ts";
import { expectConserved, expectConverged, expectRanked } from "../support/oracle.ts";
import { admin, allTime, createWorld, user, type World } from "../support/world.ts";
import { dump, load, type Stored } from "./stored.ts";

interface Fixture {
  as_of: string;
  documents: Stored;
}

const before = JSON.parse(
  readFileSync(join(import.meta.dirname, `form-${schemaVersion - 1}.json`), "utf8"),
) as Fixture;

const arena = allTime("arena");
const today = { leaderboard: "arena", season: "daily-2100-01-03" };
const final = { leaderboard: "arena", season: "final" };
const closed = ["cup", "daily-2100-01-02"].map((season) => ({ leaderboard: "arena", season }));
const open = [arena, today, final, allTime("league")];

/** A world in which the release before has been at work. */
async function worldOfBefore(documents = before.documents): Promise<World> {
  const world = createWorld();
  world.advance(Date.parse(before.as_of) - world.services.now());
  await load(world.db, documents);
  return world;
}

/** Upgrades to the end. */
async function upgradeAll(world: World, options: Parameters<typeof upgrade>[1] = {}): Promise<Upgraded> {
  const steps = upgrade(world.services, options);
  for (;;) {
    const { done, value } = await steps.next();
    if (done === true) return value;
  }
}

async function rank(world: World, key: SeasonKey) {
  world.advance(120_000);
  return world.call(runRankingSpec, { ...key, include_open_slot: true }, admin);
}

/** Every open season is ranked as a sort of its players has it, and every closed one is final. */
async function expectRight(world: World, keys = open): Promise<void> {
  for (const key of keys) {
    await expectConserved(world, key);
    await expectConverged(world, key);
    await rank(world, key);
    await expectRanked(world, key);
  }
  for (const key of closed) await expectFinal(world, key);
}

/** A score by the functions as apps call them, until it is ranked. */
async function play(world: World, player: string, score: number): Promise<void> {
  await world.call(submitScoreSpec, { leaderboard: "arena", score }, user(player));
  for (const key of [arena, today]) {
    await world.deliver(key, player);
    await rank(world, key);
  }
  const better = (await sortedPlayers(world, arena, "descending", "first")).filter(
    (other) => other.score > score,
  );
  const asked = { leaderboard: "arena", min_generation: 1 };
  expect(await world.call(getRankSpec, asked, user(player))).toMatchObject({
    score,
    rank: better.length + 1,
  });
}

test("the functions rank what the release before has stored, and no player is missing", async () => {
  const world = await worldOfBefore();
  await expectRight(world);
  await play(world, "new", 42);
  await rank(world, allTime("race"));
  const asked = { leaderboard: "race" };
  expect(await world.call(getRankSpec, asked, user("player-00"))).toMatchObject({ rank: 1, players: 8 });
  await world.call(
    setPlayerStatusSpec,
    { leaderboard: "arena", player: "player-08", status: "hidden" },
    admin,
  );
  for (const key of open.slice(0, 3)) await world.deliver(key, "player-08");
  await expectRight(world);
});

test(
  "after a crash at each step the upgrade goes on, and ranks are right in between",
  { timeout: 240_000 },
  async () => {
    const world = await worldOfBefore();
    let steps = 0;
    for (;;) {
      let isOver = true;
      // Killed after it has converted one document.
      for await (const { soFar } of upgrade(world.services, { parallel: 1 })) {
        isOver = soFar.boards.converted + soFar.seasons.converted === 0;
        if (!isOver) break;
      }
      if (isOver) break;
      steps += 1;
      await play(world, `player-of-step-${steps}`, 30 + steps);
    }
    expect(steps).toBe(found.boards.length + found.seasons.length);
    await expectRight(world);
  },
);

const paths = Object.keys(before.documents);
const found = {
  boards: paths.filter((path) => path.split("/").length === 2),
  seasons: paths.filter((path) => path.split("/").length === 4 && path.includes("/seasons/")),
};

test("a dry run changes nothing and says what the upgrade then does and costs; a second upgrade does nothing", async () => {
  const world = await worldOfBefore();
  const measured = async (options: object) => {
    const { result, bill } = await world.meter.measure(() => upgradeAll(world, options));
    return { ...result, billed: bill };
  };
  const planned = await measured({ dryRun: true });
  expect(await dump(world.db)).toEqual(before.documents);
  expect(planned.billed.writes).toBe(0);
  const done = await measured({});
  for (const part of ["boards", "seasons", "reads", "writes"] as const)
    expect(done[part]).toEqual(planned[part]);
  expect(done.billed.writes).toBe(planned.writes);
  expect(done.billed.reads).toBe(planned.billed.reads);
  expect(done.boards.converted).toBe(found.boards.length);
  expect(done.seasons.converted).toBe(found.seasons.length);
  expect(upgradeSummary(planned, true)).toMatch(
    /^Would convert 4 boards and 7 seasons to form 2, for \d+ reads and 11 writes, .* Nothing was changed\.$/,
  );
  const again = await measured({});
  expect(again).toMatchObject({ writes: 0, reads: 0, billed: { writes: 0 } });
  expect(upgradeSummary(again, false)).toBe("Nothing to do: 11 documents were in form 2 before.");
  const none = { converted: 0, left: 0, damaged: [] };
  const nothing = { boards: none, seasons: none, reads: 0, writes: 0 };
  expect(upgradeSummary(nothing, false)).toBe("Nothing to do: there are no boards.");
  const unreadable = { ...nothing, boards: { ...none, damaged: ["leaderboards/arena"] } };
  expect(upgradeSummary(unreadable, false)).toBe("Nothing was converted.");
});

test("nothing but the form changes where a document was complete", async () => {
  const world = await worldOfBefore();
  await upgradeAll(world);
  const expected = structuredClone(before.documents);
  for (const path of [...found.boards, ...found.seasons])
    expected[path] = { ...expected[path], schema_version: schemaVersion };
  expect(await dump(world.db)).toEqual(expected);
});

/** Fields that were added after some documents had been written, as if these were such documents. */
function withoutLaterFields(documents: Stored): Stored {
  const old = structuredClone(documents);
  const without = (path: string, ...names: string[]) => {
    for (const name of names) delete old[path]?.[name];
  };
  for (const path of found.boards) without(path, "events", "top_refresh_seconds", "visibility", "ties");
  for (const path of found.seasons) {
    without(path, "cleared_at", "changed_at", "parked", "dormant_at");
    delete (old[path]?.["ranking"] as Record<string, unknown>)["shards_from"];
  }
  for (const key of closed) {
    const run = documents[seasonPath(key)]?.["closing_run"];
    without(runPath(key, String(run)), "disagreements");
    without(standingsSummaryPath(key), "ties");
  }
  return old;
}

test("fields that older documents lack are filled in, with the values by which they were read", async () => {
  const world = await worldOfBefore(withoutLaterFields(before.documents));
  // The board had a default then; the standings of its closed seasons are in that order.
  const { writes } = await upgradeAll(world);
  expect(writes).toBe(11 + 2 * closed.length);
  const after = await dump(world.db);
  expect(after[leaderboardPath("arena")]).toMatchObject({
    ties: "first",
    visibility: "signed_in",
    top_refresh_seconds: 2,
  });
  for (const path of found.seasons)
    expect(Object.keys(after[path] ?? {})).toEqual(
      expect.arrayContaining(["cleared_at", "changed_at", "parked"]),
    );
  for (const path of found.seasons) expect(after[path]?.["ranking"]).toHaveProperty("shards_from", null);
  for (const key of closed) {
    expect(after[standingsSummaryPath(key)]).toMatchObject({ ties: "first" });
    const run = before.documents[seasonPath(key)]?.["closing_run"];
    expect(after[runPath(key, String(run))]).toMatchObject({ disagreements: 0 });
  }
  await expectRight(world, [arena, today, final]);
});

test("damaged documents are left as they are and named, and everything else is converted", async () => {
  const world = await worldOfBefore();
  await world.db.doc(leaderboardPath("empty")).update({ order: "sideways" });
  await world.db.doc(seasonPath(final)).update({ status: "lost" });
  await world.db.doc(seasonPath(arena)).update({ schema_version: "damaged" });
  // Its definition was deleted; the season comes back with it.
  await world.db.doc(leaderboardPath("race")).delete();
  const { boards, seasons } = await upgradeAll(world);
  expect(boards).toEqual({ converted: 2, left: 0, damaged: [leaderboardPath("empty")] });
  expect(seasons).toEqual({ converted: 6, left: 0, damaged: [seasonPath(final)] });
  expect((await world.db.doc(seasonPath(arena)).get()).get("schema_version")).toBe(schemaVersion);
  expect((await world.db.doc(seasonPath(allTime("race"))).get()).get("schema_version")).toBe(schemaVersion);
});

test("where a newer release has been at work, the upgrade refuses and says what to do", async () => {
  const world = await worldOfBefore();
  await world.db.doc(seasonPath(today)).update({ schema_version: 99 });
  await expect(upgradeAll(world)).rejects.toThrow(/schema_version 99, .* deploy the newer package again/);
});

test("a newer release that converts a season meanwhile is not undone", async () => {
  const world = await worldOfBefore();
  const { db } = world.services;
  let calls = 0;
  let converted: Promise<unknown> | undefined;
  const runTransaction: typeof db.runTransaction = async (work) => {
    // The first is the board's. Before the second one, the upgrade has found all seasons of the board in the form before.
    if (++calls > 1) await (converted ??= db.doc(seasonPath(today)).update({ schema_version: 99 }));
    return db.runTransaction(work);
  };
  const beaten = new Proxy(db, {
    get(target, name) {
      if (name === "runTransaction") return runTransaction;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  await expect(upgradeAll({ ...world, services: { ...world.services, db: beaten } })).rejects.toThrow(
    /schema_version 99, .* deploy the newer package again/,
  );
  expect((await db.doc(seasonPath(today)).get()).get("schema_version")).toBe(99);
});

test("documents of another program in a database named by mistake stay as they are", async () => {
  const world = createWorld();
  const chess = { name: "Chess", members: 3 };
  await world.db.doc(leaderboardPath("chess")).set(chess);
  const { boards } = await upgradeAll(world);
  expect(boards).toEqual({ converted: 0, left: 0, damaged: [leaderboardPath("chess")] });
  expect((await world.db.doc(leaderboardPath("chess")).get()).data()).toEqual(chess);
});

test("an open season is converted although the definition of its board is damaged", async () => {
  const world = await worldOfBefore();
  await world.db.doc(leaderboardPath("league")).update({ order: "sideways" });
  const { seasons } = await upgradeAll(world);
  expect(seasons.damaged).toEqual([]);
  expect((await world.db.doc(seasonPath(allTime("league"))).get()).get("schema_version")).toBe(schemaVersion);
});

test("an admin who saves a board during the upgrade loses nothing", async () => {
  const world = await worldOfBefore();
  const steps = upgrade(world.services, { parallel: 1 });
  await steps.next();
  const definition = { spans: ["all_time" as const], top_size: 7 };
  await world.call(saveLeaderboardSpec, { leaderboard: "empty", definition }, admin);
  while ((await steps.next()).done !== true);
  const saved = (await world.db.doc(leaderboardPath("empty")).get()).data();
  expect(saved).toMatchObject({ top_size: 7, schema_version: schemaVersion });
});
