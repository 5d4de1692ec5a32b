/** A player's data on the command line: what each board has. */
import { expect, test } from "vitest";
import { exportPlayer } from "../../../cli/export-player.ts";
import { leaderboardsPath } from "../../../functions/src/documents/paths.ts";
import { exportBytesMax } from "../../../functions/src/operations/export-player.ts";
import { openEnding, playerFields, writePlayers } from "../../support/closing.ts";
import { createBoard, createWorld, user } from "../../support/world.ts";

test("of all boards those are there that have something, of any size, or the one that is named", async () => {
  const world = createWorld();
  for (const board of ["league", "empty", "cups"]) await createBoard(world, board, { spans: [] });
  await world.db.doc(`${leaderboardsPath}/a note, by hand`).set({ text: "play on" });
  const text = "x".repeat(900_000);
  const seasons = Array.from({ length: 10 }, (_, i) => `cup-${i}`);
  for (const season of seasons) {
    const key = { leaderboard: "cups", season };
    await openEnding(world, key);
    await writePlayers(world, key, { ann: { ...playerFields(1, 0), text } });
  }
  const spring = { leaderboard: "league", season: "spring" };
  await openEnding(world, spring);
  await writePlayers(world, spring, { ann: playerFields(1, 0) });

  const all = await exportPlayer(world.services, "ann");
  expect(all.boards.map(({ leaderboard }) => leaderboard)).toEqual(["cups", "league"]);
  expect(all.boards[0]?.seasons.map(({ season }) => season)).toEqual(seasons);
  expect(JSON.stringify(all).length).toBeGreaterThan(exportBytesMax);

  const one = await exportPlayer(world.services, "ann", "league");
  expect(one.boards).toMatchObject([{ leaderboard: "league", seasons: [{ season: "spring" }] }]);
  expect(await exportPlayer(world.services, "ann", "empty")).toEqual({ player: "ann", boards: [] });
  expect(await exportPlayer(world.services, "bob")).toEqual({ player: "bob", boards: [] });
  await expect(exportPlayer(world.services, "a/b")).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^the player: /) as string,
  });
  await expect(exportPlayer(world.services, "ann", "nowhere")).rejects.toThrow("no leaderboard");
});

test("of a template those of its boards are there that have something, whether the template is named or not", async () => {
  const world = createWorld();
  await createBoard(world, "level", { template: { ids: "any" } });
  await createBoard(world, "arena");
  for (const leaderboard of ["level:1", "level:2", "arena"])
    await world.call("submitScore", { leaderboard, score: 1 }, user("ann"));
  await world.call("submitScore", { leaderboard: "level:3", score: 1 }, user("bob"));
  const boardsOf = async (only?: string) =>
    (await exportPlayer(world.services, "ann", only)).boards.map(({ leaderboard }) => leaderboard).sort();
  expect(await boardsOf()).toEqual(["arena", "level:1", "level:2"]);
  expect(await boardsOf("level")).toEqual(["level:1", "level:2"]);
  expect(await boardsOf("level:2")).toEqual(["level:2"]);
  // That a template is no board itself is nothing to warn about.
  expect(world.logged.filter(({ level }) => level !== "info")).toEqual([]);
});
