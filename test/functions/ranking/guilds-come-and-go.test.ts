/** A value that nobody has any more leaves its place to another, also where both change between the same two runs. */
import { expect, test } from "vitest";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { admin, allTime, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const leaderboard = "board";
const key = allTime(leaderboard);
const world = eachWorld();

test("990 guilds, 20 of which are dissolved and 20 founded between two runs, are ranked then and later", async () => {
  await createBoard(world, leaderboard, { segments: [{ name: "guild", from: "server" }] });
  const write = async (players: readonly number[], guildOf: (player: number) => string) => {
    for (let i = 0; i < players.length; i += 200) {
      const names = players.slice(i, i + 200).map((player) => `p${player}`);
      await countPlayers(world.services, key, names, {
        rewrite(name) {
          const player = Number(name.slice(1));
          return { score: player, segments: { guild: guildOf(player) } };
        },
      });
    }
  };
  const run = async () => {
    world.advance(300_000);
    return (await publishRanking(world.services, key)).found;
  };
  const all = Array.from({ length: 990 }, (_, i) => i);
  await world.call("submitScores", { leaderboard, submissions: [{ player: "x", score: 1 }] }, admin);
  await write(all, (player) => `g${player}`);
  const before = await run();
  // Never more than 990 guilds have members.
  await write(all.slice(0, 20), (player) => `new${player}`);
  const after = await run();
  // Later, with half as many guilds, another one is founded.
  await write(all.slice(500), () => "g1");
  await run();
  await write([3], () => "latest");
  await run();
  const asked = { leaderboard, player: "p3", segments: ["guild"] };
  const rank = await callOn(world.services, "getRank", asked, user("p3"), true);
  expect([before, after].map(({ segments, left_out: left }) => [segments, left])).toEqual([
    [990, undefined],
    [990, undefined],
  ]);
  expect(rank.segments?.["guild"]).toMatchObject({ rank: 1, players: 1 });
});
