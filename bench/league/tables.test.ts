/** The section "After a year" of docs/league.md; `npm test -- bench/league/tables --update` writes its tables again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatted, reportFolder } from "../report/files.ts";
import { withTables } from "../report/markdown.ts";
import { type Trick, tricks } from "./course.ts";
import { endOfYear, tiersTable, trickEnd, tricksTable } from "./tables.ts";

const page = readFileSync(join(reportFolder, "league.md"), "utf8");
const end = endOfYear(10_000, 1);

test("the page has the tables of the year", async () => {
  const tables = [tiersTable(end), tricksTable(end)];
  for (const one of tables) expect(one).not.toMatch(/NaN|undefined|Infinity/);
  await expect(await formatted("league.md", withTables(page, tables))).toMatchFileSnapshot(
    join(reportFolder, "league.md"),
  );
});

test("the page says when half of the best hundred have reached the highest tier", () => {
  expect(end.weeksToTop).toBe(7);
  expect(page).toContain("After seven weeks half of the best hundred play in Diamond.");
});

test("no trick brings a player higher than the twin by a quarter of a tier", () => {
  for (const name of Object.keys(tricks) as Trick[]) {
    const { trick, twins } = trickEnd(end, name);
    expect([name, Math.max(0, trick - twins) < 0.25]).toEqual([name, true]);
  }
});
