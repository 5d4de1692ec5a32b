/* eslint-disable max-lines -- one queue with a sender that fails in every way serves all cases */
import { expect, test, vi } from "vitest";
import { device } from "../../test/support/client/device.ts";
import { alone } from "./alone.ts";
import type { Submission } from "./answers.ts";
import { FirerankError, type FirerankErrorCode } from "./firerank-error.ts";
import { type QueueStorage, textStore } from "./queue-stores.ts";
import { createSendQueue, type QueuedScore, type SendQueueWorld } from "./send-queue.ts";

const dayMs = 86_400_000;
const bornMs = Date.parse("2026-11-22T12:00:00Z");
const made = (id: string, player = "ann", madeMs = bornMs): QueuedScore => ({
  player,
  score: { score: 1, submission_id: id },
  made_at: new Date(madeMs).toISOString(),
});
const refusal = (code: FirerankErrorCode, retryAfterSeconds?: number) =>
  new FirerankError(code, code, { retryAfterSeconds });

let stages = 0;

/** A queue on a device, with a server that counts each id once and fails as the test says. */
async function stage(
  waiting: readonly QueuedScore[] = [],
  changes: Partial<SendQueueWorld> = {},
  storage: QueueStorage = device(),
) {
  const name = `stage ${(stages += 1)}`;
  const store = textStore(storage, ["queue"], (work) => alone({}, `${name} change`, work));
  const counted: string[] = [];
  const sent: string[] = [];
  const told: string[] = [];
  const timers: { work: () => void; ms: number }[] = [];
  const faults: (FirerankError | "answer lost" | undefined)[] = [];
  const state = { player: "ann" as string | undefined, nowMs: bornMs };
  const queue = createSendQueue({
    store,
    send: ({ score: { submission_id: id } }) => {
      sent.push(id);
      const fault = faults.shift();
      if (fault instanceof FirerankError) return Promise.reject(fault);
      if (!counted.includes(id)) counted.push(id);
      if (fault === "answer lost") return Promise.reject(refusal("unavailable"));
      return Promise.resolve({ leaderboard: "arena", player: "ann", seasons: [] } satisfies Submission);
    },
    player: () => state.player,
    alone: (work) => alone({}, name, work),
    later(work, ms) {
      const timer = { work, ms };
      timers.push(timer);
      return () => {
        if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
      };
    },
    random: () => 1,
    serverMs: () => Promise.resolve(state.nowMs),
    maxAgeMs: dayMs,
    onSent: (_, { score }) => told.push(`sent ${score.submission_id}`),
    onDropped: ({ code }, { score }) => told.push(`dropped ${score.submission_id}: ${code}`),
    onWaiting: ({ code }, { score }) => told.push(`waits ${score.submission_id}: ${code}`),
    ...changes,
  });
  const add = async (...scores: QueuedScore[]) => {
    for (const score of scores) await store.add(score, 100);
  };
  /** Sends, and meets these faults. */
  const meet = (...next: typeof faults) => {
    faults.push(...next);
    return queue.flush();
  };
  await add(...waiting);
  const left = async () => (await store.all()).map(({ score }) => score.submission_id);
  return { queue, store, counted, sent, told, timers, faults, state, add, meet, left };
}

const forGood = [
  "season_closed",
  "invalid_request",
  "score_out_of_range",
  "player_banned",
  "player_erased",
] as const;
const [a, b] = [made("a"), made("b")];
const internal = "waits a: internal";

/** A case: what waits; the attempts, each with its day by the server's clock and the fault that it meets; what the app hears then. */
type Story = [name: string, waiting: QueuedScore[], attempts: string[], told: string[]];

