import type { Platform } from "./platform.ts";

/** By name, when the last work ends: for platforms without Web Locks. */
const ends = /* @__PURE__ */ new Map<string, Promise<unknown>>();

/**
 * Runs work while no other work of the same name runs. In a browser with Web Locks this holds for all tabs, otherwise for
 * this tab.
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
    // If the work has begun, the error is the work's own. Otherwise the browser refuses locks, as in a sandboxed frame.
    if (begun !== undefined) return begun;
  }
  const done = (ends.get(name) ?? Promise.resolve()).then(work);
  ends.set(
    name,
    done.catch(() => undefined),
  );
  return done;
}
