/**
 * Fires scheduled functions on the emulators, which have no scheduler: they load these functions, say that they will
 * ignore them, but still answer when called.
 */
import { loadedFunctions } from "./loaded-functions.ts";
import { projectId, region } from "./project.ts";

export interface Clock {
  /** Resolves when no call is under way. */
  stop: () => Promise<void>;
}

/** Calls each function every `everyMs` milliseconds; one that takes longer than that misses beats, but never overlaps. */
export function startClock({
  functionsHost,
  names,
  everyMs,
  report = console.error,
}: {
  functionsHost: string;
  names: readonly string[];
  everyMs: number;
  /** Called once for a lasting error, not at each beat, and again when it is over. */
  report?: (message: string) => void;
}): Clock {
  const underWay = new Map<string, Promise<void>>();
  const lastErrors = new Map<string, string>();

  const beat = async (name: string) => {
    const error = await fireOnce(functionsHost, name).catch((cause: unknown) => String(cause));
    if (error !== lastErrors.get(name)) {
      report(error === undefined ? `Clock: ${name} works again.` : `Clock: ${name} failed: ${error}`);
    }
    if (error === undefined) {
      lastErrors.delete(name);
    } else {
      lastErrors.set(name, error);
    }
  };
  const timer = setInterval(() => {
    for (const name of names) {
      if (!underWay.has(name)) {
        const done = beat(name).finally(() => underWay.delete(name));
        underWay.set(name, done);
      }
    }
  }, everyMs);

  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay.values());
    },
  };
}

/** Calls a scheduled function once; returns what went wrong, if anything. */
export async function fireOnce(functionsHost: string, name: string): Promise<string | undefined> {
  const answer = await post(functionsHost, `${name}-0`);
  // After the triggers were reloaded, the number at the end differs, and 204 means "no longer".
  if (answer.status !== 404 && answer.status !== 204) {
    return answer.ok ? undefined : `HTTP ${answer.status}`;
  }
  const current = (await loadedFunctions(functionsHost)).findLast(
    (loaded) => loaded.replace(/-\d+$/, "") === name,
  );
  if (current === undefined) {
    return "there is no such function";
  }
  const second = await post(functionsHost, current);
  return second.ok ? undefined : `HTTP ${second.status}`;
}

async function post(functionsHost: string, key: string): Promise<Response> {
  const response = await fetch(`http://${functionsHost}/${projectId}/${region}/${key}`, {
    method: "POST",
    headers: { "X-CloudScheduler-ScheduleTime": new Date().toISOString() },
  });
  await response.arrayBuffer(); // frees the connection
  return response;
}
