/**
 * The server's time on a device whose own clock may be hours off. An answer stamped by the server gives it, accurate to
 * half the round trip; from then on the device counts the time that has passed. Pure, except {@link deviceTime}.
 */

/** A device's two clocks: neither is enough alone. */
export interface DeviceTime {
  /** The device's clock, in milliseconds since 1970: the user can set it. */
  date_ms: number;
  /**
   * The steady clock, in milliseconds since the app started: nobody can set it, but it may stop while the device
   * sleeps.
   */
  steady_ms: number;
}

/** The server's time at a given device time. */
export interface ServerClock extends DeviceTime {
  /** In milliseconds since 1970. */
  server_ms: number;
  /** How far off that may be, either way: half the round trip. */
  error_ms: number;
}

/** The device's time now. */
export function deviceTime(): DeviceTime {
  const dateMs = Date.now();
  return { date_ms: dateMs, steady_ms: typeof performance === "object" ? performance.now() : dateMs };
}

/**
 * The time that has passed on the device, in milliseconds. The steady clock may be behind after a sleep, the other one
 * if it was set back: so this is the greater of both.
 */
export function elapsedMs(from: DeviceTime, to: DeviceTime): number {
  return Math.max(to.date_ms - from.date_ms, to.steady_ms - from.steady_ms);
}

/** Both clocks may differ by this much even if nobody has set one: the network corrects a device's clock. */
const differenceMsMax = 1_000;

/** Whether a clock was set since, or the device slept: then the server should be asked again. */
export function isDoubtful(clock: ServerClock, now: DeviceTime): boolean {
  const difference = now.date_ms - clock.date_ms - (now.steady_ms - clock.steady_ms);
  return Math.abs(difference) > differenceMsMax;
}

/**
 * The reading of an answer. The server stamped it at some time between the two, so the middle is off by at most half.
 */
export function readingOf(stampMs: number, asked: DeviceTime, answered: DeviceTime): ServerClock {
  const halfMs = elapsedMs(asked, answered) / 2;
  return { ...answered, server_ms: stampMs + halfMs, error_ms: halfMs };
}

/** The server's time at a given device time, in milliseconds since 1970; without a reading, the device's own. */
export function serverMsAt(clock: ServerClock | null | undefined, now: DeviceTime): number {
  return clock == null ? now.date_ms : clock.server_ms + elapsedMs(clock, now);
}

/**
 * How fast a device's steady clock may drift, as a share of the time: 0.1 s in 17 minutes, several times as much as
 * quartz.
 */
const driftMax = 1e-4;

/** The better of two readings, counting how far the older one may have drifted since. */
export function betterClock(older: ServerClock | undefined, newer: ServerClock): ServerClock {
  if (older === undefined || isDoubtful(older, newer)) return newer;
  return older.error_ms + driftMax * elapsedMs(older, newer) < newer.error_ms ? older : newer;
}
