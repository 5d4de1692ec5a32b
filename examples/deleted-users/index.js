/** Erases a player from all leaderboards when the account is deleted, by the app, an admin or the console. */
import { runWith } from "firebase-functions/v1";
import { erasePlayer } from "firerank/erase";

// Firebase tells only functions of the 1st generation of deleted accounts. It is retried until it succeeds, for a week.
export const eraseDeletedUser = runWith({ timeoutSeconds: 540, failurePolicy: true })
  .auth.user()
  .onDelete(({ uid }) => erasePlayer(uid));
