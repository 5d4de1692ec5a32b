/** A list that stands for an empty map, where a board has no columns: as `"columns": null`, it must not cost a player the score. */
import { beforeEach, expect, test } from "vitest";
import { allTime, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

beforeEach(() =>
  createBoard(world, "run", { segments: [{ name: "country", from: "submission", values: ["AT"] }] }),
);

test.each(['{"score":850,"columns":[],"segments":[]}', '{"score":850,"columns":{},"segments":{}}'])(
  "a score with %s counts",
  async (body) => {
    const sent = callOn(
      world.services,
      "submitScore",
      { leaderboard: "run", ...JSON.parse(body) },
      user("ann"),
    );
    expect(await sent).toMatchObject({ seasons: [{ score: 850 }] });
  },
);

test.each([
  '{"player":"ann","columns":[]}',
  '{"player":"ann","segment":[]}',
  '{"player":"ann","segments":[]}',
])("a rank is answered to %s", async (body) => {
  await world.call("submitScore", { leaderboard: "run", score: 850 }, user("ann"));
  await world.publish(allTime("run"));
  const rank = callOn(world.services, "getRank", { leaderboard: "run", ...JSON.parse(body) }, user("ann"));
  expect(await rank).toMatchObject({ rank: 1 });
});
