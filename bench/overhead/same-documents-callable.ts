/** The bare callable with a second write: it adds to a count beside the score, unread, as Firerank does in a shard. */
import { getApps, initializeApp } from "firebase-admin/app";
import { FieldValue, getFirestore } from "firebase-admin/firestore";
import { HttpsError, onCall } from "firebase-functions/https";

if (getApps().length === 0) initializeApp();

export const submitScore = onCall<{ score: number }>({ concurrency: 1_000 }, async ({ auth, data }) => {
  if (auth === undefined) throw new HttpsError("unauthenticated", "sign in");
  const { score } = data;
  const db = getFirestore();
  const ref = db.doc(`counting/${auth.uid}`);
  return db.runTransaction(async (transaction) => {
    const best = (await transaction.get(ref)).get("score") as number | undefined;
    if (best === undefined || score > best) {
      transaction.set(ref, { score, achieved_at: FieldValue.serverTimestamp() }, { merge: true });
      const players = {
        [score]: FieldValue.increment(1),
        ...(best !== undefined && { [best]: FieldValue.increment(-1) }),
      };
      transaction.set(db.doc(`counts/${Math.floor(Date.now() / 10_000)}`), { players }, { merge: true });
    }
    return { score: Math.max(score, best ?? score) };
  });
});
