/**
 * README's table, docs/benchmark.md and its pictures say what is in docs/benchmark.json; `npm test -- report/stored
 * --update` writes the page's tables and the pictures again. What the results say by formulas is what the formulas say
 * now; if not, `npm run bench -- --compute`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/project.ts";
import { dollarsOf } from "../contest/dollars.ts";
import { countryDayOf } from "../contest/countries.ts";
import { growBoard, growthOf } from "../contest/growth.ts";
import { pricedDay } from "../contest/scaled.ts";
import { shapes } from "../generators/shapes.ts";
import { leagueWeekOf } from "../league/ways.ts";
import { systems } from "../systems/index.ts";
import { missingSentences, reportFiles, reportFolder, storedResults } from "./files.ts";
import { comparedDay, factsOf } from "./results.ts";
import { readmeTable } from "./tables.ts";

const stored = storedResults();
/** As in a file: without what is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("the page and its pictures show the stored results", async () => {
  expect(missingSentences(stored)).toEqual([]);
  const files = await reportFiles(stored);
  expect(Object.keys(files)).toHaveLength(4);
  for (const [name, text] of Object.entries(files)) {
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    await expect(text).toMatchFileSnapshot(join(reportFolder, name));
  }
});

test("README compares Firerank with other ways by the stored results", () => {
  const lines = (markdown: string) => markdown.split("\n").filter((line) => line.startsWith("|"));
  expect(lines(readFileSync(join(root, "README.md"), "utf8"))).toEqual(
    expect.arrayContaining(lines(readmeTable(stored))),
  );
});

test("the stored results have every system as it describes itself now, and no problem", () => {
  expect(stored.systems).toEqual(plain(systems.map(factsOf)));
  expect(stored.counted.map(({ id }) => id)).toEqual(systems.map(({ id }) => id));
  expect(Object.keys(stored.rates)).toEqual(systems.map(({ id }) => id));
  expect(stored.counted.flatMap(({ problems }) => problems)).toEqual([]);
});

test("the stored bills of small boards, and the dollars of the smallest, are what the formulas say now", () => {
  const board = growBoard(shapes.chess, 1_000, stored.seed);
  const larger = growBoard(shapes.chess, 10_000, stored.seed);
  for (const system of systems) {
    const sizes = stored.scaled.growth.find(({ id }) => id === system.id)?.sizes.slice(0, 2);
    expect(sizes).toEqual([growthOf(system, board), growthOf(system, larger)]);
  }
  const first = stored.scaled.days[0] ?? expect.fail();
  expect(first).toEqual(plain(pricedDay(systems, board, first.load)));
});

test("the stored day with countries is what the formulas say now: a segment costs a score nothing, and a board for each country doubles it", () => {
  const { ways } = stored.countryDay;
  expect(stored.countryDay).toEqual(plain(countryDayOf(stored.seed)));
  const [without, segment, boards] = ways.map(({ billed }) => billed.update);
  expect(segment).toEqual(without);
  expect(boards?.writes).toBeCloseTo(2 * (without?.writes ?? NaN), 1);
  const [, ofSegment = NaN, ofBoards = NaN] = ways.map(({ price }) => dollarsOf(price));
  expect(ofSegment).toBeLessThan(ofBoards / 2);
});

test("the stored week of a league is what the formulas say now, and Firerank's costs less than half of one by hand", () => {
  expect(stored.leagueWeek).toEqual(plain(leagueWeekOf()));
  const [firerank = NaN, byHand = NaN] = stored.leagueWeek.ways.map(({ dollars }) => dollars);
  expect(firerank).toBeLessThan(byHand / 2);
});

test("at 10 updates and 10 ranks a second, Firerank's operations cost $2.20 a day at most, and with functions less than each other exact way", () => {
  const { prices = {} } = comparedDay(stored) ?? {};
  const priceOf = (id: string) => dollarsOf(prices[id] ?? expect.fail());
  expect(prices["firerank"]?.firestore).toBeLessThanOrEqual(2.2);
  const others = stored.systems.filter(
    ({ id, rank }) => !id.startsWith("firerank") && rank.startsWith("exact"),
  );
  expect(others.length).toBeGreaterThan(6);
  for (const id of ["firerank", "firerank-trigger", "firerank-cold"])
    expect(priceOf(id)).toBeLessThan(Math.min(...others.map((other) => priceOf(other.id))));
});
