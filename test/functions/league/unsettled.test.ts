/** A week whose league cannot be settled: an alert says so, and why; once the cause is mended, the week is settled. */
import { expect, test } from "vitest";
import { groupPath } from "../../../functions/src/documents/paths.ts";
import { findAlerts } from "../../../functions/src/jobs/schedule/watch.ts";
import { seasonOf } from "../../support/closing.ts";
import {
  createLeague,
  doRefreshes,
  five,
  play,
  presentWeek,
  seated,
  tiersOf,
  toEndOf,
} from "../../support/league.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

/** Lets the schedule work for some minutes. */
async function run(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    world.advance(60_000);
    await world.tick().catch(() => undefined);
  }
}

const alerts = async () => (await findAlerts(world.services, undefined, { inFlightMs: 0 })).alerts;

test("a damaged group brings the alert, also of the week after, and what it says to do settles both", async () => {
  await createLeague(world);
  const first = await presentWeek(world);
  await play(world, { ...five, fay: 60 });
  await world.db.doc(groupPath(first, "bronze-2")).update({ seats: "lost" });
  await toEndOf(world, first, 1_000);
  await run(14);
  expect((await seasonOf(world, first)).status).toBe("closed");
  expect((await alerts()).map(({ code }) => code)).toEqual([]);
  await run(60);
  const [told, ...others] = await alerts();
  expect(others).toEqual([]);
  expect(told).toMatchObject({ ...first, code: "league_unsettled" });
  expect(told?.message).toContain(`${groupPath(first, "bronze-2")} is damaged`);
  expect(
    world.logged.filter(({ fields }) => JSON.stringify(fields).includes("league_unsettled")),
  ).toHaveLength(1);
  // The week after waits, and says for what.
  const second = await presentWeek(world);
  await play(world, five);
  expect(await seated(world, second)).toEqual({});
  await toEndOf(world, second, 1_000);
  await run(120);
  const both = await alerts();
  expect(both.map(({ season, code }) => [season, code]).toSorted()).toEqual([
    [first.season, "league_unsettled"],
    [second.season, "league_unsettled"],
  ]);
  expect(both.find(({ season }) => season === second.season)?.message).toContain(first.season);
  await world.db.doc(groupPath(first, "bronze-2")).delete();
  await run(60);
  await doRefreshes(world);
  expect(await alerts()).toEqual([]);
  for (const week of [first, second]) expect((await seasonOf(world, week)).league).toBe("settled");
  expect(await tiersOf(world, "ann", "bob", "fay")).toEqual(["silver", "bronze", undefined]);
}, 60_000);
