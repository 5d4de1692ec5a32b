/** Times in a board's time zone, and in the reader's. Pure. */

/** The reader's own time zone. */
export function readersZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Date and time in a zone: `22 Nov 2026, 18:00`; with seconds if there are any. */
export function formatIn(timeMs: number, zone: string): string {
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

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** The time left, in its two largest units: `3 d 4 h`, `5 min 12 s`, `12 s`; `0 s` when it has come. */
export function formatLeft(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / 1_000) * 1_000);
  const first = units.findIndex(([size]) => left >= size);
  if (first < 0) return "0 s";
  const parts = units.slice(first, first + 2).map(([size, unit], i) => {
    const [above] = units[first + i - 1] ?? [Infinity];
    return [Math.floor((left % above) / size), unit] as const;
  });
  return parts.flatMap(([count, unit], i) => (i > 0 && count === 0 ? [] : [`${count} ${unit}`])).join(" ");
}
