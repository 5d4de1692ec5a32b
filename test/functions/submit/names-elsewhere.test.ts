/** A player's name in a season that begins is the name that the player has in another season of the board. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const world = eachWorld();
const ann = user("ann");

/** Submits; resolves to the names that the seasons then have, the day's first. */
async function submitted(more: object): Promise<unknown[]> {
  const { seasons } = await world.call("submitScore", { leaderboard, score: 1, ...more }, ann);
  const paths = seasons.map(({ season }) => playerPath({ leaderboard, season }, "ann"));
  const documents = await Promise.all(paths.map((path) => world.db.doc(path).get()));
  return documents.map((document) => document.get("display_name") as unknown);
}

test("a day begins with the name of the board's other spans, as it is now", async () => {
  await createBoard(world, leaderboard, { spans: ["daily", "all_time"] });
  expect(await submitted({ display_name: "Ann" })).toEqual(["Ann", "Ann"]);
  await world.call("setProfile", { leaderboard, display_name: "Anna" }, ann);
  world.advance(86_400_000);
  expect(await submitted({})).toEqual(["Anna", "Anna"]);
  await world.call("setProfile", { leaderboard, display_name: null }, ann);
  world.advance(86_400_000);
  expect(await submitted({})).toEqual([undefined, undefined]);
});

test("a submission's own name counts instead", async () => {
  await createBoard(world, leaderboard, { spans: ["daily", "all_time"] });
  await submitted({ display_name: "Ann" });
  world.advance(86_400_000);
  expect(await submitted({ display_name: "Cleo" })).toEqual(["Cleo", "Cleo"]);
});

test("a board with a single span begins without names", async () => {
  await createBoard(world, leaderboard, { spans: ["daily"] });
  await submitted({ display_name: "Ann" });
  world.advance(86_400_000);
  expect(await submitted({})).toEqual([undefined]);
});
