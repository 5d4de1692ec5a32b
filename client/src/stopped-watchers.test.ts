/** Watchers that are stopped while they look up their season: no listener begins afterwards, as nobody could end it. */
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { Leaderboard } from "./leaderboard.ts";
import { watchSeason } from "./watch-season.ts";
import { watchTop } from "./watch-top.ts";

// The worker may have loaded the modules for a file with another Firebase.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

const sdk = vi.hoisted(() => ({
  /** Answers the queries that wait. */
  answers: [] as ((found: object) => void)[],
  listening: [] as string[],
}));
vi.mock("firebase/firestore", () => {
  const at = (_: unknown, path: string) => ({ path });
  const part = () => ({});
  return {
    ...{ collection: at, doc: at, where: part, orderBy: part, limit: part, getFirestore: part },
    query: (asked: object) => asked,
    getDocs: () => new Promise((resolve) => sdk.answers.push(resolve)),
    getDoc: () => Promise.reject(new Error("offline")),
    onSnapshot(ref: { path: string }) {
      sdk.listening.push(ref.path);
      return () => undefined;
    },
  };
});
vi.mock("firebase/functions", () => ({
  getFunctions: () => ({ region: "us-central1", app: { options: {} } }),
  httpsCallable: () => () =>
    Promise.reject(Object.assign(new Error("internal"), { code: "functions/internal" })),
}));
vi.mock("firebase/auth", () => ({ getAuth: () => ({}), onAuthStateChanged: () => () => undefined }));

const time = (ms: number) => ({ toMillis: () => ms });
const season = { id: "daily-2026-11-23", data: () => ({ opens_at: time(0), closes_at: time(9e15) }) };
let boards = 0;
const anotherBoard = () =>
  ({ app: { options: {} }, id: `board-${++boards}`, firestore: {}, span: "daily" }) as unknown as Leaderboard;

beforeEach(() => {
  sdk.answers = [];
  sdk.listening = [];
});

const watchers: [name: string, watch: (board: Leaderboard) => () => void][] = [
  ["watchTop", (board) => watchTop(board, () => undefined)],
  ["watchSeason", (board) => watchSeason(board, {}, () => undefined)],
];

test.each(watchers)("%s listens to the season that it looked up", async (_name, watch) => {
  const stop = watch(anotherBoard());
  await vi.waitFor(() => expect(sdk.answers).toHaveLength(1), 10_000);
  sdk.answers[0]?.({ docs: [season] });
  await vi.waitFor(() => expect(sdk.listening).not.toEqual([]), 10_000);
  stop();
});

test.each(watchers)("%s that was stopped meanwhile listens to nothing", async (_name, watch) => {
  const stop = watch(anotherBoard());
  await vi.waitFor(() => expect(sdk.answers).toHaveLength(1), 10_000);
  stop();
  sdk.answers[0]?.({ docs: [season] });
  await new Promise((done) => setTimeout(done, 50));
  expect(sdk.listening).toEqual([]);
});
