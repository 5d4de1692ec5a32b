/** `firerank-client/react`: hooks for React. */
import type { FirebaseApp } from "firebase/app";
import { useCallback, useRef, useState, useSyncExternalStore } from "react";
import type {
  Around,
  Histogram,
  Page,
  Submission,
  Threshold,
  WatchedRank,
  WatchedTeams,
  WatchedTop,
} from "./answers.ts";
import { orReport } from "./begin-listening.ts";
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import {
  type BoardTypes,
  keyOf,
  leaderboard,
  type Leaderboard,
  type LeaderboardOptions,
  type SegmentNameOf,
} from "./leaderboard.ts";
import {
  type AroundRequest,
  getAround,
  getHistogram,
  getPage,
  getThreshold,
  type HistogramRequest,
  type PageRequest,
  type SegmentAsked,
  type ThresholdRequest,
} from "./reads.ts";
import { type SubmissionRequest, submitScore } from "./submit-score.ts";
import type { WatchedGroup } from "./group-answers.ts";
import type { WatchedLeague } from "./league-answer.ts";
import { watchGroup } from "./watch-group.ts";
import { watchLeague } from "./watch-league.ts";
import { watchCaller, watchRank } from "./watch-rank.ts";
import { watchTeams } from "./watch-teams.ts";
import { watchTop } from "./watch-top.ts";

/** What a hook knows so far. An error leaves `value` as it is. */
export interface Watched<Value> {
  /** True until the first value or error. */
  readonly loading: boolean;
  readonly error: FirerankError | undefined;
  readonly value: Value | undefined;
}

const nothingYet: Watched<never> = { loading: true, error: undefined, value: undefined };

type Start<Value> = (
  board: Leaderboard,
  onValue: (value: Value) => void,
  onError: (error: FirerankError) => void,
) => () => void;

/** One watcher, shared by all components that ask for the same. */
interface Shared<Value> {
  subscribe: (changed: () => void) => () => void;
  snapshot: () => Watched<Value>;
  /** Starts the watcher again. The value stays until a newer value comes. */
  again: () => void;
}

const boards = /* @__PURE__ */ new WeakMap<FirebaseApp, Map<string, Leaderboard>>();
const shared = /* @__PURE__ */ new WeakMap<FirebaseApp, Map<string, Shared<unknown>>>();

function keptIn<Value>(
  kept: WeakMap<FirebaseApp, Map<string, Value>>,
  app: FirebaseApp,
  key: string,
  make: () => Value,
): Value {
  const ofApp = kept.get(app) ?? new Map<string, Value>();
  kept.set(app, ofApp);
  const value = ofApp.get(key) ?? make();
  ofApp.set(key, value);
  return value;
}

/**
 * A board by its id: the same object in each render. This costs nothing.
 * @example const board = useLeaderboard(app, "arena", { region: "europe-west1" });
 */
export function useLeaderboard<Types extends BoardTypes = BoardTypes>(
  app: FirebaseApp,
  id: string,
  options?: Omit<LeaderboardOptions, "functions" | "firestore">,
): Leaderboard<Types>;
export function useLeaderboard(
  app: FirebaseApp,
  id: string,
  options: Omit<LeaderboardOptions, "functions" | "firestore"> = {},
): Leaderboard {
  const board = leaderboard(app, id, options);
  return keptIn(boards, app, watcherKey(board), () => board);
}

function watcherKey(board: Leaderboard): string {
  return [keyOf(board), board.season, board.span].join("|");
}

/**
 * A watcher that runs while a component subscribes, and a moment longer, as React's strict mode subscribes twice at once.
 */
function share<Value>(board: Leaderboard, start: Start<Value>, forget: () => void): Shared<Value> {
  const listeners = new Set<() => void>();
  let state: Watched<Value> = nothingYet;
  let stop: (() => void) | undefined;
  const tell = (next: Watched<Value>) => {
    state = next;
    for (const changed of [...listeners]) changed();
  };
  const begin = () =>
    start(
      board,
      (value) => tell({ loading: false, error: undefined, value }),
      (error) => tell({ loading: false, error, value: state.value }),
    );
  return {
    snapshot: () => state,
    again() {
      if (stop === undefined) return;
      stop();
      stop = begin();
    },
    subscribe(changed) {
      listeners.add(changed);
      stop ??= begin();
      return () => {
        listeners.delete(changed);
        void Promise.resolve().then(() => {
          if (listeners.size > 0 || stop === undefined) return;
          stop();
          stop = undefined;
          state = nothingYet;
          forget();
        });
      };
    },
  };
}

