/** The queue with a Firebase whose users change in the middle of its work, which no emulator can be told to do. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Submission } from "./answers.ts";
import type { Leaderboard } from "./leaderboard.ts";
import type { QueuedScore } from "./send-queue.ts";
import { type QueueOptions, scoreQueue } from "./score-queue.ts";

const firebase = vi.hoisted(() => ({
  auth: {
    currentUser: null as { uid: string; getIdToken: () => Promise<string> } | null,
    authStateReady: () => Promise.resolve(),
  },
  listeners: new Set<(user: unknown) => void>(),
  calls: [] as string[],
  answer: (): Promise<void> => Promise.resolve(),
}));
vi.mock("firebase/auth", () => ({
  getAuth: () => firebase.auth,
  onAuthStateChanged(_: unknown, listener: (user: unknown) => void) {
    firebase.listeners.add(listener);
    queueMicrotask(() => {
      listener(firebase.auth.currentUser);
    });
    return () => firebase.listeners.delete(listener);
  },
}));
vi.mock("firebase/functions", () => ({
  getFunctions: () => ({ region: "us-central1", app: { options: {} } }),
  httpsCallable: () => async (request: { submission_id: string }) => {
    const player = firebase.auth.currentUser?.uid ?? "nobody";
    firebase.calls.push(`${player} ${request.submission_id}`);
    await firebase.answer();
    return { data: { leaderboard: "arena", player, seasons: [] } };
  },
}));

function signIn(uid: string | null): void {
  firebase.auth.currentUser = uid === null ? null : { uid, getIdToken: () => Promise.resolve("token") };
  queueMicrotask(() => {
    for (const listener of firebase.listeners) listener(firebase.auth.currentUser);
  });
}

const stops: (() => void)[] = [];
beforeEach(() => {
  firebase.calls.length = 0;
  firebase.answer = () => Promise.resolve();
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A storage whose reading and writing end when the test says. */
function slowStorage(waiting: readonly QueuedScore[]) {
  let text = JSON.stringify(waiting);
  const held: (() => void)[] = [];
  let isSlow = false;
  const wait = () => (isSlow ? new Promise<void>((resolve) => held.push(resolve)) : Promise.resolve());
  return {
    held,
    /** From now on everything waits, until `goOn`. */
    hold: () => (isSlow = true),
    goOn() {
      isSlow = false;
      for (const resolve of held.splice(0)) resolve();
    },
    left: () => (JSON.parse(text) as QueuedScore[]).map(({ score }) => score.submission_id),
    async getItem() {
      await wait();
      return text;
    },
    async setItem(_: string, value: string) {
      await wait();
      text = value;
    },
  };
}

const made = (id: string, player = "ann"): QueuedScore => ({
  player,
  score: { score: 1, submission_id: id },
  made_at: new Date().toISOString(),
});

function queueOn(storage: ReturnType<typeof slowStorage>, options: QueueOptions = {}) {
  const board = { app: { options: { projectId: "p" } }, id: "arena" } as unknown as Leaderboard;
  const sent: string[] = [];
  const onSent = ({ player }: Submission, queued: QueuedScore) =>
    void sent.push(`${queued.player}'s ${queued.score.submission_id} as ${player}`);
  const queue = scoreQueue(board, { storage, onSent, ...options });
  stops.push(queue.stop);
  return { queue, sent };
}

/** Nothing in these tests needs more turns than this to come to rest. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}

test("a player who signs in while the queue reads what waits sends nothing of the one before", async () => {
  signIn("ann");
  const storage = slowStorage([made("a"), made("b"), made("c", "bob")]);
  storage.hold();
  const { sent } = queueOn(storage);
  await vi.waitFor(() => {
    expect(storage.held).toHaveLength(1);
  });
  signIn("bob");
  storage.goOn();
  await vi.waitFor(() => {
    expect(sent).toEqual(["bob's c as bob"]);
  });
  await rest();
  expect(firebase.calls).toEqual(["bob c"]);
  expect(storage.left()).toEqual(["a", "b"]);
  signIn("ann");
  await vi.waitFor(() => {
    expect(sent.slice(1)).toEqual(["ann's a as ann", "ann's b as ann"]);
  });
});

test("a player who signs in while a score is being stored doesn't send it", async () => {
  signIn("ann");
  const storage = slowStorage([]);
  const { queue, sent } = queueOn(storage);
  await rest();
  storage.hold();
  const submitted = queue.submit({ score: 3, submission_id: "new" });
  await vi.waitFor(() => {
    expect(storage.held).toHaveLength(1);
  });
  signIn("bob");
  await rest();
  storage.goOn();
  await submitted;
  await queue.flush();
  expect([firebase.calls, storage.left()]).toEqual([[], ["new"]]);
  signIn("ann");
  await vi.waitFor(() => {
    expect(sent).toEqual(["ann's new as ann"]);
  });
});

test("a score whose player signs out while it is sent waits for that player", async () => {
  signIn("ann");
  const storage = slowStorage([made("a"), made("b", "bob")]);
  firebase.answer = () => {
    if (firebase.calls.length > 1) return Promise.resolve();
    signIn("bob");
    return Promise.reject(Object.assign(new Error("internal"), { code: "functions/internal" }));
  };
  const { sent } = queueOn(storage);
  await vi.waitFor(() => {
    expect(sent).toEqual(["bob's b as bob"]);
  });
  await rest();
  expect(firebase.calls).toEqual(["ann a", "bob b"]);
  expect(storage.left()).toEqual(["a"]);
});
