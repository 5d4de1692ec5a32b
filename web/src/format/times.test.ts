import { expect, test } from "vitest";
import { formatAgo, formatDuration, formatDurationTick, formatLeft, formatTick } from "./times.ts";

test("durations have one or two units, depending on their length", () => {
  const durations = [84, 3_210, 42_000, 60_000, 250_000, 3_600_000, 7_500_000, 86_400_000, 259_200_000];
  expect(durations.map(formatDuration)).toEqual([
    "84 ms",
    "3.2 s",
    "42 s",
    "1 min",
    "4 min 10 s",
    "1 h",
    "2 h 5 min",
    "1 day",
    "3 days",
  ]);
});

test("a duration just below the next unit is shown in that unit", () => {
  const durations = [999.6, 9_960, 59_600, 119_900, 3_599_700, 86_399_000];
  expect(durations.map(formatDuration)).toEqual(["1.0 s", "10 s", "1 min", "2 min", "1 h", "1 day"]);
});

test("durations on an axis are told apart", () => {
  const quarters = [2.5, 250, 750, 1_000, 1_250, 1_500, 12_500, 90_000];
  expect(quarters.map(formatDurationTick)).toEqual([
    "2.5 ms",
    "250 ms",
    "750 ms",
    "1 s",
    "1.25 s",
    "1.5 s",
    "12.5 s",
    "1 min 30 s",
  ]);
});

test("a time is relative to now, in whole units, past and future", () => {
  const now = Date.parse("2026-11-21T12:00:00Z");
  const from = (seconds: number) => formatAgo(now + seconds * 1_000, now);
  expect([0, -0.4, -12, -190, -7_300, -86_400, -200_000, 40, 130].map(from)).toEqual([
    "now",
    "now",
    "12 s ago",
    "3 min ago",
    "2 h ago",
    "1 day ago",
    "2 days ago",
    "in 40 s",
    "in 2 min",
  ]);
});

test("ticks show only what distinguishes them", () => {
  const at = new Date(2026, 10, 21, 14, 5, 30).getTime();
  expect([86_400_000, 60_000, 5_000].map((step) => formatTick(at, step))).toEqual([
    "21 Nov",
    "14:05",
    "14:05:30",
  ]);
});

test.each([
  [0, "0 s"],
  [-5_000, "0 s"],
  [1, "1 s"],
  [59_001, "1 min"],
  [312_000, "5 min 12 s"],
  [3_600_000, "1 h"],
  [3_660_000, "1 h 1 min"],
  [3 * 86_400_000 + 4 * 3_600_000 + 59_000, "3 d 4 h"],
])("%i ms left are %s", (ms, text) => {
  expect(formatLeft(ms)).toBe(text);
});
