/**
 * What is left of players who were erased: no document of the board names them, unless a server or an admin has brought
 * them back since, or they have played again, but not within a day.
 */
import {
  leaderboardPath,
  playerPath,
  playerStatusPath,
  privateGroupsPath,
  seasonPath,
  standingsCollection,
  standingsSummaryPath,
} from "../../functions/src/documents/paths.ts";
import { insist } from "./violation.ts";
import { type Change, type Data, parentOf, type Store } from "../memory/store.ts";
import { keyOf, leaderboard, playersChanged } from "../board.ts";
import type { Work } from "./work.ts";

export type Erased = ReturnType<typeof createErased>;

interface Removal {
  player: string;
  /** Whether a status may stay. */
  isMerged: boolean;
  /** How many commits there were before. */
  commits: number;
}

const board = `${leaderboardPath(leaderboard)}/`;
const allTime = { leaderboard, season: "all_time" };

export function createErased(store: Store, now: () => number) {
  let commits = 0;
  /** The last commit that wrote a document of a player, or a status. */
  const written = new Map<string, number>();
  const erased = new Set<string>();
  /** When players were erased, and not merged, whom nobody has brought back since. */
  const goneAt = new Map<string, number>();

  return {
    /** A call that erases a player, or merges one into another, starts. @returns its name for `done`. */
    begun: (player: string, isMerged = false): Removal => ({ player, isMerged, commits }),
    /** The call was answered. @throws a violation */
    done({ player, isMerged, commits: before }: Removal): void {
      if ((written.get(player) ?? -1) >= before) return;
      const kept = [playerStatusPath(leaderboard, player), playerPath(allTime, player)];
      const { league } = store.get(playerStatusPath(leaderboard, player))?.data ?? {};
      insist(
        !isMerged || league === undefined,
        () => `erased: ${player}, who was merged, stands in the league`,
      );
      if (isMerged && kept.some((path) => store.get(path) !== undefined)) return;
      erased.add(player);
      if (!isMerged) goneAt.set(player, now());
      const left = documentsNaming(store, player);
      insist(left.length === 0, () => `erased: ${left.join()} still names ${player}`);
    },
    /** @throws a violation if a commit names an erased player again */
    observe(changes: readonly Change[], work: Work): void {
      commits++;
      // An admin may give a status to a player who is not there.
      if (work.kind === "status" && work.asked.status !== "removed") {
        written.set(work.asked.player, commits);
        erased.delete(work.asked.player);
        goneAt.delete(work.asked.player);
      }
      // A merge may give the player who stays a status.
      if (work.kind === "merge") {
        written.set(work.asked.to, commits);
        erased.delete(work.asked.to);
        goneAt.delete(work.asked.to);
      }
      const named = playersChanged(changes).filter(({ change }) => change.after !== undefined);
      for (const player of [
        ...named.map((one) => one.player),
        ...playersWishing(changes, work),
        ...playersJoining(changes, work),
      ]) {
        const days = (now() - (goneAt.get(player) ?? -Infinity)) / 86_400_000;
        insist(
          !["submit", "wish", "group"].includes(work.kind) || days > 1,
          () => `erased: ${player} plays again, ${days} days after an erasure`,
        );
        goneAt.delete(player);
        written.set(player, commits);
        erased.delete(player);
      }
      for (const { path, after } of changes)
        for (const player of erased)
          insist(
            after === undefined ||
              !path.startsWith(board) ||
              isPassing(store, path) ||
              !isNamedIn(path, after, player),
            () => `erased: ${path} names ${player} again`,
          );
    },
  };
}

/** The player whose wish to leave a league a commit keeps. */
function playersWishing(changes: readonly Change[], work: Work): string[] {
  if (work.kind !== "wish") return [];
  const kept = playerStatusPath(leaderboard, work.player);
  return changes.some(({ path, after }) => path === kept && after !== undefined) ? [work.player] : [];
}

/** The player whom a commit makes a member of a private group. */
function playersJoining(changes: readonly Change[], work: Work): string[] {
  if (work.kind !== "group" || !["create", "join"].includes(work.what)) return [];
  return changes.some(({ path }) => parentOf(path) === privateGroupsPath(leaderboard)) ? [work.player] : [];
}

/** The paths of a board's documents that name a player, without those that pass by themselves. */
export function documentsNaming(store: Store, player: string, passes = isPassing, within = board): string[] {
  return store
    .collections()
    .filter((path) => path.startsWith(within))
    .flatMap((path) => store.list(path))
    .flatMap(({ path, data }) => (!passes(store, path) && isNamedIn(path, data, player) ? [path] : []));
}

/**
 * Whether a document does not count yet, or no longer: what is written into a season that is being deleted goes with it,
 * and a closing applies and deletes its notes.
 */
function isPassing(store: Store, path: string): boolean {
  const passes = ["/standings", "/closing_notes"].some((part) => path.includes(part));
  return (
    isBeingDeleted(store, path) || isLeftOver(store, path) || (statusOf(store, path) === "closing" && passes)
  );
}

/** Whether a document is of standings that were begun as of another time, until the closed season is cleared. */
export function isLeftOver(store: Store, path: string): boolean {
  const key = keyOf(path);
  const n = Number(path.slice(parentOf(path).length + 1).split("-")[0]);
  if (key === undefined || parentOf(path) !== standingsCollection(key) || Number.isNaN(n)) return false;
  const ranges = (store.get(standingsSummaryPath(key))?.data["ranges"] ?? []) as {
    first: number;
    documents: number;
  }[];
  const isCleared = store.get(seasonPath(key))?.data["cleared_at"] != null;
  return !isCleared && !ranges.some(({ first, documents }) => first <= n && n < first + documents);
}

/** Whether the season of a document is being deleted, or gone. */
function isBeingDeleted(store: Store, path: string): boolean {
  return keyOf(path) !== undefined && (statusOf(store, path) ?? "deleting") === "deleting";
}

function statusOf(store: Store, path: string): unknown {
  const key = keyOf(path);
  return key === undefined ? undefined : store.get(seasonPath(key))?.data["status"];
}

/**
 * Whether a document is of a player, or has the id as a text in it, also in packed lists. A repair or a
 * closing under way may stand at the player, or begin a range there.
 */
export function isNamedIn(path: string, data: Data, player: string): boolean {
  return path.endsWith(`/${player}`) || textOf(data).includes(`"${player}"`);
}

/** Stored data never change, and each is searched for many players. */
const texts = new WeakMap<Data, string>();

function textOf(data: Data): string {
  let text = texts.get(data);
  if (text === undefined) {
    const { marked: _, completed: __, ranges: ___, ...searched } = data;
    texts.set(data, (text = JSON.stringify(searched).replaceAll("\\", "")));
  }
  return text;
}
