/**
 * The server's time, on a device whose own clock may be hours off. An answer with the server's time gives a reading, which is
 * accurate to half the round trip. From then on the device counts the time that has passed. Pure, except {@link deviceTime}.
 */

/** A moment by a device's two clocks, as neither clock is enough alone. */
export interface DeviceTime {
  /** The device's clock, in milliseconds since 1970. The user can set this clock. */
  date_ms: number;
  /**
   * The steady clock, in milliseconds since the app started. Nobody can set this clock, but it may stop while the device
   * sleeps.
   */
  steady_ms: number;
}

/** The server's time at a given device time. */
export interface ServerClock extends DeviceTime {
  /** The server's time, in milliseconds since 1970. */
  server_ms: number;
  /** By how many milliseconds `server_ms` may be wrong, either way: half the round trip. */
  error_ms: number;
}

/** The device's time now. */
export function deviceTime(): DeviceTime {
  const dateMs = Date.now();
  return { date_ms: dateMs, steady_ms: typeof performance === "object" ? performance.now() : dateMs };
}

/**
 * The time that has passed on the device, in milliseconds. The steady clock may have stopped during a sleep, and the device's
 * clock may have been set back, so the clock that shows more time is right.
 */
export function elapsedMs(from: DeviceTime, to: DeviceTime): number {
  return Math.max(to.date_ms - from.date_ms, to.steady_ms - from.steady_ms);
}

/** The two clocks may differ by so much even if nobody has set one, as the network corrects a device's clock. */
const differenceMsMax = 1_000;

/** Whether a clock was set since a reading, or the device slept. Then the server should be asked again. */
export function isDoubtful(clock: ServerClock, now: DeviceTime): boolean {
  const difference = now.date_ms - clock.date_ms - (now.steady_ms - clock.steady_ms);
  return Math.abs(difference) > differenceMsMax;
}

/**
 * The reading that an answer gives. The server wrote its time between the request and the answer, so the middle of both is
 * wrong by at most half the round trip.
 */
export function readingOf(stampMs: number, asked: DeviceTime, answered: DeviceTime): ServerClock {
  const halfMs = elapsedMs(asked, answered) / 2;
  return { ...answered, server_ms: stampMs + halfMs, error_ms: halfMs };
}

/** The server's time at a given device time, in milliseconds since 1970. Without a reading, this is the device's time. */
export function serverMsAt(clock: ServerClock | null | undefined, now: DeviceTime): number {
  return clock == null ? now.date_ms : clock.server_ms + elapsedMs(clock, now);
}

/**
 * By how much a device's steady clock may be wrong, as a share of the time: 0.1 s in 17 minutes, several times as much as a
 * quartz clock.
 */
const driftMax = 1e-4;

/** The more accurate of two readings. The older reading has become less accurate with time. */
export function betterClock(older: ServerClock | undefined, newer: ServerClock): ServerClock {
  if (older === undefined || isDoubtful(older, newer)) return newer;
  return older.error_ms + driftMax * elapsedMs(older, newer) < newer.error_ms ? older : newer;
}
