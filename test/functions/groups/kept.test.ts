/** What becomes of members who are hidden, banned, erased or merged; of direct writes, crashes and imports. */
import { describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, privateGroupPath, privateGroupsPath } from "../../../functions/src/documents/paths.ts";
import { followInPrivateGroups } from "../../../functions/src/groups/follow-private.ts";
import { openGroupsWith } from "../../../functions/src/groups/keep-private.ts";
import { renewPrivateGroup } from "../../../functions/src/groups/renew.ts";
import {
  createGroup,
  eachBoardWithGroups,
  expectNoGroups,
  getGroup,
  leaderboard,
  playInGroups,
  refused,
  scoresIn,
  storedGroupOf,
} from "../../support/groups.ts";
import { doRefreshes } from "../../support/league.ts";
import { admin, user } from "../../support/world.ts";

const { world, key, setStatus } = eachBoardWithGroups();

/** All that is stored of groups. */
const stored = async () =>
  JSON.stringify(
    (await world.db.collection(privateGroupsPath(leaderboard)).get()).docs.map((one) => one.data()),
  );

describe("a moderator", () => {
  test.each(["hidden", "banned"] as const)(
    "takes one who is %s out of sight, and back into the same seat",
    async (status) => {
      const { group } = await createGroup(world, ["ann", "bob"]);
      await playInGroups(world, { ann: 5, bob: 7 });
      await setStatus("bob", status);
      expect(await stored()).not.toContain("bob");
      expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([["ann", 5]]);
      expect(await getGroup(world, group, "bob")).toMatchObject({ place: null, players: 1 });
      await playInGroups(world, { ann: 6 });
      expect(await stored()).not.toContain("bob");
      await setStatus("bob", "active");
      expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
        ["bob", 7],
        ["ann", 6],
      ]);
      expect((await storedGroupOf(world, group)).seats["s2"]).toMatchObject({ player: "bob", score: 7 });
    },
  );

  test("keeps a hidden player out of sight in the next season, too", async () => {
    await world.call("saveLeaderboard", { leaderboard, definition: { spans: ["daily", "all_time"] } }, admin);
    const { group } = await createGroup(world, ["ann", "bob"]);
    await playInGroups(world, { ann: 5, bob: 7 });
    await setStatus("bob", "hidden");
    world.advance(24 * 3_600_000);
    expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([["ann", null]]);
    await playInGroups(world, { bob: 9, ann: 1 });
    expect(await stored()).not.toContain("bob");
    await setStatus("bob", "active");
    expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
      ["bob", 9],
      ["ann", 1],
    ]);
  });

  test("keeps a banned player from making and joining groups", async () => {
    const { code } = await createGroup(world, ["ann"]);
    await playInGroups(world, { bob: 7 });
    await setStatus("bob", "banned");
    await expect(createGroup(world, ["bob"])).rejects.toEqual(refused("player_banned"));
    await expect(world.call("joinGroup", { leaderboard, code }, user("bob"))).rejects.toEqual(
      refused("player_banned"),
    );
  });

  test("shows nobody a hidden player who joins", async () => {
    const { group, code } = await createGroup(world, ["ann"]);
    await playInGroups(world, { bob: 7 });
    await setStatus("bob", "hidden");
    await world.call("joinGroup", { leaderboard, code }, user("bob"));
    expect(await stored()).not.toContain("bob");
    expect((await getGroup(world, group, "ann")).players).toBe(1);
  });

  test("after the end hides a member, and changes no place", async () => {
    const ends_at = new Date(world.services.now() + 60_000).toISOString();
    const { group } = await createGroup(world, ["ann", "bob"], { ends_at });
    await playInGroups(world, { ann: 5, bob: 7 });
    world.advance(3_600_000);
    await getGroup(world, group, "ann");
    await setStatus("bob", "hidden");
    expect((await getGroup(world, group, "ann")).entries).toEqual([
      { place: 2, rank: 1, player: "ann", score: 5 },
    ]);
    await playInGroups(world, { bob: 100 });
    await setStatus("bob", "active");
    const { entries } = await getGroup(world, group, "ann");
    expect(entries.map(({ player, place }) => [player, place])).toEqual([
      ["bob", 1],
      ["ann", 2],
    ]);
    expect(JSON.stringify(entries)).not.toContain("100");
  });
});