function useShared<Value>(
  board: Leaderboard,
  kind: string,
  start: Start<Value>,
): [Watched<Value>, again: () => void] {
  const key = `${kind} ${watcherKey(board)}`;
  const { subscribe, snapshot, again } = keptIn(shared, board.app, key, () =>
    share(board, start, () => shared.get(board.app)?.delete(key)),
  ) as Shared<Value>;
  return [useSyncExternalStore(subscribe, snapshot, () => nothingYet), again];
}

/**
 * The best players, live. When React renders on a server, this is `loading`.
 *
 * Cost: that of one `watchTop`, for all components that ask for the board.
 */
export function useTop<Types extends BoardTypes>(board: Leaderboard<Types>): Watched<WatchedTop<Types>>;
export function useTop(board: Leaderboard): Watched<WatchedTop> {
  return useShared<WatchedTop>(board, "top", watchTop)[0];
}

/**
 * The teams of a segment, with each publication. When React renders on a server, this is `loading`.
 *
 * Cost: that of one `watchTeams`, for all components that ask for the segment.
 */
export function useTeams<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  segment: SegmentNameOf<Types>,
): Watched<WatchedTeams>;
export function useTeams(board: Leaderboard, segment: string): Watched<WatchedTeams> {
  const start: Start<WatchedTeams> = (of, onTeams, onError) => watchTeams(of, segment, onTeams, onError);
  return useShared(board, `teams ${segment}`, start)[0];
}

/**
 * The signed-in player's rank, live; null for a player without a rank. When React renders on a server, this is `loading`.
 *
 * Cost: that of one `watchRank`, for all components that ask for the board.
 */
export function useRank<Types extends BoardTypes>(
  board: Leaderboard<Types>,
): Watched<WatchedRank<Types> | null>;
export function useRank(board: Leaderboard): Watched<WatchedRank | null> {
  return useShared<WatchedRank | null>(board, "rank", watchRank)[0];
}

/**
 * The signed-in player's group in the board's league, live; null while nobody is signed in. When React renders on a server,
 * this is `loading`.
 *
 * Cost: that of one `watchLeague`, for all components that ask for the board.
 */
export function useLeague(board: Leaderboard): Watched<WatchedLeague | null> {
  return useShared<WatchedLeague | null>(board, "league", watchLeague)[0];
}

/**
 * A private group of the signed-in player, live; null while nobody is signed in, and without a group. When React renders on a
 * server, this is `loading`.
 *
 * Cost: that of one `watchGroup`, for all components that ask for the group; nothing without a group.
 */
export function useGroup(board: Leaderboard, group: string | null | undefined): Watched<WatchedGroup | null> {
  const isNone = group === null || group === undefined;
  const start: Start<WatchedGroup | null> = (of, onGroup, onError) =>
    isNone ? () => undefined : watchGroup(of, group, onGroup, onError);
  const [state] = useShared(board, `group ${group ?? ""}`, start);
  return isNone ? noGroup : state;
}

const noGroup: Watched<null> = { loading: false, error: undefined, value: null };

/**
 * A player and the neighbours above and below, asked for once, and again by `refresh()`. By default this is the signed-in
 * player, and it is asked again when another player signs in. Null for a player without a rank, and while nobody is signed
 * in. When React renders on a server, this is `loading`.
 *
 * Cost: each time that of one `getAround`, for all components that ask the same.
 */
export function useAround<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request?: AroundRequest<Types>,
): Watched<Around<Types> | null> & { refresh: () => void };
export function useAround(
  board: Leaderboard,
  request: AroundRequest = {},
): Watched<Around | null> & { refresh: () => void } {
  return useAsked("useAround", board, getAround, request, request.player === undefined);
}

/**
 * A section of the list of all players, from an offset, a score or a cursor on, asked for once, and again by `refresh()`. Null
 * where the signed-in player's own segment is asked for, and the player is in none. When React renders on a server, this is
 * `loading`.
 *
 * Cost: each time that of one `getPage`, for all components that ask the same.
 */
