/** A time as it is from now, moving on; the exact one when pointed at. */
import { now } from "../clock.ts";
import { formatAgo, formatTime } from "../format/times.ts";

export function Ago({ ms }: { ms: number }) {
  return (
    <time dateTime={new Date(ms).toISOString()} title={formatTime(ms)}>
      {formatAgo(ms, now.value)}
    </time>
  );
}
