import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Calendar, type CalendarSeason, seasonAt, takesOverAtMs, timeIn } from "./calendar.ts";
import { type CalendarSpan, calendarSpans, spanOfId } from "./season-id.ts";
import { definitionSchema, weekdays } from "./definition.ts";

const dayMs = 86_400_000;
const calendar = (zone: string, start: Calendar["week_starts_on"] = "monday"): Calendar => ({
  time_zone: zone,
  week_starts_on: start,
});
const ms = (time: string) => Date.parse(time);

/** Each has a peculiarity: half hours, midnights that do not exist or come twice, skipped dates. */
const zones = [
  "UTC",
  "Europe/Vienna",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Asia/Beirut",
  "Asia/Pyongyang",
  "America/Havana",
  "America/St_Johns",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago",
];

/** What a wall clock shows, according to the runtime: "2026-11-21 23:59". */
function wall(zone: string): (atMs: number) => string {
  const format = new Intl.DateTimeFormat("sv", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "short",
  });
  return (atMs) => format.format(atMs);
}

/** All seasons of a span from the one at a moment to the one at another. */
function* seasonsBetween(span: CalendarSpan, from: string, until: string, of: Calendar) {
  let season = seasonAt(span, ms(from), of);
  for (; season.opensAtMs < ms(until); season = seasonAt(span, season.closesAtMs, of)) yield season;
}

const anySpan = fc.constantFrom(...calendarSpans);
const anyMoment = fc.integer({ min: 0, max: ms("2100-01-01") });
const anyCalendar = fc.record({
  time_zone: fc.constantFrom(...zones, "Etc/GMT+12", "Etc/GMT-14", "Asia/Tokyo", "America/Los_Angeles"),
  week_starts_on: fc.constantFrom(...weekdays),
});

