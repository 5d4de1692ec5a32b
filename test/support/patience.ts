/**
 * How long tests wait for others: the functions, a browser, a listener. Only a failure takes that long, so these are
 * generous, and on a busy machine they grow with the load. A function's first call starts a process of its own: two
 * seconds on an idle machine, and half a minute beside another suite.
 */
import { availableParallelism, loadavg } from "node:os";

/** The longest time for a test. Anything that hangs longer would hang forever. */
export const testMsMax = 900_000;

const conditionMs = 45_000;
const slownessMax = 8;

/** How many times longer things take than on an idle machine, by the load of the last minute. */
export function slowness(): number {
  const [lastMinute = 0] = loadavg();
  return Math.min(slownessMax, Math.max(1, lastMinute / availableParallelism()));
}

/** How long to wait from now on for a condition that others fulfil. */
export function patienceMs(): number {
  return Math.ceil(conditionMs * slowness());
}
