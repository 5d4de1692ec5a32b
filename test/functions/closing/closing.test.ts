/** Closing seasons: the standings equal an independent sort of all players, whatever happened before. */
import { describe, expect, test } from "vitest";
import {
  closingNotesPath,
  closingRangesPath,
  pagesPath,
  playerPath,
  receiptsPath,
  runPath,
  seasonPath,
  type SeasonKey,
  shardsPath,
  standingsCollection,
  standingsPath,
} from "../../../functions/src/documents/paths.ts";
import { fieldsInLine } from "../../../functions/src/counting/count-players.ts";
import { standingFields } from "../../../functions/src/standings/pack.ts";
import type { Internals } from "../../../functions/src/world/meter.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { storedStandings } from "../../../functions/src/documents/standings.ts";
import { endRetryMs } from "../../../functions/src/model/limits.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import {
  closed,
  createEnding,
  crowd,
  endSeason,
  expectFinal,
  phaseOf,
  playerFields,
  recordOf,
  seasonOf,
  sortedPlayers,
  writePlayers,
} from "../../support/closing.ts";
import { watchCommits } from "../../support/commits.ts";
import { admin, type World, eachWorld } from "../../support/world.ts";

interface SentQuery {
  from: { collectionId: string }[];
  select?: { fields: { fieldPath: string }[] };
}

const world = eachWorld();
async function sizeOf(path: string): Promise<number> {
  return (await world.db.collection(path).count().get()).data().count;
}

/** Nothing is left of what only an open or closing season needs. */
async function expectCleared(key: SeasonKey): Promise<void> {
  for (const path of [shardsPath, receiptsPath, closingNotesPath, closingRangesPath])
    expect(await sizeOf(path(key)), path(key)).toBe(0);
  expect(await seasonOf(world, key)).toMatchObject({ end_due_at: null, next_run_at: null });
}

test("what was let in before the end is in the table, however late its commit is: the closing waits", async () => {
  const key = await createEnding(world, "board", crowd(20));
  for (const waitMs of [0, world.services.endWaitMs - 1_000]) {
    world.advance(waitMs);
    for (let step = 0; step < 5; step++) await stepEnd(world.services, { ...key, step });
  }
  expect(await phaseOf(world, key)).toBe("waiting");
  await writePlayers(world, key, { late: playerFields(77, 1) });
  await endSeason(world, key);
  expect((await sortedPlayers(world, key)).map(({ player }) => player)).toContain("late");
  await expectFinal(world, key);
});

test.each([
  { order: "descending", ties: "first" },
  { order: "ascending", ties: "last" },
] as const)("three thousand players, $order, ties $ties", async (ordering) => {
  const key = await createEnding(world, "board", crowd(3_200), { definition: { ...ordering, top_size: 50 } });
  await endSeason(world, key);
  await expectFinal(world, key);
  expect(await recordOf(world, key)).toMatchObject({ outcome: "done", phase: "ended", pass: 0 });
  await expectCleared(key);

  const hidden = { leaderboard: "board", player: "p1502", status: "hidden" } as const;
  await world.call("setPlayerStatus", hidden, admin);
  await expectFinal(world, key);
});

test("a season without players, and one that was never ranked, close too", async () => {
  const key = await createEnding(world, "board", {});
  await endSeason(world, key);
  await expectFinal(world, key);
  expect(await sizeOf(standingsCollection(key))).toBe(1);
});