describe("a day", () => {
  test.each([
    ["UTC", "2026-11-21", "2026-11-21T00:00Z", 24],
    ["Europe/Vienna", "2026-11-21", "2026-11-20T23:00Z", 24],
    ["Europe/Vienna", "2026-03-29", "2026-03-28T23:00Z", 23],
    ["Europe/Vienna", "2026-10-25", "2026-10-24T22:00Z", 25],
    ["America/New_York", "2026-03-08", "2026-03-08T05:00Z", 23],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00Z", 25],
    ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00Z", 24.5],
    ["Australia/Lord_Howe", "2026-10-04", "2026-10-03T13:30Z", 23.5],
    ["Asia/Kathmandu", "2026-11-21", "2026-11-20T18:15Z", 24],
    ["Asia/Kolkata", "2026-11-21", "2026-11-20T18:30Z", 24],
    ["Pacific/Kiritimati", "2026-11-21", "2026-11-20T10:00Z", 24],
    // At midnight clocks go to 01:00, so the day begins then.
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00Z", 23],
    ["Africa/Cairo", "2024-04-26", "2024-04-25T22:00Z", 23],
    ["Asia/Beirut", "2024-03-31", "2024-03-30T22:00Z", 23],
    // At midnight clocks go back to 23:00, and the day goes on.
    ["America/Sao_Paulo", "2018-02-17", "2018-02-17T02:00Z", 25],
    ["Africa/Cairo", "2024-10-31", "2024-10-30T21:00Z", 25],
    ["Asia/Beirut", "2024-10-26", "2024-10-25T21:00Z", 25],
    ["Asia/Pyongyang", "2015-08-14", "2015-08-13T15:00Z", 24.5],
    ["Asia/Pyongyang", "2018-05-04", "2018-05-03T15:30Z", 23.5],
    // At 01:00 clocks go back to midnight: the day began at the first midnight.
    ["America/Havana", "2026-11-01", "2026-11-01T04:00Z", 25],
    // At 00:01 clocks went back to 23:01 of the day before, which was already over.
    ["America/St_Johns", "2006-10-28", "2006-10-28T02:30Z", 24],
    ["America/St_Johns", "2006-10-29", "2006-10-29T02:30Z", 25],
  ])("in %s, %s begins at %s and has %d hours", (zone, date, opens, hours) => {
    const opensAtMs = ms(opens);
    const season = { season: `daily-${date}`, opensAtMs, closesAtMs: opensAtMs + hours * 3_600_000 };
    expect(seasonAt("daily", opensAtMs, calendar(zone))).toEqual(season);
    expect(seasonAt("daily", season.closesAtMs - 1, calendar(zone))).toEqual(season);
    expect(seasonAt("daily", opensAtMs - 1, calendar(zone)).closesAtMs).toBe(opensAtMs);
    expect(seasonAt("daily", season.closesAtMs, calendar(zone)).opensAtMs).toBe(season.closesAtMs);
  });

  test("does not come back in the hour that is repeated after the next day has begun", () => {
    // No other test asks for this date, so it is worked out here, from a date that is over.
    const twice = ms("2005-10-30T02:45Z");
    expect(wall("America/St_Johns")(twice)).toBe("2005-10-29 23:15");
    expect(seasonAt("daily", twice, calendar("America/St_Johns"))).toEqual({
      season: "daily-2005-10-30",
      opensAtMs: ms("2005-10-30T02:30Z"),
      closesAtMs: ms("2005-10-31T03:30Z"),
    });
  });

  test("that a zone skipped is no season and does not shorten the others", () => {
    const seasons = [
      ...seasonsBetween("daily", "2011-12-28T12:00Z", "2011-12-31T12:00Z", calendar("Pacific/Apia")),
    ];
    expect(seasons).toEqual(
      [
        ["2011-12-28", "2011-12-28T10:00Z", "2011-12-29T10:00Z"],
        ["2011-12-29", "2011-12-29T10:00Z", "2011-12-30T10:00Z"],
        ["2011-12-31", "2011-12-30T10:00Z", "2011-12-31T10:00Z"],
        ["2012-01-01", "2011-12-31T10:00Z", "2012-01-01T10:00Z"],
      ].map(([date = "", opens = "", closes = ""]) => ({
        season: `daily-${date}`,
        opensAtMs: ms(opens),
        closesAtMs: ms(closes),
      })),
    );
    const weekly = seasonAt("weekly", ms("2011-12-29T12:00Z"), calendar("Pacific/Apia"));
    expect(weekly.season).toBe("weekly-2011-W52");
    expect((weekly.closesAtMs - weekly.opensAtMs) / dayMs).toBe(6);
  });

  test("follows the rules of its zone as they change from year to year", () => {
    const hours = (zone: string, noon: string) => {
      const { opensAtMs, closesAtMs } = seasonAt("daily", ms(noon), calendar(zone));
      return (closesAtMs - opensAtMs) / 3_600_000;
    };
    // Egypt had no daylight saving from 2015 to 2022, and has it again since 2023: from the last Friday in April.
    expect(["2022-04-29", "2023-04-28"].map((day) => hours("Africa/Cairo", `${day}T12:00Z`))).toEqual([
      24, 23,
    ]);
    // Turkey has not gone back to winter time since 2016; Brazil had its last summer time in 2018.
    expect(["2015-11-08", "2016-11-06"].map((day) => hours("Europe/Istanbul", `${day}T12:00Z`))).toEqual([
      25, 24,
    ]);
    expect(["2018-11-04", "2019-11-03"].map((day) => hours("America/Sao_Paulo", `${day}T12:00Z`))).toEqual([
      23, 24,
    ]);
  });
});

