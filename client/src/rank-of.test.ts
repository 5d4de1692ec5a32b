/** The rank of a score on a board with decimals, worked out on the device. A stand-in takes the place of Firebase. */
import { expect, test, vi } from "vitest";
import { anotherBoard, onlyPage, sdk } from "../../test/support/client/stand-in.ts";
import { rankOf } from "./rank-of.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

test("a score counts as the nearest step of the board, as for the functions", async () => {
  const board = anotherBoard({ season: "all_time" });
  sdk.documents.set(`leaderboards/${board.id}`, { decimals: 1 });
  sdk.documents.set(`leaderboards/${board.id}/seasons/all_time/scores_ranking`, onlyPage([0.8, 0.5]));
  const score = 0.1 + 0.7;
  expect(score).toBeLessThan(0.8);
  expect(await rankOf(board, score)).toMatchObject({ score: 0.8, rank: 1, exact: true });
});
