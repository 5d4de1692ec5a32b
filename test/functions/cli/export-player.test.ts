/** A player's data on the command line: all answers in one. */
import { expect, test } from "vitest";
import { exportPlayer, isEmpty } from "../../../cli/export-player.ts";
import { openEnding, playerFields, writePlayers } from "../../support/closing.ts";
import { createBoard, createWorld } from "../../support/world.ts";
import { exportedMax } from "../../../functions/src/operations/export-player.ts";

test("of more seasons than one answer has, all are there, on one board or on all", async () => {
  const world = createWorld();
  await createBoard(world, "board", { spans: [] });
  await createBoard(world, "other");
  const seasons = Array.from({ length: exportedMax + 5 }, (_, i) => `cup-${String(i).padStart(3, "0")}`);
  for (const season of seasons) {
    await openEnding(world, { leaderboard: "board", season });
    await writePlayers(world, { leaderboard: "board", season }, { ann: playerFields(1, 0) });
  }
  for (const board of [undefined, "board"]) {
    const exported = await exportPlayer(world.services, "ann", board);
    expect(exported.seasons.map(({ season }) => season)).toEqual(seasons);
    expect(exported).not.toHaveProperty("next_cursor");
    expect(isEmpty(exported)).toBe(false);
  }
  expect(isEmpty(await exportPlayer(world.services, "ann", "other"))).toBe(true);
  expect(isEmpty(await exportPlayer(world.services, "bob"))).toBe(true);
  await expect(exportPlayer(world.services, "a/b")).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/^the player: /) as string,
  });
  await expect(exportPlayer(world.services, "ann", "nowhere")).rejects.toThrow("no leaderboard");
});
