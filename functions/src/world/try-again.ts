/** Retries work that failed because the database was busy or another writer was faster; the wait doubles each time. */
import { publishAttemptsMax } from "../model/limits.ts";
import { isBeaten } from "./retryable.ts";
import type { Services } from "./services.ts";

type Patience = Pick<Services, "sleep" | "random">;

export interface TryAgainOptions {
  /** Whether a retry may cure an error; by default {@link isBeaten}. */
  mayPass?: (error: unknown) => boolean;
  /** The shortest first wait; the longest is twice as long. */
  firstWaitMs?: number;
}

/**
 * Does some work, and retries it after temporary errors: at most eight attempts.
 * @throws the last attempt's error.
 */
export async function tryAgain<Result>(
  patience: Patience,
  work: () => Promise<Result>,
  { mayPass = isBeaten, firstWaitMs = 50 }: TryAgainOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || attempt === publishAttemptsMax) throw error;
      await waitAfter(patience, attempt, firstWaitMs);
    }
  }
}

/** The wait after an attempt that failed: a random time, so that writers that collided do not collide again. */
export function waitAfter({ sleep, random }: Patience, attempt: number, firstWaitMs = 50): Promise<void> {
  return sleep(2 ** (attempt - 1) * firstWaitMs * (1 + random()));
}
