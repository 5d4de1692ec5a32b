/** Which season of a span a moment falls into, and when this season takes scores. Pure. */
import type { SeasonKey } from "../documents/paths.ts";
import { Timestamp } from "../documents/firestore.ts";
import type { RunningSeason, RunningSeasons } from "../documents/season.ts";
import { seasonAt, takesOverAtMs, zoneProblem } from "../model/calendar.ts";
import { type CalendarSpan, calendarSpans } from "../model/season-id.ts";
import type { Definition } from "../model/definition.ts";
import { lateEventMsMax } from "../model/limits.ts";

/** A span that a board may have. */
export type Span = Definition["spans"][number];

/** A season of a span, whether or not it has been opened; times in milliseconds since 1970. */
export interface SpanSeason {
  key: SeasonKey;
  span: Span;
  /** Null for `all_time`, which begins with its first score. */
  opensAtMs: number | null;
  /** Null for `all_time`, which never ends. */
  closesAtMs: number | null;
  /** The season before in the same span, whether or not it was ever opened. */
  before: SeasonKey | undefined;
}

/**
 * The calendars that determine a board's seasons: the definition's, and seasons that run on from an earlier calendar.
 */
export interface Calendars {
  definition: Pick<Definition, "spans" | "time_zone" | "week_starts_on">;
  running: RunningSeasons;
}

/** The season of a span that a moment falls into. */
export function spanSeasonAt(
  leaderboard: string,
  calendars: Calendars,
  span: Span,
  atMs: number,
): SpanSeason {
  if (span === "all_time") {
    const key = { leaderboard, season: "all_time" };
    return { key, span, opensAtMs: null, closesAtMs: null, before: undefined };
  }
  const { season, ...times } = calendarSeason(calendars, span, atMs);
  const previous = calendarSeason(calendars, span, times.opensAtMs - 1);
  return { key: { leaderboard, season }, span, ...times, before: { leaderboard, season: previous.season } };
}

function calendarSeason({ definition, running }: Calendars, span: CalendarSpan, atMs: number) {
  const kept = (running[span] ?? []).map(({ season, opens_at: opens, closes_at: closes }) => {
    return { season, opensAtMs: opens.toMillis(), closesAtMs: closes.toMillis() };
  });
  const present = kept.find(({ opensAtMs, closesAtMs }) => atMs >= opensAtMs && atMs < closesAtMs);
  if (present !== undefined) return present;
  const found = seasonAt(span, atMs, definition);
  const next = kept.find(({ opensAtMs }) => opensAtMs > atMs && opensAtMs < found.closesAtMs);
  return { ...found, closesAtMs: next?.opensAtMs ?? found.closesAtMs };
}

/** The season with an id, if it is the present season of a span or the season before, whose events may still arrive. */
export function recentSpanSeason(
  calendars: Calendars,
  key: SeasonKey,
  nowMs: number,
): SpanSeason | undefined {
  const { leaderboard, season } = key;
  for (const span of calendars.definition.spans) {
    const present = spanSeasonAt(leaderboard, calendars, span, nowMs);
    if (present.key.season === season) return present;
    if (present.before?.season === season)
      return spanSeasonAt(leaderboard, calendars, span, (present.opensAtMs ?? nowMs) - 1);
  }
  return undefined;
}

/** The next season of each of a board's spans, but of `all_time`, which has none. */
export function nextSpanSeasons(leaderboard: string, calendars: Calendars, nowMs: number): SpanSeason[] {
  return calendars.definition.spans.flatMap((span) => {
    const { closesAtMs } = spanSeasonAt(leaderboard, calendars, span, nowMs);
    return closesAtMs === null ? [] : spanSeasonAt(leaderboard, calendars, span, closesAtMs);
  });
}

/** Whether a season is the next season of one of the board's spans, and so has not begun. */
export function isNextSpanSeason(calendars: Calendars, key: SeasonKey, nowMs: number): boolean {
  return nextSpanSeasons(key.leaderboard, calendars, nowMs).some((next) => next.key.season === key.season);
}

/**
 * The seasons that run on when a board gets another calendar: the present season of each span, until the first boundary
 * of the new calendar at or after its end. So no season is cut short, and no id is used twice. If the present season
 * ends before every instance knows the new calendar, it ends as planned, and the season after it runs on. The season
 * before the present one is kept as long as events and repeated submissions may ask for it.
 */
export function runningSeasons(
  before: Calendars,
  next: Calendars["definition"],
  nowMs: number,
): RunningSeasons {
  const { time_zone: zone, week_starts_on: start } = before.definition;
  const isSame = zone === next.time_zone && start === next.week_starts_on;
  // With an unknown time zone no season was found. Seasons that were opened earlier end at their stored times.
  const isLost = zoneProblem(zone) !== undefined;
  const running: RunningSeasons = {};
  for (const span of calendarSpans) {
    // Events of a season may come for a day after its end.
    const lastMs = nowMs - lateEventMsMax;
    const kept = (before.running[span] ?? []).filter((one) => one.closes_at.toMillis() > lastMs);
    // Spans that the board does not have now are included: a span may come back, and then its present season does too.
    const others = isSame || isLost ? [] : goingOn(before, span, next, nowMs);
    const all = [...kept.filter((one) => others.every(({ season }) => season !== one.season)), ...others];
    if (all.length > 0) running[span] = all;
  }
  return running;
}

/** How long before a boundary a calendar must change to apply there: twice as long as instances remember a calendar. */
export const calendarNoticeMs = 2 * 60_000;

function goingOn(
  before: Calendars,
  span: CalendarSpan,
  next: Calendars["definition"],
  nowMs: number,
): RunningSeason[] {
  const present = calendarSeason(before, span, nowMs);
  const seasons = [present];
  if (present.opensAtMs > nowMs - lateEventMsMax)
    seasons.unshift(calendarSeason(before, span, present.opensAtMs - 1));
  if (present.closesAtMs < nowMs + calendarNoticeMs)
    seasons.push(calendarSeason(before, span, present.closesAtMs));
  return seasons.map(({ season, opensAtMs, closesAtMs }, i) => {
    const isLast = i === seasons.length - 1;
    const closesMs = isLast ? takesOverAtMs(span, { season, closesAtMs }, next) : closesAtMs;
    return { season, opens_at: Timestamp.fromMillis(opensAtMs), closes_at: Timestamp.fromMillis(closesMs) };
  });
}
