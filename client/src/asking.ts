/**
 * What the watchers of groups do one at a time: ask a function, pause before they ask again, or listen to what the answer has
 * named.
 */
import type { Unsubscribe } from "firebase/firestore";
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import { isPassing } from "./retries.ts";

/** The pauses before another question: after a failure, and while a seat is awaited. They double up to the longest. */
export const pauseMs = { failed: 1_000, seating: 10_000, longest: 60_000 };

/**
 * How often a question is asked again because the device's clock and the functions' differ about which season runs: some two
 * minutes.
 */
export const clockQuestionsMax = 6;

/** The question of a watcher, and what follows from its answer. */
export interface Asking {
  /** Replaces what is under way. @param next begins something, and returns what ends it. */
  begin: (next: () => Unsubscribe) => void;
  ask: () => void;
  askIn: (firstMs: number) => void;
  /** How long the next pause is. At most half of it is random, so that players who wait for the same do not all ask at once. */
  nextPauseMs: (firstMs: number) => number;
  /** The group's document has shown the player. */
  isShown: () => void;
  /** The listener to the group's document has ended. */
  isRefused: (cause: unknown) => void;
  fail: (cause: unknown) => void;
  end: Unsubscribe;
}

/**
 * Asks once `ask` is called, and after failures that pass again, each time after a longer pause.
 * @param what the name of the call, for errors.
 * @param take gets the answer.
 * @param isEarly whether an error means that the device's clock is a moment fast.
 */
export function createAsking<Answer>(
  what: string,
  question: () => Promise<Answer>,
  take: (answer: Answer) => void,
  onError: (error: FirerankError) => void,
  isEarly: (error: FirerankError) => boolean = () => false,
): Asking {
  /** Pauses in a row, which become longer. */
  let pauses = 0;
  /** Whether the player was in the group by the last answer, and its document did not show that. */
  let isDoubted = false;
  let stop: Unsubscribe = () => undefined;

  function begin(next: () => Unsubscribe): void {
    stop();
    stop = () => undefined;
    stop = next();
  }

  function ask(): void {
    begin(() => {
      let isOver = false;
      question().then(
        (answer) => isOver || take(answer),
        (cause: unknown) => {
          if (isOver) return;
          const error = toFirerankError(what, cause);
          if (isEarly(error) || isPassing(error)) askIn(pauseMs.failed);
          else fail(error);
        },
      );
      return () => {
        isOver = true;
      };
    });
  }

  function nextPauseMs(firstMs: number): number {
    return Math.min(pauseMs.longest, firstMs * 2 ** pauses++) * (1 + Math.random() / 2);
  }

  function askIn(firstMs: number): void {
    begin(() => {
      const timer = setTimeout(ask, nextPauseMs(firstMs));
      return () => clearTimeout(timer);
    });
  }

  function isShown(): void {
    isDoubted = false;
    pauses = 0;
  }

  function isRefused(cause: unknown): void {
    const error = toFirerankError(what, cause);
    // The rules refuse whom the group does not show. Whom the answer then shows it again, other rules refuse.
    if (error.code !== "permission_denied" || isDoubted) fail(error);
    else askIn(pauseMs.failed);
    isDoubted = true;
  }

  function fail(cause: unknown): void {
    stop();
    onError(toFirerankError(what, cause));
  }

  return { begin, ask, askIn, nextPauseMs, isShown, isRefused, fail, end: () => stop() };
}
