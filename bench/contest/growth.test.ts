import { expect, test } from "vitest";
import { shapes } from "../generators/shapes.ts";
import { countBetter, readBetter } from "../systems/count-better.ts";
import { firerankCount, firerankIndex } from "../systems/firerank.ts";
import { formulaSystems } from "../systems/index.ts";
import { bill, free } from "./bill.ts";
import { breakEven, dollarsADay } from "./dollars.ts";
import { growBoard, growthOf } from "./growth.ts";

const board = growBoard(shapes.uniform999, 30_000, 1);

test("reading the better ones costs half the board on average, and counting them a thousandth", () => {
  const read = growthOf(readBetter, board).billed.rank?.reads ?? 0;
  expect(read / 15_000).toBeGreaterThan(0.9);
  expect(read / 15_000).toBeLessThan(1.1);
  expect(growthOf(countBetter, board).billed.rank?.reads).toBeCloseTo(16.5, 0);
});

test("Firerank reads two documents for a rank, however many players there are", () => {
  for (const players of [1_000, 100_000]) {
    const grown = growBoard(shapes.uniform9999, players, 1);
    for (const system of [firerankIndex, firerankCount]) {
      expect(growthOf(system, grown).billed.rank).toEqual(bill({ reads: 2 }));
    }
  }
});

test("a run of a board with fewer scores than counts allow deletes no pages, as none are left over", () => {
  expect(growthOf(firerankCount, growBoard(shapes.uniform999, 100_000, 1)).billed.run?.deletes).toBe(0);
});

test("a day costs the updates, the ranks and 288 runs", () => {
  const price = { r: 0.03e-5, w: 0.09e-5, f: 0.4e-6 };
  const load = { updatesPerSecond: 1, ranksPerSecond: 10 };
  const { update, run } = growthOf(firerankIndex, board).billed;
  const dear = (reads = 0, writes = 0, calls = 0) => reads * price.r + writes * price.w + calls * price.f;
  const expected =
    86_400 * (dear(update?.reads, update?.writes, update?.invocations) + 10 * dear(2)) +
    288 * (dear(run?.reads, run?.writes, 1) + (run?.deletes ?? 0) * 0.01e-5);
  // Two schedules a minute, three instances that read the board once a minute, and the gate once in ten seconds.
  const byClock = 1_440 * dear(2 + 3 * 2 + 6, 0, 2);
  expect(dollarsADay(firerankIndex, board, load, "us-central1")).toBeCloseTo(expected + byClock, 6);
});

test("a system has no bills and no price on a board that its documents cannot hold", () => {
  const small = {
    id: "small",
    bills: () => ({ update: () => free, rank: () => free }),
    holds: ({ players }: { players: number }) => players < 9,
  };
  expect(growthOf(small, board).billed).toEqual({});
  expect(dollarsADay(small, board, { updatesPerSecond: 1, ranksPerSecond: 1 }, "nam5")).toBeUndefined();
});

test("two bills that cross are equal between the loads at which one and then the other is cheaper", () => {
  const crossing = breakEven([1, 100], [1, 100], [10, 10]);
  expect(crossing.cheaperBelow).toBe("first");
  expect(crossing.at).toEqual([expect.closeTo(10, 6)]);
  expect(breakEven([1, 100], [2, 4], [1, 3])).toEqual({ cheaperBelow: "second", at: [] });
});

test("two bills that cross twice say so: cheap at little and at much load is not cheap between", () => {
  const { cheaperBelow, at } = breakEven([1, 100, 10_000], [1, 100, 100], [10, 10, 1_000]);
  expect(cheaperBelow).toBe("first");
  expect(at).toEqual([expect.closeTo(10, 6), expect.closeTo(1_000, 6)]);
});

test("systems that are formulas alone grow too, in the units of Enterprise edition", () => {
  for (const system of formulaSystems) {
    expect(growthOf(system, board).billed.rank?.reads).toBeGreaterThan(1);
    const load = { updatesPerSecond: 1, ranksPerSecond: 1 };
    expect(dollarsADay(system, board, load, "us-central1, Enterprise")).toBeGreaterThan(0);
  }
});
