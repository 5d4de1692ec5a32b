/** What the id of a season says by itself. Pure; browsers use it too. */

/** The spans that follow the calendar. */
export const calendarSpans = ["daily", "weekly", "monthly"] as const;
export type CalendarSpan = (typeof calendarSpans)[number];

/** Which span a season with this id belongs to. An id that no span uses may be a tournament's. */
export function spanOfId(season: string): CalendarSpan | "all_time" | "custom" {
  if (season === "all_time") return season;
  return calendarSpans.find((span) => season.startsWith(`${span}-`)) ?? "custom";
}
