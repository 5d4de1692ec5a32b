/** Who is hidden stays out of sight, and comes back whole. */
import { expect, test } from "vitest";
import { privateGroupPath } from "../../../functions/src/documents/paths.ts";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
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
import { user } from "../../support/world.ts";

const { world, key, inMs, setStatus, save } = eachBoardWithGroups();

test("somebody hidden at the end and readmitted later takes nobody's place", async () => {
  const ends_at = new Date(world.services.now() + 60_000).toISOString();
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at });
  await playInGroups(world, { ann: 5, bob: 7 });
  await setStatus("bob", "hidden");
  world.advance(3_600_000);
  await getGroup(world, group, "ann");
  await setStatus("bob", "active");
  const { entries } = await getGroup(world, group, "ann");
  expect(entries.map(({ place }) => place)).toEqual([1, 2]);
  expect(entries.find(({ player }) => player === "ann")?.place).toBe(1);
});

test("a hidden player whose document a server replaced without score and status stays out of sight", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { bob: 7 });
  await setStatus("bob", "hidden");
  const write = await world.writeDirectly(key, "bob", { country: "PT" });
  await world.follow(key, "bob", write);
  await followInPrivateGroups(world.services, key, "bob", write);
  await doRefreshes(world);
  await getGroup(world, group, "bob");
  expect((await getGroup(world, group, "ann")).entries.map(({ player }) => player)).toEqual(["ann"]);
});

test("a hidden player whose document a server replaced without a status stays out of sight under a new name", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { bob: 7 });
  await setStatus("bob", "hidden");
  world.advance(minuteMs);
  await world.writeDirectly(key, "bob", { score: 9 });
  await world.call("setProfile", { leaderboard, display_name: "Bob" }, user("bob"));
  expect((await getGroup(world, group, "ann")).entries.map(({ player }) => player)).toEqual(["ann"]);
});

test("somebody whom a server hides and readmits is shown again", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { bob: 7 });
  for (const status of ["hidden", "active"]) {
    world.advance(60_000);
    const write = await world.writeDirectly(key, "bob", { score: 7, status });
    await world.follow(key, "bob", write);
    await followInPrivateGroups(world.services, key, "bob", write);
    await doRefreshes(world);
  }
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
    ["bob", 7],
    ["ann", null],
  ]);
});

test("a member without a score can be hidden", async () => {
  const { group, code } = await createGroup(world, ["ann"]);
  await world.call("joinGroup", { leaderboard, code, display_name: "Insult" }, user("bob"));
  await setStatus("bob", "hidden");
  expect((await getGroup(world, group, "ann")).players).toBe(1);
});

test("who is hidden and readmitted after the end has the final score again", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(minuteMs) });
  await playInGroups(world, { ann: 5, bob: 7 });
  world.advance(hourMs);
  await getGroup(world, group, "ann");
  await playInGroups(world, { bob: 100 });
  await setStatus("bob", "hidden");
  await setStatus("bob", "active");
  expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
    ["bob", 7],
    ["ann", 5],
  ]);
});

test("a player hidden by a server for one day is shown with the first score of the next", async () => {
  await save({ spans: ["daily"] });
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { bob: 1 });
  const day = { leaderboard, season: (await storedGroupOf(world, group)).season };
  const write = await world.writeDirectly(day, "bob", { score: 1, status: "hidden" });
  await world.follow(day, "bob", write);
  await import("../../../functions/src/groups/follow-private.ts").then((m) =>
    m.followInPrivateGroups(world.services, day, "bob", write),
  );
  await doRefreshes(world);
  world.advance(24 * hourMs);
  await playInGroups(world, { bob: 5 });
  const { entries } = await getGroup(world, group, "ann");
  expect(entries).toContainEqual(expect.objectContaining({ player: "bob", score: 5 }));
});

test("a damaged group keeps nobody shown in another", async () => {
  const one = await createGroup(world, ["bob", "ann"], { name: "A" });
  const two = await createGroup(world, ["bob", "ann"], { name: "B" });
  await playInGroups(world, { bob: 7 });
  await world.db
    .doc(privateGroupPath(leaderboard, one.group))
    .update({ "seats.s2.player": "", readers: ["bob", ""] });
  await setStatus("bob", "hidden").catch(() => undefined);
  expect(JSON.stringify(await storedGroupOf(world, two.group))).not.toContain("bob");
});

test("a hidden player whose document a server deletes stays out of sight", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await playInGroups(world, { bob: 7 });
  await setStatus("bob", "hidden");
  world.advance(minuteMs);
  const write = await world.writeDirectly(key, "bob", undefined);
  await followInPrivateGroups(world.services, key, "bob", write);
  expect((await storedGroupOf(world, group)).seats["s2"]).not.toHaveProperty("player");
});

test("a hidden player's score after the end shows nobody, where a server has left out the status", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(minuteMs) });
  await playInGroups(world, { bob: 7 });
  await setStatus("bob", "hidden");
  await world.writeDirectly(key, "bob", { score: 8 });
  world.advance(2 * minuteMs);
  await world.submit("bob", 100);
  expect((await storedGroupOf(world, group)).seats["s2"]).not.toHaveProperty("player");
});
