/** A server's write whose event never comes: an audit finds it. */
import { expect, test } from "vitest";
import { findAlerts } from "../../../functions/src/jobs/schedule/watch.ts";
import { createSeason } from "../../support/damage.ts";
import { eachWorld } from "../../support/world.ts";
import { findDrift } from "../../../functions/src/jobs/repair/audit.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const atOnce = { inFlightMs: 0 };

test.each([
  ["a bare score", { score: 40 }],
  ["a whole document", { score: 40, status: "active", achieved_at: new Date() }],
])("%s whose event never comes is found by an audit, whether lists find it or not", async (_, data) => {
  const key = await createSeason(world, "board", 5);
  await world.writeDirectly(key, "dan", data);
  const board = await boardCacheOf(world.services).load(key);
  expect(await findDrift(world.services, board, false, atOnce)).toMatchObject({ repair: "repair" });
  expect(await findDrift(world.services, board, true, atOnce)).toMatchObject({ repair: "repair" });
  world.advance(3_600_000);
  const { alerts } = await findAlerts(world.services, key, atOnce);
  expect(alerts.map(({ code }) => code)).toEqual(["players_uncounted"]);
});
