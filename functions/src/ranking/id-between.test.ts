import { expect, test } from "vitest";
import { seededRandom } from "../testing/arbitraries.ts";
import { idBetween } from "./id-between.ts";

/** How evenly a hundred random places lie among ids: the largest share of the ids between two neighbouring places. */
function largestGap(ids: readonly string[], known: readonly string[]): number {
  const random = seededRandom(1);
  const sorted = ids.toSorted();
  const places = Array.from({ length: 100 }, () => idBetween(known, random));
  const at = places.map((place) => sorted.filter((id) => id < place).length).sort((a, b) => a - b);
  const ends = [0, ...at, ids.length];
  return Math.max(...ends.slice(1).map((end, i) => end - (ends[i] ?? 0))) / ids.length;
}

test("places lie evenly among random ids, names with a number at the end, and UUIDs", () => {
  const random = seededRandom(2);
  const draw = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");
  const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  for (const ids of [
    Array.from({ length: 2_000 }, () => draw(letters, 28)),
    Array.from({ length: 2_000 }, (_, i) => `player-${String(i * 431).padStart(6, "0")}`),
    Array.from({ length: 2_000 }, () => draw("0123456789abcdef", 32)),
  ])
    expect(
      largestGap(
        ids,
        ids.filter((_, i) => i % 199 === 0),
      ),
    ).toBeLessThan(0.15);
});

test("one id is enough to draw a place, and so are ids of which one is the beginning of another", () => {
  const random = seededRandom(3);
  expect(idBetween(["ann"], random)).toMatch(/^[0-9A-Za-z]{6}$/);
  expect(idBetween(["p1", "p12", "p129"], random)).toMatch(/^p1[0-9]{6}$/);
});

test("without ids, or after an id that nothing follows, a place is drawn from digits", () => {
  const random = seededRandom(4);
  expect(idBetween([], random)).toMatch(/^[0-9]{6}$/);
  expect(idBetween(["ann", "ann"], random)).toMatch(/^ann[0-9]{6}$/);
});
