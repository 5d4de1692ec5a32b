/** `firerank rank --midnight`: on the emulators, a midnight that comes soon, so that movement can be tried at once. */
import { saveLeaderboardSpec } from "../functions/src/operations/save-leaderboard.ts";
import type { Services } from "../functions/src/world/services.ts";
import { call } from "./call.ts";

const minute = 60_000;
const minutesOfDay = 24 * 60;
/** For a call that begins a moment later. */
const spareMs = 5_000;

/**
 * Gives a board movement, and the time zone in which the next midnight is at a full minute soon: as soon as every instance
 * knows the zone, and a midnight can be compared with. Cost: that of
 * {@link saveLeaderboardSpec}.
 * @returns when that midnight is. @throws CliError, FirerankError
 */
export async function bringMidnight(services: Services, leaderboard: string): Promise<Date> {
  const midnightMs = Math.ceil((services.now() + services.endWaitMs + spareMs) / minute) * minute;
  const ahead = -(midnightMs / minute) % minutesOfDay;
  // The nearest of the two offsets whose clocks then show midnight.
  const offset = ahead < -minutesOfDay / 2 ? ahead + minutesOfDay : ahead;
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, "0"),
  );
  const zone = `${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
  await call(saveLeaderboardSpec, services, { leaderboard, definition: { time_zone: zone, movement: true } });
  return new Date(midnightMs);
}
