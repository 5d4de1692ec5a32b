import fc from "fast-check";
import { expect, test } from "vitest";
import { createLiveTruth, type Entry, truthOf } from "../contest/truth.ts";
import { change } from "./entry-set-changes.ts";
import { createMemorySets } from "./entry-set-memory.ts";
import {
  aroundOf,
  compare,
  indexOf,
  pageOf,
  playersAbove,
  rootPath,
  type SetShape,
} from "./entry-set-steps.ts";
import { deepEntrySets, entrySets } from "./entry-sets.ts";

const nobody = truthOf(new Float64Array());

test("a set is split when it gets one player too many, and the manifest has both halves' lengths and lowest scores", () => {
  const { sets, submit } = boardOf({ size: 4, levels: 1 });
  for (const [i, score] of [50, 40, 30, 20].entries()) submit(`p${i}`, score);
  expect(refsOf(sets)).toEqual([[4, 20]]);
  submit("p4", 10);
  expect(refsOf(sets)).toEqual([
    [3, 30],
    [2, 10],
  ]);
});

test("a set without players is deleted", () => {
  const { sets, submit } = boardOf({ size: 2, levels: 1 });
  for (const [i, score] of [50, 40, 30].entries()) submit(`p${i}`, score);
  expect(refsOf(sets)).toEqual([
    [2, 40],
    [1, 30],
  ]);
  submit("p2", 60);
  expect(refsOf(sets)).toEqual([
    [2, 50],
    [1, 40],
  ]);
  expect(sets.nodes.size).toBe(3);
});

test("after any moves, ranks and pages are those of the sorted players, in sets within their size", () => {
  const move = fc.record({ player: fc.integer({ min: 0, max: 30 }), score: fc.integer({ min: 0, max: 12 }) });
  fc.assert(
    fc.property(
      fc.array(move, { maxLength: 120 }),
      fc.constantFrom(1, 2),
      fc.integer({ min: 2, max: 6 }),
      (moves, levels, size) => {
        const { sets, submit, truth } = boardOf({ size, levels });
        for (const { player, score } of moves) submit(`p${player}`, score);
        const sorted = truth
          .ids()
          .map((player): Entry => ({ player, score: truth.scoreOf(player) ?? 0 }))
          .sort(compare);
        expect(sets.take(pageOf(0, 100)).result).toEqual(sorted);
        expect(sets.take(pageOf(3, 5)).result).toEqual(sorted.slice(3, 8));
        for (const [i, entry] of sorted.entries()) {
          expect(sets.take(playersAbove(entry.score)).result).toBe(truth.above(entry.score));
          expect(sets.take(indexOf(entry))).toEqual({ result: i, reads: levels + 1 });
          expect(sets.take(aroundOf(entry, 2, 3)).result).toEqual(sorted.slice(Math.max(0, i - 2), i + 4));
        }
        for (const [path, { refs, entries }] of sets.nodes) {
          if (path !== rootPath)
            expect((refs ?? entries)?.length).toSatisfy((length: number) => length > 0 && length <= size);
        }
      },
    ),
  );
});

test("a million players are in two steps from the manifest, ten million in three from the manifest of manifests", () => {
  const million = truthOf(Float64Array.from({ length: 1_000_000 }, (_, i) => i % 10_000));
  expect(entrySets.bills(million).rank?.(million, 5_000)).toMatchObject({ reads: 3 });
  expect(deepEntrySets.bills(million).rank?.(million, 5_000)).toMatchObject({ reads: 4 });
  const bills = entrySets.bills(million);
  // Player, manifest and two sets; within one set, the manifest stays as it is.
  const far = { player: "somebody", before: 5_000, after: 9_000 };
  expect(bills.update(million, far)).toMatchObject({ reads: 4, writes: 4, deletes: 0 });
  const near = { player: "another", before: 5_002, after: 5_003 };
  expect(bills.update(million, near)).toMatchObject({ reads: 3, writes: 2, deletes: 0 });
});

test("a page that lies in two sets reads both", () => {
  const board = truthOf(Float64Array.from({ length: 3_000 }, (_, i) => i));
  const bills = entrySets.bills(board);
  expect(bills.top?.(board, 10)).toMatchObject({ reads: 2 });
  expect(bills.page?.(board, 740, 25)).toMatchObject({ reads: 3 });
});

function boardOf(shape: SetShape) {
  const sets = createMemorySets(nobody, shape);
  const truth = createLiveTruth();
  const submit = (player: string, score: number) => {
    const before = truth.scoreOf(player);
    if (before === score) return;
    const old = before === undefined ? undefined : { player, score: before };
    sets.write(sets.take(change(old, { player, score }, shape, sets.newPath)).result);
    truth.set(player, score);
  };
  return { sets, truth, submit };
}

/** The manifest: a length and a lowest score for each set. */
function refsOf({ nodes }: ReturnType<typeof createMemorySets>): number[][] {
  return (nodes.get(rootPath)?.refs ?? []).map(({ length, lowest_score }) => [length, lowest_score]);
}
