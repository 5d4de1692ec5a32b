/** How long a call may take in all, and how an app ends it. */
import { FirerankError } from "./firerank-error.ts";

/** An `AbortSignal`, as much of it as a call needs. */
export interface CallSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface CallOptions {
  /** Ends the call with `cancelled`. What was sent may still count. */
  signal?: CallSignal | undefined;
  /** How long it may take in all, with its retries, in milliseconds; then it ends with `deadline_exceeded`. */
  timeoutMs?: number | undefined;
}

/**
 * The result of some work, unless it ends sooner.
 * @param work is told whether it has ended: nothing more should begin then.
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
