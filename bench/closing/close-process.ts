/** Closes the bench's season in a separate process, as the task's instance does; and reports the costs. */
import { closeAll, type Closing } from "./close.ts";

/** The report of the process. */
export interface Told extends Closing {
  /** Memory before the closing, all modules loaded, and at its peak. */
  idleMib: number;
  peakMib: number;
}

const players = Number(process.argv[2]);
const idleMib = process.memoryUsage().rss / 2 ** 20;
const closing = await closeAll(players);
const told: Told = { ...closing, idleMib, peakMib: process.resourceUsage().maxRSS / 2 ** 10 };
process.send?.(told, () => {
  process.disconnect();
});
