/**
 * Wakes a watcher at given server times, such as the end of a season. Pure, except for the world that is passed in.
 *
 * A timer alone would fire hours late, as timers stop while a device sleeps. So the clocks are checked every ten seconds, which
 * costs nothing. The server is asked when a watcher starts, unless it was asked recently. It is asked again some time before
 * each given time, as a device's clock drifts: at a random time, so that players do not all ask at once. It is also asked when
 * the device's two clocks disagree, as after a sleep.
 */
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import { isPassing } from "./retries.ts";
import { type DeviceTime, elapsedMs, isDoubtful, type ServerClock, serverMsAt } from "./server-clock.ts";

/** What ticking needs from outside. */
export interface TickingWorld<Known extends { clock: ServerClock }> {
  now: () => DeviceTime;
  /** The last answer of the server. */
  known: () => Known | undefined;
  /** Asks the server. Afterwards `known` has the answer. @throws FirerankError */
  ask: () => Promise<unknown>;
  /** Calls `then` once, after at least `ms` milliseconds. Returns the function that cancels the call. */
  wait: (ms: number, then: () => void) => () => void;
  /** From 0 up to, but not including, 1. */
  random: () => number;
}

export interface Watcher<Known> {
  /**
   * Looks at what is known, and returns the server time of the next look: `Infinity` for never, undefined if the watcher needs
   * a newer answer of the server.
   * @param nowMs the server's time in milliseconds since 1970; the device's time if nothing is known.
   * @param known undefined as long as the server has not been reached.
   * @throws FirerankError to end the watching
   */
  look: (nowMs: number, known: Known | undefined) => number | undefined;
  /** Gets the error that ended the watching. */
  fail: (error: FirerankError) => void;
}

export interface Ticking {
  /** Looks again now, for instance when a document has arrived. */
  lookAgain: () => void;
  stop: () => void;
  /** Whether the watching was stopped, or has ended by an error. */
  isStopped: () => boolean;
}

/** How late a given time may be noticed after a sleep. */
export const longestWaitMs = 10_000;
/** If the server's last answer is older than `age`, it is renewed between `from` and `until` before a given time. */
const renewedMs = { from: 600_000, until: 60_000, age: 900_000 };
/**
 * A reading of the server's clock that may be wrong by more than this is taken again: the first call of a cold function
 * takes seconds.
 */
const roughMs = 500;
/** How many answers a watcher waits for to get a reading that is good enough. */
const answersForOneMax = 2;
/** The pause between two requests, which doubles with each failure. */
const pauseMs = { least: 1_000, most: 60_000 };

/** Starts a watcher. This is one function, as the timer, the requests and the pauses depend on each other. */
export function startTicking<Known extends { clock: ServerClock }>(
  world: TickingWorld<Known>,
  { look, fail }: Watcher<Known>,
): Ticking {
  const leadMs = renewedMs.until + world.random() * (renewedMs.from - renewedMs.until);
  let cancel: () => void = () => undefined;
  let isEnded = false;
  let isAsking = false;
  let failures = 0;
  let answers = 0;
  /** When the last request ended. */
  let askedAt: DeviceTime | undefined;
  /** How long to wait from then until the next request. */
  let pausedMs = 0;
  /** Whether the server's last answer is enough for the watcher. */
  let isServed = false;

  function tick(): void {
    cancel();
    if (isEnded) return;
    const now = world.now();
    const known = world.known();
    const isSure = known !== undefined && !isDoubtful(known.clock, now);
    const nowMs = serverMsAt(known?.clock, now);
    let dueMs: number | undefined;
    // A doubtful reading is used only after a request has failed.
    if (isSure || failures > 0) {
      try {
        dueMs = look(nowMs, known);
      } catch (error) {
        end(error);
        return;
      }
      isServed = known !== undefined && dueMs !== undefined;
    }
    if (!isSure || dueMs === undefined || isOld(known.clock, now, dueMs - nowMs) || isRough(known.clock))
      ask(now);
    const leftMs = dueMs === undefined ? longestWaitMs : dueMs - nowMs;
    const toPauseMs = isAsking || askedAt === undefined ? longestWaitMs : pausedMs - elapsedMs(askedAt, now);
    const waits = [leftMs, longestWaitMs, ...(toPauseMs > 0 ? [toPauseMs] : [])];
    if (!isStopped()) cancel = world.wait(Math.max(1, Math.min(...waits)), tick);
  }

  /** This is a function, as the compiler does not know that a look may end the watcher. */
  const isStopped = () => isEnded;

  function isOld(clock: ServerClock, now: DeviceTime, leftMs: number): boolean {
    return leftMs < leadMs && elapsedMs(clock, now) > renewedMs.age;
  }

  function isRough({ error_ms: errorMs }: ServerClock): boolean {
    return errorMs > roughMs && answers < answersForOneMax;
  }

  function ask(now: DeviceTime): void {
    if (isAsking || isEnded || (askedAt !== undefined && elapsedMs(askedAt, now) < pausedMs)) return;
    isAsking = true;
    void world.ask().then(
      () => answered(0),
      (error: unknown) => {
        const problem = toFirerankError("watching", error);
        if (isServed || isPassing(problem)) answered(failures + 1);
        else end(problem);
      },
    );
  }

  function answered(failed: number): void {
    failures = failed;
    if (failed === 0) answers += 1;
    isAsking = false;
    askedAt = world.now();
    const longestMs = Math.min(pauseMs.most, pauseMs.least * 2 ** failures);
    pausedMs = longestMs * (0.5 + world.random() / 2);
    tick();
  }

  function end(error: unknown): void {
    if (isEnded) return;
    stop();
    fail(toFirerankError("watching", error));
  }

  function stop(): void {
    isEnded = true;
    cancel();
  }

  // The first look comes later, as the caller must first receive the function that stops the watcher.
  cancel = world.wait(0, tick);
  return { lookAgain: tick, stop, isStopped };
}
