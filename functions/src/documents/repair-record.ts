/**
 * Records of audits and repairs: `runs/{run}`. They carry the work from one step to the next (jobs/progress.ts writes
 * them). Alerts, the dashboard and the command line read them too; a TTL policy deletes them. They name no player, except
 * in the cursor of a repair while the repair lasts, so erasing a player need not search them.
 */
import { z } from "zod";
import { runKeepDays } from "../model/limits.ts";
import { many } from "../model/many.ts";
import { beginSteps, stepsRecord } from "./closing-record.ts";
import { Timestamp } from "./firestore.ts";
import type { SeasonKey } from "./paths.ts";
import type { RankingRecord } from "./ranking-record.ts";

const time = z.instanceof(Timestamp);
const count = z.int();

const common = stepsRecord.extend({
  /** Whether an audit compared every player and score. */
  full: z.boolean(),
  generation: count.nullable(),
  run_record_expires_at: time,
});

export const auditFindings = z.object({
  /** Players in the published rows, and how many the pending shards add to them. */
  row_players: count,
  shard_players: count,
  /** Players whom the index counts, by their marks; in a closed season, the players in its standings. */
  counted: count,
  players: count,
  /** Problems of the pages and the shards, in words; at most 20. */
  pages: z.array(z.string()),
  /**
   * Paths of documents among the shards that Firerank did not write, and ignores; at most 20. Repairs leave them alone.
   */
  foreign: z.array(z.string()).default([]),
  /** Compares rows + shards with the marks. Only a full audit knows at how many `scores` they differ. */
  conservation: z.object({
    difference: count,
    scores: count.nullable(),
    examples: z.array(
      z.object({ segment: z.string().exactOptional(), score: z.number(), low: z.number(), too_many: count }),
    ),
  }),
  /** Compares the marks with the players' scores. Players `in_flight` changed within the last minute. */
  convergence: z.object({
    difference: count,
    players: count.nullable(),
    in_flight: count.nullable(),
    examples: z.array(z.object({ counted: z.string(), should_be: z.string() })),
  }),
  /**
   * Of a full audit: players whose documents have a score, a status or a segment that cannot be ranked, and the first one's
   * reason. A repair does not help: only a server writes such documents. Absent if there are none.
   */
  unranked: z.object({ players: count, reason: z.string() }).exactOptional(),
});
export type AuditFindings = z.infer<typeof auditFindings>;

/** What an owner reads about players whose documents cannot be ranked. */
export const unrankedSaid = ({ players, reason }: NonNullable<AuditFindings["unranked"]>) =>
  `${many(players, "player")} with a document that can't be ranked as it is: ${reason}`;

/** What an audit found wrong, as a text without a full stop; undefined if it found nothing. */
export function differencesIn(found: AuditFindings | null): string | undefined {
  if (found === null) return undefined;
  const { pages, foreign, conservation, convergence, unranked } = found;
  const ranked = Math.abs(conservation.difference);
  const scores = conservation.scores ?? 0;
  const counted = Math.max(Math.abs(convergence.difference), convergence.players ?? 0);
  const parts = [
    ...pages,
    ...(ranked === 0 ? [] : [`${many(ranked, "player")} too many or too few in the ranking`]),
    ...(ranked > 0 || scores === 0 ? [] : [`wrong numbers of players at ${many(scores, "score")}`]),
    ...(counted === 0 ? [] : [`${many(counted, "player")} counted wrongly`]),
    ...foreign.map(foreignSaid),
    ...(unranked === undefined ? [] : [unrankedSaid(unranked)]),
  ];
  return parts.length === 0 ? undefined : parts.join("; ");
}

/** What an owner reads about a document in Firerank's collections that Firerank did not write. */
export const foreignSaid = (path: string) =>
  `${path} is no document of Firerank's, and is ignored: delete it unless you need it`;

const marked = z.object({
  /** The last id that was looked at; null at the start and at the end. */
  cursor: z.string().nullable(),
  ended: z.boolean(),
  players: count,
  /** Players with a wrong mark or an incomplete document; `changed`: players for whom something else is counted now. */
  differing: count,
  changed: count,
  /** Players whose document Firestore refused to write, as it has no room for a mark. */
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
  /** When the slots have ended whose shards were pending when the repair read; then the repair folds these shards. */
  settles_at: time.nullable(),
});
export type Rebuilt = z.infer<typeof rebuilt>;

const audit = common.extend({
  kind: z.literal("audit"),
  found: auditFindings.nullable(),
  /** Whether the findings call for `repairSeason`. */
  repair: z.enum(["none", "repair"]),
});
const repair = common.extend({
  kind: z.literal("repair"),
  /**
   * `marking`: brings marks into line with players. `reading`: makes the ranking anew from the marks. `settling`: folds
   * the shards that were pending while it read.
   */
  phase: z.enum(["marking", "reading", "settling", "ended"]),
  marked,
  rebuilt,
});
export const storedRepairRecord = z.discriminatedUnion("kind", [audit, repair]);

export type AuditRecord = z.infer<typeof audit>;
/** The fields that an audit adds to its record. */
export type AuditResult = Pick<AuditRecord, "repair" | "read_at" | "generation"> & { found: AuditFindings };
export type SeasonRepairRecord = z.infer<typeof repair>;
export type RepairRecord = z.infer<typeof storedRepairRecord>;
export type RepairKind = RepairRecord["kind"];
/** The record of a ranking run, an audit or a repair; closing-record.ts has the other records in `runs`. */
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
 * `repair/current`: a note that says whether a repair of the season is under way, and at which time T the last repair
 * read the marks. While a repair is under way, corrections of direct writes wait; a write up to T is not corrected. If
 * a repair dies, the first correction after `stands_until` deletes its note.
 */
export const storedRepairNote = z.object({
  /** The attempt of the repair that is under way, `{run}/{id}`; null if no repair is under way. */
  holder: z.string().nullable().catch(null),
  /** Until when corrections wait, unless the repair sets a later time. */
  stands_until: z.instanceof(Timestamp).nullable().catch(null),
  /** When the last published repair read the marks. */
  repaired_at: z.instanceof(Timestamp).nullable().catch(null),
});

/** Reads a repair's note. Never throws: a missing or damaged note is read as if no repair was ever made. */
export function readRepairNote(data: Record<string, unknown> | undefined) {
  return storedRepairNote.parse(data ?? {});
}
