import { expect, test } from "vitest";
import { truthOf } from "../contest/truth.ts";
import { randomOf } from "../generators/random.ts";
import { histogramOf } from "./histogram.ts";
import { scoreDocumentsOf } from "./score-documents-count.ts";
import { scoreSystems } from "./score-systems.ts";
import { scoreMax } from "./system.ts";

const random = randomOf(1);
const million = truthOf(
  Float64Array.from({ length: 1_000_000 }, () => Math.floor(random() ** 2 * (scoreMax + 1))),
);

for (const system of scoreSystems) {
  test(`${system.id} has a bill for everything that it offers, from a million players on`, () => {
    const bills = system.bills(million);
    const started = process.cpuUsage();
    const asked = [
      bills.update(million, { player: "a", before: million.scoreAt(500_000), after: 1_234 }),
      bills.update(million, { player: "b", before: null, after: 77 }),
      bills.rank?.(million, million.scoreAt(500_000)),
      bills.top?.(million, 10),
      bills.around?.(million, 500_000, 4, 4),
      bills.page?.(million, 500_000, 25),
      ...("run" in system.cannot ? [] : [bills.run?.(million)]),
    ];
    for (const bill of asked) {
      expect(bill).toBeDefined();
      expect(
        Object.values(bill ?? { none: NaN }).every((count) => Number.isInteger(count) && count >= 0),
      ).toBe(true);
    }
    const { user, system: kernel } = process.cpuUsage(started);
    expect(user + kernel).toBeLessThan(1e6); // microseconds of this process, however busy the machine is
  });
}

test("a histogram answers as the sorted scores do", () => {
  const scores = Float64Array.from([5, 7, 7, 9, scoreMax, 0]);
  const truth = truthOf(scores);
  const histogram = histogramOf(truth);
  for (const score of [0, 1, 7, 9, scoreMax]) expect(histogram.above(score)).toBe(truth.above(score));
  for (let index = 0; index < truth.players; index++) {
    const score = truth.scoreAt(index);
    expect(histogram.at(index)).toEqual({ score, above: truth.above(score) });
  }
  expect([histogram.at(-1), histogram.at(truth.players)]).toEqual([undefined, undefined]);
  histogram.add(7, -2);
  expect([histogram.players, histogram.count(7), histogram.above(0)]).toEqual([4, 0, 3]);
});

test("a document of the inverted index is there while it has players", () => {
  const documents = scoreDocumentsOf(truthOf(new Float64Array()), 10);
  documents.enter(7, 0);
  documents.enter(7, 0);
  documents.enter(7, 3);
  expect(documents.above(6)).toBe(2);
  expect(documents.above(7)).toBe(0);
  expect([documents.leave(7, 0), documents.leave(7, 3), documents.leave(7, 0)]).toEqual([false, true, true]);
  expect(documents.above(6)).toBe(0);
});

test("from a board on, a score with few players is expected in fewer documents than shards", () => {
  const documents = scoreDocumentsOf(truthOf(Float64Array.from([1, ...Array<number>(1_000).fill(2)])), 10);
  expect(documents.above(1)).toBeCloseTo(10, 9);
  expect(documents.above(0)).toBeCloseTo(11, 9);
});
