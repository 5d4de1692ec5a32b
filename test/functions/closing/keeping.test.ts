/** Older seasons of a span are deleted completely, and late events do not bring anything back. */
import { beforeEach, expect, test } from "vitest";
import { retireSeason } from "../../../functions/src/jobs/closing/clear.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { followPlayer } from "../../../functions/src/counting/follow-player.ts";
import {
  pagePath,
  playerPath,
  receiptsPath,
  runPath,
  seasonPath,
  type SeasonKey,
  seasonsPath,
  standingsSummaryPath,
  topPath,
} from "../../../functions/src/documents/paths.ts";
import type { AuditRecord } from "../../../functions/src/documents/repair-record.ts";
import { auditClosed } from "../../../functions/src/jobs/repair/audit.ts";
import { startRepair } from "../../../functions/src/jobs/repair/repair.ts";
import { enqueueAudits, stepSeason } from "../../../functions/src/jobs/schedule.ts";
import { createServices, type Services } from "../../../functions/src/operations/services.ts";
import {
  closed,
  createEnding,
  endSeason,
  expectFinal,
  countAll,
  openEnding,
  playerFields,
  seasonOf,
  writePlayers,
} from "../../support/closing.ts";
import { expectRefusal } from "../../support/refusals.ts";
import { callOn, admin, createWorld, type World } from "../../support/world.ts";
import { atEachRequest, createDoomed } from "../doomed.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});

const crowd = (size: number) =>
  Object.fromEntries(
    Array.from({ length: size }, (_, i) => [
      `p${i}`,
      playerFields(i % 9, i, i === 2 ? { metadata: { i } } : {}),
    ]),
  );

/** Daily seasons that close one after the other, the first on the first day. */
async function daily(days: number, keep: number): Promise<SeasonKey[]> {
  const keys: SeasonKey[] = [];
  for (let day = 1; day <= days; day++) {
    const season = `daily-2099-12-0${day}`;
    const begun = { span: "daily" as const };
    const key = { leaderboard: "board", season };
    if (day === 1)
      await createEnding(world, "board", crowd(30), { season, definition: { keep_seasons: keep }, begun });
    else {
      await openEnding(world, key, begun);
      await writePlayers(world, key, crowd(30));
      await countAll(world.services, key, Object.keys(crowd(30)));
    }
    await endSeason(world, key);
    keys.push(key);
  }
  return keys;
}

/** Every document below a season, itself included. */
async function documentsOf(key: SeasonKey, { db } = world): Promise<string[]> {
  const ref = db.doc(seasonPath(key));
  const found = (await ref.get()).exists ? [ref.path] : [];
  for (const collection of await ref.listCollections())
    found.push(...(await collection.listDocuments()).map(({ path }) => path));
  return found;
}

test("a step that clears a season and is held up until it is being deleted leaves it to its deletion", async () => {
  const key = await createEnding(world, "board", crowd(30));
  await endSeason(world, key, { until: closed });
  const { closing_run: run, end_due_at: due } = await seasonOf(world, key);
  // Only standings that were begun again are searched for others.
  await world.db.doc(runPath(key, run ?? "")).update({ pass: 1 });
  world.advance((due?.toMillis() ?? NaN) - world.services.now());
  const getAll = world.db.getAll.bind(world.db);
  world.db.getAll = async (...refs) => {
    if (refs.some((ref) => "path" in ref && ref.path === standingsSummaryPath(key))) {
      world.db.getAll = getAll;
      await retireSeason(world.services, key);
      await world.db.doc(standingsSummaryPath(key)).delete();
    }
    return getAll(...refs);
  };
  await stepEnd(world.services, { ...key, step: 0 });
  expect(world.logged.filter(({ level }) => level === "error")).toEqual([]);
  expect(await seasonOf(world, key)).toMatchObject({ status: "deleting" });
  await endSeason(world, key);
  expect(await documentsOf(key)).toEqual([]);
});

test("contents stay while an instance may remember the season as closed, whatever steps or repairs come", async () => {
  const key = await createEnding(world, "board", crowd(30));
  await endSeason(world, key);
  const before = await documentsOf(key);
  const remembering = world.anotherInstance();
  await remembering.boards.load(key);
  await retireSeason(world.services, key);
  await startRepair(remembering, key, { kind: "repair", full: false });
  await stepEnd(world.services, { ...key, step: 0 });
  expect(await documentsOf(key)).toEqual(expect.arrayContaining(before));
  await endSeason(world, key);
  expect(await documentsOf(key)).toEqual([]);
});