describe.each(zones)("in %s", (zone) => {
  const clock = wall(zone);
  /** Whether clocks went back over a midnight, so that one date lies on both sides of the beginning of another. */
  const isOdd = zone === "America/St_Johns";

  test("each day of eight years is one date of a wall clock", () => {
    for (const [from, until] of [
      ["2011-01-01", "2013-01-01"],
      ["2015-01-01", "2016-01-01"],
      ["2018-01-01", "2020-01-01"],
      ["2024-01-01", "2027-01-01"],
    ] as const) {
      let before: CalendarSeason | undefined;
      for (const day of seasonsBetween("daily", from, until, calendar(zone))) {
        const date = day.season.slice("daily-".length);
        const problem = `${day.season} of ${zone}`;
        expect(clock(day.opensAtMs).slice(0, 10), problem).toBe(date);
        expect(clock(day.closesAtMs - 1).slice(0, 10), problem).toBe(date);
        if (!isOdd) expect(clock(day.opensAtMs - 1).slice(0, 10) < date, problem).toBe(true);
        if (before !== undefined) {
          expect(before.closesAtMs, problem).toBe(day.opensAtMs);
          expect(before.season < day.season, problem).toBe(true);
        }
        before = day;
      }
    }
  });

  test("weeks and months begin where one of their days begins, and follow each other without a gap", () => {
    for (const span of ["weekly", "monthly"] as const)
      for (const start of ["monday", "sunday"] as const) {
        let before: CalendarSeason | undefined;
        for (const season of seasonsBetween(span, "2010-01-01", "2028-01-01", calendar(zone, start))) {
          const problem = `${season.season} of ${zone}`;
          expect(seasonAt("daily", season.opensAtMs, calendar(zone)).opensAtMs, problem).toBe(
            season.opensAtMs,
          );
          const date = new Date(`${clock(season.opensAtMs).slice(0, 10)}T00:00Z`);
          if (span === "monthly") expect(date.toISOString().slice(0, 10), problem).toMatch(/-01$/);
          else expect(date.getUTCDay(), problem).toBe((weekdays.indexOf(start) + 1) % 7);
          if (before !== undefined) {
            expect(before.closesAtMs, problem).toBe(season.opensAtMs);
            expect(before.season < season.season, problem).toBe(true);
          }
          before = season;
        }
        if (span === "monthly") break;
      }
  });
});

describe("a week", () => {
  test("that begins on Monday has the number that ISO 8601 gives it", () => {
    for (let at = ms("1970-01-01"); at < ms("2070-01-01"); at += 3 * dayMs) {
      expect(seasonAt("weekly", at, calendar("UTC")).season).toBe(`weekly-${isoWeek(new Date(at))}`);
    }
  });

  /**
   * By the formula of https://en.wikipedia.org/wiki/ISO_week_date, from the day itself instead of the fourth day of its
   * week.
   */
  function isoWeek(date: Date): string {
    const year = date.getUTCFullYear();
    const ordinal = (date.getTime() - Date.UTC(year, 0, 1)) / dayMs + 1;
    const week = Math.floor((10 + ordinal - (date.getUTCDay() || 7)) / 7);
    const [inYear, number] =
      week < 1 ? [year - 1, weeksOf(year - 1)] : week > weeksOf(year) ? [year + 1, 1] : [year, week];
    return `${inYear}-W${String(number).padStart(2, "0")}`;
  }

  function weeksOf(year: number): number {
    const lastDay = (of: number) =>
      (of + Math.floor(of / 4) - Math.floor(of / 100) + Math.floor(of / 400)) % 7;
    return lastDay(year) === 4 || lastDay(year - 1) === 3 ? 53 : 52;
  }

  test.each([
    ["monday", "2026-12-28", "weekly-2026-W53", "weekly-2027-W01", "2027-01-04"],
    ["tuesday", "2026-12-29", "weekly-2027-W01", "weekly-2027-W02", "2027-01-05"],
    ["wednesday", "2026-12-30", "weekly-2027-W01", "weekly-2027-W02", "2027-01-06"],
    ["thursday", "2026-12-31", "weekly-2027-W01", "weekly-2027-W02", "2027-01-07"],
    ["friday", "2027-01-01", "weekly-2027-W01", "weekly-2027-W02", "2027-01-08"],
    ["saturday", "2026-12-26", "weekly-2026-W52", "weekly-2027-W01", "2027-01-02"],
    ["sunday", "2026-12-27", "weekly-2026-W52", "weekly-2027-W01", "2027-01-03"],
  ] as const)("that begins on %s holds the turn of 2027", (start, opens, season, next, nextOpens) => {
    const of = calendar("UTC", start);
    const turn = seasonAt("weekly", ms("2027-01-01"), of);
    expect(turn).toEqual({ season, opensAtMs: ms(opens), closesAtMs: ms(nextOpens) });
    expect(seasonAt("weekly", turn.closesAtMs, of).season).toBe(next);
  });

  test.each(weekdays)(
    "that begins on %s is the first of the year in which it has four days or more",
    (start) => {
      const of = calendar("Europe/Vienna", start);
      const first = weekdays.indexOf(start);
      for (let year = 1990; year <= 2060; year++) {
        const week = seasonAt("weekly", ms(`${year}-01-04T12:00Z`), of);
        const opens = new Date(week.opensAtMs + dayMs / 2);
        expect((opens.getUTCDay() + 6) % 7).toBe(first);
        const daysBefore = (Date.UTC(year, 0, 1) - opens.setUTCHours(0)) / dayMs;
        // January 4 is in the first of the two weeks near January 1 if that week has four days of the year.
        expect(daysBefore).toBeLessThanOrEqual(3);
        expect(daysBefore).toBeGreaterThanOrEqual(-3);
        expect(week.season).toBe(`weekly-${year}-W01`);
        const last = seasonAt("weekly", week.opensAtMs - 1, of).season;
        expect(last).toMatch(new RegExp(`^weekly-${year - 1}-W5[23]$`));
      }
    },
  );
});