test.each<Story>([
  ["scores are sent in their order", [a, b], ["0"], ["sent a", "sent b"]],
  ...forGood.map((code): Story => {
    const name = `one that is refused for good, ${code}, is dropped, and the next one goes`;
    return [name, [a, b], [`0 ${code}`], [`dropped a: ${code}`, "sent b"]];
  }),
  [
    "one that seems too old is sent all the same: a device's clock may be wrong",
    [made("old", "ann", bornMs - 40 * dayMs), b],
    ["0"],
    ["sent old", "sent b"],
  ],
  [
    "one that newer functions refuse with a code of theirs is kept",
    [a],
    ["0 moon_in_the_way"],
    ["waits a: moon_in_the_way"],
  ],
  [
    "what waits for an owner expires at last; what waits for a connection does not",
    [a, b],
    ["0 internal", "1.01 unavailable", "1.01 internal internal"],
    [internal, "waits a: unavailable", "dropped a: expired", "dropped b: expired"],
  ],
  [
    "once the server answers again, what waits has not been stuck before",
    [a, b],
    ["0 internal", "0.9 ok internal", "1.8 internal"],
    [internal, "sent a", "waits b: internal", "waits b: internal"],
  ],
  [
    "one that a wrong clock has dated far back does not expire before it has waited",
    [made("a", "ann", 0), made("b", "bob", 0)],
    ["0 internal", "1.01"],
    [internal, "dropped b: expired", "sent a"],
  ],
  [
    "one that a wrong clock has dated far ahead expires all the same",
    [made("a", "bob", bornMs + 3_650 * dayMs)],
    ["0", "1.01"],
    ["dropped a: expired"],
  ],
])("%s", async (_name, waiting, attempts, wanted) => {
  const { meet, told, state, left } = await stage(waiting);
  for (const [day, ...codes] of attempts.map((attempt) => attempt.split(" "))) {
    state.nowMs = bornMs + Number(day) * dayMs;
    await meet(...codes.map((code) => (code === "ok" ? undefined : refusal(code as FirerankErrorCode))));
  }
  expect(told).toEqual(wanted);
  const ended = told.flatMap((text) => /^(?:sent|dropped) (\w+)/.exec(text)?.[1] ?? []);
  const ids = waiting.map(({ score }) => score.submission_id);
  expect(await left()).toEqual(ids.filter((id) => !ended.includes(id)));
});

test("one that older functions refuse for a field of the queue's own is kept, and for one of the app's dropped", async () => {
  const { queue, meet, told, left } = await stage([a, b]);
  const refusedFor = (...paths: string[]) =>
    new FirerankError("invalid_request", "no", { fields: paths.map((path) => ({ path, message: "no" })) });
  await meet(refusedFor("min_generations"), refusedFor("min_generations", "score"));
  expect([told, await left()]).toEqual([["waits a: invalid_request"], ["a", "b"]]);
  await queue.flush();
  expect(told.slice(1)).toEqual(["dropped a: invalid_request", "sent b"]);
});

test("without a connection the first waits, those behind it too, ever longer, and all go when it is back", async () => {
  const { queue, meet, told, timers, left, counted, sent } = await stage([a, b]);
  await meet(refusal("unavailable"), refusal("deadline_exceeded"));
  expect(await left()).toEqual(["a", "b"]);
  expect(timers.map(({ ms }) => ms)).toEqual([5_000]);
  await queue.flush();
  expect(timers.map(({ ms }) => ms)).toEqual([10_000]);
  timers[0]?.work();
  await queue.flush();
  expect(counted).toEqual(["a", "b"]);
  expect(sent).toEqual(["a", "a", "a", "b"]);
  expect(told).toEqual(["waits a: unavailable", "waits a: deadline_exceeded", "sent a", "sent b"]);
});

test.each([
  ["that is too frequent", "too_frequent"],
  ["whose season is being lengthened", "contention"],
] as const)("a score %s waits for as long as the server says", async (_, code) => {
  const { meet, timers, left } = await stage([a]);
  await meet(refusal(code, 42));
  expect(timers.map(({ ms }) => ms)).toEqual([42_000]);
  expect(await left()).toEqual(["a"]);
});

const forOwner = [
  "unauthenticated",
  "permission_denied",
  "function_not_found",
  "leaderboard_not_found",
  "season_not_found",
  "unknown_schema_version",
  "internal",
] as const;

test.each(forOwner)(
  "after %s, which an owner can mend, a score waits for hours, and goes when it is mended",
  async (code) => {
    const { queue, faults, meet, timers, told, left } = await stage([a]);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 15; attempt++) {
      await meet(refusal(code));
      waits.push(timers[0]?.ms ?? 0);
    }
    expect(waits.slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
    expect(waits.slice(-2)).toEqual([6 * 3_600_000, 6 * 3_600_000]);
    expect(await left()).toEqual(["a"]);
    faults.push(refusal(code));
    await queue.restart();
    expect(timers.map(({ ms }) => ms)).toEqual([5_000]);
    await queue.flush();
    expect(told.at(-1)).toBe("sent a");
  },
);

test("two errors with a month in between, in which nothing was tried, are not a month of errors", async () => {
  const { meet, told, state } = await stage([a], { maxAgeMs: 30 * dayMs });
  for (const days of [0, 31, 10]) {
    state.nowMs += days * dayMs;
    await meet(refusal("internal"));
  }
  expect(told).toEqual(Array(3).fill("waits a: internal"));
  for (let day = 0; day < 30; day++) {
    state.nowMs += dayMs;
    await meet(refusal("internal"));
  }
  expect(told.at(-1)).toBe("dropped a: expired");
});

