/** The rank of a score, or of a player, on a board with decimals, worked out on the device. A stand-in takes the place of Firebase. */
import { expect, test, vi } from "vitest";
import { anotherBoard, onlyPage, sdk } from "../../test/support/client/stand-in.ts";
import { rankOf } from "./rank-of.ts";
import { watchRank } from "./watch-rank.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

/** A board with one decimal, on which two players are ranked. */
function decimalBoard() {
  const board = anotherBoard({ season: "all_time" });
  const season = `leaderboards/${board.id}/seasons/all_time`;
  sdk.documents.set(`leaderboards/${board.id}`, { decimals: 1 });
  sdk.documents.set(`${season}/scores_ranking`, onlyPage([0.8, 0.5]));
  return { board, season };
}

const noisy = 0.1 + 0.7;

test("a score counts as the nearest step of the board, as for the functions", async () => {
  const { board } = decimalBoard();
  expect(noisy).toBeLessThan(0.8);
  expect(await rankOf(board, noisy)).toMatchObject({ score: 0.8, rank: 1, exact: true });
});

test("so does a score that a server has written, before its event comes", async () => {
  const { board, season } = decimalBoard();
  sdk.documents.set(`${season}/players/ann`, { score: noisy });
  const told: unknown[] = [];
  const stop = watchRank(
    board,
    (rank) => told.push(rank),
    (error) => expect.fail(error.message),
    "ann",
  );
  await vi.waitFor(() => expect(told).toMatchObject([{ score: 0.8, rank: 1, exact: true }]));
  stop();
});
