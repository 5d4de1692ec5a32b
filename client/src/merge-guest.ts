/** A guest who signed in to an account that exists: the two players become one. */
import type { GuestMerged } from "../../functions/src/model/admin-answers.ts";
import type { CallOptions } from "./call-options.ts";
import { call } from "./call.ts";
import type { Leaderboard } from "./leaderboard.ts";

export type { GuestMerged };

/**
 * Gives a guest's scores in the board's open seasons to the signed-in player. Boards of sums, with a limit of attempts or
 * with a server's scores refuse it: there an admin calls `mergePlayers`.
 *
 *     const token = await auth.currentUser.getIdToken(); // of the guest
 *     await signInWithCredential(auth, credential);
 *     await mergeGuest(board, token);
 *
 * Cost: 2 reads for each open season; 10 more, 6 writes and 1 delete for each that has the guest.
 * @param guestToken at most an hour old.
 */
export function mergeGuest(
  board: Leaderboard,
  guestToken: string,
  options?: CallOptions,
): Promise<GuestMerged> {
  return call(board, "mergeGuest", { guest_token: guestToken }, options);
}
