/** A time in the board's time zone, and below it in the reader's if that differs. */
import { formatIn, readersTime, readersZone } from "../format/zones.ts";

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
