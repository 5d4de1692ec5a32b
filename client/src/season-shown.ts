/** A season at a moment of the server's time. Pure. */
import type { Running, WatchedSeason } from "./answers.ts";
import { type DeviceTime, deviceTime, serverMsAt } from "./server-clock.ts";

/** What decides a season's status. */
interface Hours {
  status: WatchedSeason["status"];
  opens_at: string | null;
  closes_at: string | null;
}

/** A season's status at a moment: whoever closes it is a minute behind its end at times, which the clock is not. */
export function statusAt(
  { status, opens_at: opens, closes_at: closes }: Hours,
  nowMs: number,
): WatchedSeason["status"] {
  if (status !== "open") return status;
  if (opens !== null && nowMs < Date.parse(opens)) return "to_come";
  return closes !== null && nowMs >= Date.parse(closes) ? "closing" : "open";
}

/** When a season next changes by the clock alone, in milliseconds since 1970; `Infinity` if it does not. */
export function changesAtMs(
  { opens_at: opens, closes_at: closes }: Omit<Hours, "status">,
  nowMs: number,
): number {
  const times = [opens, closes].flatMap((time) => (time === null ? [] : [Date.parse(time)]));
  return Math.min(...times.filter((ms) => ms > nowMs), Infinity);
}

/**
 * How long until a season that is to come begins, or until one that is open ends, in milliseconds; 0 after the end, and
 * null for a season without one. By the server's clock, whatever the device's says, to within half the time that asking
 * for it took (`season.clock.error_ms`): ask it again each second.
 * @param season as `watchSeason` tells it.
 * @param now by default the device's time; tests give another.
 */
export function remaining(
  { opens_at: opens, closes_at: closes, clock }: Pick<WatchedSeason, "opens_at" | "closes_at" | "clock">,
  now: DeviceTime = deviceTime(),
): number | null {
  const nowMs = serverMsAt(clock, now);
  const nextMs = changesAtMs({ opens_at: opens, closes_at: closes }, nowMs);
  if (nextMs !== Infinity) return nextMs - nowMs;
  return closes === null ? null : 0;
}

/** The season of a span that nobody has opened yet, if that id is one of them. */
export function unopened(
  running: readonly Running[],
  id: string,
): Pick<WatchedSeason, "span" | "opens_at" | "closes_at"> | undefined {
  for (const { span, season, opens_at, closes_at, next } of running) {
    if (season === id) return { span, opens_at, closes_at };
    if (next?.season === id) return { span, opens_at: next.opens_at, closes_at: next.closes_at };
  }
  return undefined;
}
