/** Times and durations as people read them. Pure: the current time is passed in. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A duration: `84 ms`, `3.2 s`, `4 min 10 s`, `2 h 5 min`, `3 days`. */
export function formatDuration(ms: number): string {
  // By the rounded number: 59.9 s is a minute.
  if (Math.round(ms) < second) return `${Math.round(ms)} ms`;
  if (Math.round(ms / 100) < 100) return `${(ms / second).toFixed(1)} s`;
  if (Math.round(ms / second) < 60) return `${Math.round(ms / second)} s`;
  if (Math.round(ms / second) < 3_600) return parts(ms, minute, "min", second, "s");
  if (Math.round(ms / minute) < 1_440) return parts(ms, hour, "h", minute, "min");
  const days = Math.round(ms / day);
  return `${days} ${days === 1 ? "day" : "days"}`;
}

/** How long ago, or until when, in whole units: `now`, `12 s ago`, `3 min ago`, `in 40 s`. */
export function formatAgo(timeMs: number, nowMs: number): string {
  const ms = Math.abs(nowMs - timeMs);
  if (ms < second) return "now";
  const [size, unit] = unitOf(ms);
  const count = Math.floor(ms / size);
  const text = `${count} ${unit}${unit === "day" && count > 1 ? "s" : ""}`;
  return timeMs <= nowMs ? `${text} ago` : `in ${text}`;
}

/** Date and time to the second, in the reader's zone. */
export function formatTime(timeMs: number): string {
  return new Date(timeMs).toLocaleString("en-GB", {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
}

/** A time on an axis, by the distance of its ticks: `21 Nov`, `14:05`, `14:05:30`. */
export function formatTick(timeMs: number, stepMs: number): string {
  const time = new Date(timeMs);
  if (stepMs >= day) return time.toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  const withSeconds = stepMs < minute ? ({ second: "2-digit" } as const) : {};
  return time.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", ...withSeconds });
}

function unitOf(ms: number): [size: number, unit: string] {
  if (ms < minute) return [second, "s"];
  if (ms < hour) return [minute, "min"];
  return ms < day ? [hour, "h"] : [day, "day"];
}

function parts(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const total = Math.round(ms / small);
  const ratio = large / small;
  const rest = total % ratio;
  const main = `${Math.floor(total / ratio)} ${largeUnit}`;
  return rest === 0 ? main : `${main} ${rest} ${smallUnit}`;
}
