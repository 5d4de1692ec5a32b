/**
 * Notes of players whom admins change while a season is closing. The commit that changes a player writes the note; the
 * closing applies it to the written table, whatever that says, and deletes it. A status decides whether the player's line
 * stays as it was when the players were read. An erasure or a merge replaces it by what the document says.
 */
import { isDeepStrictEqual } from "node:util";
import { writeFields } from "../counting/commit-players.ts";
import { statusOf } from "../counting/kept-status.ts";
import {
  type DocumentReference,
  type Firestore,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import { markedIn } from "../documents/mark.ts";
import { closingNotePath, closingNotesPath, playerPath, type SeasonKey } from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import { hashOf } from "../model/hash.ts";
import { closingNotesPerRead } from "../model/limits.ts";
import type { Board } from "../seasons/read-board.ts";
import { heldLine, holdLine, standingOf } from "./pack.ts";
import { draftStandings } from "./draft-standings.ts";
import type { Services } from "../world/services.ts";

/**
 * Adds a note to the commit that changes a player, who need not have a document any more. Cost: 1 write.
 * @param isReplaced whether the line is replaced; an earlier note that says so still counts.
 */
export function writeNote(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  player: string,
  isReplaced: boolean,
): void {
  const fields = { player, ...(isReplaced ? { is_replaced: true } : {}) };
  transaction.set(noteOf(db, key, player), fields, { merge: true });
}

/** Where the note of a player is, if there is one. */
export function noteOf(db: Firestore, key: SeasonKey, player: string): DocumentReference {
  return db.doc(closingNotePath(key, hashOf(player).toString("hex")));
}

/** Whether a note waits. Cost: 1 read. */
export async function noteWaits(db: Firestore, transaction: Transaction, key: SeasonKey): Promise<boolean> {
  return !(await transaction.get(byId(db, closingNotesPath(key), 1))).empty;
}

/**
 * Applies the next notes. Who is hidden or banned is taken out, and the document keeps the line that the table had. It
 * also gets the status if a server has left it out, as the event of that write may come when the season has closed.
 *
 * Cost: 1 read for each, at least 1; for each 3 reads and 1 delete, and 2 writes or more where the line changes; 1 more
 * where the document keeps another line; 1 read where a server has written a document without a status meanwhile.
 */
export async function applyNotes(
  { db, now }: Services,
  { key, definition }: Pick<Board, "key" | "definition">,
): Promise<void> {
  const { docs } = await byId(db, closingNotesPath(key), closingNotesPerRead).get();
  for (const { ref } of docs)
    await db.runTransaction(async (transaction) => {
      const note = await transaction.get(ref);
      const player: unknown = note.get("player");
      if (typeof player === "string") {
        const document = await transaction.get(db.doc(playerPath(key, player)));
        const data = document.data();
        const standings = draftStandings(db, transaction, key);
        const line = note.get("is_replaced") === true ? undefined : await standings.find(player);
        const held = heldLine(player, data);
        const status = await statusOf(db, key, document, transaction);
        const isActive = document.exists && status === "active";
        const own = held && { ...held, segments: (markedIn(data)?.segments ?? []).join(" ") };
        const next = isActive ? (line ?? own ?? standingOf(player, data, definition)) : undefined;
        await standings.put(player, next, definition);
        standings.write(Timestamp.fromMillis(now()));
        if (data !== undefined && !isActive && line !== undefined && !isDeepStrictEqual(line, held))
          writeFields(transaction, document.ref, { status, held_line: holdLine(document, { status }, line) });
      }
      transaction.delete(ref);
    });
}
