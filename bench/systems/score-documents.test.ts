import { expect, test } from "vitest";
import { truthOf } from "../contest/truth.ts";
import { scoreDocumentsOf, scoreDocumentsSum } from "./score-documents.ts";
import { scoreMax } from "./system.ts";

test("a document of the inverted index is there while it has players", () => {
  const documents = scoreDocumentsOf(truthOf(new Float64Array()), 10);
  for (const shard of [0, 0, 3]) documents.change(7, shard, 1);
  expect([documents.above(6), documents.above(7)]).toEqual([2, 0]);
  expect([0, 3, 0].map((shard) => documents.change(7, shard, -1))).toEqual([1, 0, 0]);
  expect(documents.above(6)).toBe(0);
});

test("from a board on, a score with few players is expected in fewer documents than shards", () => {
  const documents = scoreDocumentsOf(truthOf(Float64Array.from([1, ...Array<number>(1_000).fill(2)])), 10);
  expect(documents.above(1)).toBeCloseTo(10, 9);
  expect(documents.above(0)).toBeCloseTo(11, 9);
});

test("a rank reads the player, and 1 for each 1,000 better scores", () => {
  const readsOf = (scores: number, score: number) => {
    const truth = truthOf(Float64Array.from({ length: 30_000 }, (_, i) => i % scores));
    return scoreDocumentsSum.bills(truth).rank(truth, score).reads;
  };
  expect([readsOf(1_000, 499), readsOf(scoreMax + 1, 0)]).toEqual([1 + 1, 1 + 10]);
});
