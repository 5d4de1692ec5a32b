/** Reading accepts what closing and revising a season write. */
import { expect, test } from "vitest";
import { standingsSummaryPath } from "../../../../functions/src/documents/paths.ts";
import { closedAround, closedPage } from "../../../../functions/src/reading/lists/closed.ts";
import { isClosed } from "../../../../functions/src/reading/standings-reads.ts";
import { createEnding, endSeason, playerFields, sortedPlayers } from "../../../support/closing.ts";
import { admin, createWorld } from "../../../support/world.ts";

test("a season that its own steps closed and an admin revised is listed as a full sort does", async () => {
  const world = createWorld();
  const players = Array.from({ length: 2_200 }, (_, i) => {
    const metadata = i % 700 === 0 ? { metadata: { i } } : {};
    return [`p${i}`, playerFields(i < 1_500 ? 500 : i % 600, i, metadata)] as const;
  });
  const key = await createEnding(world, "board", Object.fromEntries(players));
  await endSeason(world, key);
  const gone = ["p3", "p1499", "p1503"];
  for (const player of gone)
    await world.call("setPlayerStatus", { leaderboard: "board", player, status: "hidden" }, admin);

  const services = world.anotherInstance();
  const board = await services.boards.load(key);
  if (!isClosed(board)) throw new Error("it is not closed");
  const sorted = await sortedPlayers(world, key, "descending", "first");
  const walked: string[] = [];
  for (let cursor: string | undefined; ;) {
    const { entries, next_cursor: next } = await closedPage(
      services,
      board,
      { offset: 0, cursor },
      { limit: 100 },
    );
    for (const { player, position, rank, metadata } of entries) {
      walked.push(player);
      const one = sorted[position - 1];
      expect(player).toBe(one?.player);
      expect(rank).toBe(1 + sorted.findIndex(({ score }) => score === one?.score));
      expect(metadata).toEqual(
        Number(player.slice(1)) % 700 === 0 ? { i: Number(player.slice(1)) } : undefined,
      );
    }
    if (next === undefined) break;
    cursor = next;
  }
  expect(walked).toEqual(sorted.map(({ player }) => player));
  const around = await closedAround(services, board, "p1200", { above: 2, below: 2 });
  const at = walked.indexOf("p1200");
  expect(around.entries.map(({ player }) => player)).toEqual(walked.slice(at - 2, at + 3));
  expect((await world.db.doc(standingsSummaryPath(key)).get()).get("revisions")).toBe(gone.length);
});
