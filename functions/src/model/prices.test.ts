import { expect, test } from "vitest";
import { cost } from "./prices.ts";

test("a hundred thousand operations cost what the price list says", () => {
  const hundredThousand = { reads: 100_000, writes: 0, deletes: 0 };
  expect(cost(hundredThousand, "us-central1")).toBeCloseTo(0.03, 12);
  expect(cost({ ...hundredThousand, writes: 100_000, deletes: 100_000 }, "us-central1")).toBeCloseTo(
    0.13,
    12,
  );
  expect(cost({ ...hundredThousand, writes: 100_000, deletes: 100_000 }, "nam5")).toBeCloseTo(0.26, 12);
  expect(cost({ reads: 0, writes: 0, deletes: 0, invocations: 1_000_000 }, "nam5")).toBeCloseTo(0.4, 12);
});

test("writing the rank of 30,000 players each hour costs 0.072 dollars in nam5, as in the well-known example", () => {
  expect(cost({ reads: 30_000, writes: 30_000, deletes: 0 }, "nam5")).toBeCloseTo(0.072, 12);
});
