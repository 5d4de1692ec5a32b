/** Takes a season's closing up where its record left off. */
import { FieldValue, Timestamp, type WriteBatch } from "../../documents/firestore.ts";
import { type ClosingPhase, type ClosingRecord, closingRecord } from "../../documents/closing-record.ts";
import { runPath, type SeasonKey, seasonPath } from "../../documents/paths.ts";
import type { Bill } from "../../documents/ranking-record.ts";
import type { Season } from "../../documents/season.ts";
import { endPauseMs } from "../../model/limits.ts";
import { type Progress, progressOf, type StepOptions } from "../progress.ts";
import type { Services } from "../../world/services.ts";

export interface EndOptions extends StepOptions {
  /** Players of one range; tests of the steps use few. */
  rangePlayers?: number;
  /** Called with each phase before it starts, for measurements. */
  onPhase?: (phase: ClosingPhase) => void;
}

/** One step of a season's end. */
export interface EndStep {
  services: Services;
  key: SeasonKey;
  /** As it was read when the step began. */
  season: Season;
  /** The step's bill so far. */
  spent: () => Bill;
  options: EndOptions;
  /** Whether the step's time is over: what is left is for the next step. */
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
  const path = runPath(key, season.closing_run ?? "none");
  const found = await db.doc(path).get();
  if (!found.exists)
    throw new Error(
      `${path} is missing: Firerank cannot tell how far the closing got. Restore this document from a backup.`,
    );
  const begun = closingRecord.parse(found.data());
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
