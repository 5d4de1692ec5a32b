import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withRetries } from "./retries.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** The result of work that fails `failures` times, or its error, and the waits in between. */
async function failing(failures: number, random = 0.5, passes = true) {
  vi.spyOn(Math, "random").mockReturnValue(random);
  let attempts = 0;
  const startMs = Date.now();
  const beganMs: number[] = [];
  const work = async () => {
    beganMs.push(Date.now() - startMs);
    if (++attempts <= failures) throw new Error("still busy");
    return "done";
  };
  const ended = withRetries(work, () => passes).catch((error: unknown) => String(error));
  await vi.runAllTimersAsync();
  return { ended: await ended, waits: beganMs.slice(1).map((ms, i) => ms - (beganMs[i] ?? 0)) };
}

test("work that succeeds at once is done once", async () => {
  expect(await failing(0)).toEqual({ ended: "done", waits: [] });
});

test("waits double, and at most half of each is random", async () => {
  expect(await failing(4, 1)).toEqual({ ended: "done", waits: [500, 1_000, 2_000, 4_000] });
  expect(await failing(4, 0)).toEqual({ ended: "done", waits: [250, 500, 1_000, 2_000] });
});

test("after the last attempt, its error is thrown; a permanent one at once", async () => {
  expect(await failing(9)).toMatchObject({ ended: "Error: still busy", waits: { length: 4 } });
  expect(await failing(1, 0.5, false)).toEqual({ ended: "Error: still busy", waits: [] });
});
