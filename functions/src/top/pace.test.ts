/** The window of the live top: narrow for occasional changes, wider and wider while they do not stop. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { topGateKeptMs, topWideningMax, topWindowMsMax } from "../model/limits.ts";
import { type Pace, paceAfter, paceIn, windowEnd, windowNow, topLateMsMax } from "./pace.ts";

const base = 2_000;
const widest = (baseMs: number) => Math.max(baseMs, Math.min(baseMs * topWideningMax, topWindowMsMax));

/**
 * Plays changes at given times: when each refresh was due, and how long each change waited.
 * @param staleMs how old an instance's memory of the pace may be.
 */
function play(changes: readonly number[], baseMs = base, staleMs = 0) {
  const dues = new Set<number>();
  const waits: number[] = [];
  let pending: number[] = [];
  let written: Pace | undefined;
  const refreshUntil = (nowMs: number) => {
    const due = pending.filter((dueMs) => dueMs <= nowMs).sort((a, b) => a - b);
    for (const dueMs of due) written = paceAfter(baseMs, written, dueMs);
    pending = pending.filter((dueMs) => dueMs > nowMs);
  };
  let seen: { pace: Pace | undefined; untilMs: number } = { pace: undefined, untilMs: -Infinity };
  for (const at of changes) {
    refreshUntil(at);
    if (at > seen.untilMs) seen = { pace: written, untilMs: at + staleMs };
    const due = windowEnd(at, windowNow(baseMs, seen.pace, at));
    if (!dues.has(due)) pending.push(due);
    dues.add(due);
    waits.push(due - at);
  }
  return { dues: [...dues].sort((a, b) => a - b), waits };
}

const every = (ms: number, untilMs: number) =>
  Array.from({ length: Math.ceil(untilMs / ms) }, (_, i) => 1 + i * ms);

test("a top that changes now and then shows each change within two seconds", () => {
  for (const ms of [20_000, 60_000, 600_000]) {
    expect(Math.max(...play(every(ms, 3_600_000)).waits)).toBeLessThanOrEqual(base);
  }
});

test("while changes do not stop, each window is twice as wide as the one before, up to sixteen times", () => {
  const { dues } = play(every(100, 200_000));
  const gaps = dues.slice(1).map((due, i) => due - (dues[i] ?? NaN));
  expect(gaps).toEqual([2_000, 4_000, 8_000, 16_000, ...gaps.slice(4).map(() => base * topWideningMax)]);
});

test(
  "a top that changes without pause all day is refreshed 2,700 times, and not 43,200",
  { tags: "big" },
  () => {
    const { dues } = play(every(500, 86_400_000), base, topGateKeptMs);
    expect(dues.length).toBeLessThan(2_720);
    expect(dues.length).toBeGreaterThan(2_690);
  },
);

test("the window is wide up to the end of the quiet time, and the board's own right after", () => {
  const pace = { dueMs: 100_000, windowMs: 4 * base };
  const quietMs = pace.windowMs + topGateKeptMs + topLateMsMax;
  expect(windowNow(base, pace, pace.dueMs + quietMs)).toBe(4 * base);
  expect(windowNow(base, pace, pace.dueMs + quietMs + 1)).toBe(base);
});

test("a task that comes twice or late does not widen the window", () => {
  const pace = paceAfter(base, { dueMs: 10_000, windowMs: 4_000 }, 12_000);
  expect(pace).toEqual({ dueMs: 12_000, windowMs: 8_000 });
  expect(paceAfter(base, pace, 12_000)).toEqual(pace);
  expect(paceAfter(base, pace, 11_000)).toEqual(pace);
});

test("a board whose own window was changed is within the bounds of the new one", () => {
  const wide = { dueMs: 0, windowMs: 32_000 };
  expect(windowNow(1_000, wide, 1)).toBe(16_000);
  expect(windowNow(60_000, wide, 1)).toBe(60_000);
  expect(paceAfter(60_000, wide, 30_000).windowMs).toBe(60_000);
});

test("no change waits longer than the widest window, whatever the changes and the age of what instances know", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 90_000 }), { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 60 }).map((seconds) => seconds * 1_000),
      fc.integer({ min: 0, max: topGateKeptMs }),
      (gaps, baseMs, staleMs) => {
        let at = 0;
        const changes = gaps.map((gap) => (at += gap));
        expect(Math.max(...play(changes, baseMs, staleMs).waits)).toBeLessThanOrEqual(widest(baseMs));
      },
    ),
  );
});

test("a top document has its pace in two fields, and none where either is invalid", () => {
  expect(paceIn(undefined)).toBeUndefined();
  const due = Timestamp.fromMillis(5_000);
  expect(paceIn({ refresh_due_at: due, refresh_window_seconds: 2.5 })).toEqual({
    dueMs: 5_000,
    windowMs: 2_500,
  });
  for (const at of [undefined, null, 5_000])
    expect(paceIn({ refresh_due_at: at, refresh_window_seconds: 2 })).toBeUndefined();
  for (const seconds of [0, -1, NaN, "2", undefined])
    expect(paceIn({ refresh_due_at: due, refresh_window_seconds: seconds })).toBeUndefined();
});
