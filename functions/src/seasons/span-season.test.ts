import { describe, expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import type { RunningSeasons } from "../documents/season.ts";
import { lateEventMsMax } from "../model/limits.ts";
import { definitionOf } from "../../../test/support/definitions.ts";
import {
  type Calendars,
  recentSpanSeason,
  runningSeasons,
  spanSeasonAt,
  calendarNoticeMs,
} from "./span-season.ts";

const before = definitionOf({ spans: ["weekly"], time_zone: "America/New_York", week_starts_on: "sunday" });
/** The weeks of New York begin on Sundays at 05:00 UTC in winter. */
const beginsMs = Date.UTC(2027, 0, 3, 5);

describe.each(["monday", "sunday", "wednesday"] as const)(
  "where weeks are to begin on a %s elsewhere",
  (day) => {
    const after = definitionOf({ spans: ["weekly"], time_zone: "Australia/Lord_Howe", week_starts_on: day });
    const calendar = { definition: before, running: {} };

    test("a change about when a week begins leaves the week before", () => {
      for (const ms of [-5_000, 5_000, 3_600_000]) {
        const changed = { definition: after, running: runningSeasons(calendar, after, beginsMs + ms) };
        const last = spanSeasonAt("board", changed, "weekly", beginsMs - 1);
        expect(last).toMatchObject({ key: { season: "weekly-2026-W52" }, closesAtMs: beginsMs });
        const present = spanSeasonAt("board", changed, "weekly", beginsMs);
        expect(present).toMatchObject({ key: { season: "weekly-2027-W01" }, opensAtMs: beginsMs });
        expect(present.before?.season).toBe("weekly-2026-W52");
        const recent = (season: string) =>
          recentSpanSeason(changed, { leaderboard: "board", season }, beginsMs + ms)?.closesAtMs;
        // The week in its place in the new calendar is never used.
        const weeks = ["weekly-2026-W52", "weekly-2026-W53", "weekly-2027-W02"];
        expect(weeks.map(recent)).toEqual([beginsMs, undefined, undefined]);
      }
    });

    test("running seasons that no request needs any more are not kept", () => {
      const { weekly = [] } = runningSeasons(calendar, after, beginsMs + lateEventMsMax);
      expect(weekly.map(({ season }) => season)).toEqual(["weekly-2027-W01"]);
    });
  },
);

const utc = definitionOf({ spans: ["all_time", "daily"], time_zone: "UTC" });
const zoneOf = (time_zone: string) => ({ ...utc, time_zone });
/** A time of UTC, such as `2027-03-10 12:00`, in milliseconds. */
const ms = (text: string) => Date.parse(`${text}Z`);
const running = (season: string, opens: string, closes: string) => ({
  season,
  opens_at: Timestamp.fromMillis(ms(opens)),
  closes_at: Timestamp.fromMillis(ms(closes)),
});
/** The other way round. */
const text = (at: Timestamp) => at.toDate().toISOString().slice(0, 16).replace("T", " ");
/** The days that run on: each with its id, when it opens and when it closes. */
const days = ({ daily = [] }: RunningSeasons) =>
  daily.map(({ season, opens_at: opens, closes_at: closes }) =>
    [season, text(opens), text(closes)].join(", "),
  );
const changed = (before: Calendars, next: Calendars["definition"], now: string) =>
  runningSeasons(before, next, ms(now));

describe("a board with all_time and days of UTC", () => {
  const calendars = { definition: utc, running: {} };

  test("has an all-time season that begins with its first score and never ends", () => {
    const key = { leaderboard: "board", season: "all_time" };
    const spanSeason = { key, span: "all_time", opensAtMs: null, closesAtMs: null, before: undefined };
    expect(spanSeasonAt("board", calendars, "all_time", ms("2027-03-10 12:00"))).toEqual(spanSeason);
    expect(recentSpanSeason(calendars, key, ms("2027-03-10 12:00"))).toEqual(spanSeason);
  });

  test("knows by their ids today and yesterday, and no day before or after these", () => {
    const opens = (season: string) =>
      recentSpanSeason(calendars, { leaderboard: "board", season }, ms("2027-03-10 12:00"))?.opensAtMs;
    expect(opens("daily-2027-03-10")).toBe(ms("2027-03-10 00:00"));
    expect(opens("daily-2027-03-09")).toBe(ms("2027-03-09 00:00"));
    expect(["daily-2027-03-08", "daily-2027-03-11"].map(opens)).toEqual([undefined, undefined]);
  });
});

describe("a board that moves from UTC to Tokyo, where days begin at 15:00 UTC,", () => {
  const toTokyo = () => changed({ definition: utc, running: {} }, zoneOf("Asia/Tokyo"), "2027-03-10 12:00");
  const moved = () => ({ definition: zoneOf("Asia/Tokyo"), running: toTokyo() });

  test("goes on with today until the first midnight there that does not cut it short", () => {
    expect(days(toTokyo())).toEqual([
      "daily-2027-03-09, 2027-03-09 00:00, 2027-03-10 00:00",
      "daily-2027-03-10, 2027-03-10 00:00, 2027-03-11 15:00",
    ]);
  });

  test("does the same with the week and the month, as it may have these spans later", () => {
    const { weekly, monthly } = toTokyo();
    expect(weekly).toEqual([running("weekly-2027-W10", "2027-03-08 00:00", "2027-03-21 15:00")]);
    expect(monthly).toEqual([running("monthly-2027-03", "2027-03-01 00:00", "2027-04-30 15:00")]);
  });

  test("has days of Tokyo behind those that run on, and before them", () => {
    const seasonAt = (now: string) => spanSeasonAt("board", moved(), "daily", ms(now)).key.season;
    expect(seasonAt("2027-03-11 14:59")).toBe("daily-2027-03-10");
    expect(seasonAt("2027-03-11 15:00")).toBe("daily-2027-03-12");
    expect(seasonAt("2027-03-08 12:00")).toBe("daily-2027-03-08");
  });

  test("and back on the same day keeps each day once, and today until the next midnight of UTC", () => {
    expect(days(changed(moved(), utc, "2027-03-10 18:00"))).toEqual([
      "daily-2027-03-09, 2027-03-09 00:00, 2027-03-10 00:00",
      "daily-2027-03-10, 2027-03-10 00:00, 2027-03-12 00:00",
    ]);
  });

  test("keeps a day that runs on, when it is saved again, as long as events of that day may come", () => {
    const saved = (nowMs: number) => days(runningSeasons(moved(), moved().definition, nowMs));
    const lastMs = ms("2027-03-10 00:00") + lateEventMsMax;
    expect(saved(lastMs - 1)).toEqual(days(toTokyo()));
    expect(saved(lastMs)).toEqual(days(toTokyo()).slice(1));
  });
});

test("a week of the calendar ends where one begins that runs on from another calendar", () => {
  const kolkata = definitionOf({ spans: ["weekly"], time_zone: "Asia/Kolkata", week_starts_on: "sunday" });
  const newYork = definitionOf({
    spans: ["weekly"],
    time_zone: "America/New_York",
    week_starts_on: "monday",
  });
  const moved = runningSeasons({ definition: newYork, running: {} }, kolkata, ms("2026-04-23 12:00"));
  const back = { definition: kolkata, running: moved };
  expect(spanSeasonAt("board", back, "weekly", ms("2026-04-18 18:30"))).toMatchObject({
    key: { season: "weekly-2026-W16" },
    closesAtMs: ms("2026-04-20 04:00"),
  });
});

test("where the calendar stays the same, no season runs on", () => {
  expect(changed({ definition: utc, running: {} }, { ...utc, spans: ["daily"] }, "2027-03-10 12:00")).toEqual(
    {},
  );
});

test("a week goes on until the first of the new days on which weeks begin", () => {
  const sundays = { ...utc, week_starts_on: "sunday" as const };
  const { weekly } = changed({ definition: utc, running: {} }, sundays, "2027-03-10 12:00");
  expect(weekly).toEqual([running("weekly-2027-W10", "2027-03-08 00:00", "2027-03-21 00:00")]);
});

test("a day that ends before every instance knows of a move ends as it would have, and the next one runs on", () => {
  const midnightMs = ms("2027-03-11 00:00");
  const move = (beforeEndMs: number) =>
    days(runningSeasons({ definition: utc, running: {} }, zoneOf("Asia/Tokyo"), midnightMs - beforeEndMs));
  expect(move(calendarNoticeMs).at(-1)).toBe("daily-2027-03-10, 2027-03-10 00:00, 2027-03-11 15:00");
  expect(move(calendarNoticeMs - 1)).toEqual([
    "daily-2027-03-09, 2027-03-09 00:00, 2027-03-10 00:00",
    "daily-2027-03-10, 2027-03-10 00:00, 2027-03-11 00:00",
    "daily-2027-03-11, 2027-03-11 00:00, 2027-03-12 15:00",
  ]);
});

test("after a day of 23 hours the day before it is kept too, as its events may still come", () => {
  // Lagos is always at UTC+1, Berlin until the morning of March 28, and in Tokyo days begin at 15:00 UTC.
  const lagos = { definition: zoneOf("Africa/Lagos"), running: {} };
  const toBerlin = changed(lagos, zoneOf("Europe/Berlin"), "2027-03-27 12:00");
  expect(days(toBerlin).at(-1)).toBe("daily-2027-03-27, 2027-03-26 23:00, 2027-03-27 23:00");
  const berlin = { definition: zoneOf("Europe/Berlin"), running: toBerlin };
  expect(days(changed(berlin, zoneOf("Asia/Tokyo"), "2027-03-28 22:30"))).toEqual([
    "daily-2027-03-27, 2027-03-26 23:00, 2027-03-27 23:00",
    "daily-2027-03-28, 2027-03-27 23:00, 2027-03-28 22:00",
    "daily-2027-03-29, 2027-03-28 22:00, 2027-03-30 15:00",
  ]);
});
