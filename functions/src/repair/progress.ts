/** The record of a repair in progress. */
import { Timestamp } from "../documents/firestore.ts";
import { runPath } from "../documents/paths.ts";
import type { Bill } from "../documents/ranking-record.ts";
import type { AuditRecord, RebuildRecord, RepairRecord, SweepRecord } from "../documents/repair-record.ts";
import { progressEveryMs } from "../model/limits.ts";
import { addBills } from "../world/meter.ts";
import type { World } from "../world/world.ts";

/** A record in progress: updated often, written now and then. */
export interface Progress {
  record(): RepairRecord;
  /** Updates the progress; writes it if the last write was long ago. */
  tell(change: { done: number; swept?: SweepRecord["swept"] }): Promise<void>;
  save(change: Change): Promise<void>;
  end(outcome: "done" | "failed", change: Change): Promise<void>;
}

type Change = Partial<Omit<AuditRecord, "kind"> & Omit<RebuildRecord, "kind">>;

/**
 * Continues the work from where its record says. Cost: 1 write each time the record is written.
 * @param spent what has been billed for this step so far.
 */
export function createProgress(services: World, begun: RepairRecord, spent: () => Bill): Progress {
  let record = begun;
  let savedMs = services.now();

  async function write(change: Change): Promise<void> {
    savedMs = services.now();
    record = {
      ...record,
      ...change,
      finished_at: Timestamp.fromMillis(savedMs),
      duration_ms: savedMs - record.started_at.toMillis(),
      // Including the write of the record itself.
      billed: addBills(begun.billed, addBills(spent(), { writes: 1 })),
    };
    await saveRecord(services, record);
  }

  return {
    record: () => record,
    async tell({ done, ...change }) {
      const { total } = record.progress;
      record = { ...record, ...change, progress: { done, total: Math.max(done, total) } };
      if (services.now() - savedMs >= progressEveryMs) await write({});
    },
    save: write,
    end: (outcome, change) => write({ ...change, outcome }),
  };
}

/** Writes a record. Cost: 1 write. */
export async function saveRecord({ db }: World, record: RepairRecord): Promise<void> {
  await db.doc(runPath(record, record.run)).set(record);
}
