import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../contest/truth.ts";
import { added, enters, needsRepair, repaired, type TopDocument } from "./top-ten-repair.ts";

const names = ["vader", "luke", "leia", "yoda", "obi-wan", "lando", "boba", "jabba", "r2d2", "chewbacca"];
/** The source's example: vader has 99, and so on down to chewbacca's 90. */
const example: TopDocument = {
  lowest_score: 90,
  scores: names.map((player, i) => ({ player, score: 99 - i })),
};

test("the source's example: with han's 100, chewbacca's 90 leaves, and 91 is the lowest", () => {
  expect(enters(example, 100)).toBe(true);
  const top = added(example, { player: "han", score: 100 });
  expect(top.scores).toHaveLength(11);
  expect(top.lowest_score).toBe(90);
  expect(needsRepair(top)).toBe(true);
  const right = repaired(top);
  expect(right.scores[0]).toEqual({ player: "han", score: 100 });
  expect(right.scores.at(-1)).toEqual({ player: "r2d2", score: 91 });
  expect(right.lowest_score).toBe(91);
  expect(needsRepair(right)).toBe(false);
});

test("a score that is not above the lowest does not enter", () => {
  expect(enters(example, 90)).toBe(false);
  expect(enters(example, 91)).toBe(true);
  expect(enters(undefined, 0)).toBe(true);
});

test("whenever it is read, it holds the best ten of all scores", () => {
  const submission = fc.record({
    player: fc.integer({ min: 0, max: 25 }).map(String),
    score: fc.nat(30),
    isRead: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(submission, { maxLength: 80 }), (submissions) => {
      const best = new Map<string, number>();
      let top: TopDocument = { lowest_score: null, scores: [] };
      for (const { player, score, isRead } of submissions) {
        if (score <= (best.get(player) ?? -1)) continue;
        best.set(player, score);
        if (enters(top, score)) top = added(top, { player, score });
        if (isRead) top = repaired(top);
      }
      const right = [...best.values()].sort((a, b) => b - a).slice(0, 10);
      expect(repaired(top).scores.map(({ score }: Entry) => score)).toEqual(right);
    }),
  );
});
