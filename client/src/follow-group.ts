/** Listens to the document of a group, of a league's or a private one: places follow from it by the functions' own code. */
import { doc, onSnapshot, type Unsubscribe } from "firebase/firestore";
import type { Asking } from "./asking.ts";
import { pauseMs } from "./asking.ts";
import type { SpansKnown } from "./board-memory.ts";
import { worldOf } from "./follow-span.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { listenToRules, type ValueRead } from "./listeners.ts";
import { changesOfMetadataToo, firestoreOf, keepRules, type Rules, rulesInMemory } from "./stored.ts";
import { startTicking } from "./ticking.ts";

/** When a group is looked at: the server's time, and what is known of the board's spans. */
export interface Look {
  nowMs: number;
  known: SpansKnown | undefined;
  fromCache: boolean;
}

interface Followed<Group> {
  path: string;
  /** Whether a group has scores, so that the board's order is final. */
  hasScores: boolean;
  /** Whether the document, which may be deleted, still shows the player what the answer has shown. */
  shows: (group: Group | undefined) => group is Group;
  /** Reports the group. @returns the server time of the next look, as for `startTicking`. */
  look: (group: Group, rules: Rules, look: Look) => number | undefined;
  isRefused: (cause: unknown) => void;
}

/**
 * Looks at a group with each change, and at the times that `look` returns. If it ceases to show the player, another question
 * is asked.
 *
 * Cost: 1 read to start and 1 for each change; 1 for the board's definition the first time in an hour.
 */
export function followGroup<Group>(
  board: Leaderboard,
  asking: Asking,
  { path, hasScores, shows, look, isRefused }: Followed<Group>,
): Unsubscribe {
  let rules: ValueRead<Rules> | undefined;
  const kept = rulesInMemory(board);
  if (kept !== undefined) rules = { value: kept, fromCache: false };
  let group: ValueRead<Group> | undefined;
  const stopRules =
    rules === undefined
      ? listenToRules(board, {
          next(found) {
            rules = found;
            // Later listeners find rules that are final in memory.
            if (!found.fromCache)
              keepRules(board, found.value, hasScores || rulesInMemory(board) !== undefined);
            ticking.lookAgain();
          },
          error: asking.fail,
        })
      : () => undefined;
  const stopGroup = onSnapshot(doc(firestoreOf(board), path), changesOfMetadataToo, {
    next(found) {
      const { fromCache } = found.metadata;
      // The answer is newer than what the device has kept of an earlier time.
      if (fromCache && group === undefined) return;
      const read = found.data() as Group | undefined;
      if (!shows(read)) {
        asking.askIn(pauseMs.failed);
        return;
      }
      asking.isShown();
      group = { value: read, fromCache };
      ticking.lookAgain();
    },
    error: isRefused,
  });
  const ticking = startTicking(worldOf(board), {
    look(nowMs, known) {
      if (group === undefined || rules === undefined) return Infinity;
      return look(group.value, rules.value, { nowMs, known, fromCache: group.fromCache || rules.fromCache });
    },
    fail: asking.fail,
  });
  return () => {
    stopRules();
    stopGroup();
    ticking.stop();
  };
}
