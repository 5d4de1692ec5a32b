/** Names that every object of JavaScript has: `constructor` is a board, a tournament, a segment and a column as any other. */
import { expect, test } from "vitest";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const leaderboard = "constructor";
const season = "constructor";

test("a board, a tournament, a segment and a column called constructor", async () => {
  await createBoard(world, leaderboard, {
    spans: [],
    columns: [{ name: "constructor", min: 0, max: 100 }],
    aggregation: "sum",
    segments: [{ name: "constructor", from: "submission", values: ["ferrari"] }],
  });
  await world.call("openSeason", { leaderboard, season }, admin);
  const score = { columns: { constructor: 25 }, segments: { constructor: "ferrari" } };
  const submit = () => world.call("submitScore", { leaderboard, season, ...score }, user("ann"));
  await submit();
  await submit();
  await world.publish({ leaderboard, season });
  const rank = await world.call("getRank", { leaderboard, season, segments: ["constructor"] }, user("ann"));
  expect(rank).toMatchObject({ rank: 1, columns: { constructor: 50 } });
  await world.call("removePlayer", { player: "ann", leaderboard }, admin);
  await expect(submit()).rejects.toMatchObject({ code: "player_erased" });
});
