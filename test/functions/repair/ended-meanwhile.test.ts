/** What audits and repairs said of a season that has closed since. */
import { expect, test } from "vitest";
import { findAlerts } from "../../../functions/src/jobs/schedule/watch.ts";
import { startRepair } from "../../../functions/src/jobs/repair/repair.ts";
import { closeNow, createEnding, expectFinal, playerFields } from "../../support/closing.ts";
import { beforeEachCommit } from "../../support/meddle.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("a repair that the end of its season cut off is no alert: the final table is made of the players", async () => {
  const players = { ann: playerFields(2, 0), ben: playerFields(1, 0) };
  const key = await createEnding(world, "board", players);
  // A server's write whose event never came.
  await world.writeDirectly(key, "cyd", { score: 3 });
  let isClosed = false;
  beforeEachCommit(world, async () => {
    if (isClosed) return;
    isClosed = true;
    await closeNow({ ...world, services: world.anotherInstance() }, key);
  });
  await startRepair(world.services, key, { kind: "repair", full: false }).catch(() => undefined);
  await expectFinal(world, key);
  expect((await findAlerts(world.services, key)).alerts).toEqual([]);
});

test("nor is what a full audit found before the end, and the end has put right", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(2, 0), ben: playerFields(1, 0) });
  await world.publish(key);
  // A server's write whose event never came.
  await world.writeDirectly(key, "cyd", { score: 3 });
  world.advance(2 * 60_000);
  await startRepair(world.services, key, { kind: "audit", full: true }, { inFlightMs: 0 });
  expect((await findAlerts(world.services, key)).alerts).toMatchObject([{ code: "audit_differs" }]);
  await closeNow(world, key);
  await expectFinal(world, key);
  await startRepair(world.services, key, { kind: "audit", full: false });
  expect((await findAlerts(world.services, key)).alerts).toEqual([]);
});
