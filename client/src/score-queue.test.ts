/* eslint-disable max-lines -- one stand-in for Firebase serves all cases */
/** The queue while users change in the middle of its work, which no emulator does on demand. A stand-in takes the place of Firebase. */
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { Submission } from "./answers.ts";
import type { Leaderboard } from "./leaderboard.ts";
import { device } from "../../test/support/client/device.ts";
import { lost, sdk, signIn } from "../../test/support/client/stand-in.ts";
import type { QueuedScore } from "./send-queue.ts";
import { type QueueOptions, scoreQueue } from "./score-queue.ts";
import { setProfile } from "./set-profile.ts";
import { submitScore } from "./submit-score.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

/** What happens to a call; by default it is answered. */
let answer: () => Promise<void>;
/** The seasons of an answer. */
let seasons: object[];
/** The player and the id of each score that was sent. */
const sentAs = () => sdk.calls.map(({ player, submission_id: id }) => `${player} ${String(id)}`);

beforeEach(() => {
  signIn("ann");
  answer = () => Promise.resolve();
  seasons = [];
  sdk.issuedAt = new Date().toUTCString();
  sdk.answer = async ({ player }) => {
    await answer();
    return { leaderboard: "arena", player: player ?? "nobody", seasons };
  };
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A storage whose reading and writing end when the test says. */
function slowStorage(...waiting: QueuedScore[]) {
  let text = JSON.stringify(waiting);
  let own: string | undefined;
  const held: (() => void)[] = [];
  let isSlow = false;
  const wait = () => (isSlow ? new Promise<void>((resolve) => held.push(resolve)) : Promise.resolve());
  return {
    held,
    /** From now on all reading and writing waits until `goOn`. */
    hold: () => (isSlow = true),
    goOn() {
      isSlow = false;
      for (const resolve of held.splice(0)) resolve();
    },
    text: () => text,
    left: () => (JSON.parse(text) as QueuedScore[]).map(({ score }) => score.submission_id),
    async getItem(key: string) {
      own ??= key;
      await wait();
      return key === own ? text : null;
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

const board = { app: { options: { projectId: "p" } }, id: "arena" } as unknown as Leaderboard;

function queueOn(storage = slowStorage(), options: QueueOptions = {}) {
  const sent: string[] = [];
  const onSent = ({ player }: Submission, queued: QueuedScore) =>
    void sent.push(`${queued.player}'s ${queued.score.submission_id} as ${player}`);
  const queue = scoreQueue(board, { storage, onSent, ...options });
  onTestFinished(queue.stop);
  return { queue, sent, storage };
}

/** After so many turns of the event loop every test has come to rest. */
async function rest(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}

test("a player who signs in while the queue reads what waits sends nothing of the one before", async () => {
  const storage = slowStorage(made("a"), made("b"), made("c", "bob"));
  storage.hold();
  const { sent } = queueOn(storage);
  await vi.waitFor(() => expect(storage.held).toHaveLength(1));
  signIn("bob");
  storage.goOn();
  await vi.waitFor(() => expect(sent).toEqual(["bob's c as bob"]));
  await rest();
  expect(sentAs()).toEqual(["bob c"]);
  expect(storage.left()).toEqual(["a", "b"]);
  signIn("ann");
  await vi.waitFor(() => expect(sent.slice(1)).toEqual(["ann's a as ann", "ann's b as ann"]));
});

test("a player who signs in while a score is being stored doesn't send it", async () => {
  const { queue, sent, storage } = queueOn();
  await rest();
  storage.hold();
  const submitted = queue.submit({ score: 3, submission_id: "new" });
  await vi.waitFor(() => expect(storage.held).toHaveLength(1));
  signIn("bob");
  await rest();
  storage.goOn();
  await submitted;
  await queue.flush();
  expect([sentAs(), storage.left()]).toEqual([[], ["new"]]);
  signIn("ann");
  await vi.waitFor(() => expect(sent).toEqual(["ann's new as ann"]));
});

test("a score whose player signs out while it is sent waits for that player", async () => {
  const storage = slowStorage(made("a"), made("b", "bob"));
  answer = () => {
    if (sdk.calls.length > 1) return Promise.resolve();
    signIn("bob");
    return Promise.reject(lost());
  };
  const { sent } = queueOn(storage);
  await vi.waitFor(() => expect(sent).toEqual(["bob's b as bob"]));
  await rest();
  expect(sentAs()).toEqual(["ann a", "bob b"]);
  expect(storage.left()).toEqual(["a"]);
});

test("a score that was counted for a player who signed in at the last moment still counts for its own", async () => {
  sdk.beforeToken = () => {
    if (sdk.calls.length === 0) signIn("bob");
  };
  const { sent, storage } = queueOn(slowStorage(made("a")));
  await vi.waitFor(() => expect(sentAs()).toEqual(["bob a"]));
  await rest();
  expect([sent, storage.left()]).toEqual([[], ["a"]]);
  signIn("ann");
  await vi.waitFor(() => expect(sent).toEqual(["ann's a as ann"]));
});

/** Firebase Auth while it starts: it does not know who is signed in until the returned function is called. */
function startAuth(): (uid: string | null) => void {
  signIn(null);
  let isKnown: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (isKnown = resolve));
  sdk.ready = () => ready;
  return (uid) => {
    signIn(uid);
    isKnown();
  };
}

test("a score that is made before Firebase Auth knows the player is on the device at once, and counts for that player", async () => {
  const settle = startAuth();
  const { queue, sent, storage } = queueOn();
  const submitted = queue.submit({ score: 3, submission_id: "early" });
  await rest();
  expect([storage.left(), sent]).toEqual([["early"], []]);
  settle("ann");
  expect(await submitted).toMatchObject({ player: "ann", score: { submission_id: "early" } });
  await vi.waitFor(() => expect(sent).toEqual(["ann's early as ann"]));
  expect(storage.left()).toEqual([]);
});

test("an app that ends before Firebase Auth knows the player sends the score at the next start", async () => {
  const settle = startAuth();
  const { queue, storage } = queueOn();
  void queue.submit({ score: 3, submission_id: "early" }).catch(() => undefined);
  await rest();
  queue.stop();
  const left = JSON.parse(storage.text()) as QueuedScore[];
  settle(null);
  const settleAgain = startAuth();
  const { sent } = queueOn(slowStorage(made("old"), ...left));
  settleAgain("ann");
  await vi.waitFor(() => expect(sent).toEqual(["ann's old as ann", "ann's early as ann"]));
});

test("a score that nobody made, as nobody was signed in, is refused and leaves the device", async () => {
  const settle = startAuth();
  const { queue, storage } = queueOn();
  const submitted = queue.submit({ score: 3, submission_id: "early" });
  await rest();
  expect(storage.left()).toEqual(["early"]);
  settle(null);
  await expect(submitted).rejects.toMatchObject({ code: "unauthenticated" });
  expect(storage.left()).toEqual([]);
});

test("two queues of a board without locks lose no score of each other", async () => {
  vi.stubGlobal("navigator", {});
  const storage = slowStorage();
  const queues = [queueOn(storage).queue, queueOn(storage).queue];
  for (const queue of queues) queue.stop();
  storage.hold();
  const submitted = queues.map((queue, i) => queue.submit({ score: i, submission_id: `s${i}` }));
  await rest();
  storage.goOn();
  await Promise.all(submitted);
  expect(storage.left().toSorted()).toEqual(["s0", "s1"]);
});

test("if locks are refused, as in a sandboxed frame, scores are sent all the same", async () => {
  const request = () => Promise.reject(new Error("SecurityError"));
  vi.stubGlobal("navigator", { locks: { request } });
  const { queue, sent } = queueOn();
  await queue.submit({ score: 1, submission_id: "a" });
  await vi.waitFor(() => expect(sent).toEqual(["ann's a as ann"]));
});

/** A score that is as good as it says, by its id. */
const scored = (score: number, more: object = {}) => ({ score, submission_id: String(score), ...more });

test.each([
  ["that are worse", "highest", [scored(5), scored(9), scored(7)], ["9", "7"]],
  ["that are worse", "lowest", [scored(5), scored(9), scored(4)], ["4"]],
  ["of none without best", undefined, [scored(5), scored(9), scored(4)], ["5", "9", "4"]],
  [
    "whose name it would not lose, and none with columns",
    "highest",
    [
      scored(1, { display_name: "Ann" }),
      { columns: { goals: 1 }, submission_id: "columns" },
      scored(2),
      scored(3, { display_name: "Annie", submission_id: "renamed" }),
      scored(4),
    ],
    ["columns", "renamed", "4"],
  ],
  [
    "whose segments it says too",
    "highest",
    [
      scored(1, { segments: { country: "AT", guild: "a" } }),
      scored(2, { segments: { country: "DE", guild: "a" } }),
      scored(3, { segments: { country: "DE" } }),
      scored(4, { segments: { country: "AT" } }),
    ],
    ["2", "4"],
  ],
  [
    "whose segment it would not lose, also one called constructor",
    "highest",
    [scored(1, { segments: { constructor: "ferrari" } }), scored(2)],
    ["1", "2"],
  ],
  [
    "that are not equal: of these the first counts, with its metadata",
    "highest",
    [scored(2, { metadata: { level: 7 } }), scored(2, { submission_id: "equal" })],
    ["2", "equal"],
  ],
] as const)(
  "a score takes out the waiting ones %s, where the %s leads",
  async (_which, best, scores, kept) => {
    answer = () => Promise.reject(new Error("offline"));
    const storage = slowStorage(made("x", "bob"));
    const { queue } = queueOn(storage, { best });
    for (const score of scores) await queue.submit(score);
    expect(storage.left()).toEqual(["x", ...kept]);
  },
);

test("after flush() the waits are short again", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const timer = vi.spyOn(globalThis, "setTimeout");
  /** Without the time that an attempt and a request may take. */
  const waits = () => timer.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms !== 30_000 && ms !== 20_000);
  answer = () => Promise.reject(new Error("offline"));
  const { queue } = queueOn(slowStorage(made("a")));
  for (let time = 0; time < 5; time++) await queue.flush();
  expect(waits()).toContain(2_500);
  expect(Math.max(...waits())).toBeLessThanOrEqual(5_000);
  vi.restoreAllMocks();
});

test("a tournament has a queue of its own; a day or week, which may be over, has none", async () => {
  const keys = new Set<string>();
  const storage = { getItem: (key: string) => (keys.add(key), null), setItem: () => undefined };
  for (const season of ["daily-2026-11-22", "weekly-2026-W47"])
    expect(() => scoreQueue({ ...board, season }, { storage })).toThrow("leave season out");
  for (const season of [undefined, "all_time", "cup"]) {
    const queue = scoreQueue({ ...board, season }, { storage });
    await queue.flush();
    queue.stop();
  }
  expect([...keys]).toEqual(["firerank/p//arena/", "firerank/p//arena/cup"]);
});

const circle: { self?: object } = {};
circle.self = circle;

test.each<[string, object]>([
  ["is NaN", { score: NaN }],
  ["has metadata that point to themselves", { metadata: circle }],
  ["has NaN in its metadata", { metadata: { level: NaN } }],
  ["has a BigInt in its metadata", { metadata: { level: 1n } }],
  ["has an invalid Date in its metadata", { metadata: { at: new Date(NaN) } }],
  ["has a symbol in its metadata", { metadata: { level: Symbol("x") } }],
  ["has a Map in its metadata", { metadata: new Map([["level", 1]]) }],
])("a score that %s is refused at once, and blocks nothing", async (_, wrong) => {
  const { queue, sent } = queueOn();
  await expect(queue.submit({ score: 1, ...wrong })).rejects.toMatchObject({
    code: "invalid_request",
  });
  await queue.submit({ score: 1, submission_id: "b" });
  await vi.waitFor(() => expect(sent).toEqual(["ann's b as ann"]));
});

test("a score is kept as it was when it was submitted", async () => {
  const { queue } = queueOn();
  const metadata = { level: 1 };
  const submitted = queue.submit({ score: 1, metadata });
  metadata.level = 2;
  expect((await submitted).score.metadata).toEqual({ level: 1 });
});

test("if a storage fails, each call of the queue rejects with a code", async () => {
  const fail = () => {
    throw new Error("the disk is full");
  };
  const queue = scoreQueue(board, { storage: { getItem: fail, setItem: fail } });
  onTestFinished(queue.stop);
  const calls = [queue.submit({ score: 1 }), queue.waiting(), queue.drop(() => true), queue.claim("bob")];
  for (const { status, reason } of (await Promise.allSettled(calls)) as PromiseRejectedResult[])
    expect([status, reason]).toMatchObject([
      "rejected",
      { code: "not_stored", message: expect.stringContaining("the disk is full") as string },
    ]);
});

test("what an app's own function throws reaches the app", async () => {
  const { queue } = queueOn(slowStorage(made("a", "bob")));
  const own = new Error("the app's own");
  const isDropped = () => {
    throw own;
  };
  await expect(queue.drop(isDropped)).rejects.toBe(own);
});

test.each([null, undefined])("a browser that forbids IndexedDB is like one without: %s", async (none) => {
  vi.stubGlobal("indexedDB", none);
  const queue = scoreQueue(board);
  onTestFinished(queue.stop);
  await expect(queue.submit({ score: 1 })).rejects.toMatchObject({
    code: "not_stored",
    message: expect.stringContaining("AsyncStorage") as string,
  });
});

test("from the queue, an attempt is one call, and one after a refusal has a new token", async () => {
  const storage = slowStorage(made("a"));
  answer = () => Promise.reject(Object.assign(new Error("no token"), { code: "functions/unauthenticated" }));
  const waits = vi.fn<(error: Error) => void>();
  const { queue } = queueOn(storage, { onWaiting: waits });
  await vi.waitFor(() => expect(waits).toHaveBeenCalledTimes(1));
  expect([sentAs(), sdk.tokens]).toEqual([["ann a"], [false]]);
  await queue.flush();
  expect([sentAs(), sdk.tokens]).toEqual([
    ["ann a", "ann a"],
    [false, true],
  ]);
});

test("a device whose date is far back does not make a score older than the player's token", async () => {
  sdk.issuedAt = new Date(Date.now() + 40 * 86_400_000).toUTCString();
  const { queue } = queueOn();
  await rest();
  const { made_at: at } = await queue.submit({ score: 1 });
  expect(Date.parse(at)).toBe(Date.parse(sdk.issuedAt));
});

test("a name that was sent while the date was far ahead does not silence later ones", async () => {
  signIn("cyd");
  vi.setSystemTime(Date.now() + 40 * 86_400_000);
  await submitScore(board, { score: 1, display_name: "Ahead" });
  vi.useRealTimers();
  const { queue, sent } = queueOn();
  await queue.submit({ score: 2, display_name: "Queued" });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await submitScore(board, { score: 3, display_name: "Direct" });
  expect(sdk.calls.map(({ display_name: name }) => name)).toEqual(["Ahead", "Queued", "Direct"]);
});

test.each<[newer: string, send: () => Promise<unknown>]>([
  ["score", () => submitScore(board, { score: 2, display_name: "New" })],
  ["profile", () => setProfile(board, { display_name: "New" })],
])("a score that waited does not bring an older name back than that of a %s", async (_newer, send) => {
  const old = made("a");
  const storage = slowStorage({ ...old, score: { ...old.score, display_name: "Old" } });
  storage.hold();
  const { queue, sent } = queueOn(storage);
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(Date.parse(old.made_at)));
  await send();
  storage.goOn();
  await vi.waitFor(() => expect(sent).toEqual(["ann's a as ann"]));
  await queue.submit({ score: 3, submission_id: "c", display_name: "Newest" });
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sdk.calls.map(({ display_name: name }) => name)).toEqual(["New", undefined, "Newest"]);
});

