/**
 * `watchGroup`: a private group, live. `getGroup` brings the group up to date and says whether the player is in it; a listener
 * on the group's document brings its changes.
 */
import type { Timestamp, Unsubscribe } from "firebase/firestore";
import { privateGroupPath } from "../../functions/src/documents/paths.ts";
import type { PrivateGroupRead } from "../../functions/src/documents/private-group.ts";
import { spanOfId } from "../../functions/src/model/season-id.ts";
import { privateGroupAnswer } from "../../functions/src/reading/private-group-answer.ts";
import { clockQuestionsMax, createAsking, pauseMs } from "./asking.ts";
import { orReport } from "./begin-listening.ts";
import { memoryOf, type SpansKnown } from "./board-memory.ts";
import { type FirerankError, logError, toFirerankError } from "./firerank-error.ts";
import { followGroup, type Look } from "./follow-group.ts";
import type { Group, WatchedGroup } from "./group-answers.ts";
import { getGroup } from "./groups.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { presentOf } from "./running.ts";
import type { Rules } from "./stored.ts";
import { tellChanges } from "./tell-changes.ts";
import { watchCaller } from "./watch-rank.ts";

/**
 * Reports a private group of the player who is signed in, with the members' places, at once and on every change, until the
 * returned function is called. It goes on into the next season when that begins by the server's clock, and to the final
 * places of a group that ends. It shows the group's own season, whichever season or span the board names.
 *
 * Cost: a call of `getGroup`, 2 reads, to start; then 1 read for the group and 1 for each change of it; and 1 for the board's
 * definition the first time in an hour. With each season and at the group's end the first few members ask again, and the
 * listener tells the others. Also a function call without reads to start and one for each season. A member who is hidden from
 * the board gets the group once a minute, 2 reads each.
 * @param group its id, as `createGroup`, `joinGroup` and `getMyGroups` answer it.
 * @param onGroup gets null while nobody is signed in, and when another player signs in.
 * @param onError gets the error that ended the listening, such as `group_not_found` for a player who is no member any more, or
 * whose group was deleted; by default the error is logged. The listening starts again when the player joins the group by
 * `joinGroup` of this app, and for the next player who signs in.
 */
export function watchGroup(
  board: Leaderboard,
  group: string,
  onGroup: (group: WatchedGroup | null) => void,
  onError: (error: FirerankError) => void = logError,
): Unsubscribe {
  const watch = (uid: string) => watchAs(uid, board, group, onGroup, onError);
  return orReport(what, onError, () => watchCaller(board, watch, onGroup));
}

const what = "watchGroup";

function watchAs(
  player: string,
  board: Leaderboard,
  id: string,
  onGroup: (group: WatchedGroup) => void,
  onError: (error: FirerankError) => void,
): Unsubscribe {
  const tell = tellChanges(onGroup);
  /** Whether the rules have refused a player whom the group does not show. A moderator they let see it. */
  let isHidden = false;
  /** How often in a row a group was asked for that shows a season that is over. */
  let lateQuestions = 0;
  /** When among all members this one asks: from 0 for at once up to 1 for last. */
  const turn = Math.random();
  // The document has the group's own season, which the answer has to be of.
  const ownOfGroup = { ...board, season: undefined, span: undefined };
  const asking = createAsking(what, () => getGroup(ownOfGroup, id), take, onError);
  asking.ask();

  function take(answer: Group): void {
    tell({ ...answer, from_cache: false });
    isHidden &&= answer.place === null;
    if (isHidden) asking.askIn(pauseMs.longest);
    else asking.begin(() => follow(answer));
  }

  function follow(answer: Group): Unsubscribe {
    const isMember = answer.place !== null;
    return followGroup<Stored>(board, asking, {
      path: privateGroupPath(board.id, id),
      hasScores: answer.entries.some(({ score }) => score !== undefined),
      shows: (group): group is Stored => group !== undefined && (!isMember || group.readers.includes(player)),
      look: (group, rules, look) => show(withEndOf(answer, group), rules, look),
      isRefused(cause) {
        isHidden = !isMember && toFirerankError(what, cause).code === "permission_denied";
        if (isHidden) asking.askIn(pauseMs.longest);
        else asking.isRefused(cause);
      },
    });
  }

  function show(group: Stored, rules: Rules, { nowMs, known, fromCache }: Look): number | undefined {
    const shown = privateGroupAnswer(rules, { leaderboard: board.id, id, group, player, nowMs });
    tell({ ...shown, from_cache: fromCache });
    const staleMs = staleAtMs(group, nowMs, known, turn * group.readers.length * questionEveryMs);
    if (staleMs !== undefined && staleMs <= nowMs) {
      if (lateQuestions < clockQuestionsMax) asking.askIn(pauseMs.failed * 2 ** lateQuestions++);
      return Infinity;
    }
    lateQuestions = 0;
    const endsMs = group.ends_at?.toMillis() ?? Infinity;
    return staleMs !== undefined && endsMs > nowMs ? Math.min(endsMs, staleMs) : staleMs;
  }

  const watchers = (memoryOf(board).groupWatchers ??= new Set());
  // Also a question that is under way may be of the time before.
  const hear = (joined: string) => {
    if (joined === id) asking.ask();
  };
  watchers.add(hear);
  return () => {
    watchers.delete(hear);
    asking.end();
  };
}

/**
 * How long after one member another one asks, on average, when a season begins or the group ends: whoever asks first changes
 * the document, and the others hear of that.
 */
const questionEveryMs = 300;

/** A group's document, as far as it is read (functions/src/documents/private-group.ts). */
type Stored = PrivateGroupRead & { end_due_at?: Timestamp };

/** A group with the end of its tournament, which an admin may have changed: the answer knows it, and the document does not. */
function withEndOf(answer: Group, group: Stored): Stored {
  const { ends_at: endsAt, season } = answer;
  if (spanOfId(season) !== "custom" || group.season !== season || group.settled_at !== undefined)
    return group;
  return { ...group, ends_at: endsAt === null ? null : { toMillis: () => Date.parse(endsAt) } };
}

/**
 * The server time from which on `getGroup` has more to say than a group's document: when its next season begins, or its last
 * scores are in. Infinity for never, undefined if the server has to be asked for its seasons first. Pure.
 * @param waitMs how long to wait after such a time.
 */
function staleAtMs(
  { season, settled_at: settledAt, ends_at: endsAt, end_due_at: dueAt }: Stored,
  nowMs: number,
  known: SpansKnown | undefined,
  waitMs: number,
): number | undefined {
  if (settledAt !== undefined) return Infinity;
  const dueMs = (dueAt?.toMillis() ?? Infinity) + waitMs;
  const span = spanOfId(season);
  if (span === "custom" || span === "all_time") return dueMs;
  if (known === undefined) return undefined;
  const running = known.running.find((one) => one.span === span);
  // A span that the board has no more has no next season.
  if (running === undefined) return dueMs;
  const present = presentOf(running, nowMs);
  if (present === undefined) return undefined;
  // The ids of a span's seasons sort by time.
  const nextMs = present.season > season ? present.opensMs : present.closesMs;
  // After its end a group stays in its season.
  return Math.min(dueMs, nextMs < (endsAt?.toMillis() ?? Infinity) ? nextMs + waitMs : Infinity);
}