test("a player who comes back after a month finds the scores, whatever their first attempt meets", async () => {
  const { queue, meet, told, state, left } = await stage([made("a"), made("b", "bob")], {
    maxAgeMs: 30 * dayMs,
  });
  state.player = "bob";
  await queue.flush();
  state.player = "ann";
  state.nowMs += 31 * dayMs;
  await meet(refusal("internal"));
  expect([told.slice(1), await left()]).toEqual([["waits a: internal"], ["a"]]);
});

test("a wait that is longer than timers can be ends early, and not at once", async () => {
  const { meet, timers } = await stage([a]);
  await meet(refusal("too_frequent", 30 * 86_400));
  expect(timers.map(({ ms }) => ms)).toEqual([2 ** 31 - 1]);
});

test("many scores leave the storage in one change", async () => {
  const storage = device();
  await stage(
    Array.from({ length: 50 }, (_, i) => made(`b${i}`, "bob")),
    {},
    storage,
  );
  const setItem = vi.fn(storage.setItem);
  const { queue, state, told } = await stage([], {}, { ...storage, setItem });
  await queue.flush();
  state.nowMs += dayMs + 1;
  setItem.mockClear();
  await queue.flush();
  expect(told).toHaveLength(50);
  expect(setItem).toHaveBeenCalledTimes(1);
});

test("a queue that is stopped while another one works drops nothing", async () => {
  const turns: (() => void)[] = [];
  let isBusy = false;
  const { queue, told, state } = await stage([made("a", "bob")], {
    async alone(work) {
      if (isBusy) await new Promise<void>((resolve) => turns.push(resolve));
      return work();
    },
  });
  await queue.flush();
  state.nowMs += dayMs + 1;
  isBusy = true;
  const flushed = queue.flush();
  await vi.waitFor(() => expect(turns).toHaveLength(1));
  queue.stop();
  turns[0]?.();
  await flushed;
  expect(told).toEqual([]);
});

test("half of a wait is random", async () => {
  const { meet, timers } = await stage([a], { random: () => 0.5 });
  await meet(refusal("unavailable"));
  expect(timers.map(({ ms }) => ms)).toEqual([3_750]);
});

test("the scores of a player who does not come back expire with a report, unless no server's time is known", async () => {
  const { queue, add, told, state, left } = await stage([made("a", "bob")]);
  await queue.flush();
  await add(made("b", "bob"));
  state.nowMs = bornMs + 1_000;
  await queue.flush();
  state.nowMs = 0;
  await queue.flush();
  expect(await left()).toEqual(["a", "b"]);
  state.nowMs = bornMs + dayMs + 1;
  await queue.flush();
  expect(told).toEqual(["dropped a: expired"]);
  expect(await left()).toEqual(["b"]);
});

test("an app decides itself whether a late score still counts", async () => {
  const stillCounts = ({ score }: QueuedScore) => score.submission_id !== "a";
  const { queue, told, sent } = await stage([a, b], { stillCounts });
  await queue.flush();
  expect([sent, told]).toEqual([["b"], ["dropped a: expired", "sent b"]]);
});

test("a score counts if the app's own question about it fails, and the next one is asked about", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const { queue, sent } = await stage([a, b], {
    stillCounts({ score }) {
      if (score.submission_id === "a") throw new TypeError("it has no level");
      return false;
    },
  });
  await queue.flush();
  expect(sent).toEqual(["a"]);
  expect(log).toHaveBeenCalledWith(new TypeError("it has no level"));
  log.mockRestore();
});

test("an app takes scores out of the queue, of any player", async () => {
  const { queue, sent, told, left } = await stage([made("a"), made("b", "bob"), made("c"), made("d", "bob")]);
  expect(await queue.drop(({ score }) => score.submission_id === "a")).toEqual([made("a")]);
  expect(await queue.drop(({ player }) => player !== "ann")).toHaveLength(2);
  expect(await left()).toEqual(["c"]);
  await queue.flush();
  expect([sent, told]).toEqual([["c"], ["sent c"]]);
});

test("a guest's scores become an account's, in their places, each once and without the guest's name", async () => {
  const guests = made("a", "guest");
  const { queue, store, sent } = await stage([
    { ...guests, score: { ...guests.score, display_name: "Guest", metadata: { level: 2 } } },
    b,
    made("b", "guest"),
    made("c", "bob"),
  ]);
  const mine = { ...made("a"), score: { ...guests.score, metadata: { level: 2 } } };
  expect(await queue.claim("guest", "ann")).toEqual([mine]);
  expect(await store.all()).toEqual([mine, made("b"), made("c", "bob")]);
  await queue.flush();
  expect(sent).toEqual(["a", "b"]);
});

