/**
 * The days, weeks and months of a board's time zone as seasons. The rules of time zones are the runtime's.
 *
 * The seasons of a span tile time: each season begins where the season before ends, and has an id that sorts later. A
 * day begins with its first moment in the time zone (IANA, daylight saving included): at 00:00, or at 01:00 if clocks
 * skip midnight, as at the start of daylight saving in Cairo. So a day has 24 hours, or 22 to 27. A date that a zone
 * skipped (Samoa's 2011-12-30) is no season. A week begins on `week_starts_on` and has the year and number of its
 * fourth day, counted in sevens from January 1: with Monday that is the week of ISO 8601.
 */
import { LRUCache } from "lru-cache";
import { Temporal } from "temporal-polyfill";
import { type Definition, weekdays } from "./definition.ts";
import { FirerankError } from "./errors.ts";
import type { CalendarSpan } from "./season-id.ts";

/** The fields of a definition that say when its days, weeks and months begin. */
export type Calendar = Pick<Definition, "time_zone" | "week_starts_on">;

/** A season of the calendar, whether or not it has been opened. `opensAtMs` is inside it, `closesAtMs` is not. */
export interface CalendarSeason {
  /** `daily-2026-11-21`, `weekly-2026-W47`, `monthly-2026-11`. */
  readonly season: string;
  readonly opensAtMs: number;
  readonly closesAtMs: number;
}

/**
 * The season of a span that a moment falls into. It takes less than 1 µs for an hour that was asked for lately, about
 * 50 µs for any other hour, and milliseconds for the first hour of a time zone.
 * @param atMs in milliseconds since 1970.
 * @throws `unknown_schema_version` for a time zone that this runtime does not know, see {@link zoneProblem}
 */
export function seasonAt(
  span: CalendarSpan,
  atMs: number,
  { time_zone: zone, week_starts_on: start }: Calendar,
): CalendarSeason {
  const kind = span === "weekly" ? start : span;
  const name = `${zone} ${kind} ${Math.floor(atMs / 3_600_000)}`;
  const known = seasons.get(name);
  if (known !== undefined && known.opensAtMs <= atMs && atMs < known.closesAtMs) return known;
  const season = seasonIn(kind, Math.floor(atMs), zone);
  seasons.set(name, season);
  return season;
}

/**
 * When a new calendar takes over from a running season: at the new calendar's first boundary that does not cut the
 * season short and after which ids are later. So the season may last longer, by less than two of its lengths, and an id
 * may be left out. Usually this is the first boundary at or after the season's end. But a zone far to the west may have
 * the same date again: the boundary that follows November 21 in Kiritimati begins November 21 in American Samoa.
 */
export function takesOverAtMs(
  span: CalendarSpan,
  running: Pick<CalendarSeason, "season" | "closesAtMs">,
  calendar: Calendar,
): number {
  let next = seasonAt(span, running.closesAtMs, calendar);
  while (next.opensAtMs < running.closesAtMs || next.season <= running.season)
    next = seasonAt(span, next.closesAtMs, calendar);
  return next.opensAtMs;
}

/**
 * When the clocks of a zone show a date and time, such as `2026-11-21T18:00`, also with seconds. Of a time that the
 * clocks show twice, it is the first. A time that the clocks skip becomes later by as much as they skip.
 * @returns undefined for a text that is no date and time, or of a year such as 12026, and for a zone that is not known
 * here
 */
export function timeIn(text: string, zone: string): number | undefined {
  return tried(() => Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds);
}

/**
 * What is wrong with the name of a time zone; undefined for a zone that this runtime knows. Only this function judges
 * names of zones: `Intl` also takes short names, such as JST, and BST for Dhaka.
 */
export function zoneProblem(name: string): string | undefined {
  if (zoneForm.test(name) && tried(() => utcIn(name)) !== undefined) return undefined;
  const wanted = 'must be an IANA time zone, such as "Europe/Vienna"';
  if (name !== name.trim()) return `${wanted}, without space around it`;
  const meant = tried(() => new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone);
  if (meant === undefined || tried(() => utcIn(meant)) === undefined) return wanted;
  return `${wanted}; "${name}" is none: write "${meant}", if you mean that one of the zones that it may stand for`;
}

/** A name, or an offset such as +05:30. Temporal alone would also take a whole date with a zone. */
const zoneForm = /^(?:[a-z][\w+/-]*|[+-]\d\d(?::?\d\d)?)$/i;

const utcIn = (zone: string) => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);

/** What `work` returns; undefined if it throws a RangeError. */
function tried<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The seasons of the hours that were asked for last: submissions ask for the present hour again and again. */
const seasons = new LRUCache<string, CalendarSeason>({ max: 5_000 });

/** A span, with `weekly` replaced by the day on which weeks begin. */
type Kind = "daily" | "monthly" | Calendar["week_starts_on"];

/** Computes a season; {@link seasonAt} calls this once for each hour, span and zone. */
function seasonIn(kind: Kind, atMs: number, zone: string): CalendarSeason {
  const problem = zoneProblem(zone);
  if (problem !== undefined)
    throw new FirerankError(
      "unknown_schema_version",
      `The time zone of the board is not known here: it ${problem}. An admin saves the board with another time_zone.`,
    );
  const startMs = (day: Temporal.PlainDate) => day.toZonedDateTime(zone).epochMilliseconds;
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  let first = firstDay(kind, today);
  let next = firstDayOfNext(kind, first);
  // If clocks went back over midnight, yesterday's date comes again after today has begun.
  while (startMs(next) <= atMs) [first, next] = [next, firstDayOfNext(kind, next)];
  return { season: idOf(kind, first), opensAtMs: startMs(first), closesAtMs: startMs(next) };
}

function firstDay(kind: Kind, day: Temporal.PlainDate): Temporal.PlainDate {
  if (kind === "daily") return day;
  if (kind === "monthly") return day.with({ day: 1 });
  return day.subtract({ days: (day.dayOfWeek - 1 - weekdays.indexOf(kind) + 7) % 7 });
}

function firstDayOfNext(kind: Kind, first: Temporal.PlainDate): Temporal.PlainDate {
  if (kind === "daily") return first.add({ days: 1 });
  return first.add(kind === "monthly" ? { months: 1 } : { weeks: 1 });
}

function idOf(kind: Kind, first: Temporal.PlainDate): string {
  if (kind === "daily") return `daily-${first.toString()}`;
  if (kind === "monthly") return `monthly-${first.toPlainYearMonth().toString()}`;
  const fourth = first.add({ days: 3 });
  const week = Math.floor((fourth.dayOfYear - 1) / 7) + 1;
  return `weekly-${fourth.year}-W${String(week).padStart(2, "0")}`;
}
