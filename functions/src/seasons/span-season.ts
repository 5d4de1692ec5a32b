/** The season of a span at a moment: which one it is, and when it takes scores. Pure. */
import type { SeasonKey } from "../documents/paths.ts";
import { Timestamp } from "../documents/firestore.ts";
import type { RunningSeason, RunningSeasons } from "../documents/season.ts";
import { seasonAt, takesOverAtMs, zoneProblem } from "../model/calendar.ts";
import { type CalendarSpan, calendarSpans } from "../model/season-id.ts";
import type { Definition } from "../model/definition.ts";
import { lateEventMsMax } from "../model/limits.ts";

/** A span that a board may have. */
export type Span = Definition["spans"][number];

/** One instance of a span, whether or not it has been opened; times in milliseconds since 1970. */
export interface SpanSeason {
  key: SeasonKey;
  span: Span;
  /** Null for `all_time`, which begins with its first score. */
  opensAtMs: number | null;
  /** Null for `all_time`, which never ends. */
  closesAtMs: number | null;
  /** The season of the span before, whether or not it was ever opened. */
  before: SeasonKey | undefined;
}

/** What determines a board's seasons. */
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

/** The season with an id, if a span of the board has it now or had it last: its events may still arrive. */
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

/** Whether an id is that of the season after the present one, in any of the board's spans. */
export function isNextSpanSeason(calendars: Calendars, key: SeasonKey, nowMs: number): boolean {
  const { leaderboard, season } = key;
  return calendars.definition.spans.some((span) => {
    const { closesAtMs } = spanSeasonAt(leaderboard, calendars, span, nowMs);
    return (
      closesAtMs !== null && spanSeasonAt(leaderboard, calendars, span, closesAtMs).key.season === season
    );
  });
}

/**
 * The seasons that run on when a board gets another calendar: the present one of each span of the calendar before,
 * until the first boundary of the new calendar at or after its end. So no season is cut short, and no id is used twice.
 * A present season that ends before every instance knows of the change ends as planned, and the one after it runs on.
 * The one before the present stays unchanged as long as events and repeated submissions may ask for it.
 */
export function runningSeasons(
  before: Calendars,
  next: Calendars["definition"],
  nowMs: number,
): RunningSeasons {
  const { time_zone: zone, week_starts_on: start } = before.definition;
  const isSame = zone === next.time_zone && start === next.week_starts_on;
  // No season was found by a zone that is not known. What was opened before ends at its stored time.
  const isLost = zoneProblem(zone) !== undefined;
  const running: RunningSeasons = {};
  for (const span of calendarSpans) {
    // Events of a season may come for a day after its end.
    const lastMs = nowMs - lateEventMsMax;
    const kept = (before.running[span] ?? []).filter((one) => one.closes_at.toMillis() > lastMs);
    // Spans that the board does not have now are included: they may come back, and with them their season of today.
    const others = isSame || isLost ? [] : goingOn(before, span, next, nowMs);
    const all = [...kept.filter((one) => others.every(({ season }) => season !== one.season)), ...others];
    if (all.length > 0) running[span] = all;
  }
  return running;
}

/** Twice as long as instances remember the calendar before. */
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
