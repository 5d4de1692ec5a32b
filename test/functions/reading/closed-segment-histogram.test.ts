/** A histogram of a segment in a closed season: its numbers are those of the final table, so they are certain. */
import { expect, test } from "vitest";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const country = { name: "country", from: "server" as const };
const inCountry = { segments: { country: "AT" } };

test("says that its numbers are certain, as that of all players does", async () => {
  const players = {
    ann: playerFields(97, 0, inCountry),
    bob: playerFields(58, 1, inCountry),
    cem: playerFields(3, 2, inCountry),
  };
  const key = await createEnding(world, "board", players, { definition: { segments: [country] } });
  await endSeason(world, key);
  const asked = { ...key, bins: 4 };
  const all = await world.call("getHistogram", asked, user("x"));
  const inAustria = await world.call("getHistogram", { ...asked, segment: { country: "AT" } }, user("x"));
  expect(all).toMatchObject({ exact: true, players: 3 });
  expect(inAustria.bins).toEqual(all.bins);
  expect(inAustria).toMatchObject({ exact: true, players: 3 });
});
