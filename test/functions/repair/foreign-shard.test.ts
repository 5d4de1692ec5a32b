/** A document among the shards whose slot is no time stops neither audits and repairs, nor a run of everything, for ever. */
import { expect, test } from "vitest";
import { shardsPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const world = eachWorld();

test.each(["noon", 5])("%j", async (slot_ends_at) => {
  await createBoard(world, leaderboard, {});
  await world.submit("ann", 5);
  await world.publish(key);
  await world.db
    .collection(shardsPath(key))
    .doc("foreign")
    .set({ slot_ends_at, player_count: { "5": 1 } });
  await world.submit("bob", 7);
  const outcomeOf = (work: () => Promise<{ outcome: unknown }>) =>
    work().then(
      ({ outcome }) => outcome,
      (error: unknown) => String(error).replace(/\s+/g, " ").slice(0, 60),
    );
  const found = {
    run: await outcomeOf(() => world.call("runRanking", { leaderboard, include_open_slot: true }, admin)),
    audit: await outcomeOf(() => world.call("auditSeason", { leaderboard }, admin)),
    repair: await outcomeOf(() => world.call("repairSeason", { leaderboard }, admin)),
  };
  // A TypeError and twice a ZodError that named no document came out. The alert `repair_dead` said "Start it again".
  expect(found).toEqual({ run: "published", audit: "done", repair: "done" });
  const audit = await world.call("auditSeason", { leaderboard, full: true }, admin);
  expect(audit).toMatchObject({ repair: "none", found: { foreign: [`${shardsPath(key)}/foreign`] } });
});

test("it silences no alert about changes that wait", async () => {
  await createBoard(world, leaderboard, {});
  await world.submit("ann", 5);
  await world.publish(key);
  await world.db.collection(shardsPath(key)).doc("foreign").set({ slot_ends_at: 5 });
  await world.submit("bob", 7);
  world.advance(5 * 3_600_000);
  const { alerts } = await world.call("listAlerts", {}, admin);
  expect(alerts.map(({ code }) => code)).toEqual(["season_late"]);
});
