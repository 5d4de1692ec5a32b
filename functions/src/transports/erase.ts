/**
 * `import { erasePlayer } from "firerank/erase"`: for functions of your own, such as a function that runs when an
 * account is deleted. It sends no call and needs no role; it uses the rights of your function's account on the
 * database.
 */
import * as logger from "firebase-functions/logger";
import { Firestore } from "../documents/firestore.ts";
import type { RemovePlayerAnswer } from "../model/admin-answers.ts";
import { removePlayerSpec } from "../operations/remove-player.ts";
import { createServices } from "../operations/shared/services.ts";
import { answer } from "../operations/shared/spec.ts";
import { mendTransactions } from "../world/mend-transactions.ts";
import { ownProcess } from "../world/own-process.ts";

/**
 * Erases a player from all boards, as {@link removePlayerSpec} does. Repeating it is safe, and needed after an error. Cost:
 * as there; so 1 read, and some 600 bytes of memory, for each board of a template there is, whoever has played it.
 * @param database the value of the functions' parameter `DATABASE`.
 * @throws `invalid_request` for a text that cannot be a player's id; Firestore's errors
 */
export async function erasePlayer(
  player: string,
  { database = "(default)" }: { database?: string } = {},
): Promise<RemovePlayerAnswer> {
  const db = mendTransactions(new Firestore({ databaseId: database }));
  const isEmulated = Boolean(process.env["FIRESTORE_EMULATOR_HOST"]);
  const services = createServices({ ...ownProcess(db, isEmulated), log: logger });
  try {
    return await answer(removePlayerSpec, services, { player }, { uid: "erasePlayer", role: "admin" });
  } finally {
    await db.terminate();
  }
}