test("the newest stay, the others are deleted with everything in them, and custom seasons are kept", async () => {
  await createEnding(world, "cups", crowd(3), { definition: { keep_seasons: 1 } });
  const [first, second, third] = await daily(3, 2);
  if (first === undefined || second === undefined || third === undefined) throw new Error("no seasons");
  expect(await seasonOf(world, first)).toMatchObject({ status: "deleting" });
  await endSeason(world, first);
  expect(await documentsOf(first)).toEqual([]);
  for (const kept of [second, third]) await expectFinal(world, kept);
  const { docs } = await world.db.collection(seasonsPath("board")).get();
  expect(docs.map(({ id }) => id)).toEqual([second.season, third.season]);
});

test("a damaged season of the span stays, and keeps no other from being cleared or deleted", async () => {
  const damaged = { leaderboard: "board", season: "daily-2099-11-30" };
  await world.db.doc(seasonPath(damaged)).set({ span: "daily", status: "closed" });
  const [first, second] = await daily(2, 1);
  if (first === undefined || second === undefined) throw new Error("no seasons");
  expect(await seasonOf(world, first)).toMatchObject({ status: "deleting" });
  expect((await seasonOf(world, second)).cleared_at).not.toBeNull();
  expect((await world.db.doc(seasonPath(damaged)).get()).exists).toBe(true);
  expect(world.logged).toContainEqual(
    expect.objectContaining({
      message: "a season is damaged",
      fields: expect.objectContaining(damaged) as object,
    }),
  );
});

test("a season that has just closed is not deleted while an instance may count in it as closing", async () => {
  const [first, second] = ["daily-2099-12-01", "daily-2099-12-02"].map((season) => ({
    leaderboard: "board",
    season,
  }));
  if (first === undefined || second === undefined) throw new Error("no seasons");
  const begun = { span: "daily" as const };
  await createEnding(world, "board", crowd(5), {
    season: first.season,
    definition: { keep_seasons: 1 },
    begun,
  });
  await endSeason(world, first, { until: ({ status }) => status === "closing" });
  world.advance(1_000);
  await openEnding(world, second, begun);
  // The second closes before the first, and is cleared just after it has closed too.
  await endSeason(world, second, { until: closed });
  const { end_due_at: due } = await seasonOf(world, second);
  world.advance((due?.toMillis() ?? NaN) - world.services.now());
  const other = world.anotherInstance();
  expect((await other.boards.load(first)).season).toMatchObject({ status: "closing" });
  await endSeason(world, first, { until: closed });
  const write = await world.writeDirectly(first, "p1", undefined);
  await stepEnd(world.services, { ...second, step: 0 });
  await followPlayer(other, first, "p1", write);
  expect((await world.db.collection(receiptsPath(first)).get()).size).toBe(1);
  expect(await seasonOf(world, first)).toMatchObject({ status: "closed" });
  await endSeason(world, first);
  expect(await documentsOf(first)).toEqual([]);
});

test.each(["killed before", "killed after"] as const)(
  "a deletion %s each request is completed",
  async (fault) => {
    await atEachRequest(async (n) => {
      const own = createWorld();
      const key = await createEnding(own, "board", crowd(5), { begun: { status: "deleting" } });
      let struck: string | undefined;
      await endSeason(own, key, {
        async step(services, count) {
          const doomed = createDoomed(own.db, n, fault);
          const broken = count % 2 === 1 ? services : createServices({ ...services, db: doomed.db });
          await Promise.allSettled([stepEnd(broken, { ...key, step: count })]);
          await doomed.bury();
          struck ??= doomed.struck();
        },
      });
      expect(await documentsOf(key, own)).toEqual([]);
      return struck;
    });
  },
);

test("a season that is being deleted is hidden from everybody, and an admin cannot change its players", async () => {
  const key = await createEnding(world, "board", crowd(5));
  await endSeason(world, key);
  await world.db.doc(seasonPath(key)).update({ status: "deleting" });
  world.services.boards.forget("board");
  for (const what of [
    { kind: "repair", full: false },
    { kind: "audit", full: false },
  ] as const)
    await expectRefusal(world, "season_not_found", () => startRepair(world.services, key, what));
  // An audit that began when the season was still there.
  const board = { key, definition: (await world.services.boards.load(key)).definition };
  await expectRefusal(world, "season_not_found", () => auditClosed(world.services, board, false));
  const hide = { leaderboard: "board", player: "p1", status: "hidden" as const };
  await expectRefusal(world, "player_not_ranked", () => world.call("setPlayerStatus", hide, admin));
});