describe("an erasure", () => {
  test("leaves nothing of a member, and passes the group on", async () => {
    const { group, code } = await createGroup(world, ["ann", "bob"]);
    await playInGroups(world, { ann: 5, bob: 7 }, { display_name: "Name" });
    const exported = await world.call("exportPlayer", { leaderboard, player: "ann" }, admin);
    expect(exported.private_groups).toEqual([
      {
        document: privateGroupPath(leaderboard, group),
        name: "Friends",
        is_owner: true,
        seat: expect.objectContaining({ player: "ann", score: 5 }) as unknown,
      },
    ]);
    await world.call("removePlayer", { leaderboard, player: "ann" }, admin);
    expect(await stored()).not.toContain("ann");
    expect(await getGroup(world, group, "bob")).toMatchObject({ owner: "bob", players: 1 });
    const after = await world.call("exportPlayer", { leaderboard, player: "ann" }, admin);
    expect(after).not.toHaveProperty("private_groups");
    await expect(world.call("joinGroup", { leaderboard, code }, user("ann"))).rejects.toEqual(
      refused("player_erased"),
    );
    await expect(createGroup(world, ["ann"])).rejects.toEqual(refused("player_erased"));
  });

  test("of the only member takes the group with its code", async () => {
    await createGroup(world, ["ann"]);
    await world.call("removePlayer", { leaderboard, player: "ann" }, admin);
    await expectNoGroups(world);
  });

  test("takes a member out of the event of an end, too", async () => {
    const ends_at = new Date(world.services.now() + 60_000).toISOString();
    const { group } = await createGroup(world, ["ann", "bob"], { ends_at });
    await playInGroups(world, { ann: 5, bob: 7 });
    world.advance(3_600_000);
    await getGroup(world, group, "ann");
    await world.call("removePlayer", { leaderboard, player: "bob" }, admin);
    const { docs } = await world.db.collection(`leaderboards/${leaderboard}/events`).get();
    expect(JSON.stringify(docs.map((one) => one.data()))).not.toContain("bob");
    expect((await getGroup(world, group, "ann")).entries).toMatchObject([{ place: 2, player: "ann" }]);
  });
});

describe("a merge", () => {
  const merge = (from: string, to: string) => world.call("mergePlayers", { from, to, leaderboard }, admin);

  test("puts the one who stays in the other's place, also as the owner", async () => {
    const { group } = await createGroup(world, ["ann", "bob"]);
    await playInGroups(world, { ann: 5, bob: 7, cyd: 9 });
    await merge("ann", "cyd");
    expect(await stored()).not.toContain("ann");
    const answer = await getGroup(world, group, "cyd");
    expect(answer.owner).toBe("cyd");
    expect(scoresIn(answer)).toEqual([
      ["cyd", 9],
      ["bob", 7],
    ]);
  });

  test("of two members of a group leaves one", async () => {
    const { group } = await createGroup(world, ["ann", "bob", "cyd"]);
    await playInGroups(world, { ann: 5, bob: 7 });
    await merge("ann", "bob");
    const answer = await getGroup(world, group, "bob");
    expect(answer).toMatchObject({ owner: "bob", players: 2 });
    expect(scoresIn(answer)).toEqual([
      ["bob", 7],
      ["cyd", null],
    ]);
    expect(await stored()).not.toContain("ann");
  });

  test("may bring a player above ten groups, and loses none", async () => {
    for (let i = 0; i < 8; i++) await createGroup(world, ["ann"], { name: `A ${i}` });
    for (let i = 0; i < 8; i++) await createGroup(world, ["bob"], { name: `B ${i}` });
    await playInGroups(world, { ann: 5, bob: 7 });
    await merge("ann", "bob");
    expect((await world.call("getMyGroups", { leaderboard }, user("bob"))).groups).toHaveLength(16);
    await expect(createGroup(world, ["bob"], { name: "one more" })).rejects.toEqual(
      refused("invalid_request"),
    );
  });

  test("keeps the final score of a group that has ended", async () => {
    const ends_at = new Date(world.services.now() + 60_000).toISOString();
    const { group } = await createGroup(world, ["ann", "bob"], { ends_at });
    await playInGroups(world, { ann: 5, bob: 7 });
    world.advance(3_600_000);
    await getGroup(world, group, "ann");
    await playInGroups(world, { cyd: 100 });
    await merge("bob", "cyd");
    expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([
      ["cyd", 7],
      ["ann", 5],
    ]);
  });

  test("into a banned player shows nobody", async () => {
    const { group } = await createGroup(world, ["ann", "bob"]);
    await playInGroups(world, { ann: 5, bob: 7, cyd: 9 });
    await setStatus("cyd", "banned");
    await merge("bob", "cyd");
    expect(scoresIn(await getGroup(world, group, "ann"))).toEqual([["ann", 5]]);
  });
});

