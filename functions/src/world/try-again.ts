/** Another attempt at what a busy database or a faster writer made fail, after a wait that doubles each time. */
import { publishAttemptsMax } from "../model/limits.ts";
import { isBeaten } from "./retryable.ts";
import type { World } from "./world.ts";

/** What waiting takes. */
type Patience = Pick<World, "sleep" | "random">;

export interface TryAgainOptions {
  /** Whether another attempt may cure an error; without it, see {@link isBeaten}. */
  mayPass?: (error: unknown) => boolean;
  /** Told of an error before the wait for the next attempt. */
  onFailure?: (error: unknown, attempt: number) => void;
  /** The shortest first wait; the longest is twice as long. */
  firstWaitMs?: number;
}

const firstWaitMsDefault = 50;

/**
 * Does some work, again after an error that may pass: eight attempts at most.
 * @param work is given the number of the attempt, 1 for the first.
 * @throws the last attempt's error.
 */
export async function tryAgain<Result>(
  patience: Patience,
  work: (attempt: number) => Promise<Result>,
  { mayPass = isBeaten, onFailure, firstWaitMs = firstWaitMsDefault }: TryAgainOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (!mayPass(error) || attempt === publishAttemptsMax) throw error;
      onFailure?.(error, attempt);
      await backOff(patience, attempt, firstWaitMs);
    }
  }
}

/** Waits after an attempt, 1 for the first: at random, so that those who met do not meet again. */
export function backOff(
  { sleep, random }: Patience,
  attempt: number,
  firstWaitMs = firstWaitMsDefault,
): Promise<void> {
  return sleep(2 ** (attempt - 1) * firstWaitMs * (1 + random()));
}