test("a season of a hundred players is closed by one step after the wait", async () => {
  const key = await createEnding(world, "board", crowd(100));
  await endSeason(world, key, { until: ({ status }) => status === "closing" });
  const { end_due_at: due } = await seasonOf(world, key);
  world.advance((due?.toMillis() ?? NaN) - world.services.now());
  await stepEnd(world.services, { ...key, step: 0 });
  expect(await seasonOf(world, key)).toMatchObject({ status: "closed" });
  await expectFinal(world, key);
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

test("a table is that of the players' documents, whatever was lost or damaged before the end", async () => {
  const key = await createEnding(world, "board", crowd(400));
  await world.publish(key);
  const player = (id: string) => world.db.doc(playerPath(key, id));
  // Their events were lost, and a trusted server leaves out what it does not know, or writes null or worse.
  await writePlayers(world, key, {
    p1: playerFields(7_777, 1),
    new: playerFields(3, 1),
    bare: { score: 61 },
    null: { score: 61, status: null, achieved_at: null },
    text: { score: 1_000, status: "active", achieved_at: "2026-01-01" },
  });
  await player("p2").delete();
  await player("p3").update({ "counted.score": 9 });
  await player("p4").update({ counted: "x" });
  for (const path of [shardsPath, pagesPath])
    for (const { ref } of (await world.db.collection(path(key)).get()).docs) await ref.delete();
  await endSeason(world, key);
  await expectFinal(world, key);
  await expectCleared(key);
});

describe("documents that lists would not find", () => {
  const step = (key: SeasonKey) => (services: World["services"], n: number) =>
    stepEnd(services, { ...key, step: n }, { budgetMs: 0, documentsPerRead: 50 });

  test("are completed in steps, at the time of their write, and the season is read as of a later time", async () => {
    const key = await createEnding(world, "board", crowd(300));
    const bare = Array.from({ length: 120 }, (_, i) => [`bare-${i}`, { score: 100 + i }] as const);
    await writePlayers(world, key, Object.fromEntries(bare));
    const written = (await world.db.doc(playerPath(key, "bare-7")).get()).updateTime;
    await endSeason(world, key, { step: step(key) });
    await expectFinal(world, key);
    expect((await world.db.doc(playerPath(key, "bare-7")).get()).data()).toMatchObject({
      score: 107,
      status: "active",
      achieved_at: written,
    });
    expect(await recordOf(world, key)).toMatchObject({
      completed: { cursor: null, players: 120, rounds: 1, is_missing: true },
    });
  });

  test("that keep coming are searched three times", async () => {
    const key = await createEnding(world, "board", crowd(30));
    let rounds = 0;
    await endSeason(world, key, {
      async step(services, n) {
        if (
          (await phaseOf(world, key)) === "completing" &&
          (await recordOf(world, key)).completed.cursor === null
        )
          await writePlayers(world, key, { [`bare-${rounds++}`]: { score: 5 } });
        await step(key)(services, n);
      },
    });
    expect(await recordOf(world, key)).toMatchObject({
      outcome: "done",
      completed: { players: 3, rounds: 3 },
    });
    expect(await seasonOf(world, key)).toMatchObject({ status: "closed" });
  });
});

test("reading all standings, which takes minutes, is not taken for dead", async () => {
  const key = await createEnding(world, "board", crowd(3_500));
  const { db } = world;
  const runTransaction = db.runTransaction.bind(db);
  const dead: string[] = [];
  let reads = 0;
  db.runTransaction = async (...args) => {
    if (args[1]?.readOnly === true && (await phaseOf(world, key)) === "publishing") {
      reads += 1;
      const { end_due_at: due, status } = await seasonOf(world, key);
      if ((due?.toMillis() ?? 0) <= world.services.now()) dead.push(status);
      world.advance(100_000);
    }
    return runTransaction(...args);
  };
  await endSeason(world, key, {
    until: closed,
    step: (services, n) => stepEnd(services, { ...key, step: n }, { budgetMs: 0 }),
  });
  expect(reads).toBeGreaterThan(2);
  expect(dead).toEqual([]);
  db.runTransaction = runTransaction;
  await endSeason(world, key);
  await expectFinal(world, key);
});

test("a step that fails is logged once, and one commit records it and says when the next is due", async () => {
  const key = await createEnding(world, "board", crowd(3));
  await endSeason(world, key, { until: ({ status }) => status === "closing" });
  world.advance(world.services.endWaitMs);
  const { db } = world;
  const runTransaction = db.runTransaction.bind(db);
  const commits = watchCommits(world);
  let before = 0;
  db.runTransaction = () => {
    before = commits.length;
    db.runTransaction = runTransaction;
    return Promise.reject(new Error("nothing can be counted"));
  };
  await expect(stepEnd(world.services, { ...key, step: 0 })).rejects.toThrow("nothing can be counted");
  expect(commits.slice(before).map((writes) => writes.length)).toEqual([2]);
  expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(1);
  expect(await recordOf(world, key)).toMatchObject({
    outcome: "failed",
    error: "Error: nothing can be counted",
  });
  const { end_due_at: due } = await seasonOf(world, key);
  expect(due?.toMillis()).toBe(world.services.now() + endRetryMs);
  await endSeason(world, key);
  await expectFinal(world, key);
});

test("a season whose closing record was deleted by hand fails to close, and says why", async () => {
  const key = await createEnding(world, "board", crowd(5));
  await stepEnd(world.services, { ...key, step: 0 });
  await world.db.doc(runPath(key, (await recordOf(world, key)).run)).delete();
  world.advance(world.services.endWaitMs);
  await expect(stepEnd(world.services, { ...key, step: 1 })).rejects.toThrow(/\/runs\/.* is missing/);
  expect(await seasonOf(world, key)).toMatchObject({ status: "closing", end_failures: 1 });
});

test("names and metadata of a megabyte, which a trusted server wrote, are cut, and the season closes", async () => {
  const megabyte = 1_040_000;
  const names = ["x".repeat(megabyte), "😀".repeat(megabyte / 4), `${"\u2800".repeat(600)}x`];
  const named = names.map((name, i) => [`big-${i}`, playerFields(7 + i, i, { display_name: name })] as const);
  const metadata = { note: "x".repeat(megabyte) };
  const key = await createEnding(world, "board", crowd(20));
  // Nobody has counted them: their marks would not fit.
  await writePlayers(world, key, { ...Object.fromEntries(named), wide: playerFields(3, 1, { metadata }) });
  await endSeason(world, key);
  const { players, display_names: kept } = storedStandings.parse(
    (await world.db.doc(standingsPath(key, 0)).get()).data(),
  );
  expect(players).toHaveLength((await sortedPlayers(world, key)).length);
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
  expect(await recordOf(world, key)).toMatchObject({ outcome: "done" });
});

test("players are read without the fields of the game's own, which may be large", async () => {
  const own = { own: "x".repeat(10_000) };
  const players = { a: playerFields(1, 1, { ...own, metadata: { level: 2 } }), b: playerFields(2, 1, own) };
  const key = await createEnding(world, "board", players);
  await writePlayers(world, key, { bare: { score: 3, ...own } });
  const internals = world.db as unknown as Internals;
  const requestStream = internals.requestStream.bind(world.db);
  const sent: unknown[] = [];
  internals.requestStream = (method, isBidirectional, message, ...rest) => {
    const { structuredQuery: query } = message as { structuredQuery?: SentQuery };
    if (query?.from[0]?.collectionId === "players")
      sent.push(query.select?.fields.map(({ fieldPath }) => fieldPath));
    return requestStream(method, isBidirectional, message, ...rest);
  };
  await endSeason(world, key);
  internals.requestStream = requestStream;
  await expectFinal(world, key);
  expect(sent).toContainEqual(fieldsInLine);
  expect(sent).toContainEqual(standingFields);
  expect(sent.filter((fields) => fields === undefined)).toEqual([]);
});

test("a closed season costs nothing while nobody reads it", async () => {
  const key = await createEnding(world, "board", crowd(100));
  await endSeason(world, key);
  expect(await world.bill(() => publishRanking(world.services, key))).toMatchObject({
    writes: 0,
    deletes: 0,
  });
  expect(await seasonOf(world, key)).toMatchObject({ next_run_at: null, end_due_at: null });
});

test("a season deleted in the middle of its closing is left alone", async () => {
  const key = await createEnding(world, "board", crowd(3));
  await endSeason(world, key, { until: ({ status }) => status === "closing" });
  await world.db.doc(seasonPath(key)).delete();
  await stepEnd(world.services, { ...key, step: 0 });
  expect((await world.db.doc(seasonPath(key)).get()).exists).toBe(false);
});
