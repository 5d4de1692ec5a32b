/** `firerank audit`, `sweep` and `rebuild` against the emulator: what is damaged is named, with the command that repairs it. */
import { expect, test } from "vitest";
import { createSteps, repairSeason, repairSummary } from "../../cli/repairs.ts";
import type { RepairKind } from "../../functions/src/documents/repair-record.ts";
import { createSeason, damages } from "../support/damage.ts";
import { expectConserved, expectConverged } from "../support/oracle.ts";
import { createWorld } from "../support/world.ts";

test("an audit names the command that repairs what it found, and after it nothing is wrong", async () => {
  const world = createWorld();
  const key = await createSeason(world, "board", 30);
  const steps = createSteps();
  const services = {
    ...world.services,
    enqueueRepair: steps.enqueueRepair,
    async sleep(ms: number) {
      world.advance(ms);
    },
  };
  const run = (kind: RepairKind, full = false) =>
    repairSeason(services, steps, { kind, leaderboard: "board", full }, () => undefined);

  expect(repairSummary(await run("audit", true))).toContain("30 players; 0 problems of pages");
  expect(repairSummary(await run("audit"))).toContain("Nothing to repair.");
  await damages["an index entry of nobody"]?.(world, key);
  expect(repairSummary(await run("audit", true))).toMatch(
    /To repair it: npx firerank (sweep|rebuild) board --season all_time/,
  );
  expect(repairSummary(await run("sweep"))).toBe("30 players checked, 1 correction of the index.");
  const rebuilt = await run("rebuild", true);
  expect(rebuilt.outcome).toBe("done");
  expect(repairSummary(rebuilt)).toMatch(/^Generation 3: /);
  await expectConserved(world, key);
  await expectConverged(world, key);
  expect(repairSummary(await run("audit"))).toContain("Nothing to repair.");
});
