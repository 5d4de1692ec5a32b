import type { Platform } from "./platform.ts";

/** The end of the last work of each name, while there are no locks. */
const ends = /* @__PURE__ */ new Map<string, Promise<unknown>>();

/**
 * Runs work while no other work of the same name runs: in any tab of the browser if it has Web Locks, otherwise in this
 * one.
 */
export async function alone<Result>(
  { navigator }: Platform,
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  let begun: Promise<Result> | undefined;
  try {
    if (navigator?.locks !== undefined) return await navigator.locks.request(name, () => (begun = work()));
  } catch {
    // What the work threw. If it has not begun, the locks are refused, as in a sandboxed frame.
    if (begun !== undefined) return begun;
  }
  const done = (ends.get(name) ?? Promise.resolve()).then(work);
  ends.set(
    name,
    done.catch(() => undefined),
  );
  return done;
}
