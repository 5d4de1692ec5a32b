/** Closes a season under a meter: runs the steps that the schedule and the queue enqueue. */
import { stepEnd } from "../../functions/src/jobs/closing/end.ts";
import { closingRecord } from "../../functions/src/documents/closing-record.ts";
import {
  runPath,
  seasonPath,
  shardsPath,
  standingsSummaryPath,
} from "../../functions/src/documents/paths.ts";
import type { Bill } from "../../functions/src/documents/ranking-record.ts";
import { readSeason } from "../../functions/src/documents/season.ts";
import { cost } from "../../cli/prices.ts";
import type { ClosingRequest } from "../../functions/src/world/tasks.ts";
import { addBills, countRequests, noBill } from "../../functions/src/world/meter.ts";
import { benchServices, key } from "./fill.ts";

/** The costs of one phase. */
export interface Phase extends Bill {
  name: string;
  dollars: number;
  seconds: number;
}

/** The costs of the whole closing. */
export interface Closing {
  phases: Phase[];
  /** The number of steps; a task runs each of them. */
  steps: number;
  /** Problems found afterwards. */
  problems: string[];
}

/**
 * Runs all closing steps of the season. It is one function, as requests and time go to the phase that is current when
 * they pass.
 */
export async function closeAll(players: number): Promise<Closing> {
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
  const phases = new Map<string, Phase>();
  let current = phaseCalled("settling");
  countRequests(db, () => current);

  function phaseCalled(name: string): Phase {
    const phase = phases.get(name) ?? { name, ...noBill(), dollars: 0, seconds: 0 };
    phases.set(name, phase);
    return phase;
  }
  let lapMs = performance.now();
  function begin(name: string): void {
    current.seconds += (performance.now() - lapMs) / 1_000;
    lapMs = performance.now();
    current = phaseCalled(name);
  }

  const looking = phaseCalled("the bench's own");
  let steps = 0;
  for (;;) {
    const before = current;
    current = looking;
    const season = readSeason((await db.doc(seasonPath(key)).get()).data());
    current = before;
    // What the queue has comes first; the schedule asks for what is due.
    const request = requests.shift();
    if (request === undefined) {
      if (season.end_due_at === null) break;
      offsetMs += Math.max(0, season.end_due_at.toMillis() - services.now());
    }
    if (season.status === "closed") begin("clearing");
    await stepEnd(services, request ?? { ...key, step: 0 }, { onPhase: begin });
    steps += 1;
  }
  begin("the bench's own");
  phases.delete("the bench's own");
  const problems = await problemsOf(services, players);
  const all = [...phases.values()].map((phase) => ({ ...phase, dollars: cost(phase, "us-central1") }));
  const total = all.reduce(
    (sum, phase) => ({
      ...addBills(sum, phase),
      name: "all",
      dollars: sum.dollars + phase.dollars,
      seconds: sum.seconds + phase.seconds,
    }),
    { name: "all", ...noBill(), dollars: 0, seconds: 0 },
  );
  return { phases: [...all, total], steps, problems };
}

async function problemsOf({ db }: ReturnType<typeof benchServices>, players: number): Promise<string[]> {
  const season = readSeason((await db.doc(seasonPath(key)).get()).data());
  const record = closingRecord.parse((await db.doc(runPath(key, season.closing_run ?? "")).get()).data());
  const summary = await db.doc(standingsSummaryPath(key)).get();
  const left = (await db.collection(shardsPath(key)).count().get()).data().count;
  const found: unknown = summary.get("players");
  return [
    ...(season.status === "closed" ? [] : [`the season is ${season.status}`]),
    ...(record.outcome === "done" ? [] : [`its record says ${record.outcome}: ${record.error ?? ""}`]),
    ...(found === players ? [] : [`the standings have ${String(found)} players`]),
    ...(left === 0 ? [] : [`${left} shards are left`]),
  ];
}
