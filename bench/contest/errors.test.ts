import { expect, test } from "vitest";
import { shapes } from "../generators/shapes.ts";
import { errorOf, errorsOf } from "./errors.ts";
import { truthOf } from "./truth.ts";

const players = 10_000;
const different = truthOf(Float64Array.from({ length: players }, (_, i) => i));

test("right ranks have no error, and equal scores share the rank of the first", () => {
  expect(errorOf((score) => players - score, different)).toEqual({ mean: 0, worst: 0, head: 0 });
  expect(errorOf(() => 1, truthOf(new Float64Array(players)))).toEqual({ mean: 0, worst: 0, head: 0 });
});

test("ranks that are off by as many places are worst at the head", () => {
  const { mean, worst, head } = errorOf((score) => players - score + 100, different);
  for (const [found, right] of [
    [mean, 0.01],
    [worst, 0.01],
    [head, 100 / 50],
  ] as const)
    expect(found).toBeCloseTo(right, 10);
});

test("one wrong player in the middle is the largest error", () => {
  const { worst, mean } = errorOf((score) => (score === 5_000 ? 1 : players - score), different);
  expect(worst).toBeCloseTo(0.4999, 6);
  expect(mean).toBeCloseTo(0.4999 / players, 8);
});

test("Firerank's rows are exact at the head and close everywhere, and a middle rank for all is not", () => {
  const middle = { id: "middle", estimates: () => () => () => 100_000 };
  const exact = { id: "exact" };
  const boards = [shapes.different, shapes.uniform9999];
  const errors = errorsOf([middle, exact], { players: 200_000, seed: 1, boards });
  expect(errors.map(({ id }) => id)).toEqual([...["firerank", "middle"], ...["firerank", "middle"]]);
  for (const { id, head, mean, worst } of errors) {
    if (id === "middle") expect(mean).toBeGreaterThan(0.2);
    else {
      expect(head).toBe(0);
      expect(mean).toBeLessThan(0.002);
      expect(worst).toBeLessThan(0.005);
    }
  }
  // Few enough different scores for a row each.
  expect(errors[2]).toMatchObject({ id: "firerank", mean: 0, worst: 0 });
});
