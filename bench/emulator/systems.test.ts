/** Every system of the benchmark does the same work, gives the answers that it claims, and is billed its formula. */
import { expect, test } from "vitest";
import { playCases } from "../contest/cases.ts";
import { playAll } from "../contest/contest.ts";
import { playOn } from "../contest/contestant.ts";
import { storedResults } from "../report/files.ts";
import { waysTable } from "../report/tables.ts";
import { segmentWay } from "../systems/firerank-countries.ts";
import { systems } from "../systems/index.ts";

test.concurrent.each([...systems, segmentWay])("$id", async (system) => {
  const { problems } = await playOn(system, 1, playCases);
  expect(problems.slice(0, 8)).toEqual([]);
});

test("`npm run bench -- systems` plays all of them and reports on each", async () => {
  const played = await playAll("an emulator", { players: 4, updates: 1 });
  expect(played.counted.flatMap(({ problems }) => problems)).toEqual([]);
  const results = { ...storedResults(), ...played };
  const table = waysTable(results);
  for (const { name } of results.systems) expect(table).toContain(`| ${name} |`);
});
