/** What is sent of a profile, how often, and as whom. Firebase is the test's. */
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { Leaderboard } from "./leaderboard.ts";
import { setProfile } from "./set-profile.ts";
import { submitScoreAs } from "./submit-score.ts";

// The worker may have loaded the modules for a file with another Firebase.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.resetModules();
});

interface Sdk {
  uid: string;
  sent: object[];
  /** What becomes of the next requests: an error's code, or an answer by default. */
  fates: string[];
}
const sdk = vi.hoisted((): Sdk => ({ uid: "ann", sent: [], fates: [] }));
vi.mock("firebase/functions", () => ({
  getFunctions: () => ({ region: "us-central1", app: { options: {} } }),
  httpsCallable: () => (request: object) => {
    sdk.sent.push(request);
    const code = sdk.fates.shift();
    if (code === "left") sdk.uid = "bob";
    const refusal = Object.assign(new Error(code), {
      details: { code: code === "left" ? "contention" : code },
    });
    return code === undefined
      ? Promise.resolve({ data: { player: sdk.uid, seasons: [] } })
      : Promise.reject(refusal);
  },
}));
vi.mock("firebase/auth", () => ({
  getAuth: () => ({
    currentUser: {
      get uid() {
        return sdk.uid;
      },
      getIdToken: () => Promise.resolve("token"),
    },
    authStateReady: () => Promise.resolve(),
  }),
}));

let boards = 0;
let board: Leaderboard;
beforeEach(() => {
  Object.assign(sdk, { uid: "ann", sent: [], fates: [] });
  board = { app: { options: {} }, id: `board-${++boards}` } as unknown as Leaderboard;
});

test("it sends only what is given, and null as null", async () => {
  await setProfile(board, { display_name: "Ann", metadata: null });
  await setProfile(board, { metadata: { avatar: "cat" } });
  expect(sdk.sent).toEqual([
    { leaderboard: board.id, display_name: "Ann", metadata: null },
    { leaderboard: board.id, metadata: { avatar: "cat" } },
  ]);
});

test("it is sent again after a busy database, and after the last one was too recent", async () => {
  sdk.fates = ["contention", "too_frequent"];
  expect(await setProfile(board, { display_name: "Ann" })).toMatchObject({ player: "ann" });
  expect(sdk.sent).toHaveLength(3);
});

test("it is not sent again for a ban, nor as another user", async () => {
  sdk.fates = ["player_banned"];
  await expect(setProfile(board, { display_name: "Ann" })).rejects.toMatchObject({ code: "player_banned" });
  sdk.fates = ["left"];
  await expect(setProfile(board, { display_name: "Ann" })).rejects.toMatchObject({ code: "unauthenticated" });
  expect(sdk.sent).toHaveLength(2);
});

test("a score that waited since before goes without its older name", async () => {
  const waited = { madeMs: Date.now() - 1_000 };
  await submitScoreAs(waited, board, { score: 1, display_name: "Old" });
  await setProfile(board, { display_name: "New" });
  await submitScoreAs(waited, board, { score: 2, display_name: "Old" });
  expect(sdk.sent).toMatchObject([{ display_name: "Old" }, { display_name: "New" }, { score: 2 }]);
  expect(sdk.sent[2]).not.toHaveProperty("display_name");
});
