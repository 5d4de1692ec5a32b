/** The seasons of a board, in two lists: the open ones, and on demand those that have ended. */
import { isRemembered } from "../data/connection.ts";
import { type ListedSeason, readListedSeason } from "../data/documents.ts";
import { type Growing, useGrowingList, useLiveQuery } from "../data/hooks.ts";
import { endedSeasons, openSeasons } from "../data/queries.ts";
import type { Loaded } from "../data/read.ts";
import { isAdmin } from "../firebase/session.ts";
import { valueOf } from "../parts/states.tsx";

/** How many seasons that have ended are listed at first, and how many each request adds. */
const endedPerStretch = 10;

export interface Seasons {
  open: Loaded<ListedSeason[]>;
  ended: Growing<ListedSeason>;
  /** Why one of the lists could not be read. */
  problem: Error | undefined;
  isOld: boolean;
  /** Whether both are read and there is none. */
  isEmpty: boolean;
}

/**
 * Cost: 1 read for each open season, and 1 for each of the last ten that have ended, at least 2; 1 for each that changes.
 * @param board undefined where nothing is to be read yet.
 */
export function useSeasons(board: string | undefined): Seasons {
  const open = useLiveQuery(board === undefined ? undefined : openSeasons(board), readListedSeason);
  const grown = useGrowingList(
    board === undefined ? undefined : endedSeasons(board, endedPerStretch),
    readListedSeason,
    { isLive: true },
  );
  const isOpen = new Set(valueOf(open)?.map(({ id }) => id));
  // What an admin is deleting is gone for players. What has ended may still be in the other list for a moment.
  const isShown = ({ id, season }: ListedSeason) =>
    !isOpen.has(id) && (isAdmin.value || season?.status !== "deleting");
  const list =
    grown.list.state === "ready" ? { ...grown.list, value: grown.list.value.filter(isShown) } : grown.list;
  const failed = [open, list].find(({ state }) => state === "failed");
  return {
    open,
    ended: { ...grown, list },
    problem: failed?.state === "failed" ? failed.error : undefined,
    isOld: isRemembered(open) || isRemembered(list),
    isEmpty: valueOf(open)?.length === 0 && valueOf(list)?.length === 0,
  };
}
