/**
 * A push message to the new leader, by FCM.
 *
 * At most once: the event is claimed before the message is sent. Whoever dies in between has sent nothing, and nobody tries
 * again. To send at least once, claim it afterwards: then the same death sends the message twice. Nothing does both, as FCM
 * knows no id under which a message would count once.
 */
import type { Firestore } from "firebase-admin/firestore";
import type { EventDocument } from "./event.ts";

export interface Fcm {
  /** `https://fcm.googleapis.com/v1/projects/{project}/messages:send` */
  url: () => string;
  /** An access token of the functions' service account. */
  accessToken: () => Promise<string>;
}

/** Tells the new leader on each device, which the app has stored in `users/{player}/devices/{FCM token}`. */
export async function pushToLeader(
  db: Firestore,
  fcm: Fcm,
  id: string,
  { kind, leaderboard, leader }: EventDocument,
): Promise<void> {
  if (kind !== "lead_changed" || leader == null || !(await claim(db, `pushed_events/${leaderboard}.${id}`)))
    return;
  const devices = await db.collection(`users/${leader.player}/devices`).get();
  for (const device of devices.docs) {
    const notification = { title: "You lead!", body: `${leader.score} is the best score now.` };
    const response = await fetch(fcm.url(), {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${await fcm.accessToken()}` },
      body: JSON.stringify({ message: { token: device.id, notification } }),
    });
    // The app was uninstalled, or the token is no longer its own.
    if (response.status === 404) await device.ref.delete();
  }
}

/** @returns whether this is the first to ask. */
async function claim(db: Firestore, path: string): Promise<boolean> {
  return db.runTransaction(async (transaction) => {
    const ref = db.doc(path);
    if ((await transaction.get(ref)).exists) return false;
    transaction.create(ref, {});
    return true;
  });
}
