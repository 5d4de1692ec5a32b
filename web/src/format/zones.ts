/** Times in a board's time zone, and in the reader's. Pure. */

/** The reader's own time zone. */
export function readersZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/**
 * Date and time in a zone: `22 Nov 2026, 18:00`; with seconds if there are any. A zone that this browser does not know may
 * be one that the functions know: its times are shown in UTC, `22 Nov 2026, 17:00 UTC`.
 */
export function formatIn(timeMs: number, zone: string): string {
  try {
    return formatKnown(timeMs, zone);
  } catch (error) {
    if (error instanceof RangeError) return `${formatKnown(timeMs, "UTC")} UTC`;
    throw error;
  }
}

/** The date in a zone, and the one before, as documents have them: `2026-11-22`. For an unknown zone those of UTC. */
export function datesIn(timeMs: number, zone: string): { today: string; yesterday: string } {
  const dateIn = (timeZone: string) => new Intl.DateTimeFormat("sv-SE", { timeZone }).format(timeMs);
  let today: string;
  try {
    today = dateIn(zone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    today = dateIn("UTC");
  }
  const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
  return { today, yesterday };
}

function formatKnown(timeMs: number, zone: string): string {
  const second = timeMs % 60_000 === 0 ? {} : ({ second: "2-digit" } as const);
  return new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    ...second,
  }).format(timeMs);
}

/** A time in the reader's zone, if it differs from the board's: `17:00`, with the date if that differs too. */
export function readersTime(timeMs: number, zone: string, reader: string): string | undefined {
  const [there, here] = [formatIn(timeMs, zone), formatIn(timeMs, reader)];
  if (there === here) return undefined;
  const [dateThere, dateHere] = [there, here].map((text) => text.split(",")[0]);
  return dateThere === dateHere ? here.slice(here.indexOf(",") + 2) : here;
}
