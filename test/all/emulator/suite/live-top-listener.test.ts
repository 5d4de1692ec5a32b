/** The live top as an app sees it: a listener of the Firebase SDK, the trigger, the queue and the refreshes all real. */
import { deleteApp, type FirebaseApp, initializeApp } from "firebase/app";
import { connectFirestoreEmulator, doc, getFirestore, onSnapshot, terminate } from "firebase/firestore";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../../functions/src/documents/firestore.ts";
import { playerPath, topPath } from "../../../../functions/src/documents/paths.ts";
import { topGateKeptMs } from "../../../../functions/src/model/limits.ts";
import { projectId } from "../../../../scripts/project.ts";
import { type Heard, listen } from "../../../support/client-listening.ts";
import { useLive, type LiveBoard } from "../../../support/live.ts";

/** A top as a listener got it. */
interface Seen {
  atMs: number;
  players: string[];
}

const live = useLive();
let board: LiveBoard;
let app: FirebaseApp;
let seen: Heard<Seen>;
let stop: () => void;

beforeAll(async () => {
  app = initializeApp({ projectId }, "listener");
  const [host, port] = String(process.env["FIRESTORE_EMULATOR_HOST"]).split(":");
  connectFirestoreEmulator(getFirestore(app), host ?? "", Number(port));
});
afterAll(async () => {
  await terminate(getFirestore(app));
  await deleteApp(app);
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
