import slotOf from "cluster-key-slot";
import { expect, test } from "vitest";
import { idOf } from "../contest/work.ts";
import { truthOf } from "../contest/truth.ts";
import { monthOf, partitionByHash, partOf as partByHash } from "./partition-by-hash.ts";
import { partitionByScore, partOf as partByScore } from "./partition-by-score.ts";

test("a slot is CRC16 modulo 16,384: the check value of CRC16 for 123456789 is 0x31C3", () => {
  expect(slotOf("123456789")).toBe(0x31c3 % 16_384);
});

test("players are spread evenly over ten parts by their ids", () => {
  const counts = Array.from({ length: 10 }, () => 0);
  for (let i = 0; i < 10_000; i++) {
    const part = partByHash(idOf(i), 10);
    counts[part] = (counts[part] ?? 0) + 1;
  }
  expect(counts).toHaveLength(10);
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1_150);
});

test("parts by score are tenths of the range; the last has all above", () => {
  expect([0, 999, 1_000, 8_999, 9_999, 12_345].map(partByScore)).toEqual([0, 0, 1, 8, 9, 9]);
});

test("a month is that of UTC", () => {
  expect(monthOf(Date.parse("2026-11-30T23:59:59Z"))).toBe("2026-11");
  expect(monthOf(Date.parse("2026-12-01T00:00:00Z"))).toBe("2026-12");
});

test("with a hundred thousand players, a rank in parts by score counts one part, and by hash all ten", () => {
  const board = truthOf(Float64Array.from({ length: 100_000 }, (_, i) => i % 10_000));
  expect(partitionByScore.bills(board).rank?.(board, 5_000)).toMatchObject({ reads: 2 + 10 });
  expect(partitionByScore.bills(board).rank?.(board, 5_999)).toMatchObject({ reads: 3 });
  expect(partitionByHash.bills(board).rank?.(board, 5_000)).toMatchObject({ reads: 1 + 10 * 5 });
  expect(partitionByHash.bills(board).rank?.(board, 9_999)).toMatchObject({ reads: 1 + 10 });
});

test("the top ten are in the highest part alone, and ten of each part by hash are read", () => {
  const board = truthOf(Float64Array.from({ length: 100_000 }, (_, i) => i % 10_000));
  expect(partitionByScore.bills(board).top?.(board, 10)).toMatchObject({ reads: 11 });
  expect(partitionByHash.bills(board).top?.(board, 10)).toMatchObject({ reads: 100 });
});

test("where the highest part has fewer than ten players, the top goes on in the next", () => {
  const board = truthOf(
    Float64Array.from([9_500, 9_400, ...Array.from({ length: 50 }, (_, i) => 8_000 + i)]),
  );
  expect(partitionByScore.bills(board).top?.(board, 10)).toMatchObject({ reads: 11 });
});
