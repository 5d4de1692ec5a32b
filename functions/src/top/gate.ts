/**
 * The gate of the top: what a score must pass to be listed. With it the trigger decides, at nearly no cost, whether a
 * change of a player may show in the top; of the many changes of a busy board few do.
 *
 * The gate is kept in memory and may be out of date. One that is too low costs a refresh for nothing. One that is too
 * high, after somebody left the top, would leave players out: so whoever lowers a gate asks for a refresh
 * for when nobody remembers the higher one any more (ask-refresh.ts).
 */
import { isDeepStrictEqual } from "node:util";
import { LRUCache } from "lru-cache";
import type { Firestore } from "../documents/firestore.ts";
import { type SeasonKey, topPath } from "../documents/paths.ts";
import type { PlayerChange } from "../documents/player.ts";
import { standingOf } from "../documents/standing.ts";
import type { Definition } from "../model/definition.ts";
import { isInstant } from "../model/instant.ts";
import { topGateKeptMs, topGatesKeptMax } from "../model/limits.ts";
import { isBetter } from "../model/score.ts";
import type { SeasonServices } from "../seasons/board.ts";
import { createSharedReads } from "../world/shared-reads.ts";
import type { Pace } from "./pace.ts";

/** The last one listed; null where there is room for any; nothing where there is no top yet. */
export type Gate = { score: number; atMs: number | undefined } | null | undefined;

type Ordering = Pick<Definition, "order" | "ties">;

/** Whether a change may show in a top with this gate. Pure. */
export function showsInTop(ordering: Ordering, gate: Gate, { before, after }: PlayerChange): boolean {
  if (gate === undefined) return false;
  return passes(ordering, gate, before) || passes(ordering, gate, after);
}

/** Whether a change is one of what tops show: score, status, name, metadata, time. (Columns are packed into the score.) Pure. */
export function changesWhatIsShown({ before, after }: PlayerChange): boolean {
  return !isDeepStrictEqual(shown(before), shown(after));
}

/** Whether players pass a gate now who did not before. Pure. */
export function isLowered({ order, ties }: Ordering, before: Gate, after: Gate): boolean {
  if (after === undefined || before === null) return false;
  if (before === undefined || after === null) return true;
  if (before.score !== after.score) return isBetter(order, before.score, after.score);
  if (before.atMs === undefined || after.atMs === undefined) return before.atMs !== undefined;
  return ties === "first" ? after.atMs > before.atMs : after.atMs < before.atMs;
}

/** The gate of a top document by its fields. */
export function gateIn(lowestScore: unknown, lowestAt: unknown): Gate {
  return typeof lowestScore === "number" ? { score: lowestScore, atMs: millisOf(lowestAt) } : null;
}

/** The pace of a top document by its fields; nothing before the first refresh. */
export function paceIn(dueAt: unknown, windowSeconds: unknown): Pace | undefined {
  const dueMs = millisOf(dueAt);
  if (dueMs === undefined || typeof windowSeconds !== "number" || !(windowSeconds > 0)) return undefined;
  return { dueMs, windowMs: windowSeconds * 1_000 };
}

/** What the trigger must know of a top document. */
export interface KnownTop {
  gate: Gate;
  pace: Pace | undefined;
}

/** The fields that hold it. */
export const knownFields = ["lowest_score", "lowest_at", "refresh_due_at", "refresh_window_seconds"];

/** Whether a change is one of name or metadata alone. Pure. */
export function changesNamesOnly({ before, after }: PlayerChange): boolean {
  const inOrder = (data: PlayerChange["before"]) => shown(data)?.slice(0, 3);
  return isDeepStrictEqual(inOrder(before), inOrder(after));
}

export interface TopGates {
  /** A season's gate and pace as they were at most ten seconds ago. Cost: 1 read, 0 while in memory or being read. */
  gateOf(key: SeasonKey): Promise<KnownTop>;
  /** Whether this instance has asked for a refresh of that kind that is due then. */
  isAsked(key: SeasonKey, kind: string, dueMs: number): boolean;
  /** Remembers that it has. */
  asked(key: SeasonKey, kind: string, dueMs: number): void;
}

/** The world, with boards and gates in memory. */
export interface TopServices extends SeasonServices {
  gates: TopGates;
}

/** An instance's memory of gates, and of the refreshes that it asked for. */
export function createTopGates({ db, now }: { db: Firestore; now: () => number }): TopGates {
  const gates = createSharedReads<KnownTop>({ now, max: topGatesKeptMax, keepMs: topGateKeptMs });
  const lastAsked = new LRUCache<string, number>({ max: 2 * topGatesKeptMax });

  return {
    gateOf: async (key) => (await gates.get(topPath(key), () => readGate(db, key))).value,
    isAsked: (key, kind, dueMs) => lastAsked.get(`${topPath(key)}/${kind}`) === dueMs,
    asked: (key, kind, dueMs) => void lastAsked.set(`${topPath(key)}/${kind}`, dueMs),
  };
}

/** Reads some fields of a document that may have 900 KB. A document that is no top lets everybody pass. */
async function readGate(db: Firestore, key: SeasonKey): Promise<KnownTop> {
  const [top] = await db.getAll(db.doc(topPath(key)), { fieldMask: knownFields });
  if (top?.exists !== true) return { gate: undefined, pace: undefined };
  return {
    gate: gateIn(top.get("lowest_score"), top.get("lowest_at")),
    pace: paceIn(top.get("refresh_due_at"), top.get("refresh_window_seconds")),
  };
}

/** Whether a player is before the last one listed, or may be: who is equal in score and time is. */
function passes(
  { order, ties }: Ordering,
  gate: NonNullable<Gate> | null,
  data: PlayerChange["before"],
): boolean {
  const score = scoreOf(data);
  if (score === undefined) return false;
  if (gate === null) return true;
  if (score !== gate.score) return isBetter(order, score, gate.score);
  const atMs = millisOf(data?.["achieved_at"]);
  if (atMs === undefined || gate.atMs === undefined) return true;
  return ties === "first" ? atMs <= gate.atMs : atMs >= gate.atMs;
}

function millisOf(time: unknown): number | undefined {
  return isInstant(time) ? time.toMillis() : undefined;
}

function scoreOf(data: PlayerChange["before"]): number | undefined {
  const standing = standingOf(data);
  return standing !== undefined && "score" in standing ? standing.score : undefined;
}

function shown(data: PlayerChange["before"]): unknown[] | undefined {
  const score = scoreOf(data);
  return score === undefined
    ? undefined
    : [score, data?.["achieved_at"], data?.["status"], data?.["display_name"], data?.["metadata"]];
}
