/** What a season is at a given server time: its status, and how long it lasts. Pure. */
import type { Running, Season, WatchedSeason } from "./answers.ts";
import { type DeviceTime, deviceTime, serverMsAt } from "./server-clock.ts";

/** The fields of a season's document that `watchSeason` reports. */
export type SeasonStored = Omit<Season, "season" | "opens_at"> & Pick<WatchedSeason, "opens_at">;

/** The fields that decide a season's status. */
interface StatusFields {
  status: WatchedSeason["status"];
  opens_at: string | null;
  closes_at: string | null;
}

/** A season's status at a given time. The stored status changes up to a minute after the end, so the clock decides. */
export function statusAt(
  { status, opens_at: opens, closes_at: closes }: StatusFields,
  nowMs: number,
): WatchedSeason["status"] {
  if (status !== "open") return status;
  if (hasEnded(closes, nowMs)) return "closing";
  return opens !== null && nowMs < Date.parse(opens) ? "to_come" : "open";
}

/** Whether a season has ended. A season that was ended before it opened never opens. */
function hasEnded(closes: string | null, nowMs: number): boolean {
  return closes !== null && nowMs >= Date.parse(closes);
}

/** When the clock next changes a season's status, in milliseconds since 1970; `Infinity` if it never does. */
export function changesAtMs(
  { opens_at: opens, closes_at: closes }: Omit<StatusFields, "status">,
  nowMs: number,
): number {
  if (hasEnded(closes, nowMs)) return Infinity;
  const times = [opens, closes].flatMap((time) => (time === null ? [] : [Date.parse(time)]));
  return Math.min(...times.filter((ms) => ms > nowMs), Infinity);
}

/**
 * How many milliseconds are left until a future season begins, or until an open season ends; 0 after the end, and null for a
 * season without an end. It goes by the server's clock, whatever the device's clock says, and is accurate to
 * `season.clock.error_ms`. For a countdown call it each second.
 * @param season as `watchSeason` reports it.
 * @param now by default the device's time; tests pass another.
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

/**
 * A season that has not been opened yet, by its id; undefined if it is neither the current nor the next season of a span.
 */
export function unopened(running: readonly Running[], id: string): SeasonStored | undefined {
  for (const { span, season, opens_at, closes_at, next } of running) {
    const found = [{ season, opens_at, closes_at }, next].find((one) => one?.season === id);
    if (found != null)
      return {
        span,
        status: "open",
        opens_at: found.opens_at,
        closes_at: found.closes_at,
        players: 0,
        generation: 0,
      };
  }
  return undefined;
}
