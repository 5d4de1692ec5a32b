/**
 * A codebase of Cloud Functions beside Firerank's: one trigger, which hands each event of every board to the three
 * handlers. Leave out those that you don't need.
 *
 * Functions get an event at least once. Where a handler fails, the others have run all the same, and `retry` has the event
 * come again, for a day. So each handler says what it does with an event that it has seen.
 */
import { applicationDefault, initializeApp } from "firebase-admin/app";
import { getFirestore } from "firebase-admin/firestore";
import { onDocumentCreated } from "firebase-functions/firestore";
import { projectID } from "firebase-functions/params";
import { postFinalTop } from "./discord.ts";
import type { EventDocument } from "./event.ts";
import { pushToLeader } from "./push.ts";
import { payRewards } from "./rewards.ts";

const credential = applicationDefault();
initializeApp({ credential });

/** FCM takes what the functions' own account sends. */
const fcm = {
  url: () => `https://fcm.googleapis.com/v1/projects/${projectID.value()}/messages:send`,
  accessToken: async () => (await credential.getAccessToken()).access_token,
};

export const onBoardEvent = onDocumentCreated(
  {
    document: "leaderboards/{leaderboard}/events/{event}",
    region: "us-central1", // that of your database, as Firerank's REGION
    retry: true,
    timeoutSeconds: 540,
  },
  async ({ data, params }) => {
    if (data === undefined) return;
    const db = getFirestore();
    const event = data.data() as EventDocument;
    const outcomes = await Promise.allSettled([
      payRewards(db, event),
      pushToLeader(db, fcm, params.event, event),
      postFinalTop(db, event),
    ]);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw failed.reason; // so the event comes again
  },
);
