/**
 * What was counted for a player at midnights: a part of the mark (mark.ts), on boards that keep movement. The first change
 * after a midnight notes what the mark was, in the write that happens anyway. So the score at a midnight is that of the
 * first note at or after it, or what the mark counts now. Pure.
 */
import { z } from "zod";
import type { Calendar } from "../model/calendar.ts";
import { absences } from "../model/answers.ts";
import { beginOf, keptMidnights } from "../model/midnights.ts";
import { isScore } from "../model/score.ts";

const was = z.union([z.number().refine(isScore), z.enum(absences)]);

/** What was counted: a score, or why there was none. */
export type Was = z.infer<typeof was>;

const history = z.object({
  /** The time zone whose midnights these are: notes of another one may lack changes. */
  zone: z.string(),
  /** The oldest first; `since` is the midnight, in milliseconds since 1970. */
  days: z.array(z.object({ since: z.number(), was })),
});

export type History = z.infer<typeof history>;

/** Of no time zone, so nobody knows what was counted before the next note. */
export const lostHistory = (): History => ({ zone: "", days: [] });

export const storedHistory = history.optional().catch(lostHistory);

/** The history of a mark that changes now: with a note of what it was, if the day has none yet, and without what nobody asks for. */
export function historyAfter(
  history: History | undefined,
  before: Was,
  { atMs, calendar }: { atMs: number; calendar: Calendar },
): History {
  const { time_zone: zone } = calendar;
  const since = beginOf("day", atMs, calendar);
  if (before === "unknown" || (history !== undefined && history.zone !== zone))
    return { zone, days: [{ since, was: "unknown" }] };
  const days = history?.days ?? [];
  const isNoted = (days.at(-1)?.since ?? -Infinity) >= since;
  const all = isNoted ? days : [...days, { since, was: before }];
  // A day more than is kept: clocks of readers may be behind, and other weeks in their memory.
  const needed = keptMidnights(atMs, calendar, 1).map((midnight) => all.find((day) => day.since >= midnight));
  return { zone, days: all.filter((day) => needed.includes(day)) };
}

/**
 * A history that is not known up to a time; what was noted later stays, as does what the mark counts since. The same once
 * more changes nothing.
 */
export function unknownUntil(history: History | undefined, untilMs: number, calendar: Calendar): History {
  const { time_zone: zone } = calendar;
  const since = beginOf("day", untilMs, calendar);
  if (history !== undefined && history.zone !== zone) return history;
  const later = (history?.days ?? []).filter((day) => day.since > since);
  return { zone, days: [{ since, was: "unknown" }, ...later] };
}

/** What was counted at a midnight of a time zone. @param now what the mark counts. */
export function wasAt(history: History | undefined, now: Was, midnightMs: number, zone: string): Was {
  if (history !== undefined && history.zone !== zone) return "unknown";
  return history?.days.find(({ since }) => since >= midnightMs)?.was ?? now;
}
