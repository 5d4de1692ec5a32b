/** `setProfile`: changes the signed-in player's name and metadata, without a score. */
import type { ProfileSet } from "./answers.ts";
import { asPlayer, attemptMs, namedMs, namePlace } from "./as-player.ts";
import { call } from "./call.ts";
import type { CallOptions } from "./call-options.ts";
import { invalidField, toFirerankError } from "./firerank-error.ts";
import type { BoardTypes, Leaderboard, MetadataOf } from "./leaderboard.ts";

/** The changes of a profile. A field that is left out stays as it is. Null takes a field out. */
export interface Profile<Types extends BoardTypes = BoardTypes> {
  /** At most 64 characters. */
  display_name?: string | null | undefined;
  /** Plain JSON, at most 1 KB. */
  metadata?: MetadataOf<Types> | null | undefined;
  /**
   * Whether the player takes part in the board's league. With false, groups hide name and score at once, and the place counts
   * until the end of the week.
   */
  league?: boolean | undefined;
}

/**
 * Changes the signed-in player's name, metadata or both, in all open seasons in which the player has a score. If the player has
 * no score in an open season, nothing is kept. Lists show the change at once, the top within a minute.
 *
 * The request is sent again like a score, and also after `too_frequent`, as the server takes one profile in 3 seconds. Of
 * several calls the last one wins.
 *
 * Cost, of the function: 2 reads for each open season, and 1 write for each season in which something changes.
 * @param options how long the call may take with all attempts, by default 30 s, and what ends the call.
 * @throws FirerankError
 * @example await setProfile(board, { display_name: "Ann" });
 */
export async function setProfile<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  profile: Profile<Types>,
  options: CallOptions = {},
): Promise<ProfileSet> {
  const beganMs = Date.now();
  try {
    if ("player" in profile) throw invalidField("player", "is for servers; call the function by its name");
    return await asPlayer(
      "setProfile",
      board,
      options,
      async (player) => {
        const answer = await call<ProfileSet>(board, "setProfile", profile, { timeoutMs: attemptMs });
        if (profile.display_name !== undefined) namedMs.set(namePlace(board, player), beganMs);
        return answer;
      },
      ["too_frequent"],
    );
  } catch (error) {
    throw toFirerankError("setProfile", error);
  }
}
