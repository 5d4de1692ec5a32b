/** The page of client-browser.slow.test.ts, bundled for a browser: an app as small as one can be. */
import { initializeApp } from "firebase/app";
import { connectAuthEmulator, getAuth, signInWithCustomToken } from "firebase/auth";
import {
  connectFirestoreEmulator,
  disableNetwork,
  initializeFirestore,
  persistentLocalCache,
} from "firebase/firestore";
import { connectFunctionsEmulator, getFunctions } from "firebase/functions";
import {
  getRank,
  leaderboard,
  rankOf,
  type Rank,
  type Submission,
  submitScore,
  type WatchedRank,
  type WatchedTop,
  watchRank,
  watchTop,
} from "firerank-client";
import { type QueuedScore, scoreQueue, type ScoreQueue } from "firerank-client/queue";

type Address = [host: string, port: number];

export interface PageSettings {
  projectId: string;
  region: string;
  authUrl: string;
  firestore: Address;
  functions: Address;
  leaderboard: string;
  /** Signs in with it; without one, the user of last time is still there. */
  token?: string;
  /** Reads nothing from the network. */
  offline?: boolean;
}

export interface PageApp {
  ranks: (WatchedRank | null)[];
  tops: WatchedTop[];
  errors: string[];
  submit(score: number): Promise<Submission>;
  myRank(): Promise<Rank>;
  rankOf(score: number): Promise<WatchedRank>;
  /** Begins to send what waits in IndexedDB. */
  beginQueue(): void;
  queue?: ScoreQueue;
  sent: { answer: Submission; queued: QueuedScore }[];
}

async function begin(settings: PageSettings): Promise<void> {
  const app = initializeApp({ projectId: settings.projectId, apiKey: "any" });
  const auth = getAuth(app);
  connectAuthEmulator(auth, settings.authUrl, { disableWarnings: true });
  const db = initializeFirestore(app, { localCache: persistentLocalCache() });
  connectFirestoreEmulator(db, ...settings.firestore);
  connectFunctionsEmulator(getFunctions(app, settings.region), ...settings.functions);
  if (settings.token !== undefined) await signInWithCustomToken(auth, settings.token);
  if (settings.offline === true) await disableNetwork(db);

  const board = leaderboard(app, settings.leaderboard, { region: settings.region });
  const page: PageApp = {
    ranks: [],
    tops: [],
    errors: [],
    submit: (score) => submitScore(board, { score }),
    myRank: () => getRank(board),
    rankOf: (score) => rankOf(board, score),
    sent: [],
    beginQueue() {
      const onSent = (answer: Submission, queued: QueuedScore) => page.sent.push({ answer, queued });
      page.queue = scoreQueue(board, { onSent });
    },
  };
  const onError = (error: Error) => page.errors.push(error.message);
  watchRank(board, (rank) => page.ranks.push(rank), onError);
  watchTop(board, (top) => page.tops.push(top), onError);
  Object.assign(globalThis, { page });
}

Object.assign(globalThis, { begin });
