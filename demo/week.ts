/** A week of the board that begins during the replay, so that ranks have moved since. Pure. */

/** The fields of a definition by which a week begins at a moment. */
interface WeekBeginning {
  /** Such as `+05:37`: where it is midnight then. */
  time_zone: string;
  week_starts_on: string;
}

const minuteMs = 60_000;
const minutesOfDay = 1_440;
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The first whole minute at or after a moment: time zones are whole minutes apart. */
export function nextMinute(atMs: number): number {
  return Math.ceil(atMs / minuteMs) * minuteMs;
}

/** How a week begins at a whole minute, in milliseconds since 1970. */
export function weekBeginningAt(atMs: number): WeekBeginning {
  const ofDay = (atMs / minuteMs) % minutesOfDay;
  const offset = ofDay <= minutesOfDay / 2 ? -ofDay : minutesOfDay - ofDay;
  const size = Math.abs(offset);
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, "0"));
  const weekday = weekdays[new Date(atMs + offset * minuteMs).getUTCDay()] ?? "";
  return { time_zone: `${offset < 0 ? "-" : "+"}${hours}:${minutes}`, week_starts_on: weekday };
}