test("a month has its year and number, and all of its days", () => {
  const month = (at: string, zone: string) => {
    const { season, opensAtMs, closesAtMs } = seasonAt("monthly", ms(at), calendar(zone));
    return [season, (closesAtMs - opensAtMs) / 3_600_000];
  };
  expect(month("2024-02-29T23:59Z", "UTC")).toEqual(["monthly-2024-02", 29 * 24]);
  expect(month("2024-02-29T23:59Z", "Europe/Vienna")).toEqual(["monthly-2024-03", 31 * 24 - 1]);
  expect(month("2026-10-31T22:59Z", "Europe/Vienna")).toEqual(["monthly-2026-10", 31 * 24 + 1]);
  expect(month("2026-12-31T10:00Z", "Pacific/Kiritimati")).toEqual(["monthly-2027-01", 31 * 24]);
  expect(month("2011-12-15", "Pacific/Apia")).toEqual(["monthly-2011-12", 30 * 24]);
});

describe("the seasons of a span", () => {
  test("tile time, for any calendar and moment", () => {
    fc.assert(
      fc.property(anySpan, anyMoment, anyCalendar, (span, at, of) => {
        const season = seasonAt(span, at, of);
        expect(season.opensAtMs).toBeLessThanOrEqual(at);
        expect(season.closesAtMs).toBeGreaterThan(at);
        for (const inside of [season.opensAtMs, season.closesAtMs - 1, at + 0.5])
          expect(seasonAt(span, inside, of)).toEqual(season);
        const [before, next] = [season.opensAtMs - 1, season.closesAtMs].map((other) =>
          seasonAt(span, other, of),
        );
        expect(before?.closesAtMs).toBe(season.opensAtMs);
        expect(next?.opensAtMs).toBe(season.closesAtMs);
        expect((before?.season ?? "") < season.season).toBe(true);
        expect((next?.season ?? "") > season.season).toBe(true);
        expect(spanOfId(season.season)).toBe(span);
      }),
      { numRuns: 1_000 },
    );
  });

  test("are known for each time zone that a definition accepts", () => {
    const odd = ["utc", "europe/vienna", "US/Pacific", "EST5EDT", "Etc/GMT+12", "GMT", "+05:30", "-23:59"];
    for (const zone of [...Intl.supportedValuesOf("timeZone"), ...odd]) {
      expect(definitionSchema(0).safeParse({ time_zone: zone }).success, zone).toBe(true);
      const { season, opensAtMs } = seasonAt("daily", ms("2026-11-21T12:00Z"), calendar(zone));
      expect(season, zone).toBe(`daily-${wall(zone)(opensAtMs).slice(0, 10)}`);
    }
  });
});

