import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Calendar,
  type CalendarSeason,
  seasonAt,
  takesOverAtMs,
  timeIn,
  zoneProblem,
} from "./calendar.ts";
import { type CalendarSpan, calendarSpans, spanOfId } from "./season-id.ts";
import { weekdays } from "./definition.ts";

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
  "Europe/Istanbul",
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

/** Where clocks went back over a midnight, so that one date lies on both sides of the beginning of another. */
test.each([
  ["2005-10-30", "2005-10-30T02:30Z", 25],
  ["2006-10-28", "2006-10-28T02:30Z", 24],
  ["2006-10-29", "2006-10-29T02:30Z", 25],
])("in St. John's, %s began at %s and had %d hours", (date, opens, hours) => {
  const opensAtMs = ms(opens);
  const season = { season: `daily-${date}`, opensAtMs, closesAtMs: opensAtMs + hours * 3_600_000 };
  // The first question is about a moment at which clocks may show the day before once more.
  for (const at of [opensAtMs + 900_000, opensAtMs, season.closesAtMs - 1])
    expect(seasonAt("daily", at, calendar("America/St_Johns"))).toEqual(season);
});

describe.each(zones)("in %s", (zone) => {
  const clock = wall(zone);

  test.each([
    ["daily", "monday", 2011, 2011],
    ["daily", "monday", 2015, 2018],
    ["daily", "monday", 2022, 2024],
    ["weekly", "monday", 2010, 2027],
    ["weekly", "sunday", 2010, 2027],
    ["monthly", "monday", 2010, 2027],
  ] as const)("%s seasons from %s begin with a date of a wall clock (%i to %i)", (span, start, from, to) => {
    let before: CalendarSeason | undefined;
    for (const season of seasonsBetween(span, `${from}-01-01`, `${to + 1}-01-01`, calendar(zone, start))) {
      const { season: id, opensAtMs, closesAtMs } = season;
      const first = clock(opensAtMs).slice(0, 10);
      expect(seasonAt("daily", opensAtMs, calendar(zone)).opensAtMs, id).toBe(opensAtMs);
      expect(before?.closesAtMs ?? opensAtMs, id).toBe(opensAtMs);
      expect((before?.season ?? "") < id, id).toBe(true);
      if (span === "monthly") expect(`${id}-01`).toBe(`monthly-${first}`);
      else if (span === "weekly")
        expect(new Date(first).getUTCDay(), id).toBe((weekdays.indexOf(start) + 1) % 7);
      else {
        expect(id).toBe(`daily-${first}`);
        expect(clock(closesAtMs - 1).slice(0, 10)).toBe(first);
        if (zone !== "America/St_Johns") expect(clock(opensAtMs - 1).slice(0, 10) < first, id).toBe(true);
      }
      before = season;
    }
  });
});

test("weeks are counted from the one that has January 4, as ISO 8601 does", () => {
  for (const start of weekdays)
    for (let year = 1990; year <= 2060; year++) {
      const of = calendar("UTC", start);
      let { opensAtMs } = seasonAt("weekly", ms(`${year}-01-04`), of);
      expect(new Date(opensAtMs).getUTCDay()).toBe((weekdays.indexOf(start) + 1) % 7);
      for (let week = 1; opensAtMs + 3 * dayMs < ms(`${year + 1}-01-01`); week++) {
        const closesAtMs = opensAtMs + 7 * dayMs;
        const season = `weekly-${year}-W${String(week).padStart(2, "0")}`;
        expect(seasonAt("weekly", closesAtMs - 1, of)).toEqual({ season, opensAtMs, closesAtMs });
        opensAtMs = closesAtMs;
      }
    }
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

  test("are known for each time zone that Intl lists, and for offsets", () => {
    const odd = ["utc", "europe/vienna", "US/Pacific", "EST5EDT", "Etc/GMT+12", "GMT", "+05:30", "-23:59"];
    for (const zone of [...Intl.supportedValuesOf("timeZone"), ...odd]) {
      expect([zone, zoneProblem(zone)]).toEqual([zone, undefined]);
      const { season, opensAtMs } = seasonAt("daily", ms("2026-11-21T12:00Z"), calendar(zone));
      expect(season, zone).toBe(`daily-${wall(zone)(opensAtMs).slice(0, 10)}`);
    }
  });
});

