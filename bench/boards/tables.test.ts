/** The section "Small boards" of docs/costs.md; `npm test -- bench/boards/tables --update` writes its tables again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatted, reportFolder } from "../report/files.ts";
import { withTables } from "../report/markdown.ts";
import { boardOperations } from "../load/bill.ts";
import { cost } from "../../cli/prices.ts";
import { costsOf } from "./costs.ts";
import { fallsAsleep } from "./course.ts";
import { boardBytes, pageBytes, rooms } from "./memory.ts";
import { type Row, rowsOf } from "./rows.ts";
import { dollarsOf, inAll, sumOf } from "./spent.ts";
import { pricesTable, sharesTable } from "./tables.ts";

const page = readFileSync(join(reportFolder, "costs.md"), "utf8");
const rows = rowsOf();
const dollarsIn = (row: Row | undefined) => inAll(dollarsOf(sumOf(...Object.values(row?.firerank ?? {}))));

test("the page has the tables that the formulas make", async () => {
  const tables = [pricesTable(rows), sharesTable(rows)];
  for (const one of tables) expect(one).not.toMatch(/NaN|undefined|Infinity/);
  await expect(await formatted("costs.md", withTables(page, tables))).toMatchFileSnapshot(
    join(reportFolder, "costs.md"),
  );
});

test("the page says what a lone score costs, and what a board costs that nobody plays any more", () => {
  const [lone] = rows;
  const { score, commit, sleep, due } = costsOf({ players: 1_000, topSize: 100 });
  const own = inAll(dollarsOf(sumOf(score, commit)));
  const times = dollarsIn(lone) / (lone?.scores ?? NaN) / own;
  expect(page).toContain(`**A score that comes alone costs ${Math.round(times)} times its own price.**`);
  expect(page).toContain("A third of that is its run");
  expect(page).toContain("A fourteenth are refreshes of the top");
  const { runs = sumOf(), refreshes = sumOf(), "scores: top": atOnce = sumOf() } = lone?.firerank ?? {};
  expect(inAll(dollarsOf(runs)) / dollarsIn(lone)).toBeCloseTo(1 / 3, 1);
  expect(inAll(dollarsOf(sumOf(refreshes, atOnce))) / dollarsIn(lone)).toBeCloseTo(1 / 14, 2);
  expect(fallsAsleep()).toMatchObject({ rests: 1, dozes: 1, sleeps: 1 });
  expect(sumOf(sleep, due)).toMatchObject({ reads: 2, writes: 1, deletes: 0 });
  expect(page).toContain(
    "the last look: 2 reads and 1 write. If it was played before, two runs find nothing first.",
  );
});

test("the page says how many boards and pages an instance remembers", () => {
  const thousands = (count: number) => `${Math.floor(count / 1_000)},000`;
  expect(page).toContain(`remembers ${thousands(rooms.boards / boardBytes)} boards**`);
  const pages = thousands(rooms.pages / pageBytes(1_000));
  expect(page).toContain(`and their pages: ${pages} with 1,000 different scores each`);
});

test("a large board costs what the model of load says, and 5 % at most for what small boards add", () => {
  const large = rows.at(-1);
  const { reads, writes, deletes } = boardOperations({
    changesPerSecond: 10,
    players: 1_000_000,
    intervalSeconds: 300,
  });
  const ranks = 10 * 86_400;
  const known = cost({ reads: reads + ranks, writes, deletes }, "us-central1");
  expect(dollarsIn(large) / known).toBeGreaterThan(1);
  expect(dollarsIn(large) / known).toBeLessThan(1.05);
});
