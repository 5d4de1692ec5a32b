/**
 * definition.md: "Each season keeps what it was counted by, so that also holds where somebody has deleted or changed the stored
 * definition by hand". A group that is renewed after a hiding, an erasure or a merge goes by the stored `decimals`
 * (`loadDefinition` in renewGroupsOf), so all its scores are rounded anew.
 */
import { expect, test } from "vitest";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import { createLeague, getLeague, play } from "../../support/league.ts";
import { admin, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

test("scores of a group stay as they were counted where another member is hidden", async () => {
  await createLeague(world, {}, { decimals: 2 });
  await play(world, { ann: 1.25, bob: 1.5, cyd: 1 });
  await world.db.doc(leaderboardPath("board")).update({ decimals: 0 });
  world.advance(61_000);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "cyd", status: "hidden" }, admin);
  const { score } = await world.call("getRank", { leaderboard: "board", freshness: "live" }, user("ann"));
  expect(score).toBe(1.25);
  const { league } = await getLeague(world, "ann");
  expect(league?.entries.flatMap(({ score: shown }) => shown ?? [])).toEqual([1.5, 1.25]);
});
