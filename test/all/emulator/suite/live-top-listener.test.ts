/** The live top as an app sees it: a listener of the Firebase SDK, the trigger, the queue and the refreshes all real. */
import { deleteApp, type FirebaseApp, initializeApp } from "firebase/app";
import { connectFirestoreEmulator, doc, getFirestore, onSnapshot, terminate } from "firebase/firestore";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../../functions/src/documents/firestore.ts";
import { playerPath, playersPath, topPath } from "../../../../functions/src/documents/paths.ts";
import { markedScore } from "../../../../functions/src/documents/queries.ts";
import { topGateKeptMs, topRefreshSecondsDefault } from "../../../../functions/src/model/limits.ts";
import { projectId } from "../../../../scripts/project.ts";
import { type Heard, listen } from "../../../support/client-listening.ts";
import { createLive, eventually, type Live, type LiveBoard } from "../../../support/live.ts";

const baseMs = topRefreshSecondsDefault * 1_000;

/** A top as a listener got it. */
interface Seen {
  atMs: number;
  players: string[];
}

let live: Live;
let board: LiveBoard;
let app: FirebaseApp;
let seen: Heard<Seen>;
let stop: () => void;

beforeAll(async () => {
  live = await createLive();
  app = initializeApp({ projectId }, "listener");
  const [host, port] = String(process.env["FIRESTORE_EMULATOR_HOST"]).split(":");
  connectFirestoreEmulator(getFirestore(app), host ?? "", Number(port));
});
afterAll(async () => {
  await terminate(getFirestore(app));
  await deleteApp(app);
  await live.end();
});

/** A board that is ranked once an hour, with a full top of 3 that somebody listens to. */
beforeEach(async () => {
  board = await live.board({ ranking_interval_minutes: 60, visibility: "public", top_size: 3 });
  await write({ ann: 30, bob: 20, cyd: 10 });
  await board.rank();
  seen = listen();
  stop = onSnapshot(doc(getFirestore(app), topPath(board.key)), (top) => {
    const entries = top.get("entries") as { player: string }[];
    seen.hear({ atMs: Date.now(), players: entries.map(({ player }) => player) });
  });
  // The first ranking is followed by a refresh for all who had found that there is no top; then all know the gate.
  await seen.until(() => expect(seen.all.length).toBeGreaterThanOrEqual(2));
  seen.all.splice(0, seen.all.length - 1);
});
afterEach(() => stop());

/** Writes players' documents in one commit, as a trusted server may. */
async function write(scores: Record<string, number>): Promise<void> {
  const batch = live.db.batch();
  for (const [player, score] of Object.entries(scores)) {
    const fields = { score, status: "active", achieved_at: Timestamp.now(), attempts: 1 };
    batch.set(live.db.doc(playerPath(board.key, player)), fields, { merge: true });
  }
  await batch.commit();
}

/** How long it takes until the listener sees these players, in milliseconds. */
async function untilSeen(...players: string[]): Promise<number> {
  const begunMs = Date.now();
  await seen.until((top) => expect(top.players).toEqual(players));
  return (seen.all.find((top) => top.players.join() === players.join())?.atMs ?? NaN) - begunMs;
}

test("a player who climbs into the top, is hidden there or is erased shows to a listener long before the next run", async () => {
  const waits: number[] = [];
  await (await live.as("dan")).call("submitScore", { leaderboard: board.leaderboard, score: 25 });
  waits.push(await untilSeen("ann", live.uid("dan"), "bob"));
  await live.db.doc(playerPath(board.key, "ann")).update({ status: "hidden" });
  waits.push(await untilSeen(live.uid("dan"), "bob", "cyd"));
  await live.db.doc(playerPath(board.key, "bob")).delete();
  waits.push(await untilSeen(live.uid("dan"), "cyd"));
  console.log(`The listener saw the changes after ${waits.join(", ")} ms.`);
  expect(Math.min(...waits)).toBeLessThan(topGateKeptMs);
});

test("two hundred scores that pass the gate at once cause one refresh in two seconds", async () => {
  const scores = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`p${i}`, 1_000 + i]));
  const begunMs = Date.now();
  await write(scores);
  await untilSeen("p199", "p198", "p197");
  await eventually(async () => {
    const counted = live.db.collection(playersPath(board.key)).orderBy(markedScore).count();
    expect((await counted.get()).data().count).toBe(203);
  });
  const elapsedMs = Date.now() - begunMs;
  const refreshes = seen.all.length - 1;
  console.log(`${refreshes} refreshes while 200 events were delivered in ${elapsedMs} ms.`);
  expect(refreshes).toBeGreaterThanOrEqual(1);
  expect(refreshes).toBeLessThanOrEqual(Math.ceil(elapsedMs / baseMs) + 1);
});