describe("another calendar takes over", () => {
  test("at its first boundary at or after the season's end", () => {
    const daily = seasonAt("daily", ms("2026-11-21T12:00Z"), calendar("Europe/Vienna"));
    expect(takesOverAtMs("daily", daily, calendar("Europe/Vienna"))).toBe(daily.closesAtMs);
    expect(takesOverAtMs("daily", daily, calendar("UTC"))).toBe(ms("2026-11-22T00:00Z"));
    expect(takesOverAtMs("daily", daily, calendar("America/New_York"))).toBe(ms("2026-11-22T05:00Z"));
    expect(takesOverAtMs("daily", daily, calendar("Asia/Tokyo"))).toBe(ms("2026-11-22T15:00Z"));
    const weekly = seasonAt("weekly", ms("2026-11-21T12:00Z"), calendar("UTC"));
    expect(takesOverAtMs("weekly", weekly, calendar("UTC", "sunday"))).toBe(ms("2026-11-29"));
    expect(takesOverAtMs("weekly", weekly, calendar("UTC", "tuesday"))).toBe(ms("2026-11-24"));
  });

  test("a day later if that boundary begins a date that the season already had", () => {
    const daily = seasonAt("daily", ms("2026-11-21T12:00Z"), calendar("Pacific/Kiritimati"));
    expect(daily).toMatchObject({ season: "daily-2026-11-22", closesAtMs: ms("2026-11-22T10:00Z") });
    const after = calendar("Pacific/Pago_Pago");
    expect(seasonAt("daily", ms("2026-11-22T11:00Z"), after)).toMatchObject({
      season: "daily-2026-11-22",
      opensAtMs: ms("2026-11-22T11:00Z"),
    });
    expect(takesOverAtMs("daily", daily, after)).toBe(ms("2026-11-23T11:00Z"));
  });

  test("a week later if that boundary begins a week with the same number", () => {
    const running = seasonAt("weekly", ms("2025-12-29T12:00Z"), calendar("Pacific/Kiritimati", "monday"));
    const after = calendar("Pacific/Pago_Pago", "sunday");
    expect(running).toMatchObject({ season: "weekly-2026-W01", closesAtMs: ms("2026-01-04T10:00Z") });
    expect(seasonAt("weekly", ms("2026-01-04T11:00Z"), after).season).toBe("weekly-2026-W01");
    expect(takesOverAtMs("weekly", running, after)).toBe(ms("2026-01-11T11:00Z"));
  });

  test("without cutting a season short or using an id twice, however often calendars change", () => {
    const anyChange = fc.record({ calendar: anyCalendar, share: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(
        anySpan,
        anyMoment,
        anyCalendar,
        fc.array(anyChange, { minLength: 1, maxLength: 5 }),
        (span, now, first, changes) => {
          let running = seasonAt(span, now, first);
          for (const { calendar: after, share } of changes) {
            const takesOver = takesOverAtMs(span, running, after);
            const next = seasonAt(span, takesOver, after);
            expect(takesOver).toBeGreaterThanOrEqual(running.closesAtMs);
            expect(next.opensAtMs).toBe(takesOver);
            expect(next.season > running.season).toBe(true);
            const passedOver = seasonAt(span, takesOver - 1, after);
            const isLate = passedOver.opensAtMs < running.closesAtMs || passedOver.season <= running.season;
            expect(isLate).toBe(true);
            const longest = { daily: 25, weekly: 7 * 24 + 1, monthly: 31 * 24 + 1 }[span] * 3_600_000;
            expect(takesOver - running.closesAtMs).toBeLessThan(2 * longest);
            // The next change comes while the season before is still extended, or in a season of the new calendar.
            running =
              share < 0.3
                ? { ...running, closesAtMs: takesOver }
                : seasonAt(span, takesOver + Math.floor(share * 3 * longest), after);
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

test.each([
  ["2026-12-01T18:00", "Europe/Vienna", "2026-12-01T17:00:00Z"],
  ["2026-12-01T18:00:05", "UTC", "2026-12-01T18:00:05Z"],
  // Skipped, and shown twice.
  ["2026-03-29T02:30", "Europe/Vienna", "2026-03-29T01:30:00Z"],
  ["2026-10-25T02:30", "Europe/Vienna", "2026-10-25T00:30:00Z"],
])("%s in %s is %s", (text, zone, time) => {
  expect(timeIn(text, zone)).toBe(ms(time));
});

test("a text that is no time and an unknown zone are errors", () => {
  expect(() => timeIn("tomorrow", "UTC")).toThrow(RangeError);
  expect(() => timeIn("2026-12-01T18:00", "Vienna")).toThrow(RangeError);
});

test("ids of the calendar and of all_time are reserved for their seasons", () => {
  const ids = ["all_time", "daily-2026-11-21", "weekly-2026-W47", "monthly-2026-11", "daily-", "weekly-cup"];
  expect(ids.map(spanOfId)).toEqual(["all_time", "daily", "weekly", "monthly", "daily", "weekly"]);
  const free = ["all_times", "daily", "dailycup", "my-daily-2026", "cup-2026", "Daily-2026"];
  expect(free.map(spanOfId)).toEqual(free.map(() => "custom"));
});
