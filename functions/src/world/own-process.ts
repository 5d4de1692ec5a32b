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
import type { World } from "./world.ts";

export function ownProcess(
  db: Firestore,
): Pick<World, "db" | "now" | "random" | "newId" | "sleep" | "deadline"> {
  return {
    db,
    now: Date.now,
    random: Math.random,
    newId: () => db.collection("ids").doc().id,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    deadline(ms) {
      const { promise: passed, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(reject, ms, new Error(`it took longer than ${ms} ms`));
      return {
        passed,
        cancel() {
          clearTimeout(timer);
        },
      };
    },
  };
}

type Durations = Pick<
  World,
  "intervalMinutesMin" | "slotMs" | "endWaitMs" | "boardCacheMs" | "shardCommitsApartMs"
>;

/**
 * How long slots, waits and memories are. All processes on a database must agree: two changes of a player in slots of
 * two lengths could be ranked in the wrong order. So it follows from the database alone.
 * @param isEmulated whether the database is an emulator, where nobody wants to wait.
 */
export function durationsOf(isEmulated: boolean): Durations {
  if (!isEmulated) return { intervalMinutesMin: 1, slotMs, endWaitMs, boardCacheMs, shardCommitsApartMs };
  return {
    intervalMinutesMin: 0,
    slotMs: slotOnEmulatorMs,
    endWaitMs: endWaitOnEmulatorMs,
    boardCacheMs: boardCacheOnEmulatorMs,
    shardCommitsApartMs: 0,
  };
}
