/** The error about a damaged group says "give it the fields of a group again, or delete it". */
import { expect, test } from "vitest";
import { groupPath } from "../../../functions/src/documents/paths.ts";
import { createLeague, doRefreshes, endWeek, five, play, presentWeek, seated } from "../../support/league.ts";
import { eachWorld } from "../../support/world.ts";

const world = eachWorld();

test("once the damaged newest group of a tier is deleted, those who come get seats in a group of another name", async () => {
  await createLeague(world);
  const week = await presentWeek(world);
  await play(world, { ...five, fay: 60 });
  await world.db.doc(groupPath(week, "bronze-2")).update({ seats: "lost" });
  await world.submit("gus", 1);
  await expect(doRefreshes(world)).rejects.toThrow("is damaged");
  await world.db.doc(groupPath(week, "bronze-2")).delete();
  world.refreshes.clear();
  world.advance(10_000);
  await play(world, { hal: 2 });
  const groups = await seated(world, week);
  expect(groups["bronze-1"]).toEqual(Object.keys(five));
  expect(Object.values(groups).flat().toSorted()).toEqual([...Object.keys(five), "gus", "hal"]);
  await endWeek(world, week);
});
