/** A player's values in a season that begins are the values that the player has in another season of the board. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const world = eachWorld();

test("a season whose document has an empty map of values hides no values of the next season", async () => {
  await createBoard(world, leaderboard, {
    spans: ["daily", "monthly", "weekly"],
    segments: [{ name: "country", from: "submission", values: ["AT"] }],
  });
  const submit = async (more: object) => {
    const { seasons } = await world.call("submitScore", { leaderboard, score: 1, ...more }, user("ann"));
    return seasons.map(({ season }) => ({ leaderboard, season }));
  };
  const [, month] = await submit({ segments: { country: "AT" } });
  if (month === undefined) throw new Error("the board has three spans");
  await world.db.doc(playerPath(month, "ann")).update({ segments: {} });
  world.advance(86_400_000);
  const [day] = await submit({});
  if (day === undefined) throw new Error("the board has three spans");
  const begun = await world.db.doc(playerPath(day, "ann")).get();
  expect(begun.get("segments")).toEqual({ country: "AT" });
});
