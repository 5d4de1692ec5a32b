/** The parts of the world that a process has by itself: clock, random numbers, ids and waiting. */
import type { Firestore } from "../documents/firestore.ts";
import type { World } from "./world.ts";

export function ownProcess(db: Firestore): Pick<World, "db" | "now" | "random" | "newId" | "sleep"> {
  return {
    db,
    now: Date.now,
    random: Math.random,
    newId: () => db.collection("ids").doc().id,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}
