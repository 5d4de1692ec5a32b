/** The needs of the functions: `firebase deploy` enables the APIs, and makes an account with the roles. */
import { createRequire } from "node:module";
import type * as Functions from "firebase-functions";
import { neededRoles } from "../model/needed-roles.ts";

/**
 * Declares the needs for the codebase that is being loaded, and so for every function in it. Only this loads the root
 * of firebase-functions, which brings every kind of trigger and the Realtime Database.
 */
export function declareNeeds(): void {
  const { requiresAPI, requiresRole } = createRequire(import.meta.url)(
    "firebase-functions",
  ) as typeof Functions;
  requiresAPI("firestore.googleapis.com", "Boards, players and ranks are documents.");
  requiresAPI("cloudtasks.googleapis.com", "Ranking runs, and long work in steps, are tasks.");
  for (const role of neededRoles) requiresRole(role);
}
