/** Tries again what failed for a reason that passes, waiting longer each time. */
import type { FirerankError, FirerankErrorCode } from "./firerank-error.ts";

/** How often to try, and how long to wait in between. */
export interface Patience {
  attemptsMax: number;
  /** The first wait, at most; each further one may be twice as long. */
  firstWaitMs: number;
  longestWaitMs: number;
}

/** What decides by chance, and what waits. */
export interface Chance {
  /** From 0 to below 1. */
  random: () => number;
  sleep: (ms: number) => Promise<void>;
}

const passing: readonly FirerankErrorCode[] = ["contention", "unavailable", "deadline_exceeded"];

/** Whether the same request may succeed in a moment. */
export function isPassing({ code }: FirerankError): boolean {
  return passing.includes(code);
}

/**
 * The result of the first attempt that succeeds.
 * @throws what the last attempt met, or the first error that does not pass.
 */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  passes: (error: unknown) => boolean,
  { attemptsMax, firstWaitMs, longestWaitMs }: Patience,
  { random, sleep }: Chance,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attemptsMax || !passes(error)) throw error;
    }
    // Half of it by chance, so that those whom one fault stopped do not come back all at once.
    const wait = Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1));
    await sleep(wait * (0.5 + random() / 2));
  }
}
