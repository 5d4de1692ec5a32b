/** All who watch a group ask for its final places in the same second: `watchGroup` does, a second after its end is due. */
import { expect, test } from "vitest";
import { createGroup, eachBoardWithGroups, getGroup, hourMs, playInGroups } from "../../support/groups.ts";

const { world, inMs } = eachBoardWithGroups();

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
