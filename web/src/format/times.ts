/** Times and durations as people read them. Pure: the current time is passed in. */

const [second, minute, day] = [1_000, 60_000, 86_400_000];
const units = [
  [day, "d"],
  [60 * minute, "h"],
  [minute, "min"],
  [second, "s"],
] as const;

/** A duration: `84 ms`, `3.2 s`, `4 min 10 s`, `2 h 5 min`, `3 days`. */
export function formatDuration(ms: number): string {
  // By the rounded number: 59.9 s is a minute.
  if (Math.round(ms) < second) return `${Math.round(ms)} ms`;
  if (Math.round(ms / 100) < 100) return `${(ms / second).toFixed(1)} s`;
  if (Math.round(ms / second) < 3_600) return inUnits(Math.round(ms / second) * second);
  if (Math.round(ms / minute) < 1_440) return inUnits(Math.round(ms / minute) * minute);
  const days = Math.round(ms / day);
  return `${days} ${days === 1 ? "day" : "days"}`;
}

/** A duration beside others on an axis, with the digits that tell them apart: `2.5 ms`, `1.25 s`, `12.5 s`, `4 min 10 s`. */
export function formatDurationTick(ms: number): string {
  if (ms >= minute) return formatDuration(ms);
  const [value, unit] = ms < second ? [ms, "ms"] : [ms / second, "s"];
  return `${Number(value.toPrecision(3))} ${unit}`;
}

/** How long ago, or until when, in whole units: `now`, `12 s ago`, `3 min ago`, `in 40 s`. */
export function formatAgo(timeMs: number, nowMs: number): string {
  const ms = Math.abs(nowMs - timeMs);
  if (ms < second) return "now";
  const [size, unit] = units.find(([least]) => ms >= least) ?? units[3];
  const count = Math.floor(ms / size);
  const text = `${count} ${unit !== "d" ? unit : count > 1 ? "days" : "day"}`;
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

/** The time left, in its two largest units: `3 d 4 h`, `5 min 12 s`, `12 s`; `0 s` when it has come. */
export function formatLeft(ms: number): string {
  return inUnits(Math.max(0, Math.ceil(ms / second) * second));
}

/** Whole seconds in their two largest units, the second one where it is not 0. */
function inUnits(ms: number): string {
  const first = units.findIndex(([size]) => ms >= size);
  if (first < 0) return "0 s";
  const parts = units.slice(first, first + 2).map(([size, unit], i) => {
    const [above] = units[first + i - 1] ?? [Infinity];
    return [Math.floor((ms % above) / size), unit] as const;
  });
  return parts.flatMap(([count, unit], i) => (i > 0 && count === 0 ? [] : [`${count} ${unit}`])).join(" ");
}
