/**
 * Records of audits and repairs: `runs/{run}`, which carry the work from one step to the next. They hold no player's
 * id, except a repair's cursor while it lasts, so erasing a player need not search them.
 */
import { z } from "zod";
import { runKeepDays } from "../model/limits.ts";
import { beginSteps, stepsRecord } from "./closing-record.ts";
import { Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";
import type { RankingRecord } from "./ranking-record.ts";

const time = z.instanceof(Timestamp);
const count = z.int();

const common = stepsRecord.extend({
  /** Of an audit: whether it compared every player and score. */
  full: z.boolean(),
  generation: count.nullable(),
  run_record_expires_at: time,
});

export const auditFindings = z.object({
  /** Players that the published rows hold, and what the pending shards add to them. */
  row_players: count,
  shard_players: count,
  /** Players whom the index counts, as their marks say; of a closed season, those in its standings. */
  counted: count,
  players: count,
  /** Problems of the pages and the shards, in words; at most 20. */
  pages: z.array(z.string()),
  /** Paths of documents among the shards that Firerank did not write, and passes by; at most 20. Nothing repairs them. */
  foreign: z.array(z.string()).default([]),
  /** Rows + shards against marks. Only a full audit knows which `scores` differ. */
  conservation: z.object({
    difference: count,
    scores: count.nullable(),
    examples: z.array(
      z.object({ segment: z.string().exactOptional(), score: z.number(), low: z.number(), too_many: count }),
    ),
  }),
  /** Marks against players. Those `in_flight` changed within the last minute. */
  convergence: z.object({
    difference: count,
    players: count.nullable(),
    in_flight: count.nullable(),
    examples: z.array(z.object({ counted: z.string(), should_be: z.string() })),
  }),
});
export type AuditFindings = z.infer<typeof auditFindings>;

/** What an audit found wrong, in words without an end; undefined for nothing. */
export function differencesIn(found: AuditFindings | null): string | undefined {
  if (found === null) return undefined;
  const { pages, foreign, conservation, convergence } = found;
  const ranked = Math.abs(conservation.difference);
  const scores = conservation.scores ?? 0;
  const counted = Math.max(Math.abs(convergence.difference), convergence.players ?? 0);
  const parts = [
    ...pages,
    ...(ranked === 0 ? [] : [`${many(ranked, "player")} too many or too few in the ranking`]),
    ...(ranked > 0 || scores === 0 ? [] : [`wrong numbers of players at ${many(scores, "score")}`]),
    ...(counted === 0 ? [] : [`${many(counted, "player")} counted wrongly`]),
    ...foreign.map(foreignSaid),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** What is said of a document in a collection of Firerank's that is none of Firerank's. */
export const foreignSaid = (path: string) =>
  `${path} is no document of Firerank's, and is passed by: delete it unless you need it`;

export const many = (number: number, name: string) =>
  `${number.toLocaleString("en")} ${name}${number === 1 ? "" : "s"}`;

const marked = z.object({
  /** The last id that was looked at; null at the start and at the end. */
  cursor: z.string().nullable(),
  ended: z.boolean(),
  players: count,
  /** Players with a wrong mark or an incomplete document, and those of them of whom something else is counted now. */
  differing: count,
  changed: count,
  /** Players whose document Firestore refused to write: it has no room for a mark. */
  refused: count.default(0),
});
export type Marked = z.infer<typeof marked>;

const rebuilt = z.object({
  attempts: count,
  marks: count,
  pending_shards: count,
  players: count,
  rows: count,
  pages: count,
  /** The repair goes on until the shards that were pending when it read are folded. */
  settles_at: time.nullable(),
});
export type Rebuilt = z.infer<typeof rebuilt>;

const audit = common.extend({
  kind: z.literal("audit"),
  found: auditFindings.nullable(),
  /** What repairs what was found: nothing is needed, or `repairSeason`. */
  repair: z.enum(["none", "repair"]),
});
const repair = common.extend({
  kind: z.literal("repair"),
  /**
   * `marking`: brings marks into line with players. `reading`: makes the ranking anew from the marks. `settling`: folds
   * the shards that were pending then.
   */
  phase: z.enum(["marking", "reading", "settling", "ended"]),
  marked,
  rebuilt,
});
export const storedRepairRecord = z.discriminatedUnion("kind", [audit, repair]);

export type AuditRecord = z.infer<typeof audit>;
/** What an audit adds to its record. */
export type AuditResult = Pick<AuditRecord, "repair" | "read_at" | "generation"> & { found: AuditFindings };
export type SeasonRepairRecord = z.infer<typeof repair>;
export type RepairRecord = z.infer<typeof storedRepairRecord>;
export type RepairKind = RepairRecord["kind"];
/** The record of a ranking run or a repair; closing-record.ts has the others of `runs`. */
export type RunRecord = RankingRecord | RepairRecord;

export function beginRecord(
  kind: RepairKind,
  key: SeasonKey,
  { run, full, total, nowMs }: { run: string; full: boolean; total: number; nowMs: number },
): RepairRecord {
  const expiresAt = Timestamp.fromMillis(nowMs + runKeepDays * 86_400_000);
  const steps = beginSteps(key, run, nowMs, total);
  const begun = { ...steps, full, generation: null, run_record_expires_at: expiresAt };
  if (kind === "audit") return { kind, ...begun, found: null, repair: "none" };
  return {
    kind,
    ...begun,
    phase: "marking",
    marked: { cursor: null, ended: false, players: 0, differing: 0, changed: 0, refused: 0 },
    rebuilt: { attempts: 0, marks: 0, pending_shards: 0, players: 0, rows: 0, pages: 0, settles_at: null },
  };
}

/**
 * `repair/current`, a note: whether a repair of the season is under way, and at which time T the last one read the marks.
 * While it stands, corrections of foreign writes wait; a write up to T gets none. The first correction after
 * `stands_until` deletes the note of a repair that died.
 */
export const storedRepairNote = z.object({
  /** The attempt of a repair that is under way, `{run}/{id}`; null where none is. */
  holder: z.string().nullable().catch(null),
  /** Until when corrections wait for it, unless it says so again. */
  stands_until: z.instanceof(Timestamp).nullable().catch(null),
  /** When the last published repair read the marks. */
  repaired_at: z.instanceof(Timestamp).nullable().catch(null),
});

/** Reads a note. Never throws: without a note, or with a damaged one, no repair was ever made. */
export function readRepairNote(data: Record<string, unknown> | undefined) {
  return storedRepairNote.parse(data ?? {});
}
