/** Times for readers. */
import { now } from "../clock.ts";
import { formatAgo, formatTime } from "../format/times.ts";
import { formatIn, readersTime, readersZone } from "../format/zones.ts";

/** A time relative to now, updated live; the exact time as a tooltip. */
export function Ago({ ms }: { ms: number }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatTime(ms)}>
      {formatAgo(ms, now.value)}
    </time>
  );
}

/** A time in the board's time zone, and below it in the reader's if that differs. */
export function ZonedTime({ ms, zone }: { ms: number; zone: string }) {
  const mine = readersTime(ms, zone, readersZone());
  return (
    <>
      <time dateTime={new Date(ms).toISOString()} title={zone}>
        {formatIn(ms, zone)}
      </time>
      {mine !== undefined && <span class="cell-note">{mine} your time</span>}
    </>
  );
}
