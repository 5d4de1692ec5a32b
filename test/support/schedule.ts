/**
 * Fires the schedule on the emulators, which have no scheduler: they load its function, say that they will ignore it, but
 * still answer when it is called.
 */
import { setTimeout as pause } from "node:timers/promises";
import { addressesIn, callableUrl } from "../../scripts/callable-client.ts";

/** Calls the schedule once; returns what went wrong, if anything. */
export async function fireOnce(): Promise<string | undefined> {
  // The emulator adds the number of times that it has loaded the triggers before.
  const url = `${callableUrl(addressesIn(process.env), "rankSeasons")}-0`;
  const response = await fetch(url, { method: "POST" });
  await response.arrayBuffer(); // frees the connection
  return response.ok ? undefined : `HTTP ${response.status}`;
}

/**
 * Calls the schedule, and again `everyMs` milliseconds after each answer.
 * @returns what stops it, when no call is under way, and tells what went wrong
 */
export function startSchedule(everyMs: number): () => Promise<string[]> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const beating = (async () => {
    const problems: string[] = [];
    while (!signal.aborted) {
      const problem = await fireOnce().catch(String);
      if (problem !== undefined) problems.push(problem);
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
    return problems;
  })();
  return () => {
    stopping.abort();
    return beating;
  };
}
