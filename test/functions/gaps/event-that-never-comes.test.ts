/** A known gap: what an audit's totals do not see of a server's write whose event never comes (docs/limits.md). */
import { expect, test } from "vitest";
import { findAlerts } from "../../../functions/src/jobs/schedule/watch.ts";
import { createSeason } from "../../support/damage.ts";
import { eachWorld } from "../../support/world.ts";
import { findDrift } from "../../../functions/src/jobs/repair/audit.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const atOnce = { inFlightMs: 0 };

test.each([
  ["a bare score", { score: 40 }, "none"],
  ["a whole document", { score: 40, status: "active", achieved_at: new Date() }, "repair"],
])("gap: of %s, whose event never comes, an audit finds what lists find", async (_, data, found) => {
  const key = await createSeason(world, "board", 5);
  await world.writeDirectly(key, "dan", data);
  const board = await boardCacheOf(world.services).load(key);
  expect(await findDrift(world.services, board, false, atOnce)).toMatchObject({ repair: found });
  expect(await findDrift(world.services, board, true, atOnce)).toMatchObject({ repair: "repair" });
  world.advance(3_600_000);
  const { alerts } = await findAlerts(world.services, key, atOnce);
  expect(alerts.map(({ code }) => code)).toEqual(["players_uncounted"]);
});
