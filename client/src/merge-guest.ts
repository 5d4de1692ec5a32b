/** Merges a guest into the account to which the guest has signed in. */
import type { GuestMerged } from "../../functions/src/model/admin-answers.ts";
import type { CallOptions } from "./call-options.ts";
import { call } from "./call.ts";
import type { Leaderboard } from "./leaderboard.ts";

export type { GuestMerged };

/**
 * Gives a guest's scores in the board's open seasons to the signed-in player. A board with the aggregation `sum`, with
 * `max_attempts`, `min_seconds_between` or `max_change`, or with `submit: "server"` refuses the call: there an admin calls
 * `mergePlayers`.
 *
 *     const token = await auth.currentUser.getIdToken(); // of the guest
 *     await signInWithCredential(auth, credential);
 *     await mergeGuest(board, token);
 *
 * Cost: 2 reads for each open season. If the guest has a score there, 5 reads and 2 for each open season more; and for each
 * open season in which the guest has a score, 12 reads, 7 writes and 1 delete.
 * @param guestToken the guest's ID token, at most an hour old.
 */
export function mergeGuest(
  board: Leaderboard,
  guestToken: string,
  options?: CallOptions,
): Promise<GuestMerged> {
  return call(board, "mergeGuest", { guest_token: guestToken }, options);
}
