/** A submission that is refused opens no board, and takes none of the boards that may be opened in a day. */
import { beforeEach, expect, test } from "vitest";
import { newBoardsPath, seasonPath, seasonsPath } from "../../../functions/src/documents/paths.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const play = (leaderboard: string, player: string) =>
  world.call("submitScore", { leaderboard, score: 5 }, user(player));

beforeEach(async () => {
  await createBoard(world, "level", { template: { ids: "any", new_boards_per_day: 3 } });
  await play("level:first", "ann");
});

const refusals: [code: string, make: () => Promise<unknown>][] = [
  [
    "player_banned",
    () => world.call("setPlayerStatus", { leaderboard: "level", player: "ann", status: "banned" }, admin),
  ],
  ["player_erased", () => world.call("removePlayer", { leaderboard: "level", player: "ann" }, admin)],
];

test.each(refusals)("%s", async (code, make) => {
  await make();
  const boards = ["level:a", "level:b"];
  for (const board of boards) await expect(play(board, "ann")).rejects.toMatchObject({ code });
  // Somebody else is not kept out by that.
  await play("level:mine", "bob");
  for (const board of boards)
    expect((await world.db.doc(seasonPath(allTime(board))).get()).exists, board).toBe(false);
  expect((await world.db.doc(newBoardsPath("level:mine")).get()).get("boards")).toBe(2);
});

test("nor the next season of a board", async () => {
  await createBoard(world, "puzzle", { template: { ids: "any" }, spans: ["daily"] });
  const key = { leaderboard: "puzzle:1", season: "daily-2100-01-02" };
  await play(key.leaderboard, "ann");
  await world.call("setPlayerStatus", { leaderboard: "puzzle", player: "ann", status: "banned" }, admin);
  world.advance(24 * 3_600_000);
  await expect(play(key.leaderboard, "ann")).rejects.toMatchObject({ code: "player_banned" });
  const seasons = await world.db.collection(seasonsPath(key.leaderboard)).get();
  expect(seasons.docs.map(({ id }) => id)).toEqual([key.season]);
});
