/** The services that every process has by itself: clock, random numbers, ids, waiting, and lengths of time. */
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
 * Slots, waits and memories must last equally long in all processes on a database: two changes of a player in slots of
 * different lengths could be ranked in the wrong order. So these lengths follow from the database alone.
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
      // The error is only made when the time has passed, which is rare: making an error takes a while.
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
