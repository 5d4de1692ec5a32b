/**
 * Fires the schedule on the emulators, which have no scheduler: they load its function, say that they will ignore it, but
 * still answer when it is called.
 */
import { setTimeout as pause } from "node:timers/promises";
import { functionName } from "../functions/src/model/function-name.ts";
import { prefix, projectId, region } from "./project.ts";

const schedule = functionName("rankSeasons", prefix);

export interface Clock {
  /** Resolves when no call is under way. */
  stop: () => Promise<void>;
}

/**
 * Calls the schedule, and again `everyMs` milliseconds after each answer.
 * @param report gets a lasting error once, not at each beat, and again when it is over.
 */
export function startClock(
  functionsHost: string,
  everyMs: number,
  report: (message: string) => void = console.error,
): Clock {
  const stopping = new AbortController();
  const { signal } = stopping;
  const beating = (async () => {
    let last: string | undefined;
    while (!signal.aborted) {
      const error = await fireOnce(functionsHost).catch(String);
      if (error !== last)
        report(
          error === undefined ? `Clock: ${schedule} works again.` : `Clock: ${schedule} failed: ${error}`,
        );
      last = error;
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    stop: () => {
      stopping.abort();
      return beating;
    },
  };
}

/** Calls the schedule once; returns what went wrong, if anything. */
export async function fireOnce(functionsHost: string): Promise<string | undefined> {
  const answer = await post(functionsHost, `${schedule}-0`);
  // After the triggers were reloaded, the number at the end differs, and 204 means "no longer".
  if (answer.status !== 404 && answer.status !== 204) return answer.ok ? undefined : `HTTP ${answer.status}`;
  const loaded = await loadedFunctions(functionsHost);
  const current = loaded.findLast((name) => name.replace(/-\d+$/, "") === schedule);
  if (current === undefined) return "there is no such function";
  const second = await post(functionsHost, current);
  return second.ok ? undefined : `HTTP ${second.status}`;
}

/**
 * What a running Functions emulator has loaded: the names by which functions can be called at
 * `http://<host>/<project>/<region>/<name>`. Background functions have a suffix there, the number of times their triggers
 * were loaded: `rankSeasons-0`.
 */
export async function loadedFunctions(functionsHost: string): Promise<string[]> {
  const response = await fetch(`http://${functionsHost}/${projectId}/${region}/no-such-function`);
  // The emulator has no list of them, but names them all when it finds one missing.
  const [, list = ""] = /valid functions are: (.*)$/s.exec(await response.text()) ?? [];
  const names = list.split(",").map((name) => name.trim());
  return names.filter((name) => name.startsWith(`${region}-`)).map((name) => name.slice(region.length + 1));
}

async function post(functionsHost: string, key: string): Promise<Response> {
  const response = await fetch(`http://${functionsHost}/${projectId}/${region}/${key}`, {
    method: "POST",
    headers: { "X-CloudScheduler-ScheduleTime": new Date().toISOString() },
  });
  await response.arrayBuffer(); // frees the connection
  return response;
}
