/** An instance's memory of what the trigger needs to know of tops: the gate (gate.ts) and the pace (pace.ts). */
import { LRUCache } from "lru-cache";
import type { Firestore } from "../documents/firestore.ts";
import { type SeasonKey, topPath } from "../documents/paths.ts";
import { topGateKeptMs, topGatesKeptMax } from "../model/limits.ts";
import type { SeasonServices } from "../seasons/board.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import { type Gate, gateIn } from "./gate.ts";
import { type Pace, paceIn } from "./pace.ts";

/** What the trigger needs to know of a top document. */
export interface KnownTop {
  gate: Gate;
  pace: Pace | undefined;
}

/** The fields that hold it. */
export const knownFields = ["lowest_score", "lowest_at", "refresh_due_at", "refresh_window_seconds"];

export interface TopGates {
  /** A season's gate and pace as they were at most ten seconds ago. Cost: 1 read, 0 while in memory or being read. */
  gateOf(key: SeasonKey): Promise<KnownTop>;
  /** Whether this instance has requested a refresh of this kind with this due time. */
  isAsked(key: SeasonKey, kind: string, dueMs: number): boolean;
  /** Remembers that it has. */
  asked(key: SeasonKey, kind: string, dueMs: number): void;
}

/** The world, with boards and gates in memory. */
export interface TopServices extends SeasonServices {
  gates: TopGates;
}

/** An instance's memory of gates, and of the refreshes that it requested. */
export function createTopGates({ db, now }: { db: Firestore; now: () => number }): TopGates {
  const gates = createSharedReads<KnownTop>({ now, max: topGatesKeptMax, keepMs: topGateKeptMs });
  const lastAsked = new LRUCache<string, number>({ max: 2 * topGatesKeptMax });

  return {
    gateOf: async (key) => (await gates.get(topPath(key), () => readGate(db, key))).value,
    isAsked: (key, kind, dueMs) => lastAsked.get(`${topPath(key)}/${kind}`) === dueMs,
    asked: (key, kind, dueMs) => void lastAsked.set(`${topPath(key)}/${kind}`, dueMs),
  };
}

/** Reads a few fields of a document that may have 900 KB. An invalid top document lets everybody pass. */
async function readGate(db: Firestore, key: SeasonKey): Promise<KnownTop> {
  const [top] = await db.getAll(db.doc(topPath(key)), { fieldMask: knownFields });
  if (top?.exists !== true) return { gate: undefined, pace: undefined };
  return {
    gate: gateIn(top.get("lowest_score"), top.get("lowest_at")),
    pace: paceIn(top.get("refresh_due_at"), top.get("refresh_window_seconds")),
  };
}