describe("what a process has left behind", () => {
  test("is made up for by the member's own getGroup", async () => {
    const { group } = await createGroup(world, ["ann", "bob"]);
    await playInGroups(world, { ann: 5 });
    world.advance(60_000);
    // A server whose event never came.
    await world.db.doc(playerPath(key, "ann")).update({ score: 8 });
    expect(scoresIn(await getGroup(world, group, "bob"))[0]).toEqual(["ann", 5]);
    expect(scoresIn(await getGroup(world, group, "ann"))[0]).toEqual(["ann", 8]);
  });

  test("a server's write comes into the group with its event", async () => {
    const { group } = await createGroup(world, ["ann", "bob"]);
    await playInGroups(world, { ann: 5 });
    const write = await world.writeDirectly(key, "ann", {
      score: 9,
      status: "active",
      achieved_at: Timestamp.now(),
    });
    await world.follow(key, "ann", write);
    await followInPrivateGroups(world.services, key, "ann", write);
    await doRefreshes(world);
    expect((await storedGroupOf(world, group)).seats["s1"]).toMatchObject({ player: "ann", score: 9 });
  });

  test("a server that deletes a member's document leaves the member without a score", async () => {
    const { group } = await createGroup(world, ["ann", "bob"]);
    await playInGroups(world, { ann: 5, bob: 3 });
    const write = await world.writeDirectly(key, "ann", undefined);
    await world.follow(key, "ann", write);
    await followInPrivateGroups(world.services, key, "ann", write);
    await doRefreshes(world);
    expect(scoresIn(await getGroup(world, group, "bob"))).toEqual([
      ["bob", 3],
      ["ann", null],
    ]);
    await playInGroups(world, { ann: 4 });
    expect(scoresIn(await getGroup(world, group, "bob"))).toEqual([
      ["ann", 4],
      ["bob", 3],
    ]);
  });

  test("a direct write keeps the microseconds of a score, by which those of one call are told apart", async () => {
    const { group } = await createGroup(world, ["ann"]);
    const achieved_at = new Timestamp(1_790_000_000, 379_002_000);
    world.advance(60_000);
    const write = await world.writeDirectly(key, "ann", { score: 9, status: "active", achieved_at });
    await followInPrivateGroups(world.services, key, "ann", write);
    expect((await storedGroupOf(world, group)).seats["s1"]?.achieved_at).toEqual(achieved_at);
  });

  test("a score whose document is gone goes when the member looks, also where its event comes late", async () => {
    const { group } = await createGroup(world, ["ann", "bob"]);
    world.advance(60_000);
    const created = await world.writeDirectly(key, "bob", { score: 20, status: "active" });
    const deleted = await world.writeDirectly(key, "bob", undefined);
    for (const write of [deleted, created]) await followInPrivateGroups(world.services, key, "bob", write);
    world.advance(60_000);
    expect((await getGroup(world, group, "bob")).entries.map(({ score }) => score)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("an import is shown once it is through", async () => {
    const { group } = await createGroup(world, ["ann", "bob"]);
    await playInGroups(world, { ann: 5 });
    await world.db
      .doc(playerPath(key, "bob"))
      .set({ score: 9, status: "active", achieved_at: Timestamp.now() });
    const found = await openGroupsWith(world.services, leaderboard, ["bob", "zoe"]);
    expect(found).toEqual([group]);
    for (const id of found) await renewPrivateGroup(world.services, leaderboard, id);
    expect((await storedGroupOf(world, group)).seats["s2"]).toMatchObject({ player: "bob", score: 9 });
  });

  test("a group that is made anew is the same", async () => {
    const { group } = await createGroup(world, ["ann", "bob"]);
    await playInGroups(world, { ann: 5 });
    await playInGroups(world, { ann: 6 });
    const before = await storedGroupOf(world, group);
    await renewPrivateGroup(world.services, leaderboard, group);
    expect((await storedGroupOf(world, group)).seats).toEqual(before.seats);
  });
});

test("the deletion of a board takes its groups and their codes along", async () => {
  await createGroup(world, ["ann", "bob"]);
  await world.call("deleteLeaderboard", { leaderboard }, admin);
  await expectNoGroups(world);
});

test("a damaged group is left alone, and holds up nobody's score", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  await world.db.doc(privateGroupPath(leaderboard, group)).update({ seats: "gone" });
  await playInGroups(world, { ann: 5 });
  await expect(getGroup(world, group, "ann")).rejects.toEqual(refused("group_not_found"));
  expect(world.logged.filter(({ level }) => level === "error")).toEqual([]);
});
