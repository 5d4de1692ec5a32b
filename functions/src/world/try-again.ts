/** Retries work that failed because the database was busy or another writer was faster; the wait doubles each time. */
import { publishAttemptsMax } from "../model/limits.ts";
import { isBeaten } from "./retryable.ts";
import type { Services } from "./services.ts";

type Patience = Pick<Services, "sleep" | "random">;

export interface TryAgainOptions {
  /** Whether a retry may cure an error; by default {@link isBeaten}. */
  mayPass?: (error: unknown) => boolean;
  /** Called with an error before the wait for the next attempt. */
  onFailure?: (error: unknown, attempt: number) => void;
  /** The shortest first wait; the longest is twice as long. */
  firstWaitMs?: number;
}

/**
 * Does some work, and retries it after temporary errors: at most eight attempts.
 * @param work gets the number of the attempt, 1 for the first.
 * @throws the last attempt's error.
 */
export async function tryAgain<Result>(
  { sleep, random }: Patience,
  work: (attempt: number) => Promise<Result>,
  { mayPass = isBeaten, onFailure, firstWaitMs = 50 }: TryAgainOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!mayPass(error) || attempt === publishAttemptsMax) throw error;
      onFailure?.(error, attempt);
      // A random time, so that writers that collided do not collide again.
      await sleep(2 ** (attempt - 1) * firstWaitMs * (1 + random()));
    }
  }
}
