/** What a process has by itself of the world: its clock, chance, ids and waiting. */
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
