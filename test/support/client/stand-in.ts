/**
 * Firebase's SDKs, as much of them as firerank-client uses, for tests in which things happen that no emulator does on
 * demand: who is signed in, what is stored, and what answers which call, and when. A file takes its place:
 *
 *     vi.hoisted(() => vi.resetModules()); // the worker may have loaded the modules for a file with the real Firebase
 *     vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);
 */
import { afterAll, beforeEach, vi } from "vitest";
import type { Leaderboard } from "../../../client/src/leaderboard.ts";

type User = { uid: string } | null;

export interface Snapshot {
  exists: () => boolean;
  data: () => object | undefined;
  docs: { id: string; data: () => object }[];
  metadata: { fromCache: boolean };
}

export interface Listening {
  path: string;
  next: (found: Snapshot) => void;
  error: (error: Error) => void;
}

/** A call of a function, with the player whom it names, or else whose token it carries. */
export type Call<Request = Record<string, unknown>> = Request & { name: string; player: string | undefined };

const atFirst = () => ({
  user: null as User,
  users: new Set<(user: User) => void>(),
  /** Until it is known who is signed in. */
  ready: (): Promise<void> => Promise.resolve(),
  /** For each token that was fetched, whether it had to be new. */
  tokens: [] as boolean[],
  issuedAt: "",
  calls: [] as Call[],
  /** What answers a call. */
  answer: (() => Promise.resolve({})) as (call: Call) => Promise<object>,
  /** What happens while the SDK fetches the token of a call. */
  beforeToken: (): void => undefined,
  /** What is being listened to, and how often that began. */
  listening: [] as Listening[],
  begun: 0,
  /** Documents that are answered at once, by path. */
  documents: new Map<string, object>(),
  read: [] as string[],
  /** Lets the queries go on that wait, where they do. */
  held: undefined as (() => void)[] | undefined,
});

export const sdk = atFirst();
beforeEach(() => void Object.assign(sdk, atFirst()));
afterAll(() => vi.resetModules());

/** Signs a user in or out. */
export function signIn(uid: string | null): void {
  sdk.user = uid === null ? null : { uid };
  for (const listener of [...sdk.users]) listener(sdk.user);
}

/** The refusal of a function, by its code. */
export const refusal = (code: string) => Object.assign(new Error(code), { details: { code } });
/** What the SDK says where no answer came. */
export const lost = () => Object.assign(new Error("internal"), { code: "functions/internal" });

export const time = (ms: number) => ({ toMillis: () => ms, toDate: () => new Date(ms) });

export const found = (data: object | undefined, fromCache = false): Snapshot => ({
  exists: () => data !== undefined,
  data: () => data,
  docs: data === undefined ? [] : [{ id: "0", data: () => data }],
  metadata: { fromCache },
});

/** The only page of a ranking: one player at each of some scores, best first. Its next publication is far away. */
export function onlyPage(scores: readonly number[]) {
  return {
    page: 0,
    pages: 1,
    generation: 1,
    players: scores.length,
    rows: scores.length,
    rows_above: 0,
    players_until: scores.length,
    as_of: time(0),
    read_at: time(0),
    next_publish_at: time(9e15),
    from_score: Infinity,
    until_score: null,
    scores,
    players_above: [...scores.keys()],
  };
}

let boards = 0;
/** A board that no other test has. */
export const anotherBoard = (options: object = {}) =>
  ({ app: { options: {} }, id: `b${++boards}`, firestore: {}, ...options }) as unknown as Leaderboard;

export const auth = {
  getAuth: () => ({
    get currentUser() {
      return (
        sdk.user && {
          ...sdk.user,
          getIdToken: (isNew: boolean) => (sdk.tokens.push(isNew), Promise.resolve("token")),
          getIdTokenResult: () => Promise.resolve({ issuedAtTime: sdk.issuedAt }),
        }
      );
    },
    authStateReady: () => sdk.ready(),
  }),
  onAuthStateChanged(_: unknown, listener: (user: User) => void) {
    sdk.users.add(listener);
    queueMicrotask(() => {
      if (sdk.users.has(listener)) listener(sdk.user);
    });
    return () => sdk.users.delete(listener);
  },
};

export const functions = {
  getFunctions: () => ({ region: "us-central1", app: { options: {} } }),
  httpsCallable: (_: unknown, name: string) => async (request: object) => {
    sdk.beforeToken();
    const call = { player: sdk.user?.uid, ...request, name };
    sdk.calls.push(call);
    return { data: await sdk.answer(call) };
  },
};

const at = (_: unknown, path: string) => ({ path });
const part = () => ({});
async function answer({ path }: { path: string }): Promise<Snapshot> {
  if (sdk.held !== undefined) await new Promise<void>((goOn) => sdk.held?.push(goOn));
  sdk.read.push(path);
  return found(sdk.documents.get(path));
}

export const firestore = {
  collection: at,
  doc: at,
  where: part,
  orderBy: part,
  limit: part,
  getFirestore: part,
  Timestamp: { now: () => time(Date.now()) },
  query: (asked: object) => asked,
  getDocs: answer,
  getDoc: answer,
  onSnapshot({ path }: { path: string }, _: unknown, listener: Omit<Listening, "path">) {
    const one = { path, ...listener };
    sdk.begun += 1;
    sdk.listening.push(one);
    const known = sdk.documents.get(path);
    if (known !== undefined)
      queueMicrotask(() => {
        if (sdk.listening.includes(one)) one.next(found(known));
      });
    return () => {
      sdk.listening = sdk.listening.filter((other) => other !== one);
    };
  },
};
