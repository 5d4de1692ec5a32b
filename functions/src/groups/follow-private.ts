/** What a trusted server writes of a player, brought into the player's private groups. */
import type { PlayerWrite } from "../counting/changed-player.ts";
import { Timestamp } from "../documents/firestore.ts";
import { isOurs } from "../documents/mark.ts";
import { playerPath, playerStatusPath, type SeasonKey } from "../documents/paths.ts";
import { readPlayerStatus } from "../documents/player.ts";
import { isTimestamp } from "../model/instant.ts";
import { transactionMsMax } from "../model/limits.ts";
import { boardIfAny } from "../seasons/board.ts";
import { countsNoMore } from "../seasons/open-now.ts";
import { isSameInGroup } from "../league/keep-group.ts";
import type { Services } from "../world/services.ts";
import { keepPrivateGroups, namesNoStatus } from "./keep-private.ts";

/**
 * Brings what a trusted server has written of a player into the player's private groups, after its event. Cost: nothing for a
 * write of ours, on a board without private groups, in a season that is over, and where a group shows the same; else as
 * {@link keepPrivateGroups}, and 1 read for a document that names no status.
 */
export async function followInPrivateGroups(
  services: Services,
  key: SeasonKey,
  player: string,
  { before, after }: PlayerWrite,
): Promise<void> {
  if (isSameInGroup(before?.data, after?.data)) return;
  if (isOurs(playerPath(key, player), before, after, transactionMsMax)) return;
  const { db } = services;
  const board = await boardIfAny(services, key);
  if (board?.definition.private_groups !== true || (board.season && countsNoMore(board.season))) return;
  const kept = namesNoStatus(after?.data)
    ? await db.doc(playerStatusPath(key.leaderboard, player)).get()
    : undefined;
  const achieved = after?.data["achieved_at"];
  // It also holds for a player whose document is gone.
  const said = kept?.exists === true ? { status: readPlayerStatus(kept.data()) } : undefined;
  const data =
    after === undefined
      ? said
      : {
          ...after.data,
          ...said,
          achieved_at: time(isTimestamp(achieved) ? achieved : after.updateTime),
        };
  const document = { id: player, ...versionReplaced(before, after) };
  await keepPrivateGroups(services, [{ key, document, before: before?.data, after: data }]);
}

/** The event's times may be of another copy of the client library. */
const time = ({ seconds, nanoseconds }: Pick<Timestamp, "seconds" | "nanoseconds">) =>
  new Timestamp(seconds, nanoseconds);

/** What a write has replaced. Before a new document there was nothing for as short as can be: whoever deletes it is later. */
function versionReplaced(
  before: PlayerWrite["before"],
  after: PlayerWrite["after"],
): { updateTime?: Timestamp } {
  if (before !== undefined) return { updateTime: time(before.updateTime) };
  if (after === undefined) return {};
  const { seconds, nanoseconds } = after.updateTime;
  return {
    updateTime:
      nanoseconds < 1_000
        ? new Timestamp(seconds - 1, 999_999_000)
        : new Timestamp(seconds, nanoseconds - 1_000),
  };
}
