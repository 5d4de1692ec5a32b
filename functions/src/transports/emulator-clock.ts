/**
 * The clock of the emulators. The emulators fire no schedules, so without the clock nothing would be ranked there, and
 * no season would close. The clock runs in the processes of the functions, so it needs no second terminal. The first
 * event or call starts it.
 *
 * Each process has a clock, as any process may end. The clocks take turns by a lease, which is a temporary file: so the
 * database is asked once a second, and not once a second for each function. If two clocks act at once, nothing runs
 * twice, as the tasks that they request have the same names.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { enqueueDue } from "../jobs/schedule/schedule.ts";
import { type SeasonKey, seasonPath } from "../documents/paths.ts";
import { hashOf } from "../model/hash.ts";
import { slotEnd } from "../model/slot.ts";
import { taskIdOf } from "../world/tasks.ts";
import type { Services } from "../world/services.ts";

export type EmulatorClock = ReturnType<typeof startEmulatorClock>;

const emulatorBeatMs = 1_000;

/** How long after a slot's end its run is requested. */
const emulatorSlotGraceMs = 250;

/**
 * Starts a clock that beats once a second.
 * @param lease the path of the lease that the processes share.
 */
export function startEmulatorClock(world: Services, lease: string) {
  const { now, slotMs, log, newId, enqueueJob } = world;
  const id = newId();
  const wanted = new Map<string, NodeJS.Timeout>();
  let isBeating = false;
  let lastError: string | undefined;

  function failed(error: unknown): void {
    const text = String(error);
    if (text !== lastError) log.error("the clock of the emulators failed; it continues", { error: text });
    lastError = text;
  }

  async function beat(): Promise<void> {
    if (isBeating || !takeLease(lease, id)) return;
    isBeating = true;
    try {
      await enqueueDue(world);
      lastError = undefined;
    } catch (error) {
      failed(error);
    }
    isBeating = false;
  }

  const timer = setInterval(() => void beat(), emulatorBeatMs);
  timer.unref();
  return {
    /**
     * Requests a ranking run of a season for the end of the present slot, whatever the board's interval is. All changes
     * of a slot, in all processes, request one run together.
     */
    rankSoon(key: SeasonKey): void {
      const path = seasonPath(key);
      const endMs = slotEnd(now(), slotMs);
      const name = taskIdOf(path, "changed", endMs);
      if (wanted.has(name)) return;
      const ask = () => {
        wanted.delete(name);
        enqueueJob({ ...key, job: "ranking" }, name, 0).catch(failed);
      };
      wanted.set(name, setTimeout(ask, endMs - now() + emulatorSlotGraceMs).unref());
    },
    /** One beat: requests the runs and the closing steps that are due, if this clock has the lease. */
    beat,
    stop(): void {
      clearInterval(timer);
      for (const waiting of wanted.values()) clearTimeout(waiting);
      wanted.clear();
    },
  };
}

/**
 * The path of the lease of a codebase on these emulators. Another project, and another copy of Firerank, has a lease of
 * its own.
 */
export function leaseFile(environment: NodeJS.ProcessEnv, folder: string): string {
  const names = ["GCLOUD_PROJECT", "FIRESTORE_EMULATOR_HOST", "DATABASE", "FIREBASE_KIT_INSTANCE_ID"];
  const key = [...names.map((name) => environment[name] ?? ""), folder].join("\n");
  return join(tmpdir(), `firerank-clock-${hashOf(key).toString("hex", 0, 4)}`);
}

/** How long a process without a beat keeps the lease. */
const emulatorLeaseMs = 4 * emulatorBeatMs;

/** Whether a process may act: it has the lease, or takes a lease that was not renewed for some beats. */
function takeLease(path: string, id: string): boolean {
  try {
    const isKept = Date.now() - statSync(path).mtimeMs < emulatorLeaseMs;
    if (isKept && readFileSync(path, "utf8") !== id) return false;
  } catch {
    // There is no lease yet.
  }
  try {
    writeFileSync(path, id);
  } catch {
    // If no file can be written, every process acts.
  }
  return true;
}