test("each submission names the generations that the last answer said of its seasons", async () => {
  const weekly = { ...board, id: "generations", span: "weekly" };
  seasons = [
    { season: "all_time", span: "all_time", rank: { generation: 12 } },
    { season: "daily-2026-11-20", span: "daily", rank: null },
  ];
  for (const score of [1, 2]) await submitScore(weekly, { score });
  expect(sdk.calls.map((sent) => sent["min_generations"])).toEqual([{}, { all_time: 12 }]);
});

test.each([
  ["names another region", { region: "us-central1" }, { region: "europe-west1" }, {}, true],
  ["names another prefix", {}, { prefix: "ranks" }, {}, true],
  ["names another database", {}, { database: "games" }, {}, false],
  ["says where it was before", {}, { database: "games" }, { formerDatabases: ["(default)"] }, true],
])("an updated app that %s finds what it has left", async (_what, before, after, options, isFound) => {
  const storage = device();
  answer = () => Promise.reject(lost());
  const first = scoreQueue({ ...board, ...before }, { storage });
  await first.submit({ score: 9, submission_id: "offline" });
  await first.flush();
  first.stop();
  answer = () => Promise.resolve();
  const onSent = vi.fn();
  const next = scoreQueue({ ...board, ...after }, { storage, ...options, onSent });
  await next.flush();
  next.stop();
  const left = [...storage.texts.values()].flatMap((text) => JSON.parse(text) as QueuedScore[]);
  expect([onSent.mock.calls.length, left.length]).toEqual(isFound ? [1, 0] : [0, 1]);
});

