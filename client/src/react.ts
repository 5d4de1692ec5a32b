/** `firerank-client/react`: leaderboards as hooks. Exports only hooks and the board by its name. */
import type { FirebaseApp } from "firebase/app";
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Around, Submission, WatchedRank, WatchedTop } from "./answers.ts";
import { type FirerankError, toFirerankError } from "./firerank-error.ts";
import { keyOf, leaderboard, type Leaderboard, type LeaderboardOptions } from "./leaderboard.ts";
import { type AroundRequest, getAround } from "./reads.ts";
import { type SubmissionRequest, submitScore } from "./submit-score.ts";
import { watchRank } from "./watch-rank.ts";
import { watchTop } from "./watch-top.ts";

/** What a hook knows so far. `value` stays while an error is told. */
export interface Watched<Value> {
  /** Until the first value or error. */
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

/** One watcher for all components that ask for the same. */
interface Shared<Value> {
  subscribe: (changed: () => void) => () => void;
  snapshot: () => Watched<Value>;
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
 * The board of an app by its id: the same object in each render. Costs nothing.
 * @example const board = useLeaderboard(app, "arena", { region: "europe-west1" });
 */
export function useLeaderboard(
  app: FirebaseApp,
  id: string,
  options: Omit<LeaderboardOptions, "functions" | "firestore"> = {},
): Leaderboard {
  const board = leaderboard(app, id, options);
  return keptIn(boards, app, nameOf(board), () => board);
}

function nameOf(board: Leaderboard): string {
  return [keyOf(board), board.season, board.span].join("|");
}

/** Watches while a component asks, and a moment longer: React's strict mode asks twice at once. */
function share<Value>(board: Leaderboard, start: Start<Value>, forget: () => void): Shared<Value> {
  const listeners = new Set<() => void>();
  let state: Watched<Value> = nothingYet;
  let stop: (() => void) | undefined;
  const tell = (next: Watched<Value>) => {
    state = next;
    for (const changed of [...listeners]) changed();
  };
  return {
    snapshot: () => state,
    subscribe(changed) {
      listeners.add(changed);
      stop ??= start(
        board,
        (value) => {
          tell({ loading: false, error: undefined, value });
        },
        (error) => {
          tell({ loading: false, error, value: state.value });
        },
      );
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

function useWatched<Value>(board: Leaderboard, kind: string, start: Start<Value>): Watched<Value> {
  const key = `${kind} ${nameOf(board)}`;
  const watched = keptIn(shared, board.app, key, () =>
    share(board, start, () => shared.get(board.app)?.delete(key)),
  ) as Shared<Value>;
  return useSyncExternalStore(watched.subscribe, watched.snapshot, () => nothingYet);
}

const ofRank: Start<WatchedRank | null> = (board, onRank, onError) => watchRank(board, onRank, onError);

/**
 * The best players, live. On a server it is `loading`.
 *
 * Cost: that of one `watchTop`, for all components that ask for the board.
 */
export function useTop(board: Leaderboard): Watched<WatchedTop> {
  return useWatched(board, "top", watchTop);
}

/**
 * The signed-in player's rank, live; null without one. On a server it is `loading`.
 *
 * Cost: that of one `watchRank`, for all components that ask for the board.
 */
export function useRank(board: Leaderboard): Watched<WatchedRank | null> {
  return useWatched(board, "rank", ofRank);
}

/**
 * A player and the neighbours, asked for once and with `refresh()`; by default the signed-in player's.
 *
 * Cost: that of `getAround`, each time.
 */
export function useAround(
  board: Leaderboard,
  request: AroundRequest = {},
): Watched<Around> & { refresh: () => void } {
  const [asked, setAsked] = useState(0);
  const [state, setState] = useState<Watched<Around>>(nothingYet);
  const text = JSON.stringify(request);
  useEffect(() => {
    let isOver = false;
    getAround(board, JSON.parse(text) as AroundRequest).then(
      (value) => {
        if (!isOver) setState({ loading: false, error: undefined, value });
      },
      (error: unknown) => {
        if (!isOver)
          setState(({ value }) => ({ loading: false, error: toFirerankError("useAround", error), value }));
      },
    );
    return () => {
      isOver = true;
    };
  }, [board, text, asked]);
  const refresh = useCallback(() => {
    setAsked((times) => times + 1);
  }, []);
  return { ...state, refresh };
}

/**
 * `submit(score)` sends a score as `submitScore` does; `loading` while it is on its way, then its answer or error.
 *
 * Cost: that of `submitScore`.
 */
export function useSubmitScore(board: Leaderboard): Watched<Submission> & {
  /** Resolves to the answer; rejects with the error, which `error` has too. */
  submit: (score: SubmissionRequest) => Promise<Submission>;
} {
  const [state, setState] = useState<Watched<Submission>>({ ...nothingYet, loading: false });
  /** An earlier answer that comes late does not replace a later one. */
  const newest = useRef(0);
  const submit = useCallback(
    async (score: SubmissionRequest) => {
      const own = (newest.current += 1);
      const show = (next: Watched<Submission>) => {
        if (own === newest.current) setState(next);
      };
      setState(({ value }) => ({ loading: true, error: undefined, value }));
      try {
        const value = await submitScore(board, score);
        show({ loading: false, error: undefined, value });
        return value;
      } catch (cause) {
        const error = toFirerankError("useSubmitScore", cause);
        show({ loading: false, error, value: undefined });
        throw error;
      }
    },
    [board],
  );
  return { ...state, submit };
}
