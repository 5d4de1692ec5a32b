/**
 * A process that answers a number of concurrent `getTop` calls, as a function does, and prints its peak memory in MiB.
 */
import { Firestore } from "../../../functions/src/documents/firestore.ts";
import { getTopSpec } from "../../../functions/src/operations/get-top.ts";
import { createServices } from "../../../functions/src/operations/shared/services.ts";
import { answer } from "../../../functions/src/operations/shared/spec.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const [projectId = "", requests = "1"] = process.argv.slice(2);
const db = new Firestore({ projectId });
const nothing = () => undefined;
const services = createServices({
  db,
  now: Date.now,
  random: Math.random,
  newId: () => "none",
  log: { info: nothing, warn: nothing, error: nothing },
  sleep: () => Promise.resolve(),
  intervalMinutesMin: 1,
});

await boardCacheOf(services).load({ leaderboard: "board", season: "all_time" });
const bodies = await Promise.all(
  Array.from({ length: Number(requests) }, async () => {
    const answered = await answer(getTopSpec, services, { leaderboard: "board" }, undefined);
    // A body stays in memory until its caller has received it.
    return Buffer.from(JSON.stringify({ result: answered }));
  }),
);
if (bodies.some(({ length }) => length < 100_000)) throw new Error("an answer is too small to tell anything");
const peakKib = process.resourceUsage().maxRSS;
console.log(Math.round(peakKib / 1_024));
await db.terminate();
