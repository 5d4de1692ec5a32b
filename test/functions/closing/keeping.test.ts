/** Older seasons of a span are deleted completely; audits of closed ones. */
import { expect, test } from "vitest";
import { pagePath, seasonPath, type SeasonKey, topPath } from "../../../functions/src/documents/paths.ts";
import type { AuditRecord } from "../../../functions/src/documents/repair-record.ts";
import { auditClosed } from "../../../functions/src/jobs/repair/audit.ts";
import { startRepair } from "../../../functions/src/jobs/repair/repair.ts";
import { enqueueAudits } from "../../../functions/src/jobs/schedule/schedule.ts";
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
import { admin, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
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

test("a season that is being deleted is hidden from everybody, and an admin cannot change its players", async () => {
  const key = await createEnding(world, "board", crowd(5));
  await endSeason(world, key);
  await world.db.doc(seasonPath(key)).update({ status: "deleting" });
  boardCacheOf(world.services).forget("board");
  for (const what of [
    { kind: "repair", full: false },
    { kind: "audit", full: false },
  ] as const)
    await expectRefusal(world, "season_not_found", () => startRepair(world.services, key, what));
  // An audit that began when the season was still there.
  const board = { key, definition: (await boardCacheOf(world.services).load(key)).definition };
  await expectRefusal(world, "season_not_found", () => auditClosed(world.services, board, false));
  const hide = { leaderboard: "board", player: "p1", status: "hidden" as const };
  await expectRefusal(world, "player_not_ranked", () => world.call("setPlayerStatus", hide, admin));
});

test("the audit of a closed season finds nothing after its only player was erased", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(42, 1) });
  await endSeason(world, key, { until: closed });
  await world.call("removePlayer", { player: "ann" }, admin);
  await endSeason(world, key);
  const { found } = await auditClosed(world.services, await boardCacheOf(world.services).load(key), true);
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
  expect(asked).toMatchObject([{ job: "shared", steps: [{ request: { job: "audit", season: "cup" } }] }]);
});
