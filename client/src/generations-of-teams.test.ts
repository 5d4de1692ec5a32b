/** A document of teams may be of an older generation than the ranking, or not there yet: then the app has seen a newer one. */
import { expect, test, vi } from "vitest";
import { anotherBoard, sdk } from "../../test/support/client/stand-in.ts";
import { getRank, getTeams } from "./reads.ts";

// The worker may have loaded the modules for a file with the real Firebase.
vi.hoisted(() => vi.resetModules());
vi.mock("firebase/auth", async () => (await import("../../test/support/client/stand-in.ts")).auth);
vi.mock("firebase/firestore", async () => (await import("../../test/support/client/stand-in.ts")).firestore);
vi.mock("firebase/functions", async () => (await import("../../test/support/client/stand-in.ts")).functions);

test.each([0, 3])("teams of generation %i do not let ranks go back", async (ofTeams) => {
  const board = anotherBoard();
  const answer = (generation: number) => async () => ({ season: "all_time", generation, entries: [] });
  sdk.answer = answer(9);
  await getRank(board);
  sdk.answer = answer(ofTeams);
  await getTeams(board, { segment: "guild" });
  sdk.answer = answer(9);
  await getRank(board);
  expect(sdk.calls.at(-1)).toMatchObject({ min_generation: 9 });
});
