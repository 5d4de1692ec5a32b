/** The parts of the world that a process has by itself: clock, random numbers, ids, waiting, and how long things take. */
import type { Firestore } from "../documents/firestore.ts";
import {
  boardCacheMs,
  boardCacheOnEmulatorMs,
  endWaitMs,
  endWaitOnEmulatorMs,
  shardCommitsApartMs,
  slotMs,
  slotOnEmulatorMs,
} from "../model/limits.ts";
import type { Services } from "./services.ts";

/**
 * Slots, waits and memories last equally long in all processes on a database: two changes of a player in slots of two
 * lengths could be ranked in the wrong order. So their lengths follow from the database alone.
 * @param isEmulated whether the database is an emulator, where nobody wants to wait.
 */
export function ownProcess(db: Firestore, isEmulated: boolean) {
  return {
    db,
    now: Date.now,
    random: Math.random,
    newId: () => db.collection("ids").doc().id,
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    deadline(ms: number) {
      const { promise: passed, reject } = Promise.withResolvers<never>();
      // An error takes a while to make, and hardly any limit passes.
      const timer = setTimeout(() => reject(new Error(`it took longer than ${ms} ms`)), ms);
      return { passed, cancel: () => clearTimeout(timer) };
    },
    intervalMinutesMin: isEmulated ? 0 : 1,
    slotMs: isEmulated ? slotOnEmulatorMs : slotMs,
    endWaitMs: isEmulated ? endWaitOnEmulatorMs : endWaitMs,
    boardCacheMs: isEmulated ? boardCacheOnEmulatorMs : boardCacheMs,
    shardCommitsApartMs: isEmulated ? 0 : shardCommitsApartMs,
  } satisfies Partial<Services>;
}