test("a guest's score that is being sent cannot be claimed any more", async () => {
  const { queue, sent, left } = await stage([a]);
  const flushed = queue.flush();
  expect(await queue.claim("ann", "bob")).toEqual([]);
  await flushed;
  expect([sent, await left()]).toEqual([["a"], []]);
});

test("several flushes at once send each score once, also one that is added meanwhile", async () => {
  const { queue, add, sent } = await stage([a]);
  const first = queue.flush();
  const second = queue.flush();
  await add(made("b"));
  await Promise.all([first, second, queue.flush()]);
  expect(sent).toEqual(["a", "b"]);
});

test("a queue that was stopped sends nothing more and keeps what waits", async () => {
  const { queue, sent, left, timers, meet } = await stage([a]);
  await meet(refusal("unavailable"));
  queue.stop();
  expect(timers).toEqual([]);
  await queue.flush();
  expect([sent, await left()]).toEqual([["a"], ["a"]]);
});

test("a storage that fails loses nothing: it is tried again", async () => {
  const storage = device();
  await stage([a], {}, storage);
  let isBroken = true;
  const broken = {
    ...storage,
    getItem: (key: string) =>
      isBroken ? Promise.reject(new Error("the disk is full")) : storage.getItem(key),
  };
  const { queue, timers, sent } = await stage([], {}, broken);
  await queue.flush();
  expect([sent, timers.length]).toEqual([[], 1]);
  isBroken = false;
  await queue.flush();
  expect(sent).toEqual(["a"]);
});

test.each(["sent", "dropped"])(
  "a score that was %s and cannot be taken out of the storage is not sent again, and the others go",
  async (how) => {
    const storage = device();
    await stage([a, b], {}, storage);
    let isFull = true;
    const full: QueueStorage = {
      ...storage,
      setItem(key, value) {
        if (isFull) throw new Error("QuotaExceededError");
        storage.setItem(key, value);
      },
    };
    const { queue, sent, told, timers, meet, left } = await stage([], {}, full);
    await meet(how === "dropped" ? refusal("season_closed") : undefined);
    for (const ms of [5_000, 10_000, 20_000]) {
      expect(timers.map((timer) => timer.ms)).toEqual([ms]);
      await queue.flush();
    }
    expect(sent).toEqual(["a", "b"]);
    expect(told).toEqual([how === "sent" ? "sent a" : "dropped a: season_closed", "sent b"]);
    expect(await left()).toEqual(["a", "b"]);
    expect(await queue.waiting()).toEqual([]);
    isFull = false;
    await queue.flush();
    expect([await left(), sent]).toEqual([[], ["a", "b"]]);
  },
);

test("a report that throws is logged and stops nothing", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const onSent = () => {
    throw new Error("the app's own");
  };
  const { queue, counted } = await stage([a, b], { onSent });
  await queue.flush();
  expect(counted).toEqual(["a", "b"]);
  expect(logged).toHaveBeenCalledTimes(2);
  logged.mockRestore();
});

test("the store refuses what has no room, keeps an id of a player once, and adds at once what comes at once", async () => {
  const { store, left } = await stage();
  await Promise.all([made("a"), made("b"), made("a")].map((score) => store.add(score, 2)));
  expect(await left()).toEqual(["a", "b"]);
  await expect(store.add(made("c"), 2)).rejects.toMatchObject({ code: "not_stored" });
  await store.add(made("a", "bob"), 2);
  expect(await left()).toEqual(["a", "b", "a"]);
  await store.change((one) => (one.player === "ann" ? undefined : one));
  expect((await store.all()).map(({ player }) => player)).toEqual(["bob"]);
});

test("each player of a device has room of their own, and all together that of ten", async () => {
  const { store } = await stage();
  for (let player = 0; player < 20; player++) await store.add(made("a", `p${player}`), 2);
  await expect(store.add(made("a"), 2)).rejects.toMatchObject({
    code: "not_stored",
    message: expect.stringMatching(/^20 scores of all players .* drop\(\)/) as string,
  });
  await store.change((one) => (one.player === "p0" ? undefined : one));
  await store.add(made("a"), 2);
});

test("what is no queue under the key is replaced", async () => {
  const storage = device();
  for (const text of ["{", '{"a":1}', "7", '[null, 7, "a", {}, { "score": null }]']) {
    storage.setItem("queue", text);
    const { left } = await stage([a], {}, storage);
    expect(await left()).toEqual(["a"]);
  }
});