/** An instance that loads a season's board just before the season is to be deleted. */
function justBeforeDeletion(key: SeasonKey): Services {
  const { boards } = world.services;
  const load = async (of: SeasonKey) => {
    const board = await boards.load(of);
    if (of.season === key.season) await world.db.doc(seasonPath(key)).update({ status: "deleting" });
    return board;
  };
  return { ...world.services, boards: { ...boards, load } };
}

test("an erasure also erases the player of a season that is to be deleted meanwhile", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(42, 1) });
  await endSeason(world, key);
  const { removed } = await callOn(justBeforeDeletion(key), "removePlayer", { player: "ann" }, admin);
  expect(removed).toEqual([{ ...key, player: true, top: true }]);
  expect((await world.db.doc(playerPath(key, "ann")).get()).exists).toBe(false);
});

test.each(["deleted", "being deleted"])(
  "an audit that comes when the season is %s leaves no record",
  async (how) => {
    const key = await createEnding(world, "board", crowd(5));
    // An instance remembers the season as open.
    await world.services.boards.load(key);
    if (how === "deleted") await world.db.doc(seasonPath(key)).delete();
    else await world.db.doc(seasonPath(key)).update({ status: "deleting" });
    await stepSeason(world.services, { ...key, job: "audit", full: false, run: "late", step: 0 });
    expect((await world.db.doc(runPath(key, "late")).get()).exists).toBe(false);
    expect(world.logged.filter(({ level }) => level !== "info")).toEqual([]);
  },
);

test("the audit of a closed season finds nothing after its only player was erased", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(42, 1) });
  await endSeason(world, key, { until: closed });
  await world.call("removePlayer", { player: "ann" }, admin);
  await endSeason(world, key);
  const { found } = await auditClosed(world.services, await world.services.boards.load(key), true);
  expect(found).toMatchObject({ players: 0, pages: [] });
});

test("the audit of a closed season compares standings, pages, top and players, and a repair publishes it again", async () => {
  const key = await createEnding(world, "board", crowd(50), { definition: { top_size: 10 } });
  await endSeason(world, key, { until: closed });
  const audit = () => startRepair(world.services, key, { kind: "audit", full: true });
  const pagesFound = async () => ((await audit()) as AuditRecord).found?.pages;
  expect(await audit()).toMatchObject({
    repair: "none",
    found: { pages: [], row_players: 50, shard_players: 0, counted: 50, players: 50 },
  });
  await endSeason(world, key);
  const entries = (await world.db.doc(topPath(key)).get()).get("entries") as unknown[];
  for (const [path, damage, problem] of [
    [pagePath(key, 0), { players_above: [] }, /page 0 does not fit the rows/],
    [topPath(key), { entries: entries.toReversed() }, /the top does not show the best players/],
    [topPath(key), { entries: "none" }, /the top does not show the best players/],
  ] as const) {
    // The audit has it published again by itself.
    await world.db.doc(path).update(damage);
    expect((await pagesFound())?.join()).toMatch(problem);
    await endSeason(world, key);
    await expectFinal(world, key);
    expect(await pagesFound()).toEqual([]);
    // And so does a repair.
    await world.db.doc(path).update(damage);
    const repaired = await startRepair(world.services, key, { kind: "repair", full: false });
    expect(repaired).toMatchObject({ outcome: "done", phase: "ended" });
    await endSeason(world, key);
    await expectFinal(world, key);
  }
  await writePlayers(world, key, { late: playerFields(1, 1) });
  expect(await audit()).toMatchObject({ found: { convergence: { difference: -1 } } });
});

test("the daily audit of a closed season raises no alarm", async () => {
  const key = await createEnding(world, "board", crowd(50));
  await endSeason(world, key);
  const asked: unknown[] = [];
  const enqueueJob = (request: unknown) => Promise.resolve(void asked.push(request));
  await enqueueAudits({ ...world.services, enqueueJob });
  expect(asked).toMatchObject([{ job: "audit", season: "cup" }]);
});
