/** Watchers on a device whose clocks, sleep and network the test controls. */
import { beforeEach, describe, expect, test } from "vitest";
import { FirerankError } from "./firerank-error.ts";
import { type DeviceTime, readingOf, type ServerClock } from "./server-clock.ts";
import { longestWaitMs, startTicking } from "./ticking.ts";

const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** The server's time, the error of the device's clock, and how long its steady clock has stood still. */
let serverMs: number;
let wrongMs: number;
let sleptMs: number;
/** How long an answer takes; if undefined, none comes. */
let delayMs: number | undefined;
let refusal: FirerankError;
let known: { clock: ServerClock } | undefined;
let asks: number[];
let timers: { atMs: number; then: () => void }[];

beforeEach(() => {
  serverMs = Date.UTC(2026, 10, 22);
  [wrongMs, sleptMs, delayMs] = [-7 * hour, 0, 100];
  refusal = new FirerankError("unavailable", "offline");
  known = undefined;
  asks = [];
  timers = [];
});

const device = (): DeviceTime => ({ date_ms: serverMs + wrongMs, steady_ms: serverMs - sleptMs });

const world = {
  now: device,
  known: () => known,
  ask: async () => {
    asks.push(serverMs);
    const asked = device();
    if (delayMs === undefined) throw refusal;
    await new Promise<void>((resolve) => void world.wait((delayMs ?? 0) / 2, resolve));
    const stamp = serverMs;
    await new Promise<void>((resolve) => void world.wait((delayMs ?? 0) / 2, resolve));
    known = { clock: readingOf(stamp, asked, device()) };
  },
  wait(ms: number, then: () => void) {
    const timer = { atMs: serverMs - sleptMs + ms, then };
    timers.push(timer);
    return () => {
      timers = timers.filter((one) => one !== timer);
    };
  },
  random: () => 0.5,
};

/** Lets time pass, and runs the timers that are due. */
async function pass(ms: number): Promise<void> {
  const endMs = serverMs + ms;
  for (;;) {
    for (let i = 0; i < 20; i++) await Promise.resolve();
    const next = timers.toSorted((a, b) => a.atMs - b.atMs)[0];
    if (next === undefined || next.atMs + sleptMs > endMs) break;
    timers = timers.filter((one) => one !== next);
    serverMs = Math.max(serverMs, next.atMs + sleptMs);
    next.then();
  }
  serverMs = endMs;
}

/** The device sleeps: nothing runs, and its steady clock stands still. */
function sleep(ms: number): void {
  serverMs += ms;
  sleptMs += ms;
}

/** Watches for given server times, and records when each was noticed. */
function watch(...moments: number[]) {
  const noticed: number[] = [];
  const errors: FirerankError[] = [];
  const looks: (number | undefined)[] = [];
  const ticking = startTicking(world, {
    look(nowMs, answer) {
      looks.push(answer === undefined ? undefined : nowMs - serverMs);
      while (answer !== undefined && noticed.length < moments.length) {
        const moment = moments[noticed.length] ?? Infinity;
        if (moment > nowMs) return moment;
        noticed.push(serverMs - moment);
      }
      return answer === undefined ? undefined : Infinity;
    },
    fail: (error) => errors.push(error),
  });
  return { noticed, errors, looks, ticking };
}

describe("a watcher", () => {
  test("notices a moment of the server's time to the millisecond, on a device that is hours off", async () => {
    const { noticed } = watch(serverMs + 20 * minute, serverMs + 26 * hour);
    await pass(20 * minute);
    expect(noticed).toEqual([0]);
    await pass(26 * hour);
    expect(noticed).toEqual([0, 0]);
  });

  test("asks at the start, and once in the ten minutes before a distant moment", async () => {
    const from = serverMs;
    watch(from + 24 * hour);
    await pass(24 * hour + minute);
    expect(asks).toHaveLength(2);
    const [first = 0, second = 0] = asks;
    expect(first).toBe(from);
    const leadMs = from + 24 * hour - second;
    expect(leadMs).toBeGreaterThan(minute - longestWaitMs);
    expect(leadMs).toBeLessThanOrEqual(10 * minute);
  });

  test("does not ask if another watcher has just asked", async () => {
    known = { clock: readingOf(serverMs, device(), device()) };
    const { noticed } = watch(serverMs + minute);
    await pass(2 * minute);
    expect([asks, noticed]).toEqual([[], [0]]);
  });

  test("asks again after an answer that took seconds", async () => {
    delayMs = 4 * second;
    const { noticed } = watch(serverMs + hour);
    await pass(minute);
    expect(asks).toHaveLength(2);
    delayMs = 50;
    await pass(hour);
    expect(noticed).toHaveLength(1);
  });

  test("notices after a sleep what it missed, and asks first", async () => {
    const { noticed, looks } = watch(serverMs + hour);
    await pass(minute);
    sleep(8 * hour);
    looks.length = 0;
    await pass(longestWaitMs + second);
    expect(noticed).toHaveLength(1);
    expect(noticed[0]).toBeLessThan(7 * hour + minute + longestWaitMs + second);
    expect(asks).toHaveLength(2);
    expect(looks.every((offMs) => offMs !== undefined && Math.abs(offMs) < 100)).toBe(true);
  });

  test("counts the elapsed time when it wakes offline, and asks again less and less often", async () => {
    const { noticed, errors } = watch(serverMs + hour);
    await pass(minute);
    delayMs = undefined;
    sleep(8 * hour);
    await pass(minute);
    expect(noticed).toHaveLength(1);
    const soon = asks.length;
    await pass(10 * minute);
    expect(asks.length - soon).toBeLessThan(25);
    expect(errors).toEqual([]);
  });

  test("is not fooled when the device's clock is set: it asks the server first", async () => {
    const { noticed } = watch(serverMs + 5 * hour);
    await pass(minute);
    wrongMs += 24 * hour;
    await pass(hour);
    expect(noticed).toEqual([]);
    wrongMs -= 48 * hour;
    await pass(4 * hour);
    expect(noticed).toHaveLength(1);
    expect(noticed[0]).toBeLessThan(100);
  });

  test("starts offline by looking without an answer, and continues once there is one", async () => {
    delayMs = undefined;
    const { noticed, looks } = watch(serverMs + 10 * minute);
    await pass(minute);
    expect(looks.length).toBeGreaterThan(0);
    expect(looks.every((look) => look === undefined)).toBe(true);
    delayMs = 100;
    await pass(10 * minute);
    expect(noticed).toEqual([0]);
  });

  test("ends if it is refused at the start, and continues after a later refusal", async () => {
    delayMs = undefined;
    refusal = new FirerankError("unauthenticated", "nobody");
    const first = watch(serverMs + hour);
    await pass(minute);
    expect(first.errors).toEqual([refusal]);
    expect(asks).toHaveLength(1);

    delayMs = 100;
    const from = serverMs;
    const second = watch(from + hour);
    await pass(minute);
    delayMs = undefined;
    await pass(2 * hour);
    expect(second.errors).toEqual([]);
    expect(second.noticed).toEqual([0]);
  });

  test("ends if looking throws, and stops when told to", async () => {
    const errors: FirerankError[] = [];
    const gone = new FirerankError("season_not_found", "gone");
    startTicking(world, {
      look() {
        throw gone;
      },
      fail: (error) => errors.push(error),
    });
    await pass(minute);
    expect(errors).toEqual([gone]);
    const { looks, ticking } = watch(serverMs + hour);
    ticking.stop();
    await pass(hour);
    expect(looks).toEqual([]);
    expect(timers).toEqual([]);
  });
});
