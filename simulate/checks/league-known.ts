/** What the checks of a league ask of each other. */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import type { Group, Seat } from "../../functions/src/documents/group.ts";
import type { LeagueStanding } from "../../functions/src/documents/league-standing.ts";
import type { SeasonKey } from "../../functions/src/documents/paths.ts";
import type { Data } from "../memory/store.ts";
import type { Status } from "./player.ts";

/** A group before and after a commit. */
export interface GroupChange {
  key: SeasonKey;
  id: string;
  before: Group | undefined;
  after: Group;
}

/** What is known of a board's league, as it is stored. */
export interface LeagueKnown {
  ownerOf(key: SeasonKey, seat: Pick<Seat, "of">): string | undefined;
  groupsOf(season: string): Map<string, Group>;
  seatsOf(season: string, player: string): { group: string; name: string; seat: Seat; isSettled: boolean }[];
  documentOf(season: string, player: string): { data: Data | undefined; status: Status };
  statusOf(player: string, data: Data | undefined): Status;
  standingOf(player: string): LeagueStanding;
  weeks(): string[];
  askableIn(season: string): { possible?: "in time" | "late" };
  hadLeft(player: string, since: Timestamp): boolean;
  moment(): Timestamp;
}
