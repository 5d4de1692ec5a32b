import { expect, test } from "vitest";
import { shapes } from "../generators/shapes.ts";
import { countBetter } from "../systems/count-better.ts";
import { firerank } from "../systems/firerank.ts";
import { bill, free } from "./bill.ts";
import { breakEven, dayOf } from "./dollars.ts";
import { growBoard, growthOf } from "./growth.ts";

const board = growBoard(shapes.uniform999, 30_000, 1);

test("counting the better ones reads a thousandth of half the board on average", () => {
  expect(growthOf(countBetter, board).billed.rank.reads).toBeCloseTo(16.5, 0);
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
    86_400 * (dear(update.reads, update.writes) + 10 * dear(1)) +
    288 * (dear(run?.reads, run?.writes) + (run?.deletes ?? 0) * 0.01e-5);
  // Two queries of the schedule a minute and one each ten minutes, two instances that read the board once a minute, the
  // gate once in ten seconds, and the page of a thousand scores once between two runs; each run reads the board.
  const byClock = 1_440 * dear(2 + 2 * 2 + 6) + 144 * dear(1) + 288 * dear(1 + 2);
  const price = dayOf(firerank, board, load);
  expect(price.firestore).toBeCloseTo(expected + byClock, 6);
  // The schedule takes a tenth of a second, the runs three; each second of an instance costs the same.
  expect(price.calls).toBeCloseTo(1_440 + 288, 6);
  expect(price.processorSeconds).toBeCloseTo(144 + 288 * 0.3, 6);
  // A run is a task, which is requested and delivered.
  const tasks = 288 * 2 * 0.4e-6;
  expect(price.functions).toBeCloseTo(tasks + 1_728 * 0.4e-6 + 230.4 * (24e-6 + 0.5 * 2.5e-6), 9);
});

test("an event is billed a tenth of a second of a sixth of a processor", () => {
  const load = { updatesPerSecond: 1, ranksPerSecond: 0 };
  const none = () => free;
  const bills = { update: () => bill({ invocations: 1 }), rank: none, top: none, around: none, page: none };
  const price = dayOf({ id: "one", bills: () => bills }, board, load);
  expect([price.firestore, price.calls]).toEqual([0, 86_400]);
  expect(price.processorSeconds).toBeCloseTo(1_440, 6);
  expect(price.functions).toBeCloseTo(86_400 * (0.4e-6 + 0.4625e-6), 9);
});

test("two bills that cross are equal between the loads at which one and then the other is cheaper, once or twice", () => {
  const at = (...values: number[]) => values.map((value) => expect.closeTo(value, 6) as number);
  expect(breakEven([1, 100], [1, 100], [10, 10])).toEqual({ cheaperBelow: "first", at: at(10) });
  expect(breakEven([1, 100], [2, 4], [1, 3])).toEqual({ cheaperBelow: "second", at: [] });
  const twice = breakEven([1, 100, 10_000], [1, 100, 100], [10, 10, 1_000]);
  expect(twice).toEqual({ cheaperBelow: "first", at: at(10, 1_000) });
});
