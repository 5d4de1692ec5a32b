/**
 * What was counted for a player at midnights: a part of the mark (mark.ts), on boards that keep movement. The first change
 * after a midnight notes what the mark was, in the write that happens anyway. So the score at a midnight is that of the
 * first note at or after it, or what the mark counts now. Pure.
 */
import { z } from "zod";
import type { Calendar } from "../model/calendar.ts";
import { absences, beginOf, keptMidnights, nextMidnight } from "../model/midnights.ts";
import { isScore } from "../model/score.ts";

const was = z.union([z.number().refine(isScore), z.enum(absences)]);

/** What was counted: a score, or why there was none. */
export type Was = z.infer<typeof was>;

const history = z.object({
  /** The oldest first; `since` is the midnight, in milliseconds since 1970. */
  days: z.array(z.object({ since: z.number(), was })),
  /** The midnight that ends the day of the last change, in milliseconds since 1970; null where there may be later ones. */
  until: z.number().nullable(),
});

export type History = z.infer<typeof history>;

/** Nobody knows what was counted before the next note. */
export const lostHistory = (): History => ({ days: [], until: null });

export const storedHistory = history.optional().catch(lostHistory);

/** The history of a mark that changes now: with a note of what it was, if the day has none yet, and without what nobody asks for. */
export function historyAfter(
  history: History | undefined,
  before: Was,
  { atMs, calendar }: { atMs: number; calendar: Calendar },
): History {
  const since = beginOf("day", atMs, calendar);
  const until = nextMidnight(atMs, calendar);
  if (before === "unknown" || !isBy(calendar, history)) return { days: [{ since, was: "unknown" }], until };
  const days = history?.days ?? [];
  const isNoted = (days.at(-1)?.since ?? -Infinity) >= since;
  const all = isNoted ? days : [...days, { since, was: before }];
  // A day more than is kept: clocks of readers may be behind, and other weeks in their memory.
  const needed = keptMidnights(atMs, calendar, 1).map((midnight) => all.find((day) => day.since >= midnight));
  return { days: all.filter((day) => needed.includes(day)), until: Math.max(until, history?.until ?? 0) };
}

/**
 * A history that is not known up to a time; what was noted later stays, as does what the mark counts since. The same once
 * more changes nothing.
 */
export function unknownUntil(history: History | undefined, untilMs: number, calendar: Calendar): History {
  if (!isBy(calendar, history)) return lostHistory();
  const since = beginOf("day", untilMs, calendar);
  const later = (history?.days ?? []).filter((day) => day.since > since);
  const until = Math.max(nextMidnight(untilMs, calendar), history?.until ?? 0);
  return { days: [{ since, was: "unknown" }, ...later], until };
}

/**
 * Whether notes were made by a calendar: all their midnights are its own. Of another time zone, or by other rules of the
 * same one, as before or after a new runtime, changes between its midnights and theirs may be missing.
 */
function isBy(calendar: Calendar, history: History | undefined): boolean {
  if (history === undefined) return true;
  const { days, until } = history;
  const all = [...days.map(({ since }) => since), until];
  return all.every((midnight) => midnight !== null && beginOf("day", midnight, calendar) === midnight);
}

/** What was counted at a midnight of a calendar. @param now what the mark counts. */
export function wasAt(history: History | undefined, now: Was, midnightMs: number, calendar: Calendar): Was {
  // Since the end of that day nothing has changed, whoever says when it ended.
  if (history?.until != null && midnightMs >= history.until) return now;
  if (!isBy(calendar, history)) return "unknown";
  return history?.days.find(({ since }) => since >= midnightMs)?.was ?? now;
}
