/**
 * Correctness under faults: each system gets the same seeded stream of scores, whose events are doubled, reordered and
 * lost. Afterwards the ranks of all players are compared with the truth, and again after each of what may heal them.
 * A system without events gets some requests twice. Counted on an emulator; the faults are made here.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomOf } from "../generators/random.ts";
import { shapes } from "../generators/shapes.ts";
import { isChange } from "../systems/player-bills.ts";
import type { Event, Opened, Submission, System } from "../systems/system.ts";
import { createMeteredClient } from "./bill.ts";
import { beginsAtMs, intervalMs } from "./contestant.ts";
import { createPostman, type FaultShares } from "./postman.ts";
import { createLiveTruth, type LiveTruth } from "./truth.ts";
import { drawWork } from "./work.ts";

/** Ranks that are wrong, and by how many places. */
export interface Wrong {
  players: number;
  ranks: number;
  placesMax: number;
}

export interface Faults {
  id: string;
  /** What was done: to events, or to requests where there are none. */
  of: "events" | "requests";
  done: { events: number; doubled: number; reordered: number; lost: number };
  /** Events whose delivery failed. */
  failed: number;
  /** After all events, and a run where ranks are as of the last one. */
  atEnd: Wrong;
  /** After one more run of its job. */
  afterRun?: Wrong;
  /** After a job that compares everything with the players, and a run. */
  afterMending?: Wrong;
  /** Instead, after one more score of each player, without faults, and a run. */
  afterChanges?: Wrong;
}

/** Published rates are 2 % doubled and 0.1 % lost; more are lost and reordered here, so that some are seen. */
export const faultShares: FaultShares = { doubled: 0.02, reordered: 0.1, lost: 0.01 };

export interface FaultOptions {
  players: number;
  updates: number;
  seed: number;
  shares?: FaultShares;
}

/** Whether a system's ranks can be told right from wrong, and no other system's faults are its own. */
export function canBeWrong({ rank, cannot, isVariant = false }: System): boolean {
  return !isVariant && rank !== "estimate" && !("rank" in cannot);
}

/**
 * Lets a system play under faults; twice if it can be mended, as that leaves nothing for the next changes to heal.
 * FIRESTORE_EMULATOR_HOST names the emulator.
 */
export async function playFaults(system: System, options: FaultOptions): Promise<Faults> {
  const { afterMending, ...found } = await playOnce(system, options, "mending");
  return afterMending === undefined
    ? found
    : { ...(await playOnce(system, options, "changes")), afterMending };
}

/** What heals, if the system has it. */
type Healing = "mending" | "changes";

async function playOnce(system: System, options: FaultOptions, healing: Healing): Promise<Faults> {
  const folder = mkdtempSync(join(tmpdir(), "firerank-bench-"));
  const { db, meter } = createMeteredClient();
  const clock = { ms: beginsAtMs };
  try {
    const place = { db, meter, now: () => clock.ms, random: randomOf(options.seed), folder };
    const opened = await system.open(place);
    try {
      return await play(system, opened, clock, options, healing);
    } finally {
      await opened.close?.();
    }
  } finally {
    await db.terminate();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Compares ranks after faults, and after healing. It is one function, as each step goes on from the truth and the clock
 * that the steps before it left.
 */
async function play(
  system: System,
  opened: Opened,
  clock: { ms: number },
  { players, updates, seed, shares = faultShares }: FaultOptions,
  healing: Healing,
): Promise<Faults> {
  const { run, mend, deliver } = opened;
  const truth = createLiveTruth();
  const random = randomOf(seed + 1);
  const postman = createPostman<Event>(shares, random);
  const requests = { events: 0, doubled: 0, reordered: 0, lost: 0 };
  let failed = 0;

  async function bring(events: Event[]): Promise<void> {
    for (const event of events) {
      await deliver?.(event).catch(() => {
        failed += 1;
      });
    }
  }
  async function submit(submission: Submission): Promise<Event | undefined> {
    clock.ms += 1;
    const { player, score } = submission;
    const change = { player, before: truth.scoreOf(player) ?? null, after: score };
    if (isChange(change, system.keeps)) truth.set(player, score);
    return opened.submit(submission);
  }
  async function runAgain(): Promise<void> {
    clock.ms += intervalMs;
    await run?.();
  }
  const wrong = () => compare(system, opened, truth);

  const work = drawWork(shapes.uniform999, players, updates, seed);
  for (const submission of [...work.arrivals, ...work.updates]) {
    const event = await submit(submission);
    if (event !== undefined) await bring(postman.post(event));
    else if (deliver === undefined) {
      requests.events += 1;
      if (random() >= shares.doubled) continue;
      requests.doubled += 1;
      await submit(submission);
    }
  }
  await bring(postman.flush());
  if (system.rank !== "exact") await runAgain();
  const atEnd = await wrong();
  if (run !== undefined) await runAgain();
  const afterRun = run === undefined ? {} : { afterRun: await wrong() };
  const isMended = healing === "mending" && mend !== undefined;
  if (isMended) await mend();
  else {
    for (const player of truth.ids()) {
      const event = await submit({ player, score: (truth.scoreOf(player) ?? 0) + 1 });
      if (event !== undefined) await bring([event]);
    }
  }
  await runAgain();
  const healed = await wrong();
  const isOfEvents = deliver !== undefined;
  return {
    id: system.id,
    of: isOfEvents ? "events" : "requests",
    done: isOfEvents ? postman.done : requests,
    failed,
    atEnd,
    ...afterRun,
    ...(isMended ? { afterMending: healed } : { afterChanges: healed }),
  };
}

/** Compares the ranks of all players with the truth; one that a system does not claim to know is not wrong. */
async function compare(system: System, { rank }: Opened, truth: LiveTruth): Promise<Wrong> {
  const wrong: Wrong = { players: truth.players, ranks: 0, placesMax: 0 };
  for (const player of truth.ids()) {
    const found = (await rank?.(player)) ?? null;
    if (found === null && system.rank === "top only") continue;
    const places = Math.abs((found ?? 0) - 1 - truth.above(truth.scoreOf(player) ?? NaN));
    if (places === 0) continue;
    wrong.ranks += 1;
    wrong.placesMax = Math.max(wrong.placesMax, places);
  }
  return wrong;
}
