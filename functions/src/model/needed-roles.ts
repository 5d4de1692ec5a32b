/** The roles that the functions' account needs: a deployment gives them, and `firerank doctor` looks for them. */
export const neededRoles = [
  "roles/datastore.user",
  "roles/cloudtasks.enqueuer",
  // A task is called with the account that enqueued it, which must be allowed to name itself.
  "roles/iam.serviceAccountUser",
  "roles/eventarc.eventReceiver",
  "roles/run.invoker",
] as const;
