/**
 * A player's week in a league, live. `getLeague` says in which group the player is, and a listener on the group's document
 * brings its changes: places and zones follow from the document by the functions' own code.
 *
 * While the player is in no group, a listener on the player's own document tells when that may have changed. So nothing is
 * asked again and again, except while a seat is awaited: who looks is what wakes a seating that was cut off.
 */
import { doc, type DocumentData, onSnapshot, type Timestamp, type Unsubscribe } from "firebase/firestore";
import type { GroupRead } from "../../functions/src/documents/group.ts";
import { groupPath, playerPath } from "../../functions/src/documents/paths.ts";
import { scoreIfRanked } from "../../functions/src/documents/ranked-score.ts";
import { groupAnswer } from "../../functions/src/reading/group-answer.ts";
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import { worldOf } from "./follow-span.ts";
import type { League, LeagueGroup, WatchedLeague } from "./league-answer.ts";
import { type SeasonBoard, seasonOf } from "./leaderboard.ts";
import { isUnknown, listenToRules, type ValueRead } from "./listeners.ts";
import { getLeague } from "./reads.ts";
import { isPassing } from "./retries.ts";
import { changesOfMetadataToo, firestoreOf, keepRules, type Rules, rulesInMemory } from "./stored.ts";
import { tellChanges } from "./tell-changes.ts";
import { startTicking } from "./ticking.ts";

/** The pauses before another question: after a failure, and while a seat is awaited. They double up to the longest. */
const pauseMs = { failed: 1_000, seating: 10_000, longest: 60_000 };

/** A pause, at most half of it random, so that players who wait for the same do not all ask at once. */
function pauseAfter(firstMs: number, pauses: number): number {
  return Math.min(pauseMs.longest, firstMs * 2 ** pauses) * (1 + Math.random() / 2);
}

/**
 * Watches one week for `watchLeague`. This is one function, as the question and the listeners start and end each other: one
 * of them at a time.
 * @param isNext whether another week was watched before, which is over.
 */
