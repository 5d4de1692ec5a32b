/** A season of many players on an emulator, closed step by step under a meter. */
import { Firestore, Timestamp } from "../../functions/src/documents/firestore.ts";
import { stepEnd } from "../../functions/src/closing/step.ts";
import { readClosingRecord } from "../../functions/src/documents/closing-record.ts";
import {
  indexEntriesPath,
  indexEntryPath,
  leaderboardPath,
  playerPath,
  runPath,
  seasonPath,
  shardPath,
  standingsSummaryPath,
} from "../../functions/src/documents/paths.ts";
import type { Bill } from "../../functions/src/documents/ranking-record.ts";
import { newSeason, storedSeason } from "../../functions/src/documents/season.ts";
import { definitionSchema } from "../../functions/src/model/definition.ts";
import { cost } from "../../functions/src/model/prices.ts";
import { scoreToField } from "../../functions/src/model/score.ts";
import { createServices, type Services } from "../../functions/src/operations/services.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { ownProcess } from "../../functions/src/world/own-process.ts";
import { countRequests, noBill } from "../../functions/src/world/meter.ts";

const key = { leaderboard: "bench", season: "cup" };
const playersPerChunk = 5_000;

export interface Season {
  services: Services;
  bill: Bill;
  /** Moves the clock on. */
  advance: (ms: number) => void;
  /** Memory of the process before the closing. */
  idleMib: number;
}

/** Writes players with names, as many in ten with metadata as one, their index entries and a shard that counts them; and ranks them. */
export async function populate(scores: Float64Array, random: () => number): Promise<Season> {
  const bill = noBill();
  const db = new Firestore({ projectId: "demo-closing" });
  countRequests(db, () => bill);
  let offsetMs = 0;
  const quiet = { info: () => undefined, warn: console.warn, error: console.error };
  const services = createServices({
    ...ownProcess(db),
    now: () => Date.now() + offsetMs,
    log: quiet,
    enqueueRun: () => Promise.resolve(),
    intervalMinutesMin: 1,
  });
  const now = Timestamp.fromMillis(services.now());
  await db.doc(leaderboardPath(key.leaderboard)).set(definitionSchema(1).parse({}));
  const season = newSeason({
    span: "custom",
    opens_at: now,
    closes_at: now,
    shards: 8,
    interval_ms: 300_000,
    next_run_at: now,
  });
  await db.doc(seasonPath(key)).set(season);
  const counts: Record<string, number> = {};
  for (let start = 0; start < scores.length; start += playersPerChunk) {
    const writer = db.bulkWriter({ throttling: false });
    for (let i = start; i < Math.min(start + playersPerChunk, scores.length); i++) {
      const score = scores[i] ?? 0;
      const id = `player-${i.toString(36).padStart(6, "0")}-${random().toString(36).slice(2, 14)}`;
      const achieved = Timestamp.fromMillis(now.toMillis() - Math.floor(1e9 * random()));
      const more = i % 10 === 0 ? { metadata: { country: "PT", level: i } } : {};
      void writer.set(db.doc(playerPath(key, id)), {
        score,
        achieved_at: achieved,
        status: "active",
        attempts: 1,
        display_name: `Player ${i}`,
        ...more,
      });
      void writer.set(db.doc(indexEntryPath(key, id)), { score });
      counts[scoreToField(score)] = (counts[scoreToField(score)] ?? 0) + 1;
    }
    await writer.close();
  }
  await db.doc(shardPath(key, 0, services.now())).set({ slot_ends_at: now, player_count: counts, writes: 1 });
  await publishRanking(services, key, { includeOpenSlot: true });
  return { services, bill, advance: (ms) => void (offsetMs += ms), idleMib: memoryMibOf() };
}

/** What a part of the end took. */
export interface Phase extends Bill {
  name: string;
  dollars: number;
  seconds: number;
}

/** Does all steps of the season's end, phase by phase. */
export async function closeAll(
  { services, bill, advance }: Season,
  players: number,
): Promise<{ phases: Phase[]; memoryMib: number; problems: string[] }> {
  const { db } = services;
  let memoryMib = 0;
  const watch = setInterval(() => (memoryMib = Math.max(memoryMib, memoryMibOf())), 50);
  const phases = new Map<string, Phase>();
  for (;;) {
    const season = storedSeason.parse((await db.doc(seasonPath(key)).get()).data());
    if (season.end_due_at === null) break;
    advance(Math.max(0, season.end_due_at.toMillis() - services.now()));
    const name = await phaseOf(services, season.closing_run);
    const before = { ...bill };
    const startMs = performance.now();
    // One phase a step, so that each has its price.
    await stepEnd(services, { ...key, step: 0 }, { budgetMs: season.status === "closing" ? 0 : Infinity });
    const spent = {
      reads: bill.reads - before.reads,
      writes: bill.writes - before.writes,
      deletes: bill.deletes - before.deletes,
    };
    const sum = phases.get(name) ?? { name, ...noBill(), dollars: 0, seconds: 0 };
    phases.set(name, {
      name,
      reads: sum.reads + spent.reads,
      writes: sum.writes + spent.writes,
      deletes: sum.deletes + spent.deletes,
      dollars: sum.dollars + cost(spent, "us-central1"),
      seconds: sum.seconds + (performance.now() - startMs) / 1_000,
    });
  }
  clearInterval(watch);
  const summary = await db.doc(standingsSummaryPath(key)).get();
  const left = (await db.collection(indexEntriesPath(key)).count().get()).data().count;
  const found: unknown = summary.get("players");
  const problems = [
    ...(found === players ? [] : [`the standings have ${String(found)} players`]),
    ...(left === 0 ? [] : [`${left} index entries are left`]),
  ];
  const all = [...phases.values()];
  const sumOf = (of: (phase: Phase) => number) => all.reduce((sum, phase) => sum + of(phase), 0);
  const total: Phase = {
    name: "all",
    reads: sumOf(({ reads }) => reads),
    writes: sumOf(({ writes }) => writes),
    deletes: sumOf(({ deletes }) => deletes),
    dollars: sumOf(({ dollars }) => dollars),
    seconds: sumOf(({ seconds }) => seconds),
  };
  return { phases: [...all, total], memoryMib, problems };
}

async function phaseOf({ db }: Services, run: string | null): Promise<string> {
  if (run === null) return "settling";
  return readClosingRecord((await db.doc(runPath(key, run)).get()).data()).phase;
}

function memoryMibOf(): number {
  return process.memoryUsage().rss / 2 ** 20;
}
