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
  { signal, timeoutMs }: CallOptions,
  work: (isOver: () => boolean) => Promise<Result>,
): Promise<Result> {
  let isOver = false;
  let end: (error: FirerankError) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => (end = reject));
  const cancel = () =>
    end(new FirerankError("cancelled", `${what}: cancelled by the app.`, { cause: signal?.reason }));
  if (signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel);
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(
          () => end(new FirerankError("deadline_exceeded", `${what}: no answer in ${timeoutMs} ms.`)),
          timeoutMs,
        );
  try {
    return await (signal?.aborted === true ? ended : Promise.race([ended, work(() => isOver)]));
  } finally {
    isOver = true;
    clearTimeout(timer);
    signal?.removeEventListener("abort", cancel);
  }
}
