/** What the functions need of a project: `firebase deploy` enables the APIs, and makes an account with the roles. */
import { requiresAPI, requiresRole } from "firebase-functions";

/** Declares it for the codebase that is being loaded, and so for every function in it. */
export function declareNeeds(): void {
  requiresAPI("firestore.googleapis.com", "Boards, players and ranks are documents.");
  requiresAPI("cloudtasks.googleapis.com", "Ranking runs, and long work in steps, are tasks.");
  requiresRole("roles/datastore.user");
  requiresRole("roles/cloudtasks.enqueuer");
  // A task is called with the account that enqueued it, which must be allowed to name itself.
  requiresRole("roles/iam.serviceAccountUser");
  requiresRole("roles/eventarc.eventReceiver");
  requiresRole("roles/run.invoker");
}
