/**
 * docs/benchmark.md and its pictures are what docs/benchmark.json renders to; `npm test -- --all report/stored -u`
 * writes them again. What the results say by formulas is what the formulas say now; if not, `npm run bench -- --compute`.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import { growBoard, growthOf } from "../contest/growth.ts";
import { publishedOf } from "../contest/published.ts";
import { daysOf } from "../contest/scaled.ts";
import { shapes } from "../generators/shapes.ts";
import { formulaSystems, systems } from "../systems/index.ts";
import { documentOf } from "./document.ts";
import { reportFiles, reportFolder, storedResults } from "./files.ts";
import { comparedDay, factsOf } from "./results.ts";

const stored = storedResults(join(reportFolder, "benchmark.json"));
/** As in a file: without what is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("the page and its pictures show the stored results", async () => {
  const files = await reportFiles(stored);
  expect(Object.keys(files)).toHaveLength(5);
  for (const [name, text] of Object.entries(files)) {
    await expect(text).toMatchFileSnapshot(join(reportFolder, name));
  }
});

test.each(["rank-tree", "redis-sql"])("a report on %s alone says nothing that was not found out", (id) => {
  const only = <One extends { id: string }>(list: One[]) => list.filter((one) => one.id === id);
  const { systems: all, counted, waits, faults, drift, errors, scaled } = stored;
  const alone = { ...scaled, growth: only(scaled.growth), evens: {}, sizeEvens: {} };
  const document = documentOf({
    ...{ ...stored, systems: only(all), counted: only(counted), waits: only(waits), scaled: alone },
    ...{ faults: only(faults), drift: only(drift), errors: only(errors) },
  });
  expect(document).not.toMatch(/NaN|undefined|Infinity/);
});

test("the stored results have every system as it describes itself now", () => {
  const leftOut = stored.leftOut.map(({ name }) => name);
  const all = [...systems, ...formulaSystems].filter(({ name }) => !leftOut.includes(name));
  expect(stored.systems).toEqual(plain(all.map(factsOf)));
  expect(stored.counted.map(({ id }) => id)).toEqual(
    systems.filter((one) => all.includes(one)).map(({ id }) => id),
  );
  expect(stored.counted.flatMap(({ problems }) => problems)).toEqual([]);
});

test("the stored bills of small boards, and the dollars of the smallest, are what the formulas say now", () => {
  const ids = stored.systems.map(({ id }) => id);
  const known = [...systems, ...formulaSystems].filter(({ id }) => ids.includes(id));
  const board = growBoard(shapes.chess, 1_000, stored.seed);
  const larger = growBoard(shapes.chess, 10_000, stored.seed);
  for (const system of known) {
    const sizes = stored.scaled.growth.find(({ id }) => id === system.id)?.sizes.slice(0, 2);
    expect(sizes).toEqual([growthOf(system, board), growthOf(system, larger)]);
  }
  const [first] = stored.scaled.days;
  if (first === undefined) throw new Error("no day is stored");
  expect(stored.scaled.days.slice(0, 2)).toEqual(plain(daysOf(known, board, first.load)));
});

test("at 10 updates and 10 ranks a second, Firerank's operations cost $2.20 a day at most, and with functions less than each other exact way", () => {
  const { parts = {}, dollars = {} } = comparedDay(stored) ?? {};
  expect(parts["firerank"]?.firestore).toBeLessThanOrEqual(2.2);
  const others = stored.systems
    .filter(
      ({ id, rank, server }) => !id.startsWith("firerank") && rank.startsWith("exact") && server !== true,
    )
    .flatMap(({ id }) => dollars[id] ?? []);
  expect(others.length).toBeGreaterThan(8);
  for (const id of ["firerank", "firerank-trigger", "firerank-cold"])
    expect(dollars[id]).toBeLessThan(Math.min(...others));
});

test("the stored figures of others are what comes out here now, near what they published", () => {
  const found = publishedOf();
  expect(stored.published).toEqual(plain(found));
  const [apart = NaN, both = NaN, failed = NaN, jobs = NaN, queues = NaN, paid, views = NaN, error = NaN] =
    found.map(({ here }) => here);
  expect(Math.abs(apart / 500 - 1)).toBeLessThan(0.06);
  expect(both).toBeLessThan(apart / 3);
  expect(failed).toBeGreaterThan(0.002);
  expect(failed).toBeLessThan(0.03);
  expect(jobs).toBeCloseTo(200);
  expect(queues).toBeLessThan(6);
  expect(paid).toBeCloseTo(0.072, 12);
  expect(views).toBeCloseTo(4, 1);
  expect(error).toBeGreaterThan(0.002);
  expect(error).toBeLessThan(0.015);
});
