/** The midnights of a board's time zone: the moments since which players have moved. Pure. */
import { type Calendar, seasonAt } from "./calendar.ts";

/** The periods over which movement is told: since today or this week began, in the board's time zone. */
export const sinces = ["day", "week"] as const;
export type Since = (typeof sinces)[number];

/**
 * Why a player had no rank at a midnight: there was no score yet (`new`), the score was hidden or not usable
 * (`hidden_then`), or what was counted then is not recorded (`unknown`).
 */
export const absences = ["new", "hidden_then", "unknown"] as const;

/** How many days and weeks have a ranking kept from their beginning; today and this week are included. */
const kept = { day: 8, week: 5 };

const spans = { day: "daily", week: "weekly" } as const;

/** When the day or week of a moment began. All times are in milliseconds since 1970. */
export function beginOf(since: Since, atMs: number, calendar: Calendar): number {
  return seasonAt(spans[since], atMs, calendar).opensAtMs;
}

/** The first midnight after a moment. */
export function nextMidnight(atMs: number, calendar: Calendar): number {
  return seasonAt("daily", atMs, calendar).closesAtMs;
}

/** The date that begins at a midnight, such as 2026-11-26. */
export function dateAt(midnightMs: number, calendar: Calendar): string {
  return seasonAt("daily", midnightMs, calendar).season.slice("daily-".length);
}

/**
 * The midnights whose rankings are kept at a moment, the oldest first: of the last 8 days, and the midnights that began
 * the last 5 weeks. @param more how many days and weeks more.
 */
export function keptMidnights(atMs: number, calendar: Calendar, more = 0): number[] {
  const found = new Set<number>();
  for (const since of sinces)
    for (let i = 0, beginMs = atMs + 1; i < kept[since] + more; i++) {
      beginMs = beginOf(since, beginMs - 1, calendar);
      found.add(beginMs);
    }
  return [...found].sort((a, b) => a - b);
}
