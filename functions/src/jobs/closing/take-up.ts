/** Takes a season's closing up where its record left off. */
import { FieldValue, Timestamp, type WriteBatch } from "../../documents/firestore.ts";
import {
  beginClosing,
  type ClosingPhase,
  closingRangeProgress,
  type ClosingRecord,
  closingRecord,
} from "../../documents/closing-record.ts";
import {
  closingRangePath,
  runPath,
  type SeasonKey,
  seasonPath,
  standingsCollection,
  standingsSummaryPath,
} from "../../documents/paths.ts";
import { documentsAt, idsIn } from "../../documents/reads.ts";
import type { Bill } from "../../documents/ranking-record.ts";
import type { Season } from "../../documents/season.ts";
import { endPauseMs, passNumbers } from "../../model/limits.ts";
import { type JobServices, type Progress, progressOf, type StepOptions } from "../progress.ts";

export interface EndOptions extends StepOptions {
  /** Players of one range; tests of the steps use few. */
  rangePlayers?: number;
  /** Called with each phase before it starts, for measurements. */
  onPhase?: (phase: ClosingPhase) => void;
}

/** One step of a season's end. */
export interface EndStep {
  services: JobServices;
  key: SeasonKey;
  /** As it was read when the step began. */
  season: Season;
  /** Its bill so far. */
  spent: () => Bill;
  options: EndOptions;
  /** Whether the rest is left to the next step. */
  isOver: () => boolean;
}

/** The result of a step: it has done all that can be done now, or as much as it had time for. */
export type StepOutcome = "done" | "more";

export type ClosingProgress = Progress<ClosingRecord>;

/**
 * The record of a closing. Each write of it also sets when the season's end is due again: the schedule leaves work that
 * shows progress alone, and finds work that has died. Cost: 1 read and 2 writes; 2 writes each time that it is written.
 * @throws Overtaken
 */
export async function takeUp(step: EndStep): Promise<ClosingProgress> {
  const { services, key, season, spent } = step;
  const { db, now } = services;
  const found = await db.doc(runPath(key, season.closing_run ?? "")).get();
  const begun = found.exists ? closingRecord.parse(found.data()) : await beginOver(step);
  const alongside = (batch: WriteBatch, outcome: ClosingRecord["outcome"], dueMs = now() + endPauseMs) =>
    batch.update(db.doc(seasonPath(key)), {
      end_due_at: Timestamp.fromMillis(dueMs),
      ...(outcome === "failed" ? { end_failures: FieldValue.increment(1) } : {}),
    });
  const takenUp = { begun, updateTime: found.updateTime, spent, alongside };
  const progress = progressOf<ClosingRecord>(services, key, takenUp);
  await progress.save({ steps: begun.steps + 1, outcome: "running" });
  return progress;
}

/** The record in place of one that somebody has deleted. A table that was begun is left alone: another has other numbers. */
async function beginOver({ services: { db, now, log }, key, season }: EndStep): Promise<ClosingRecord> {
  const run = season.closing_run ?? "";
  log.warn("the record of a closing is gone; its phases start again", { ...key, run });
  const begun = beginClosing(key, { run, nowMs: now() });
  const [summary, range] = await documentsAt(db, [standingsSummaryPath(key), closingRangePath(key, 0)]);
  const { data: written } = closingRangeProgress.safeParse(range.data());
  let pass = (written?.pass ?? -1) + 1;
  if (season.status === "closed") return { ...begun, phase: "clearing", pass };
  if (summary.exists) return { ...begun, phase: "closing", pass };
  // Tasks of later ranges may have written while nobody was at the first.
  for (const id of await idsIn(db, standingsCollection(key))) {
    const n = Number.parseInt(id);
    if (n >= pass * passNumbers) pass = Math.floor(n / passNumbers) + 1;
  }
  return { ...begun, pass };
}
