/**
 * Notes of players whom admins change while a season is closing. The commit that changes a player writes the note; the
 * closing applies it to the written table, whatever the table says already, and deletes it.
 */
import { createHash } from "node:crypto";
import { type Firestore, Timestamp, type Transaction } from "../documents/firestore.ts";
import { closingNotePath, closingNotesPath, playerPath, type SeasonKey } from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import { closingNotesPerRead } from "../model/limits.ts";
import type { Board } from "../seasons/board.ts";
import { heldLine, standingOf } from "../standings/pack.ts";
import type { World } from "../world/world.ts";
import { draftStandings } from "./draft-standings.ts";

/** Adds a note to the commit that changes a player, who need not have a document any more. Cost: 1 write. */
export function writeNote(db: Firestore, transaction: Transaction, key: SeasonKey, player: string): void {
  const note = createHash("sha256").update(player).digest("hex");
  transaction.set(db.doc(closingNotePath(key, note)), { player });
}

/** Whether a note waits. Cost: 1 read. */
export async function noteWaits(db: Firestore, transaction: Transaction, key: SeasonKey): Promise<boolean> {
  return !(await transaction.get(byId(db, closingNotesPath(key), 1))).empty;
}

/**
 * Applies the next notes: each player's line becomes what the document says now; of a player who came back, what it
 * was. Cost: 1 read for each, at least 1; for each 3 reads and 1 delete, and 2 writes or more where the line changes.
 */
export async function applyNotes(
  { db, now }: World,
  { key, definition }: Pick<Board, "key" | "definition">,
): Promise<void> {
  const { docs } = await byId(db, closingNotesPath(key), closingNotesPerRead).get();
  for (const { ref } of docs)
    await db.runTransaction(async (transaction) => {
      const note = await transaction.get(ref);
      const player: unknown = note.get("player");
      if (typeof player === "string") {
        const data = (await transaction.get(db.doc(playerPath(key, player)))).data();
        const standing = standingOf(player, data);
        const standings = draftStandings(db, transaction, key);
        await standings.put(player, standing && (heldLine(player, data) ?? standing), definition);
        standings.write(Timestamp.fromMillis(now()));
      }
      transaction.delete(ref);
    });
}
