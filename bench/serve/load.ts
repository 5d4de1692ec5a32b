/** Load on one function: as many connections as asked for, each sending its next request when it has its answer. */
import autocannon from "autocannon";
import { cpuSeconds } from "./cores.ts";

export interface Load {
  url: string;
  /** Bodies of requests, sent in turn by each connection. */
  bodies: readonly string[];
  connections: number;
  seconds: number;
  /** Processes whose CPU time is wanted. */
  functionPid: number;
  databasePid?: number | undefined;
}

/** CPU times are NaN where the system does not tell them. */
export interface Measured {
  requests: number;
  perSecond: number;
  /** Requests for each second of CPU time that the function used: what a core of its own can answer. */
  perCoreSecond: number;
  /** How much of a core the function used: 1 where it was busy all the time. */
  coreShare: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU time of the database for each request, in ms; 0 for a database that is not there. */
  databaseCpuMs: number;
}

/** @throws if a request fails, as a benchmark of errors would be none. */
export async function measure(load: Load): Promise<Measured> {
  const used = () => ({
    function: cpuSeconds(load.functionPid),
    database: load.databasePid === undefined ? 0 : cpuSeconds(load.databasePid),
  });
  const before = used();
  const { times, seconds } = await run(load);
  const after = used();
  times.sort((a, b) => a - b);
  return {
    requests: times.length,
    perSecond: times.length / seconds,
    perCoreSecond: times.length / (after.function - before.function),
    coreShare: (after.function - before.function) / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    databaseCpuMs: (1000 * (after.database - before.database)) / times.length,
  };
}

interface Answers {
  /** The time of each answer, in ms: autocannon's own summary is in whole ones. */
  times: number[];
  /** From the first request to the last answer. */
  seconds: number;
}

function run({ url, bodies, connections, seconds }: Load): Promise<Answers> {
  const times: number[] = [];
  const startedAt = performance.now();
  let lastAt = startedAt;
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        method: "POST",
        headers: { "Content-Type": "application/json" },
        requests: bodies.map((body) => ({ body })),
        connections,
        duration: seconds,
      },
      (error: Error | null, { errors, non2xx }: autocannon.Result) => {
        if (error !== null) reject(error);
        else if (errors + non2xx > 0 || times.length === 0) {
          reject(new Error(`${url}: ${times.length} answers, ${non2xx} refusals, ${errors} errors`));
        } else resolve({ times, seconds: (lastAt - startedAt) / 1000 });
      },
    );
    instance.on("response", (_client, _status, _bytes, ms) => {
      times.push(ms);
      lastAt = performance.now();
    });
  });
}

/** Of sorted values, the smallest that the given share does not exceed. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
