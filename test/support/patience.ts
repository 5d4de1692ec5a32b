/**
 * How long tests wait for what others do: the functions, a browser, a listener. Only a failure takes as long, so that
 * these are generous, and on a machine with more to do than it has cores for they grow with what waits for a core.
 * A function's first call starts a process of its own: two seconds on an idle machine, and half a minute beside another suite.
 */
import { availableParallelism, loadavg } from "node:os";

/** The longest that a test may take in all. Whatever hangs longer would hang for ever. */
export const testMsMax = 900_000;

const conditionMs = 45_000;
const slownessMax = 8;

/** How many times longer things take than on an idle machine, by the load of the last minute. */
export function slowness(): number {
  const [lastMinute = 0] = loadavg();
  return Math.min(slownessMax, Math.max(1, lastMinute / availableParallelism()));
}

/** How long to wait, from now on, for a condition that others bring about. */
export function patienceMs(): number {
  return conditionMs * slowness();
}
