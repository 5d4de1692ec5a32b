/** Asks once, and again while Firestore, or a function, cannot be reached. */
import { asError, codeOf } from "../errors.ts";

/** Between two attempts; the SDK itself waits longer and longer between its own. */
export const askAgainMs = 5_000;

/**
 * Asks; after an error with the code `unavailable` it asks again every {@link askAgainMs}, and as soon as the browser
 * is online again, until there is an answer or another error. `fail` gets each error, and whether another attempt
 * follows.
 * @returns a function that stops it: nothing is reported after that.
 */
export function askUntilReached<T>(
  ask: () => Promise<T>,
  tell: (value: T) => void,
  fail: (error: Error, asksAgain: boolean) => void,
): () => void {
  let isWanted = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = () => {
    clearTimeout(timer);
    removeEventListener("online", attempt);
    ask().then(
      (value) => {
        if (isWanted) tell(value);
      },
      (error: unknown) => {
        if (!isWanted) return;
        const asksAgain = codeOf(error) === "unavailable";
        if (asksAgain) {
          timer = setTimeout(attempt, askAgainMs);
          addEventListener("online", attempt);
        }
        fail(asError(error), asksAgain);
      },
    );
  };
  attempt();
  return () => {
    isWanted = false;
    clearTimeout(timer);
    removeEventListener("online", attempt);
  };
}
