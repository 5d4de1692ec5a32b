/** A ban that a private group has missed. */
import { expect, test } from "vitest";
import { grpc } from "../../../functions/src/world/retryable.ts";
import { watchCommits } from "../../support/commits.ts";
import { createGroup, eachBoardWithGroups, getGroup, hourMs } from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";

const { world, save, setStatus } = eachBoardWithGroups();
const shownIn = async (group: string) =>
  (await getGroup(world, group, "ann")).entries.map(({ player }) => player);

test("a ban that a group has missed comes into it with its next refresh", async () => {
  await save({ spans: ["daily"] });
  const { group } = await createGroup(world, ["ann", "bob"]);
  let isDown = true;
  watchCommits(world, (writes, perform) =>
    isDown && writes.some(({ path }) => path.includes("private_groups"))
      ? Promise.reject(Object.assign(new Error("the database is not there"), { code: grpc.deadlineExceeded }))
      : perform(),
  );
  await setStatus("bob", "banned").catch(() => undefined);
  isDown = false;
  for (const score of [1, 2, 3]) {
    await world.submit("ann", score);
    await doRefreshes(world);
    world.advance(hourMs);
    await getGroup(world, group, "bob");
  }
  expect(await shownIn(group)).toEqual(["ann"]);
});
