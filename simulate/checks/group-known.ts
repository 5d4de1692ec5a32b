/** What the checks of private groups ask of each other. */
import type { Seat } from "../../functions/src/documents/group.ts";
import type { PrivateGroup } from "../../functions/src/documents/private-group.ts";
import type { Store } from "../memory/store.ts";
import type { Scored } from "./group-places.ts";

/** A private group before and after a commit. */
export interface PrivateChange {
  id: string;
  before: PrivateGroup | undefined;
  after: PrivateGroup;
}

/** The last score of a player that was achieved by the end of a group, and when it was committed. */
export interface LastInTime {
  scored: Scored;
  atMs: number;
}

export interface GroupsKnown {
  readonly store: Store;
  playerOf(seat: Pick<Seat, "of">): string | undefined;
  members(group: Pick<PrivateGroup, "seats"> | undefined): string[];
  groupOf(id: string): PrivateGroup | undefined;
  wasSaid(season: string, player: string, scored: Scored): boolean;
  lastBy(id: string, season: string, player: string): LastInTime | undefined;
  mayHaveMissed(player: string, sinceMs: number): boolean;
}

/** Whether a season is a tournament. */
export const isCup = (season: string) => season.startsWith("cup");

/** When a group ends by itself; undefined for one that goes on, or that ends with a tournament. */
export const endOf = ({ season, ends_at: at }: Pick<PrivateGroup, "season" | "ends_at">) =>
  at === null || isCup(season) ? undefined : at;
