/** Closes the bench's season in a process of its own, as the task's instance does, and reports its memory. */
import { seasonPath, shardsPath, standingsSummaryPath } from "../../functions/src/documents/paths.ts";
import { readSeason } from "../../functions/src/documents/season.ts";
import { stepEnd } from "../../functions/src/jobs/closing/end.ts";
import type { ClosingRequest } from "../../functions/src/world/tasks.ts";
import { benchServices, key } from "./fill.ts";

/** The report of the process. */
export interface Told {
  steps: number;
  /** Memory before the closing, all modules loaded, and at its peak. */
  idleMib: number;
  peakMib: number;
  problems: string[];
}

const players = Number(process.argv[2]);
const idleMib = process.memoryUsage().rss / 2 ** 20;
let offsetMs = 0;
const requests: ClosingRequest[] = [];
const services = benchServices({
  now: () => Date.now() + offsetMs,
  enqueueJob: (request) => {
    if (request.job === "end") requests.push(request);
    return Promise.resolve();
  },
});
const { db } = services;
const seasonNow = async () => readSeason((await db.doc(seasonPath(key)).get()).data());
let steps = 0;
for (;;) {
  // What the queue has comes first; the schedule asks for what is due.
  const request = requests.shift();
  const dueAt = request === undefined ? (await seasonNow()).end_due_at : undefined;
  if (dueAt === null) break;
  if (dueAt !== undefined) offsetMs += Math.max(0, dueAt.toMillis() - services.now());
  await stepEnd(services, request ?? { ...key, step: 0 });
  steps += 1;
}
const { status } = await seasonNow();
const found: unknown = (await db.doc(standingsSummaryPath(key)).get()).get("players");
const left = (await db.collection(shardsPath(key)).count().get()).data().count;
const problems = [
  ...(status === "closed" ? [] : [`the season is ${status}`]),
  ...(found === players ? [] : [`the standings have ${String(found)} players`]),
  ...(left === 0 ? [] : [`${left} shards are left`]),
];
const peakMib = process.resourceUsage().maxRSS / 2 ** 10;
const told: Told = { steps, idleMib, peakMib, problems };
process.send?.(told, () => {
  process.disconnect();
});
