/**
 * The bare callable, but writing the documents that Firerank writes of a score: the player's document with the same
 * fields, and in the same commit a count for each score, unread.
 */
import { getApps, initializeApp } from "firebase-admin/app";
import { type DocumentData, FieldValue, getFirestore, Timestamp } from "firebase-admin/firestore";
import { HttpsError, onCall } from "firebase-functions/https";

if (getApps().length === 0) initializeApp();

const slotMs = 10_000;

export const submitScore = onCall<{ score: number }>({ concurrency: 1_000 }, async ({ auth, data }) => {
  if (auth === undefined) throw new HttpsError("unauthenticated", "sign in");
  const { score } = data;
  const db = getFirestore();
  const season = db.doc("leaderboards/same/seasons/all_time");
  const ref = season.collection("players").doc(auth.uid);
  return db.runTransaction(async (transaction) => {
    const player = (await transaction.get(ref)).data() as PlayerStored | undefined;
    const best = player?.score;
    if (best !== undefined && score <= best) return { score: best };
    const now = Timestamp.now();
    const fields = {
      score,
      achieved_at: now,
      last_submission_at: now,
      attempts: (player?.attempts ?? 0) + 1,
      status: "active",
      // Firerank names the version of the document that it replaces.
      counted: { score, of: "16-letters-of-it" },
      metadata: FieldValue.delete(),
      held_line: FieldValue.delete(),
    };
    transaction.set(ref, fields, { mergeFields: Object.keys(fields) });
    const slotEndsAt = slotMs * Math.ceil(now.toMillis() / slotMs);
    const shard = {
      slot_ends_at: Timestamp.fromMillis(slotEndsAt),
      marks: FieldValue.increment(1),
      player_count: {
        [score]: FieldValue.increment(1),
        ...(best !== undefined && { [best]: FieldValue.increment(-1) }),
      },
    };
    transaction.set(season.collection("scores").doc(`${slotEndsAt}`), shard, { merge: true });
    return { score };
  });
});

interface PlayerStored extends DocumentData {
  score: number;
  attempts: number;
}
