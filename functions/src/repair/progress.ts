/** The record of a repair in progress. */
import { runPath } from "../documents/paths.ts";
import { type Bill, finished } from "../documents/ranking-record.ts";
import type { AuditRecord, RepairRecord, SeasonRepairRecord } from "../documents/repair-record.ts";
import { progressEveryMs } from "../model/limits.ts";
import { addBills } from "../world/meter.ts";
import type { World } from "../world/world.ts";

/** A record in progress: updated often, written now and then. */
export interface Progress {
  record(): RepairRecord;
  /** Updates the progress; writes it if the last write was long ago. */
  tell(change: { done: number; marked?: SeasonRepairRecord["marked"] }): Promise<void>;
  save(change: Partial<Omit<AuditRecord, "kind"> & Omit<SeasonRepairRecord, "kind">>): Promise<void>;
}

/**
 * Continues the work from where its record says. Cost: 1 write each time the record is written.
 * @param spent what has been billed for this step so far.
 */
export function createProgress(services: World, begun: RepairRecord, spent: () => Bill): Progress {
  let record = begun;
  let savedMs = services.now();

  const save: Progress["save"] = async (change) => {
    savedMs = services.now();
    // Including the write of the record itself.
    const billed = addBills(begun.billed, addBills(spent(), { writes: 1 }));
    record = finished({ ...record, ...change, billed }, savedMs);
    await saveRecord(services, record);
  };

  return {
    record: () => record,
    async tell({ done, ...change }) {
      const { total } = record.progress;
      record = { ...record, ...change, progress: { done, total: Math.max(done, total) } };
      if (services.now() - savedMs >= progressEveryMs) await save({});
    },
    save,
  };
}

/** Writes a record. Cost: 1 write. */
export async function saveRecord({ db }: World, record: RepairRecord): Promise<void> {
  await db.doc(runPath(record, record.run)).set(record);
}
