/** Load on one function: a number of connections, each sending its next request when it has its answer. */
import autocannon from "autocannon";
import { cpuSeconds } from "./cores.ts";

export interface Load {
  url: string;
  /** Bodies of requests, shared out among the connections; each sends its own in turn. */
  bodies: readonly string[];
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

/** @throws if a request fails, as errors must not be benchmarked. */
export async function measure(load: Load): Promise<Measured> {
  const used = () => ({
    function: cpuSeconds(load.functionPid),
    database: load.databasePid === undefined ? 0 : cpuSeconds(load.databasePid),
  });
  const before = used();
  const { times, answers, seconds } = await run(load);
  const after = used();
  times.sort((a, b) => a - b);
  return {
    requests: answers,
    perSecond: answers / seconds,
    perCoreSecond: answers / (after.function - before.function),
    coreShare: (after.function - before.function) / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    databaseCpuMs: (1000 * (after.database - before.database)) / answers,
  };
}

interface Answers {
  /**
   * The time of each answer, in ms: autocannon's own summary is in whole ones. Those of the beginning are left out, as
   * all connections are made in it, and the function was idle before: the first fifth of the duration, and the first of
   * each connection; unless there are no others.
   */
  times: number[];
  /** Answers, those of the beginning too. */
  answers: number;
  /** From the first request to the last answer. */
  seconds: number;
}

function run({ url, bodies, connections, seconds }: Load): Promise<Answers> {
  const times: number[] = [];
  const ofBeginning: number[] = [];
  const begun = new Set<unknown>();
  const startedAt = performance.now();
  let lastAt = startedAt;
  // Each connection gets a part: if each prepared all requests, the first answers would be delayed by a second.
  const shares = Array.from({ length: connections }, (_, i) => {
    return bodies.filter((_, j) => j % connections === i % bodies.length).map((body) => ({ body }));
  });
  let connection = 0;
  return new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        method: "POST",
        headers: { "Content-Type": "application/json" },
        setupClient: (client) => {
          client.setRequests(shares[connection++ % connections] ?? []);
        },
        connections,
        duration: seconds,
      },
      (error: Error | null, { errors, non2xx }: autocannon.Result) => {
        const answers = times.length + ofBeginning.length;
        if (error !== null) reject(error);
        else if (errors + non2xx > 0 || answers === 0)
          reject(new Error(`${url}: ${answers} answers, ${non2xx} refusals, ${errors} errors`));
        else
          resolve({
            times: times.length < connections ? [...times, ...ofBeginning] : times,
            answers,
            seconds: (lastAt - startedAt) / 1000,
          });
      },
    );
    instance.on("response", (client, _status, _bytes, ms) => {
      lastAt = performance.now();
      const isLater = lastAt - startedAt > 200 * seconds && begun.has(client);
      (isLater ? times : ofBeginning).push(ms);
      begun.add(client);
    });
  });
}

/** Of sorted values, the smallest that the given share does not exceed. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}
