/** Load on one function: a number of connections, each sending its next request when it has its answer. */
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { descendantsOf, runningProcesses } from "../../scripts/processes.ts";
import { quantile } from "../quantile.ts";

export interface Load {
  url: string;
  /** The data of the next request, and its own headers. */
  next: () => { data: object; headers?: Record<string, string> };
  connections: number;
  seconds: number;
}

/** CPU times are NaN if the system does not say. */
export interface Measured {
  requests: number;
  perSecond: number;
  /** Requests for each second of the function's CPU time: what a dedicated core can answer. */
  perCoreSecond: number;
  /** How much of a core the function used: 1 where it was busy all the time. */
  coreShare: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the database for each request, in ms; 0 without a database. */
  databaseCpuMs: number;
}

/** Returns when both processes are idle again. @throws if a request fails, as errors must not be benchmarked. */
export async function measure(load: Load, functionPid: number, databasePid?: number): Promise<Measured> {
  const used = () => [functionPid, databasePid].map((pid) => (pid === undefined ? 0 : cpuSeconds(pid)));
  const before = used();
  const { times, answers, seconds } = await run(load);
  const [ofFunction = NaN, ofDatabase = NaN] = used().map((now, i) => now - (before[i] ?? NaN));
  // Work still in flight at the end must not affect what is measured next.
  await untilIdle(() => used().reduce((sum, each) => sum + each, 0));
  return {
    requests: answers,
    perSecond: answers / seconds,
    perCoreSecond: answers / ofFunction,
    coreShare: ofFunction / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    databaseCpuMs: (1_000 * ofDatabase) / answers,
  };
}

/** CPU time that a process and its descendants have used, in seconds. */
function cpuSeconds(pid: number): number {
  const own = runningProcesses().filter((process) => process.pid === pid);
  return [...own, ...descendantsOf(pid)].reduce((sum, each) => sum + each.cpuSeconds, 0);
}

const idleMs = 100;
const idleMsMax = 60_000;

/** Waits until no CPU time was used for a tenth of a second, or nobody says; at most a minute. */
async function untilIdle(used: () => number): Promise<void> {
  const deadline = Date.now() + idleMsMax;
  for (let before = -1, now = used(); now > before && Date.now() < deadline;) {
    before = now;
    await sleep(idleMs);
    now = used();
  }
}

interface Answers {
  /**
   * The time of each answer, in ms: autocannon's own summary is in whole ones. Those of the first fifth of the duration are
   * left out, as all connections are made in it, and the function was idle before; unless there are hardly any others.
   */
  times: number[];
  /** Answers, those of the beginning too. */
  answers: number;
  /** From the first request to the last answer. */
  seconds: number;
}

function run({ url, next, connections, seconds }: Load): Promise<Answers> {
  const times: number[] = [];
  const ofBeginning: number[] = [];
  const startedAt = performance.now();
  let lastAt = startedAt;
  const headers = { "Content-Type": "application/json" };
  const setupRequest = (request: autocannon.Request) => {
    const { data, headers: own } = next();
    return { ...request, headers: { ...headers, ...own }, body: JSON.stringify({ data }) };
  };
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      { url, connections, duration: seconds, requests: [{ method: "POST", headers, setupRequest }] },
      (error: Error | null, { errors, non2xx }: autocannon.Result) => {
        const answers = times.length + ofBeginning.length;
        if (error !== null) reject(error);
        else if (errors + non2xx > 0 || answers === 0)
          reject(new Error(`${url}: ${answers} answers, ${non2xx} refusals, ${errors} errors`));
        else
          resolve({
            times: times.length < connections ? [...times, ...ofBeginning] : times,
            answers,
            seconds: (lastAt - startedAt) / 1_000,
          });
      },
    );
    instance.on("response", (_client, _status, _bytes, ms) => {
      lastAt = performance.now();
      (lastAt - startedAt > 200 * seconds ? times : ofBeginning).push(ms);
    });
  });
}
