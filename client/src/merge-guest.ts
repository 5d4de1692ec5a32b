/** A guest who signed in to an account that exists: the two players become one. */
import type { CallOptions } from "./call-options.ts";
import { call } from "./call.ts";
import type { Leaderboard } from "./leaderboard.ts";

/** What a merge did. */
export interface GuestMerged {
  /** The guest, who is gone. */
  from: string;
  /** The signed-in player. */
  to: string;
  /** Every season that the player is in now. */
  seasons: {
    leaderboard: string;
    season: string;
    span: string;
    status: string;
    score?: number;
    columns?: Record<string, number>;
    attempts: number;
    /** Whether this call has merged the guest into it. */
    merged: boolean;
    /** Submission ids that both had: they may have counted for both. */
    repeated?: string[];
    /** Why the guest is still in that season. */
    error?: { code: string; message: string };
  }[];
}

/**
 * Gives a guest's scores to the signed-in player, as the board aggregates them.
 *
 *     const token = await auth.currentUser.getIdToken(); // of the guest
 *     await signInWithCredential(auth, credential);
 *     await mergeGuest(board, token);
 *
 * Cost: 2 reads for each open season; then about 10 reads, 4 writes and 1 delete for each season that has the guest.
 * @param guestToken at most an hour old.
 */
export function mergeGuest(
  board: Leaderboard,
  guestToken: string,
  options?: CallOptions,
): Promise<GuestMerged> {
  return call(board, "mergeGuest", { guest_token: guestToken }, options);
}
