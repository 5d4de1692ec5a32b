import { expect, test } from "vitest";
import { type Patience, withRetries } from "./retries.ts";

const patience: Patience = { attemptsMax: 5, firstWaitMs: 500, longestWaitMs: 3_000 };

/** Work that fails `failures` times, and the waits in between. */
function failing(failures: number, error: unknown = new Error("a moment")) {
  const waits: number[] = [];
  let attempts = 0;
  const run = (random: number, passes = true) =>
    withRetries(
      async () => {
        attempts++;
        if (attempts <= failures) throw error;
        return `attempt ${attempts}`;
      },
      () => passes,
      patience,
      {
        random: () => random,
        sleep: async (ms) => {
          waits.push(ms);
        },
      },
    );
  return { run, waits, attempts: () => attempts };
}

test("work that succeeds at once is done once", async () => {
  const { run, waits, attempts } = failing(0);
  await expect(run(0)).resolves.toBe("attempt 1");
  expect([attempts(), waits]).toEqual([1, []]);
});

test("waits double up to the longest one, and at most half of each is random", async () => {
  const longest = failing(4);
  await expect(longest.run(1)).resolves.toBe("attempt 5");
  expect(longest.waits).toEqual([500, 1_000, 2_000, 3_000]);
  const shortest = failing(4);
  await shortest.run(0);
  expect(shortest.waits).toEqual([250, 500, 1_000, 1_500]);
});

test("after the last attempt, its error is thrown", async () => {
  const error = new Error("still busy");
  const { run, attempts } = failing(9, error);
  await expect(run(0.5)).rejects.toBe(error);
  expect(attempts()).toBe(5);
});

test("a permanent error is not retried", async () => {
  const { run, waits, attempts } = failing(1);
  await expect(run(0.5, false)).rejects.toThrow("a moment");
  expect([attempts(), waits]).toEqual([1, []]);
});
