import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Running } from "./answers.ts";
import { presentOf } from "./running.ts";
import { changesAtMs, remaining, statusAt } from "./season-shown.ts";
import {
  betterClock,
  type DeviceTime,
  isDoubtful,
  readingOf,
  type ServerClock,
  serverMsAt,
} from "./server-clock.ts";

const hour = 3_600_000;
const at = (date_ms: number, steady_ms: number): DeviceTime => ({ date_ms, steady_ms });

describe("the server's clock", () => {
  test("is known to within half the round trip, whatever the device's clock says", () => {
    const delays = fc.integer({ min: 0, max: 20_000 });
    const wrong = fc.integer({ min: -100 * hour, max: 100 * hour });
    fc.assert(
      fc.property(delays, delays, wrong, (there, back, wrongMs) => {
        const asked = at(1_000_000 + wrongMs, 50);
        const stampMs = 1_000_000 + there;
        const answered = at(asked.date_ms + there + back, 50 + there + back);
        const clock = readingOf(stampMs, asked, answered);
        const trueMs = 1_000_000 + there + back;
        expect(Math.abs(serverMsAt(clock, answered) - trueMs)).toBeLessThanOrEqual(clock.error_ms);
        expect(clock.error_ms).toBe((there + back) / 2);
        const later = at(answered.date_ms + hour, answered.steady_ms + hour);
        expect(Math.abs(serverMsAt(clock, later) - trueMs - hour)).toBeLessThanOrEqual(clock.error_ms);
      }),
    );
  });

  const clock: ServerClock = { server_ms: 9_000_000, error_ms: 10, ...at(5_000, 100) };

  test.each([
    ["the device slept, and its steady clock with it", at(5_000 + 8 * hour, 100 + 60_000), 8 * hour],
    ["somebody set the clock back", at(5_000 - 8 * hour, 100 + 60_000), 60_000],
  ])("goes on where %s, and is in doubt", (_, now, passed) => {
    expect(serverMsAt(clock, now)).toBe(9_000_000 + passed);
    expect(isDoubtful(clock, now)).toBe(true);
  });

  test("is not in doubt while both clocks advance together, even if the network corrects one", () => {
    expect(isDoubtful(clock, at(5_000 + hour, 100 + hour))).toBe(false);
    expect(isDoubtful(clock, at(5_000 + hour + 900, 100 + hour))).toBe(false);
    expect(isDoubtful(clock, at(5_000 + hour + 1_100, 100 + hour))).toBe(true);
  });

  test("is the better of two readings, until that one may have drifted further", () => {
    const rough: ServerClock = { ...clock, ...at(6_000, 1_100), error_ms: 900 };
    expect(betterClock(clock, rough)).toBe(clock);
    const muchLater: ServerClock = { ...rough, ...at(5_000 + 10 * hour, 100 + 10 * hour) };
    expect(betterClock(clock, muchLater)).toBe(muchLater);
    const afterSleep: ServerClock = { ...rough, ...at(5_000 + hour, 200) };
    expect(betterClock(clock, afterSleep)).toBe(afterSleep);
    expect(betterClock(undefined, rough)).toBe(rough);
  });
});

const times = { opens_at: "2026-11-22T10:00:00.000Z", closes_at: "2026-11-22T12:00:00.000Z" };
const opens = Date.parse(times.opens_at);
const closes = Date.parse(times.closes_at);

describe("a season at a given time", () => {
  test.each([
    ["open", opens - 1, "to_come"],
    ["open", opens, "open"],
    ["open", closes - 1, "open"],
    ["open", closes, "closing"],
    ["closing", opens, "closing"],
    ["closed", closes - 1, "closed"],
  ] as const)("stored as %s is at %d %s", (status, nowMs, shown) =>
    expect(statusAt({ status, ...times }, nowMs)).toBe(shown),
  );

  test("without an end stays open", () => {
    expect(statusAt({ status: "open", opens_at: null, closes_at: null }, closes)).toBe("open");
    expect(changesAtMs({ opens_at: times.opens_at, closes_at: null }, opens)).toBe(Infinity);
  });

  test("that was ended before it opened never opens", () => {
    const early = { opens_at: times.closes_at, closes_at: times.opens_at };
    expect(statusAt({ status: "open", ...early }, opens)).toBe("closing");
    expect(changesAtMs(early, opens)).toBe(Infinity);
    expect(changesAtMs(early, opens - 1)).toBe(opens);
  });

  test("changes when it opens and when it closes", () => {
    expect(changesAtMs(times, opens - 1)).toBe(opens);
    expect(changesAtMs(times, opens)).toBe(closes);
    expect(changesAtMs(times, closes)).toBe(Infinity);
  });
});

describe("remaining", () => {
  // The device's clock is three days slow.
  const read = at(opens - 72 * hour, 100);
  const clock: ServerClock = { server_ms: opens - hour, error_ms: 20, ...read };
  const after = (ms: number) => at(read.date_ms + ms, read.steady_ms + ms);

  test("counts down to the beginning, then to the end, and stays at 0", () => {
    const season = { ...times, clock };
    expect(remaining(season, after(0))).toBe(hour);
    expect(remaining(season, after(hour - 1))).toBe(1);
    expect(remaining(season, after(hour))).toBe(2 * hour);
    expect(remaining(season, after(3 * hour))).toBe(0);
    expect(remaining(season, after(30 * hour))).toBe(0);
  });

  test("is null for a season without an end, and uses the device's clock if nothing better is known", () => {
    expect(remaining({ opens_at: times.opens_at, closes_at: null, clock }, after(2 * hour))).toBe(null);
    expect(remaining({ opens_at: null, closes_at: null, clock: null })).toBe(null);
    expect(remaining({ ...times, clock: null }, at(closes - 5, 0))).toBe(5);
  });
});

describe("the current season of a span", () => {
  const running: Running = {
    span: "daily",
    season: "daily-1",
    ...times,
    next: { season: "daily-2", opens_at: times.closes_at, closes_at: "2026-11-23T12:00:00.000Z" },
  };

  test("is the one that was running, from its end on the next one, and after that undefined", () => {
    expect(presentOf(running, opens)?.season).toBe("daily-1");
    expect(presentOf(running, closes - 1)?.season).toBe("daily-1");
    expect(presentOf(running, closes)).toMatchObject({ season: "daily-2", opensMs: closes });
    expect(presentOf(running, closes + 24 * hour)).toBe(undefined);
  });

  test("is all_time for ever", () => {
    const allTime: Running = {
      span: "all_time",
      season: "all_time",
      opens_at: null,
      closes_at: null,
      next: null,
    };
    expect(presentOf(allTime, closes)).toEqual({
      season: "all_time",
      opensMs: -Infinity,
      closesMs: Infinity,
    });
  });
});