export function usePage<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request?: PageRequest<Types>,
): Watched<Page<Types> | null> & { refresh: () => void };
export function usePage(
  board: Leaderboard,
  request: PageRequest = {},
): Watched<Page | null> & { refresh: () => void } {
  return useAsked("usePage", board, getPage, request, false);
}

/**
 * The score that one needs for a rank, a percentile or a tier, asked for once, and again by `refresh()`; null as with
 * {@link usePage}. When React renders on a server, this is `loading`.
 *
 * Cost: each time that of one `getThreshold`, for all components that ask the same.
 */
export function useThreshold<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request: ThresholdRequest<Types>,
): Watched<Threshold<Types> | null> & { refresh: () => void };
export function useThreshold(
  board: Leaderboard,
  request: ThresholdRequest,
): Watched<Threshold | null> & { refresh: () => void } {
  return useAsked("useThreshold", board, getThreshold, request, false);
}

/**
 * How many players have which scores, asked for once, and again by `refresh()`; null as with {@link usePage}. When React
 * renders on a server, this is `loading`.
 *
 * Cost: each time that of one `getHistogram`, for all components that ask the same.
 */
export function useHistogram<Types extends BoardTypes>(
  board: Leaderboard<Types>,
  request?: HistogramRequest<Types>,
): Watched<Histogram<Types> | null> & { refresh: () => void };
export function useHistogram(
  board: Leaderboard,
  request: HistogramRequest = {},
): Watched<Histogram | null> & { refresh: () => void } {
  return useAsked("useHistogram", board, getHistogram, request, false);
}

/** @param isOfCaller whether the question is about whoever is signed in. The caller's own segment always is. */
function useAsked<Request extends SegmentAsked, Answer>(
  hook: string,
  board: Leaderboard,
  question: (board: Leaderboard, request: Request) => Promise<Answer>,
  request: Request,
  isOfCaller: boolean,
): Watched<Answer | null> & { refresh: () => void } {
  const isMine = isOfCaller || Object.values(request.segment ?? {}).includes("mine");
  const start: Start<Answer | null> = (of, onAnswer, onError) => {
    const ask = () => {
      let isOver = false;
      question(of, request).then(
        (answer) => {
          if (!isOver) onAnswer(answer);
        },
        (cause: unknown) => {
          if (isOver) return;
          const error = toFirerankError(hook, cause);
          if (error.code === "player_not_ranked") onAnswer(null);
          else onError(error);
        },
      );
      return () => {
        isOver = true;
      };
    };
    if (!isMine) return ask();
    return orReport(hook, onError, () => watchCaller(of, ask, onAnswer));
  };
  const [state, refresh] = useShared(board, `${hook} ${JSON.stringify(request)}`, start);
  return { ...state, refresh };
}

/**
 * `submit(score)` sends a score as `submitScore` does. The hook is `loading` while the score is on its way, and then has the
 * answer or the error.
 *
 * Cost: that of `submitScore`.
 */
export function useSubmitScore<Types extends BoardTypes>(
  board: Leaderboard<Types>,
): Watched<Submission<Types>> & {
  /** Resolves to the answer, or to undefined if the call failed: `error` says why. */
  submit: (score: SubmissionRequest<Types>) => Promise<Submission<Types> | undefined>;
} {
  const [state, setState] = useState<Watched<Submission<Types>>>({ ...nothingYet, loading: false });
  /** The number of the newest submission: a late answer to an earlier submission is not shown. */
  const newest = useRef(0);
  const submit = useCallback(
    async (score: SubmissionRequest<Types>) => {
      const own = (newest.current += 1);
      const show = (next: Watched<Submission<Types>>) => {
        if (own === newest.current) setState(next);
      };
      setState(({ value }) => ({ loading: true, error: undefined, value }));
      try {
        const value = await submitScore(board, score);
        show({ loading: false, error: undefined, value });
        return value;
      } catch (cause) {
        show({ loading: false, error: toFirerankError("useSubmitScore", cause), value: undefined });
        return undefined;
      }
    },
    [board],
  );
  return { ...state, submit };
}
