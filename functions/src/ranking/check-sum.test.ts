import fc from "fast-check";
import { expect, test } from "vitest";
import { anyScore } from "../../../test/support/arbitraries.ts";
import { checkSum, packChecks, unpackChecks } from "./check-sum.ts";

test("check sums are what pages have stored: these never change", () => {
  expect([850, 0, -1, 2 ** 53 - 1, 0.5].map((score) => checkSum(score, 1))).toEqual([
    336_445_320, 804_215_951, -748_348_040, 1_312_797_743, -918_590_845,
  ]);
  expect(packChecks(Int32Array.of(1, -2))).toBe("AQAAAP7///8=");
});

test("players are added and taken out in any order and in any parts", () => {
  const count = fc.integer({ min: -5_000_000, max: 5_000_000 });
  fc.assert(
    fc.property(anyScore, count, count, (score, some, others) => {
      expect((checkSum(score, some) + checkSum(score, others)) | 0).toBe(checkSum(score, some + others));
      expect((checkSum(score, some) + checkSum(score, -some)) | 0).toBe(0);
    }),
  );
  expect(checkSum(7, 0)).toBe(0);
  expect(checkSum(-0, 3)).toBe(checkSum(0, 3));
});

test("nearly every score has another check sum, whether they differ by little or by much", () => {
  const near = Array.from({ length: 20_000 }, (_, i) => i - 10_000);
  const large = near.map((score) => score + 2 ** 52);
  const powers = near.map((_, i) => (i % 1_000) * 2 ** (1 + Math.floor(i / 1_000)));
  for (const scores of [near, large, powers]) {
    const different = new Set(scores);
    expect(new Set([...different].map((score) => checkSum(score, 1))).size).toBeGreaterThan(
      different.size - 3,
    );
  }
  expect(checkSum(0, 1)).not.toBe(0);
});

test("sums of two scores differ even if the scores have the same sum", () => {
  const sums = new Set<number>();
  for (let i = 0; i < 10_000; i++) sums.add((checkSum(i, 1) + checkSum(20_000 - i, 1)) | 0);
  expect(sums.size).toBeGreaterThan(9_997);
});

test("check sums come back from the text of a page, and what is missing there is 0", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })), (list) => {
      const checkAt = unpackChecks(packChecks(Int32Array.from(list)));
      expect(list.map((_, row) => checkAt(row))).toEqual(list);
      expect(checkAt(list.length)).toBe(0);
    }),
  );
  expect(unpackChecks("AQAA")(0)).toBe(0);
});
