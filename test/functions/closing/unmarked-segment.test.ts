/** A server's player whose event has not come when the season closes is in the segments of the final table that the document says. */
import { expect, test } from "vitest";
import { createEnding, endSeason, playerFields, recordOf, writePlayers } from "../../support/closing.ts";
import { eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const inGuild = { segments: { guild: "g1" } };

test.each([
  ["complete", playerFields(9, 1, inGuild)],
  ["bare", { score: 9, ...inGuild }],
])("a %s document", async (_, fields) => {
  const definition = { segments: [{ name: "guild", from: "server" as const }] };
  const key = await createEnding(world, "board", { ann: playerFields(5, 0, inGuild) }, { definition });
  await writePlayers(world, key, { bob: fields });
  await endSeason(world, key);
  const { entries } = await world.call("getPage", { ...key, segment: { guild: "g1" } }, user("reader"));
  expect(entries.map(({ player, rank }) => [player, rank])).toEqual([
    ["bob", 1],
    ["ann", 2],
  ]);
});

test("on a board without segments nothing is read again for a mark", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(5, 0) });
  await writePlayers(world, key, { bob: playerFields(9, 1) });
  await endSeason(world, key);
  expect(await recordOf(world, key)).toMatchObject({ pass: 0, completed: { rounds: 0 } });
});
