/** How long a call may take in all, and how an app ends it. */
import { FirerankError } from "./firerank-error.ts";

/** What a call needs of an `AbortSignal`. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface CallOptions {
  /** Ends the call with `cancelled`. A request that was sent may still count. */
  signal?: CallSignal | undefined;
  /** How long the call may take with all retries, in milliseconds. Then it ends with `deadline_exceeded`. */
  timeoutMs?: number | undefined;
}

/**
 * The result of some work, unless the signal or the time ends it sooner.
 * @param what the name of the call, for errors.
 * @param work can ask whether it was ended: then it should begin nothing more.
 * @throws FirerankError: `cancelled`, `deadline_exceeded`
 */
export async function within<Result>(
  what: string,
  // By default 11 days. `setTimeout` takes at most 24, and what is longer at once.
  { signal, timeoutMs = 1e9 }: CallOptions,
  work: (isOver: () => boolean) => Promise<Result>,
): Promise<Result> {
  const cancelled = () =>
    new FirerankError("cancelled", `${what}: cancelled by the app.`, { cause: signal?.reason });
  if (signal?.aborted === true) throw cancelled();
  let isOver = false;
  let end: () => void;
  return new Promise<Result>((resolve, reject) => {
    const cancel = () => reject(cancelled());
    signal?.addEventListener("abort", cancel);
    const timer = setTimeout(
      () => reject(new FirerankError("deadline_exceeded", `${what}: no answer in ${timeoutMs} ms.`)),
      Math.min(timeoutMs, 2e9),
    );
    end = () => {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
    };
    work(() => isOver).then(resolve, reject);
  }).finally(() => end());
}
