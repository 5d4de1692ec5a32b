/** All who watch a group ask for its final places in the same second: `watchGroup` does, a second after its end is due. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../../scripts/project.ts";
import {
  createGroup,
  eachBoardWithGroups,
  getGroup,
  hourMs,
  leaderboard,
  playInGroups,
  scoresIn,
} from "../../support/groups.ts";
import { callOn, user } from "../../support/world.ts";

const { world, save, setStatus, inMs } = eachBoardWithGroups();

test("an end that ten members ask for at once is one end: 1 read, 1 for each member and 2 writes", async () => {
  const members = Array.from({ length: 10 }, (_, i) => `p${i}`);
  const { group } = await createGroup(world, members, { ends_at: inMs(hourMs) });
  await playInGroups(world, Object.fromEntries(members.map((player, i) => [player, i])));
  world.advance(2 * hourMs);
  // The board is in memory.
  const { group: other } = await createGroup(world, ["zoe"], { name: "Others" });
  await getGroup(world, other, "zoe");
  const bill = await world.bill(() => Promise.all(members.map((player) => getGroup(world, group, player))));
  const ofEnd = 1 + members.length;
  const ofAnswers = 3 * members.length;
  expect(bill.reads).toBeLessThanOrEqual(ofEnd + ofAnswers);
  expect(bill.writes).toBe(2);
});

test("ten instances end a group once, and those who come too late write nothing", async () => {
  const members = Array.from({ length: 10 }, (_, i) => `p${i}`);
  const { group } = await createGroup(world, members, { ends_at: inMs(hourMs) });
  world.advance(2 * hourMs);
  const asked = members.map((player) => ({ player, instance: world.anotherInstance() }));
  const bill = await world.bill(() =>
    Promise.all(
      asked.map(({ player, instance }) => callOn(instance, "getGroup", { leaderboard, group }, user(player))),
    ),
  );
  expect(bill.writes).toBe(2);
  // Each reads the board, the group, all members once, the group at another attempt, and the group for the answer.
  expect(bill.reads).toBeLessThanOrEqual(10 * (2 + 1 + (1 + 2 * 10) + 1 + 1));
});

test("a player whom an admin hides after the end leaves the places, and comes back to them", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(hourMs) });
  await playInGroups(world, { ann: 7, bob: 5 });
  world.advance(2 * hourMs);
  await Promise.all(["ann", "bob"].map((player) => getGroup(world, group, player)));
  await setStatus("ann", "hidden");
  expect((await getGroup(world, group, "bob")).entries).toMatchObject([{ player: "bob", place: 2 }]);
  await setStatus("ann", "active");
  expect(scoresIn(await getGroup(world, group, "bob"))).toEqual([
    ["ann", 7],
    ["bob", 5],
  ]);
});

test("the first look at a hundred members after their end costs what docs/request-costs.md says", async () => {
  const members = Array.from({ length: 100 }, (_, i) => `p${i}`);
  await save({ spans: ["daily"] });
  const { group } = await createGroup(world, members, { ends_at: inMs(25 * hourMs) });
  world.advance(26 * hourMs);
  await world.submit("zoe", 1);
  const { group: other } = await createGroup(world, ["zoe"], { name: "Others" });
  await getGroup(world, other, "zoe");
  const { reads, writes } = await world.bill(() => getGroup(world, group, "p0"));
  const page = readFileSync(join(root, "docs/request-costs.md"), "utf8");
  expect(page).toContain(`once at the end of the group ${reads} and ${writes} writes`);
});
