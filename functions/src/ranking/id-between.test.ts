import { expect, test } from "vitest";
import { seededRandom } from "../testing/arbitraries.ts";
import { idBetween } from "./id-between.ts";

/** How evenly a hundred random places lie among ids: the largest share of the ids between two of them. */
function largestGap(ids: readonly string[], known: readonly string[]): number {
  const random = seededRandom(1);
  const sorted = ids.toSorted();
  const places = Array.from({ length: 100 }, () => idBetween(known, random));
  const at = places.map((place) => sorted.filter((id) => id < place).length).sort((a, b) => a - b);
  const ends = [0, ...at, ids.length];
  return Math.max(...ends.slice(1).map((end, i) => end - (ends[i] ?? 0))) / ids.length;
}

test("places lie evenly among random ids, numbers behind a name, and UUIDs", () => {
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

test("a place can be told from one id, and from ids of which one begins another", () => {
  const random = seededRandom(3);
  expect(idBetween(["ann"], random)).toMatch(/^[0-9A-Za-z]{6}$/);
  expect(idBetween(["p1", "p12", "p129"], random)).toMatch(/^p1[0-9]{6}$/);
});

test("a place among no ids, or behind an id that nothing follows, is drawn among digits", () => {
  const random = seededRandom(4);
  expect(idBetween([], random)).toMatch(/^[0-9]{6}$/);
  expect(idBetween(["ann", "ann"], random)).toMatch(/^ann[0-9]{6}$/);
});
