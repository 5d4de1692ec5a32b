/** `firerank audit` and `repair` against the emulator: what is damaged is found, and set right. */
import { expect, test } from "vitest";
import { createSteps, repairSeason, repairSummary, unchangedLine } from "../../../cli/repairs.ts";
import type { RepairKind } from "../../../functions/src/documents/repair-record.ts";
import { createSeason, damages } from "../../support/damage.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { createWorld } from "../../support/world.ts";

test("an audit names the command that repairs what it found, and after it nothing is wrong", async () => {
  const world = createWorld();
  const key = await createSeason(world, "board", 30);
  const steps = createSteps();
  const services = {
    ...world.services,
    enqueueJob: steps.enqueueJob,
    async sleep(ms: number) {
      world.advance(ms);
    },
  };
  const run = (kind: RepairKind, full = false) =>
    repairSeason(services, steps, { kind, leaderboard: "board", full }, () => undefined);

  expect(repairSummary(await run("audit", true))).toContain("30 players; 0 problems of pages");
  expect(repairSummary(await run("audit"))).toContain("Nothing to repair.");
  await damages["increments applied twice and folded"]?.(world, key);
  expect(repairSummary(await run("audit", true))).toMatch(
    /from what is counted at 2 scores, and what is counted from the players' documents for 0 players\. To repair it: npx --no-install firerank repair board --season all_time$/,
  );
  await damages["players changed while no trigger heard"]?.(world, key);
  const repaired = await run("repair");
  expect(repaired.outcome).toBe("done");
  expect(repairSummary(repaired)).toMatch(
    /^31 players checked, 3 corrections\. Generation \d+: 30 players in /,
  );
  await expectConserved(world, key);
  await expectConverged(world, key);
  expect(repairSummary(await run("audit", true))).toContain("Nothing to repair.");
});

test("of a board that nobody has played the command says so, and else which generation stays", () => {
  expect(unchangedLine({ generation: null })).toBe("Nobody has played yet, so there is nothing to rank.");
  expect(unchangedLine({ generation: 7 })).toBe("Nothing has changed since generation 7.");
});
