/** Scores around the end of a challenge. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, privateGroupPath } from "../../../functions/src/documents/paths.ts";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
import { renewPrivateGroup } from "../../../functions/src/groups/renew.ts";
import { showChanges } from "../../../functions/src/operations/shared/submission.ts";
import { recordSubmissions } from "../../../functions/src/submit/record-submissions.ts";
import {
  createGroup,
  eachBoardWithGroups,
  getGroup,
  hourMs,
  leaderboard,
  minuteMs,
  playInGroups,
  scoresIn,
  storedGroupOf,
} from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin } from "../../support/world.ts";

const { world, key, inMs, setStatus } = eachBoardWithGroups();

test("a score in time counts where a later one follows it while the group is not quiet", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(60_000) });
  await playInGroups(world, { ann: 1 });
  world.advance(60_000 - 500 - (world.services.now() % 60_000));
  await world.submit("bob", 3);
  // Half a second before the end; the group was written just now.
  await world.submit("ann", 5);
  world.advance(1_000);
  await world.submit("ann", 100);
  await doRefreshes(world);
  world.advance(3_600_000);
  expect(scoresIn(await getGroup(world, group, "bob"))).toEqual([
    ["ann", 5],
    ["bob", 3],
  ]);
});

test("a score in time counts where a refresh sees only the later one, before that has come into the group", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(60_000) });
  await playInGroups(world, { ann: 1 });
  world.advance(60_000 - 500 - (world.services.now() % 60_000));
  await world.submit("bob", 3);
  await world.submit("ann", 5);
  world.advance(1_000);
  const [late] = await recordSubmissions(world.services, leaderboard, [{ player: "ann", score: 100 }]);
  await renewPrivateGroup(world.services, leaderboard, group);
  await showChanges(world.services, late?.changes);
  world.advance(3_600_000);
  expect(scoresIn(await getGroup(world, group, "bob"))).toEqual([
    ["ann", 5],
    ["bob", 3],
  ]);
});

test("who joins with a score that was achieved after the end gets what a member has who had it before", async () => {
  const late = {
    score: 100,
    status: "active",
    achieved_at: Timestamp.fromMillis(world.services.now() + 3_600_000),
  };
  await world.db.doc(playerPath(key, "bob")).set(late);
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(60_000) });
  expect((await storedGroupOf(world, group)).seats["s2"]).not.toHaveProperty("score");
});

test("who is hidden and readmitted before a challenge ends has the score in time again", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(minuteMs) });
  await playInGroups(world, { ann: 5, bob: 7 });
  await setStatus("bob", "hidden");
  world.advance(2 * minuteMs);
  await playInGroups(world, { bob: 100 });
  await setStatus("bob", "active");
  world.advance(hourMs);
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
    ["bob", 7],
    ["ann", 5],
  ]);
});

test("a merge after the end keeps a score in time", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(minuteMs) });
  await playInGroups(world, { ann: 5, bob: 7 });
  world.advance(2 * minuteMs);
  await playInGroups(world, { cyd: 100 });
  await world.call("mergePlayers", { from: "bob", to: "cyd", leaderboard }, admin);
  world.advance(hourMs);
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
    ["cyd", 7],
    ["ann", 5],
  ]);
});

describe("a score that a server writes after the end without a time counts by the time of the write", () => {
  // The database dates writes by the real time.
  beforeEach(() => {
    world.advance(Date.now() - world.services.now());
  });

  test.for(["with", "without"])("%s its event", async (event) => {
    const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(hourMs) });
    await playInGroups(world, { ann: 5, bob: 7 });
    const endedAt = Timestamp.now();
    const ref = world.db.doc(privateGroupPath(leaderboard, group));
    await ref.update({ ends_at: endedAt, end_due_at: endedAt });
    const write = await world.writeDirectly(key, "bob", { score: 100, status: "active" });
    if (event === "with") await followInPrivateGroups(world.services, key, "bob", write);
    world.advance(hourMs);
    expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
      ["bob", 7],
      ["ann", 5],
    ]);
  });
});