export function watchWeek(
  board: SeasonBoard,
  player: string,
  onLeague: (league: WatchedLeague) => void,
  onError: (error: FirerankError) => void,
  isNext: boolean,
): Unsubscribe {
  const key = seasonOf(board);
  const tell = tellChanges(onLeague);
  /** What the player's document said when that led to the last question. */
  let askedFor: Said | undefined;
  /** Pauses in a row, which become longer. */
  let pauses = 0;
  /** Whether the player was in a group by the last answer, and its document did not show that. */
  let isDoubted = false;
  /** Ends what is under way. */
  let end: Unsubscribe = () => undefined;
  ask();

  /** Replaces what is under way. */
  function begin(next: () => Unsubscribe): void {
    end();
    end = () => undefined;
    end = next();
  }

  function ask(): void {
    begin(() => {
      let isOver = false;
      getLeague(board, { season: key.season, player }).then(
        (answer) => isOver || take(answer),
        (cause: unknown) => {
          if (isOver) return;
          const error = toFirerankError("watchLeague", cause);
          // A clock that is a moment fast is in a week that the server does not know yet.
          const isEarly = isNext && error.code === "season_not_found";
          if (isEarly || isPassing(error)) askIn(pauseMs.failed);
          else fail(error);
        },
      );
      return () => {
        isOver = true;
      };
    });
  }

  function askIn(firstMs: number): void {
    begin(() => {
      const timer = setTimeout(ask, pauseAfter(firstMs, pauses));
      return () => clearTimeout(timer);
    });
    pauses += 1;
  }

  function take(answer: League): void {
    tell({ ...answer, from_cache: false });
    const { league } = answer;
    // The rules let nobody listen whom the group does not show.
    const isShown = league !== null && league.place !== null;
    if (isShown) askedFor = undefined;
    begin(() => (isShown ? followGroup(answer, league) : followPlayer(answer)));
  }

  /** Waits for what may bring the player into a group, or back into sight. */
  function followPlayer(answer: League): Unsubscribe {
    let told: Said | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askLater = (firstMs: number) => {
      timer ??= setTimeout(ask, pauseAfter(firstMs, pauses++));
    };
    const stop = onSnapshot(doc(firestoreOf(board), playerPath(key, player)), changesOfMetadataToo, {
      next(found) {
        if (isUnknown(found)) return;
        const now = saidIn(found.data());
        const before = told ?? askedFor;
        told = now;
        if (now.waits) {
          tell({ ...answer, why: "seating", from_cache: false });
          askLater(pauseMs.seating);
        } else if (before === undefined ? isNews(answer, now) : isOther(answer, before, now)) {
          askedFor = now;
          ask();
        } else if (answer.league !== null && now.hasScore) {
          // The player is back, and the group comes a moment later.
          askLater(pauseMs.failed);
        }
      },
      error: fail,
    });
    if (answer.why === "seating") askLater(pauseMs.seating);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }

  /** Listens to the group. Whoever is not shown there any more is not in it. */
  function followGroup(answer: League, { group: id }: LeagueGroup): Unsubscribe {
    let rules: ValueRead<Rules> | undefined;
    const kept = rulesInMemory(board);
    if (kept !== undefined) rules = { value: kept, fromCache: false };
    let group: ValueRead<GroupRead> | undefined;
    const stopRules =
      rules === undefined
        ? listenToRules(board, {
            next(found) {
              rules = found;
              // A group has scores, so the order is final. Later listeners find the rules in memory.
              if (!found.fromCache) keepRules(board, found.value, true);
              ticking.lookAgain();
            },
            error: fail,
          })
        : () => undefined;
    const stopGroup = onSnapshot(doc(firestoreOf(board), groupPath(key, id)), changesOfMetadataToo, {
      next(found) {
        const { fromCache } = found.metadata;
        // The answer is newer than what the device has kept of an earlier time.
        if (fromCache && group === undefined) return;
        const read = found.data() as GroupRead | undefined;
        if (read?.readers.includes(player) !== true) {
          askIn(pauseMs.failed);
          return;
        }
        isDoubted = false;
        pauses = 0;
        group = { value: read, fromCache };
        ticking.lookAgain();
      },
      error(cause) {
        const error = toFirerankError("watchLeague", cause);
        // The rules refuse whom the group does not show. Whom getLeague then shows it again, other rules refuse.
        if (error.code !== "permission_denied" || isDoubted) fail(error);
        else askIn(pauseMs.failed);
        isDoubted = true;
      },
    });
    const ticking = startTicking(worldOf(board), {
      look(nowMs) {
        if (group === undefined || rules === undefined) return Infinity;
        const { ends_at: endsAt } = group.value;
        const league = groupAnswer(rules.value, { id, group: group.value, player, nowMs });
        tell({ ...answer, league, from_cache: group.fromCache || rules.fromCache });
        const endsMs = endsAt?.toMillis() ?? Infinity;
        return endsMs > nowMs ? endsMs : Infinity;
      },
      fail,
    });
    return () => {
      stopRules();
      stopGroup();
      ticking.stop();
    };
  }

  function fail(cause: unknown): void {
    end();
    onError(toFirerankError("watchLeague", cause));
  }

  return () => end();
}

/** What decides whether a player is in a group, in the player's document (functions/src/documents/group.ts). */
type Said = ReturnType<typeof saidIn>;

function saidIn(data: DocumentData | undefined) {
  const seat = (data?.["league_seat"] ?? {}) as Partial<Record<"waits" | "group" | "has_left", unknown>>;
  return {
    hasScore: scoreIfRanked(data) !== undefined,
    waits: seat.waits === true,
    group: seat.group,
    hasLeft: seat.has_left,
    achievedMs: (data?.["achieved_at"] as Timestamp | undefined)?.toMillis(),
  };
}

/** Whether a player's document says more than an answer without the player. */
function isNews({ league, why }: League, { hasScore, group }: Said): boolean {
  return hasScore && (group !== undefined || league !== null || why === "no_score");
}

/** Whether the answer may be another one after a change. Taking part again changes no document, so the next score tells. */
function isOther({ why }: League, before: Said, now: Said): boolean {
  const { achievedMs: _, ...seat } = now;
  const isSame = Object.entries(seat).every(([name, value]) => before[name as keyof Said] === value);
  return !isSame || (why === "left" && before.achievedMs !== now.achievedMs);
}
