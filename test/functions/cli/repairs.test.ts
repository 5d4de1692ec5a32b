/** `firerank rank`, `audit` and `repair`: what is damaged is found, and set right, and what was done is said. */
import { expect, test } from "vitest";
import { rank, repairSeason, repairSummary } from "../../../cli/repairs.ts";
import { pagePath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { RepairKind } from "../../../functions/src/documents/repair-record.ts";
import { createEnding, endSeason, playerFields, seasonOf } from "../../support/closing.ts";
import { createSeason, damages, withSteps } from "../../support/damage.ts";
import { expectConserved, expectConverged } from "../../support/oracle.ts";
import { createBoard, eachWorld } from "../../support/world.ts";

const world = eachWorld();

/** Runs a command on a season. @returns the record, and what is said of it */
async function run(kind: RepairKind, { leaderboard, season }: SeasonKey, full = false) {
  const { steps, services } = withSteps(world);
  const record = await repairSeason(services, steps, { kind, leaderboard, season, full }, () => undefined);
  return { record, said: repairSummary(record) };
}

test("an audit names the command that repairs what it found, and after it nothing is wrong", async () => {
  const key = await createSeason(world, "board", 30);
  expect((await run("audit", key, true)).said).toContain("30 players; 0 problems of pages");
  expect((await run("audit", key)).said).toContain("Nothing to repair.");
  await damages["increments applied twice and folded"]?.(world, key);
  expect((await run("audit", key, true)).said).toMatch(
    /from what is counted at 2 scores, and what is counted from the players' documents for 0 players\. To repair it: npx --no-install firerank repair board --season all_time$/,
  );
  await damages["players changed while no trigger heard"]?.(world, key);
  const { record, said } = await run("repair", key);
  expect(record.outcome).toBe("done");
  expect(said).toMatch(
    /^31 players checked, 3 corrections\. All pages are published again\. Generation \d+: 30 /,
  );
  await expectConserved(world, key);
  await expectConverged(world, key);
  expect((await run("audit", key, true)).said).toContain("Nothing to repair.");
});

test("a repair of a missing page says that the pages are published again, though no player is corrected", async () => {
  const key = await createSeason(world, "board", 30);
  await world.db.doc(pagePath(key, 0)).delete();
  expect((await run("audit", key)).said).toContain("1 problem of pages");
  expect((await run("repair", key)).said).toMatch(
    /^30 players checked, 0 corrections\. All pages are published again\. Generation \d+: 30 players in /,
  );
  expect((await run("audit", key)).said).toContain("Nothing to repair.");
});

test("of a closed season an audit and a repair say that its pages are published again, and that is done", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(10, 0), bob: playerFields(20, 1) });
  await endSeason(world, key);
  expect((await run("audit", key)).said).toMatch(/^2 players; 0 problems of pages\..* Nothing to repair\.$/);
  const again = "Its pages are published again from its final table, within some minutes.";

  const { generation } = (await seasonOf(world, key)).ranking;
  expect((await run("repair", key)).said).toBe(`The season is closed: no player is counted anew. ${again}`);
  await endSeason(world, key);
  expect((await seasonOf(world, key)).ranking).toMatchObject({ generation: generation + 1, players: 2 });

  await world.db.doc(pagePath(key, 0)).delete();
  const { said } = await run("audit", key);
  expect(said).toMatch(/^2 players; [1-9]\d* problems? of pages\./);
  expect(said.endsWith(` ${again}`)).toBe(true);
  await endSeason(world, key);
  expect((await run("audit", key)).said).toContain("Nothing to repair.");
});

test("a ranking says what it has published, which generation stays, or that nobody has played", async () => {
  const key = await createBoard(world, "board");
  expect(await rank(world.services, key)).toBe("Nobody has played yet, so there is nothing to rank.");
  await world.submit("ann", 7);
  expect(await rank(world.services, key)).toBe("Generation 1: 1 player in 1 row.");
  expect(await rank(world.services, key)).toBe("Nothing has changed since generation 1.");
});
