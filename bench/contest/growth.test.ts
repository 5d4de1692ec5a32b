import { expect, test } from "vitest";
import { shapes } from "../generators/shapes.ts";
import { countBetter, readBetter } from "../systems/count-better.ts";
import { firerank } from "../systems/firerank.ts";
import { formulaSystems } from "../systems/index.ts";
import { bill, free } from "./bill.ts";
import { breakEven, dollarsADay, grownUnder, priceOf } from "./dollars.ts";
import { growBoard, growthOf } from "./growth.ts";

const board = growBoard(shapes.uniform999, 30_000, 1);

test("reading the better ones costs half the board on average, and counting them a thousandth", () => {
  const read = growthOf(readBetter, board).billed.rank?.reads ?? 0;
  expect(read / 15_000).toBeGreaterThan(0.9);
  expect(read / 15_000).toBeLessThan(1.1);
  expect(growthOf(countBetter, board).billed.rank?.reads).toBeCloseTo(16.5, 0);
});

test("Firerank reads the player for a rank, however many players there are", () => {
  for (const players of [1_000, 100_000]) {
    const grown = growBoard(shapes.uniform9999, players, 1);
    expect(growthOf(firerank, grown).billed.rank).toEqual(bill({ reads: 1 }));
  }
});

test("a day costs the updates, the ranks, 288 runs, what is read by the clock, and functions", () => {
  const load = { updatesPerSecond: 1, ranksPerSecond: 10 };
  const { update, run } = growthOf(firerank, board).billed;
  const dear = (reads = 0, writes = 0) => reads * 0.03e-5 + writes * 0.09e-5;
  const expected =
    86_400 * (dear(update?.reads, update?.writes) + 10 * dear(1)) +
    288 * (dear(run?.reads, run?.writes) + (run?.deletes ?? 0) * 0.01e-5);
  // Two schedules a minute, two instances that read the board once a minute, the gate once in ten seconds, and the four
  // pages of a thousand scores, each once between two runs.
  const byClock = 1_440 * dear(2 + 2 * 2 + 6) + 288 * dear(4);
  const price = priceOf(firerank, grownUnder(firerank, board, load), load, "us-central1");
  expect(price?.firestore).toBeCloseTo(expected + byClock, 6);
  // The schedules take a tenth of a second, the runs three; each second of an instance costs the same.
  expect(price).toMatchObject({
    calls: 2_880 + 288,
    processorSeconds: expect.closeTo(288 + 288 * 0.3, 6) as number,
  });
  expect(price?.functions).toBeCloseTo(3_168 * 0.4e-6 + 374.4 * (24e-6 + 0.5 * 2.5e-6), 9);
  expect(dollarsADay(firerank, board, load, "us-central1")).toBeCloseTo(
    (price?.firestore ?? NaN) + (price?.functions ?? NaN),
    9,
  );
});

test("an event is billed a tenth of a second of a sixth of a processor", () => {
  const load = { updatesPerSecond: 1, ranksPerSecond: 0 };
  const one = { id: "one", bills: () => ({ update: () => bill({ invocations: 1 }), rank: () => free }) };
  const price = priceOf(one, grownUnder(one, board, load), load, "us-central1");
  expect(price).toMatchObject({
    firestore: 0,
    calls: 86_400,
    processorSeconds: expect.closeTo(1_440, 6) as number,
  });
  expect(price?.functions).toBeCloseTo(86_400 * (0.4e-6 + 0.4625e-6), 9);
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
