/** An import that is cut off before it has brought its scores into private groups, and goes on. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importFile } from "../../../cli/import/import-file.ts";
import { noRamp } from "../../../cli/import/ramp.ts";
import { watchCommits } from "../../support/commits.ts";
import { createGroup, eachBoardWithGroups, playInGroups, storedGroupOf } from "../../support/groups.ts";

const { world } = eachBoardWithGroups();

test("an import that is cut off and goes on brings all of its scores into groups", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { ann: 5 });
  const file = join(mkdtempSync(join(tmpdir(), "firerank-")), "players.csv");
  writeFileSync(file, ["player,score", "bob,9", ""].join("\n"));
  const run = () =>
    importFile(
      {
        services: world.services,
        project: world.projectId,
        database: "(default)",
        ramp: noRamp,
        stream: { isTTY: false, write: () => true },
      },
      { leaderboard: "board", file, skipBad: false, dryRun: false, restart: false },
    );
  let isCutOff = true;
  watchCommits(world, (writes, perform) =>
    isCutOff && writes.some(({ path }) => path.includes("private_groups"))
      ? Promise.reject(new Error("the process was killed"))
      : perform(),
  );
  await expect(run()).rejects.toThrow();
  isCutOff = false;
  await run();
  expect((await storedGroupOf(world, group)).seats["s2"]).toMatchObject({ player: "bob", score: 9 });
});
