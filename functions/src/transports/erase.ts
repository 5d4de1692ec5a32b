/**
 * `import { erasePlayer } from "firerank/erase"`: for functions of your own, such as one that runs when an account is
 * deleted. It needs no call and no role, but the rights on the database that your function's account has.
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
 * Erases a player from all boards, as {@link removePlayerSpec} does. It may be repeated, and has to be after an error.
 * @param database the functions' `DATABASE`.
 * @throws `invalid_request` for what cannot be a player's id; Firestore's errors
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