describe("a time zone", () => {
  const short =
    "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST".split(
      " ",
    );

  test.each([...short, "jst"])(
    "is not named by the short name %s, which Intl takes for one of several",
    (name) => {
      const meant = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
      expect(zoneProblem(name)).toBe(
        `must be an IANA time zone, such as "Europe/Vienna"; "${name}" is none: write "${meant}", if you mean that one of the zones that it may stand for`,
      );
      expect(zoneProblem(meant)).toBe(undefined);
    },
  );

  test("has a name or an offset, and not the text of a date", () => {
    const others = ["", "Europe/Atlantis", "Etc/Unknown", "+24:00", "UTC+1", "T0000Z", "+05:30:15", "Z"];
    for (const name of [...others, "2020-01-01T00:00Z", "2020-01-01T00:00+01:00[Europe/Vienna]", "[UTC]"])
      expect([name, zoneProblem(name)]).toEqual([name, 'must be an IANA time zone, such as "Europe/Vienna"']);
    // With a minus sign of typography.
    expect(zoneProblem("\u221205:00")).toMatch(/; "\u221205:00" is none: write "-05:00", if/);
  });

  test("has no space around its name, which is said, as nobody sees it", () => {
    for (const name of ["Europe/Vienna ", " UTC", "\tUTC"])
      expect(zoneProblem(name)).toMatch(/, without space around it$/);
  });

  test("has seasons if nothing is wrong with its name, and is refused with a sentence otherwise", () => {
    const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    const names = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
    const known = names.filter((name) => zoneProblem(name) === undefined);
    expect(known).toEqual(expect.arrayContaining(["CET", "EST", "GMT", "HST", "UTC"]));
    for (const name of known)
      for (const span of calendarSpans)
        expect(seasonAt(span, 0, calendar(name)).closesAtMs).toBeGreaterThan(0);
    expect(() => seasonAt("daily", 0, calendar("JST"))).toThrow(
      expect.objectContaining({
        code: "unknown_schema_version",
        message: expect.stringMatching(
          /^The time zone of the board is not known here: .*"JST" is none: write "Asia\/Tokyo"/,
        ) as unknown,
      }),
    );
  });
});

describe("another calendar takes over", () => {
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

  test("without cutting a season short or using an id twice, however often calendars change", () => {
    const anyChange = fc.record({ calendar: anyCalendar, share: fc.double({ min: 0, max: 1, noNaN: true }) });
    const anyChanges = fc.array(anyChange, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(anySpan, anyMoment, anyCalendar, anyChanges, (span, now, first, changes) => {
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
      }),
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

test("a text that is no time, or of a far year, and an unknown zone have no time", () => {
  for (const text of ["tomorrow", "12026-12-01T18:00"]) expect(timeIn(text, "UTC")).toBe(undefined);
  expect(timeIn("2026-12-01T18:00", "Vienna")).toBe(undefined);
});

test("ids of the calendar and of all_time are reserved for their seasons", () => {
  const ids = ["all_time", "daily-2026-11-21", "weekly-2026-W47", "monthly-2026-11", "daily-", "weekly-cup"];
  expect(ids.map(spanOfId)).toEqual(["all_time", "daily", "weekly", "monthly", "daily", "weekly"]);
  const free = ["all_times", "daily", "dailycup", "my-daily-2026", "cup-2026", "Daily-2026"];
  expect(free.map(spanOfId)).toEqual(free.map(() => "custom"));
});
