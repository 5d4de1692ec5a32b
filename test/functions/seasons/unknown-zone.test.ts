/** A board is stored with a time zone that the calendar does not know, and Intl does: nothing is lost, and it can be saved away. */
import { expect, test } from "vitest";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import { findAlerts } from "../../../functions/src/jobs/schedule/watch.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const save = (definition: object) =>
  world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
const rank = (more: object) => world.call("getRank", { leaderboard: "board", ...more }, user("ann"));

/** As somebody stores it by hand, or an older release did. */
async function storeZone(fields: object): Promise<void> {
  await world.db.doc(leaderboardPath("board")).update({ time_zone: "JST", ...fields });
  boardCacheOf(world.services).forget("board");
}

test.each(["JST", "BST", "Mars/Base", ""])("%j is refused at the save", async (time_zone) => {
  await createBoard(world, "board");
  await expectRefusal(world, invalid("definition.time_zone"), () => save({ time_zone }));
  await expectRefusal(world, invalid("definition.time_zone"), () => save({ time_zone, spans: ["daily"] }));
});

test("and the refusal has the name to write instead", async () => {
  await createBoard(world, "board");
  const saving = save({ spans: ["daily"], time_zone: "JST" });
  await expect(saving).rejects.toThrow(
    '"JST" is none: write "Asia/Tokyo", if you mean that one of the zones',
  );
});

test("a board of days says what is wrong, keeps the scores of its seasons, and is saved away", async () => {
  await createBoard(world, "board", { spans: ["daily"], time_zone: "Asia/Tokyo", min_score: 1 });
  await world.submit("ann", 5);
  await storeZone({});
  const refusal = {
    code: "unknown_schema_version",
    message: expect.stringContaining('"JST" is none: write "Asia/Tokyo"') as unknown,
  };
  await expect(world.submit("ann", 9)).rejects.toMatchObject(refusal);
  await expect(rank({})).rejects.toMatchObject(refusal);
  const season = "daily-2100-01-02";
  const { alerts } = await findAlerts(world.services);
  expect(alerts).toMatchObject([{ code: "time_zone_unknown", leaderboard: "board", season }]);
  await expectRefusal(world, invalid("definition.time_zone"), () => save({ top_size: 20 }));
  expect(await save({ time_zone: "Asia/Tokyo" })).toMatchObject({ spans: ["daily"], min_score: 1 });
  expect(await world.submit("ann", 9)).toMatchObject({ seasons: [{ season, score: 9 }] });
});

test("its order stays frozen", async () => {
  await createBoard(world, "board");
  await world.submit("ann", 5);
  await storeZone({});
  const other = save({ time_zone: "UTC", order: "ascending" });
  await expect(other).rejects.toMatchObject({ code: "definition_frozen" });
});

test("a board of all time goes on, also with movement, of which it says nothing until it is saved away", async () => {
  await createBoard(world, "board", { movement: true });
  await world.submit("ann", 5);
  world.advance(86_400_000);
  await storeZone({});
  await world.submit("ann", 7);
  await world.writeDirectly(allTime("board"), "bob", { score: 6 });
  await world.deliver(allTime("board"), "bob");
  await world.publish(allTime("board"));
  expect(await rank({})).toMatchObject({ rank: 1, score: 7, players: 2 });
  await expect(rank({ since: "day" })).rejects.toMatchObject({ code: "unknown_schema_version" });
  await save({ time_zone: "Asia/Tokyo", spans: ["all_time", "daily"] });
  expect(await world.submit("ann", 8)).toMatchObject({
    seasons: [{ season: "all_time" }, { season: "daily-2100-01-03" }],
  });
  expect(await rank({ since: "day" })).toMatchObject({ moved: null });
});
