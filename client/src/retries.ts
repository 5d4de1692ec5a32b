/** Retries work that failed for a temporary reason, waiting longer each time. */
import type { FirerankError, FirerankErrorCode } from "./firerank-error.ts";

/** The waits are at most 0.5, 1, 2 and 4 s: long enough for a short outage, and short enough for a player who waits. */
const firstWaitMs = 500;
const attemptsByDefault = 5;

const passing: readonly FirerankErrorCode[] = ["contention", "unavailable", "deadline_exceeded"];

/** Whether the same request may soon succeed. */
export function isPassing({ code }: FirerankError): boolean {
  return passing.includes(code);
}

/**
 * The result of the first attempt that succeeds.
 * @throws the last attempt's error, or the first permanent one.
 */
export async function withRetries<Result>(
  work: () => Promise<Result>,
  passes: (error: unknown) => boolean,
  attemptsMax = attemptsByDefault,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attemptsMax || !passes(error)) throw error;
    }
    // Half of the wait is random, so that clients that the same fault has stopped do not all come back at once.
    const wait = firstWaitMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
