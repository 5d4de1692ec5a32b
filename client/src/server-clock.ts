/**
 * The server's time on a device whose own clock may be hours off. An answer that the server stamps tells it, to within
 * half the time that asking took; from then on the device counts what has passed. Pure, but for {@link deviceTime}.
 */

/** What a device knows of time: neither clock is enough alone. */
export interface DeviceTime {
  /** By the device's clock, in milliseconds since 1970: anybody may set it. */
  date_ms: number;
  /** Of a clock that nobody sets, in milliseconds since the app began: it may stand still while the device sleeps. */
  steady_ms: number;
}

/** The server's time at a moment of the device. */
export interface ServerClock extends DeviceTime {
  /** In milliseconds since 1970. */
  server_ms: number;
  /** How far off that may be, either way: half the time that asking took. */
  error_ms: number;
}

/** The device's time now. */
export function deviceTime(): DeviceTime {
  const dateMs = Date.now();
  return { date_ms: dateMs, steady_ms: typeof performance === "object" ? performance.now() : dateMs };
}

/**
 * What has passed on the device, in milliseconds. After a sleep the steady clock may be behind, and where somebody has set
 * back the clock, that one: so the greater of both.
 */
export function elapsedMs(from: DeviceTime, to: DeviceTime): number {
  return Math.max(to.date_ms - from.date_ms, to.steady_ms - from.steady_ms);
}

/** Both clocks may differ by so much where nobody has set one: a device's clock is corrected by the network. */
const differenceMsMax = 1_000;

/** Whether a clock was set since, or the device has slept: then the server should be asked again. */
export function isDoubtful(clock: ServerClock, now: DeviceTime): boolean {
  const difference = now.date_ms - clock.date_ms - (now.steady_ms - clock.steady_ms);
  return Math.abs(difference) > differenceMsMax;
}

/** The reading of an answer. The server stamped it at some time between both, so by the middle it is off by half at most. */
export function readingOf(stampMs: number, asked: DeviceTime, answered: DeviceTime): ServerClock {
  const halfMs = elapsedMs(asked, answered) / 2;
  return { ...answered, server_ms: stampMs + halfMs, error_ms: halfMs };
}

/** The server's time at a moment of the device, in milliseconds since 1970; without a reading the device's own. */
export function serverMsAt(clock: ServerClock | null | undefined, now: DeviceTime): number {
  return clock == null ? now.date_ms : clock.server_ms + elapsedMs(clock, now);
}

/** How far a device's steady clock may run off, as a share of what passes: 0.1 s in 17 minutes, several times what quartz does. */
const driftMax = 1e-4;

/** The better of two readings: what an older one has run off by now counts. */
export function betterClock(older: ServerClock | undefined, newer: ServerClock): ServerClock {
  if (older === undefined || isDoubtful(older, newer)) return newer;
  return older.error_ms + driftMax * elapsedMs(older, newer) < newer.error_ms ? older : newer;
}
