/** The groups in which players have seats, whether they are shown or not. */
import type { Firestore, Query } from "./firestore.ts";
import { seatOwner } from "./group.ts";
import type { SeasonKey } from "./paths.ts";
import { groupsOwnedBy } from "./queries.ts";

/** Groups in which one of some players, at most 30, has a seat. Cost: one read each, at least one. */
export function groupsWith(db: Firestore, key: SeasonKey, players: readonly string[]): Query {
  return groupsOwnedBy(
    db,
    key,
    players.map((player) => seatOwner(key, player)),
  );
}
