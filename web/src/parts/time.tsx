/** A time relative to now, updated live; the exact time as a tooltip. */
import { now } from "../clock.ts";
import { formatAgo, formatTime } from "../format/times.ts";

export function Ago({ ms }: { ms: number }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatTime(ms)}>
      {formatAgo(ms, now.value)}
    </time>
  );
}
