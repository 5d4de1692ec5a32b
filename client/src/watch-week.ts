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
import { clockQuestionsMax, createAsking, pauseMs } from "./asking.ts";
import type { FirerankError } from "./firerank-error.ts";
import { followGroup } from "./follow-group.ts";
import type { League, LeagueGroup, WatchedLeague } from "./league-answer.ts";
import { type SeasonBoard, seasonOf } from "./leaderboard.ts";
import { isUnknown } from "./listeners.ts";
import { getLeague } from "./reads.ts";
import { changesOfMetadataToo, firestoreOf } from "./stored.ts";
import { tellChanges } from "./tell-changes.ts";

/**
 * Watches one week for `watchLeague`. This is one function, as the question and the listeners start and end each other: one
 * of them at a time.
 * @param isNext whether another week was watched before.
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
  let earlyQuestions = 0;
  const asking = createAsking(
    "watchLeague",
    () => getLeague(board, { season: key.season, player }),
    take,
    onError,
    // A clock that is a moment fast is in a week that the server does not know yet.
    ({ code }) => isNext && code === "season_not_found" && earlyQuestions++ < clockQuestionsMax,
  );
  const { begin, ask, nextPauseMs, fail } = asking;
  ask();

  function take(answer: League): void {
    tell({ ...answer, from_cache: false });
    const { league } = answer;
    // The rules let nobody listen whom the group does not show.
    const isShown = league !== null && league.place !== null;
    if (isShown) askedFor = undefined;
    begin(() => (isShown ? followOwn(answer, league) : followPlayer(answer)));
  }

  /** Waits for what may bring the player into a group, or back into sight. */
  function followPlayer(answer: League): Unsubscribe {
    let told: Said | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askLater = (firstMs: number) => {
      timer ??= setTimeout(ask, nextPauseMs(firstMs));
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
  function followOwn(answer: League, { group: id }: LeagueGroup): Unsubscribe {
    return followGroup<GroupRead>(board, asking, {
      path: groupPath(key, id),
      hasScores: true,
      shows: (group): group is GroupRead => group?.readers.includes(player) === true,
      look(group, rules, { nowMs, fromCache }) {
        const league = groupAnswer(rules, { id, group, player, nowMs });
        tell({ ...answer, league, from_cache: fromCache });
        const endsMs = group.ends_at?.toMillis() ?? Infinity;
        return endsMs > nowMs ? endsMs : Infinity;
      },
      isRefused: asking.isRefused,
    });
  }

  return asking.end;
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
