/** Load on one function: a number of connections, each sending its next request when it has its answer. */
import autocannon from "autocannon";
import { quantile } from "../quantile.ts";
import { cpuSeconds, untilIdle } from "./cores.ts";

export interface Load {
  url: string;
  /** The next request: its data, and headers. */
  next: () => { data: object; headers?: Record<string, string> };
  connections: number;
  seconds: number;
  /** Processes whose CPU time is wanted. */
  functionPid: number;
  databasePid?: number | undefined;
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

/** Returns when the processes are idle again. @throws if a request fails, as errors must not be benchmarked. */
export async function measure(load: Load): Promise<Measured> {
  const { functionPid, databasePid } = load;
  const used = () =>
    [cpuSeconds(functionPid), databasePid === undefined ? 0 : cpuSeconds(databasePid)] as const;
  const [functionBefore, databaseBefore] = used();
  const { times, answers, seconds } = await run(load);
  const [functionAfter, databaseAfter] = used();
  // Work still in flight at the end must not affect what is measured next.
  await untilIdle([functionPid, ...(databasePid === undefined ? [] : [databasePid])]);
  times.sort((a, b) => a - b);
  return {
    requests: answers,
    perSecond: answers / seconds,
    perCoreSecond: answers / (functionAfter - functionBefore),
    coreShare: (functionAfter - functionBefore) / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    databaseCpuMs: (1_000 * (databaseAfter - databaseBefore)) / answers,
  };
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
  const setupRequest = (request: autocannon.Request) => {
    const { data, headers } = next();
    const all = { "Content-Type": "application/json", ...headers };
    return { ...request, headers: all, body: JSON.stringify({ data }) };
  };
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      { url, connections, duration: seconds, requests: [{ method: "POST", setupRequest }] },
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