test("a missing App Check token is an error of its own, after one call and without a new token; a queued score waits", async () => {
  const missing = Object.assign(new Error("A valid App Check token is missing."), {
    code: "functions/unauthenticated",
    details: { code: "app_check_missing" },
  });
  answer = () => Promise.reject(missing);
  await expect(submitScore(board, { score: 1 })).rejects.toMatchObject({ code: "app_check_missing" });
  expect([sentAs().length, sdk.tokens]).toEqual([1, [false]]);
  const codes: string[] = [];
  const { queue, storage } = queueOn(slowStorage(made("a")), { onWaiting: ({ code }) => codes.push(code) });
  await queue.flush();
  expect([codes[0], storage.left()]).toEqual(["app_check_missing", ["a"]]);
});

test.each(["deadline_exceeded", "cancelled"] as const)(
  "a submission that ends as %s is not sent again, and says under which id it may have counted",
  async (code) => {
    vi.useFakeTimers();
    answer = () => Promise.reject(lost());
    const controller = new AbortController();
    const options = code === "cancelled" ? { signal: controller.signal } : { timeoutMs: 300 };
    const ended = submitScore(board, { score: 1, submission_id: "slow" }, options);
    const refused = expect(ended).rejects.toMatchObject({ code, submissionId: "slow" });
    await rest();
    controller.abort();
    await vi.advanceTimersByTimeAsync(300);
    await refused;
    const { length } = sdk.calls;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sdk.calls).toHaveLength(length);
  },
);
