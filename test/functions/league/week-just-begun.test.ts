/** A week that another instance has opened a moment ago: whoever has scored in it is not told to be too late. */
import { expect, test } from "vitest";
import { createLeague, doRefreshes } from "../../support/league.ts";
import { callOn, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();

test("who has scored through one instance waits for a seat, and has one, also as another instance says", async () => {
  await createLeague(world);
  const other = world.anotherInstance();
  const look = (player: string) => callOn(other, "getLeague", { leaderboard: "board" }, user(player));
  expect(await look("bob")).toMatchObject({ league: null, why: "no_score" });
  await world.submit("ann", 1);
  expect(await look("ann")).toMatchObject({ league: null, why: "seating" });
  await doRefreshes(world);
  expect(await look("ann")).toMatchObject({ league: { group: "bronze-1", place: 1 } });
});
