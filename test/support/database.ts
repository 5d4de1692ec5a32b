/** Where tests have their documents: on the emulator that the environment names, or else in memory. */
import { Firestore } from "../../functions/src/documents/firestore.ts";
import { anotherMemoryFirestore, createMemoryFirestore } from "../../simulate/memory/wire/connect.ts";

const isOnEmulator = process.env["FIRESTORE_EMULATOR_HOST"] !== undefined;

/** A client of a project; in memory, of a database of its own. */
export function createDatabase(projectId: string): Firestore {
  return isOnEmulator ? new Firestore({ projectId }) : createMemoryFirestore(projectId);
}

/** Another client of the same database. */
export function anotherClient(db: Firestore): Firestore {
  const [, projectId = ""] = (db as unknown as { formattedName: string }).formattedName.split("/");
  return anotherMemoryFirestore(db, projectId) ?? new Firestore({ projectId });
}
