/**
 * README's table, docs/benchmark.md and its pictures are what docs/benchmark.json renders to; `npm test -- report/stored
 * --update` writes the page again. What the results say by formulas is what the formulas say now; if not, `npm run bench
 * -- --compute`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/project.ts";
import { dollarsOf } from "../contest/dollars.ts";
import { growBoard, growthOf } from "../contest/growth.ts";
import { publishedOf } from "../contest/published.ts";
import { pricedDay } from "../contest/scaled.ts";
import { shapes } from "../generators/shapes.ts";
import { formulaSystems, systems } from "../systems/index.ts";
import { comparison } from "./compare.ts";
import { reportFiles, reportFolder, storedResults } from "./files.ts";
import { comparedDay, factsOf } from "./results.ts";
import { readmeTable } from "./tables.ts";

const stored = storedResults(join(reportFolder, "benchmark.json"));
const all = [...systems, ...formulaSystems];
/** As in a file: without what is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("the page and its pictures show the stored results", async () => {
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
  expect(stored.systems).toEqual(plain(all.map(factsOf)));
  expect(stored.counted.map(({ id }) => id)).toEqual(systems.map(({ id }) => id));
  expect(Object.keys(stored.rates)).toEqual(systems.map(({ id }) => id));
  expect(stored.counted.flatMap(({ problems }) => problems)).toEqual([]);
});

test("the stored bills of small boards, and the dollars of the smallest, are what the formulas say now", () => {
  const board = growBoard(shapes.chess, 1_000, stored.seed);
  const larger = growBoard(shapes.chess, 10_000, stored.seed);
  for (const system of all) {
    const sizes = stored.scaled.growth.find(({ id }) => id === system.id)?.sizes.slice(0, 2);
    expect(sizes).toEqual([growthOf(system, board), growthOf(system, larger)]);
  }
  const first = stored.scaled.days[0] ?? expect.fail();
  expect(first).toEqual(plain(pricedDay(all, board, first.load)));
});

test("at 10 updates and 10 ranks a second, Firerank's operations cost $2.20 a day at most, and with functions less than each other exact way", () => {
  const { prices = {} } = comparedDay(stored) ?? {};
  const priceOf = (id: string) => dollarsOf(prices[id] ?? expect.fail());
  expect(prices["firerank"]?.firestore).toBeLessThanOrEqual(2.2);
  const others = stored.systems.filter(
    ({ id, rank }) => !id.startsWith("firerank") && rank.startsWith("exact"),
  );
  expect(others.length).toBeGreaterThan(8);
  for (const id of ["firerank", "firerank-trigger", "firerank-cold"])
    expect(priceOf(id)).toBeLessThan(Math.min(...others.map((other) => priceOf(other.id))));
});

test("the stored figures of others are what comes out here now, near what they published", () => {
  const found = publishedOf();
  expect(stored.published).toEqual(plain(found));
  const [apart = NaN, both = NaN, paid, views = NaN, error = NaN] = found.map(({ here }) => here);
  expect(Math.abs(apart / 500 - 1)).toBeLessThan(0.06);
  expect(both).toBeLessThan(apart / 3);
  expect(paid).toBeCloseTo(0.072, 12);
  expect(views).toBeCloseTo(4, 1);
  expect(error).toBeGreaterThan(0.002);
  expect(error).toBeLessThan(0.015);
});

test("a comparison has a line for each value that differs, and none for a result beside itself", () => {
  expect(comparison(stored, stored)).toBe("Every number is the same.");
  const [first = expect.fail(), ...others] = stored.counted;
  const other = { ...stored, seed: 7, counted: [{ ...first, problems: ["wrong"] }, ...others] };
  expect(comparison(stored, other).split("\n").slice(2)).toEqual([
    "| seed | 1 | 7 |",
    `| counted ${first.id} problems 0 | – | wrong |`,
  ]);
});

test("a file that is no result is named", () => {
  const file = join(root, "package.json");
  expect(() => storedResults(file)).toThrow(`${file} is not a result of the benchmark: it has no list`);
});
