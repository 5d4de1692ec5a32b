/**
 * A history: what was counted for a player at midnights. It is part of the mark (mark.ts) on boards that keep movement.
 * The first change after a midnight notes what the mark counted before, in the write that happens anyway. So the score
 * at a midnight is in the first note at or after this midnight, or else is what the mark counts now. Pure.
 */
import { z } from "zod";
import type { Calendar } from "../model/calendar.ts";
import { absences, beginOf, keptMidnights, nextMidnight } from "../model/midnights.ts";
import { isScore } from "../model/score.ts";

const was = z.union([z.number().refine(isScore), z.enum(absences)]);

/** What was counted at a midnight: a score, or why there was none. */
export type Was = z.infer<typeof was>;

const history = z.object({
  /** The notes, the oldest first; `since` is the midnight, in milliseconds since 1970. */
  days: z.array(z.object({ since: z.number(), was })),
  /** The midnight after the last change, in milliseconds since 1970; null if there may be later changes. */
  until: z.number().nullable(),
});

export type History = z.infer<typeof history>;

/** A history that knows nothing about the time before its next note. */
export const lostHistory = (): History => ({ days: [], until: null });

export const storedHistory = history.optional().catch(lostHistory);

/**
 * The history of a mark that changes now. It gets a note of what was counted before, if today has no note yet. Notes
 * that nobody asks for any more are dropped.
 */
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
  // One day and week more than are kept: a reader's clock may be behind, and a reader may remember other weeks.
  const needed = keptMidnights(atMs, calendar, 1).map((midnight) => all.find((day) => day.since >= midnight));
  return { days: all.filter((day) => needed.includes(day)), until: Math.max(until, history?.until ?? 0) };
}

/**
 * A history in which everything up to a time is unknown. Later notes stay, as does what the mark counts now. Doing this
 * twice is the same as once.
 */
export function unknownUntil(history: History | undefined, untilMs: number, calendar: Calendar): History {
  if (!isBy(calendar, history)) return lostHistory();
  const since = beginOf("day", untilMs, calendar);
  const later = (history?.days ?? []).filter((day) => day.since > since);
  const until = Math.max(nextMidnight(untilMs, calendar), history?.until ?? 0);
  return { days: [{ since, was: "unknown" }, ...later], until };
}

/**
 * Whether a history was noted by this calendar: all noted midnights are midnights of the calendar. A history of another
 * time zone, or by other rules of the same zone, as another runtime may have, may lack changes between the two
 * midnights.
 */
function isBy(calendar: Calendar, history: History | undefined): boolean {
  if (history === undefined) return true;
  const { days, until } = history;
  const all = [...days.map(({ since }) => since), until];
  return all.every((midnight) => midnight !== null && beginOf("day", midnight, calendar) === midnight);
}

/** What was counted at a midnight of a calendar. @param now what the mark counts now. */
export function wasAt(history: History | undefined, now: Was, midnightMs: number, calendar: Calendar): Was {
  // Nothing has changed since `until`, by whatever calendar that was a midnight.
  if (history?.until != null && midnightMs >= history.until) return now;
  if (!isBy(calendar, history)) return "unknown";
  return history?.days.find(({ since }) => since >= midnightMs)?.was ?? now;
}
