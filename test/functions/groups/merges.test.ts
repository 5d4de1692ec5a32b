/** What becomes of memberships when a guest's account is merged. */
import { expect, test } from "vitest";
import { endSeason } from "../../support/closing.ts";
import {
  createGroup,
  eachBoardWithGroups,
  getGroup,
  hourMs,
  leaderboard,
  minuteMs,
  playInGroups,
} from "../../support/groups.ts";
import { admin, callOn, user } from "../../support/world.ts";

const { world, inMs, save } = eachBoardWithGroups();

test("a guest without a score keeps the groups after signing in", async () => {
  const { group } = await createGroup(world, ["ann", "guest"]);
  const guest_token = world.accounts.addGuest("guest");
  await world.submit("cyd", 5);
  await world.call("mergeGuest", { leaderboard, guest_token }, user("cyd")).catch(() => undefined);
  expect((await getGroup(world, group, "ann")).entries.map(({ player }) => player).toSorted()).toEqual([
    "ann",
    "cyd",
  ]);
});

test("a guest's merge that was cut off before the groups is finished by the next call", async () => {
  const { group } = await createGroup(world, ["ann", "guest"]);
  const guest_token = world.accounts.addGuest("guest");
  await playInGroups(world, { guest: 5, cyd: 3 });
  const cut = world.anotherInstance();
  const run = cut.db.runTransaction.bind(cut.db);
  let isCut = false;
  cut.db.runTransaction = (async (
    work: (t: FirebaseFirestore.Transaction) => Promise<unknown>,
    options: never,
  ) => {
    if (isCut) return run(work as never, options);
    return run(async (transaction: FirebaseFirestore.Transaction) => {
      const get = transaction.get.bind(transaction);
      transaction.get = ((ref: { path?: string }) => {
        if (ref.path?.includes("private_groups/") === true) {
          isCut = true;
          throw new Error("the process died");
        }
        return get(ref as never);
      }) as never;
      return work(transaction);
    }, options);
  }) as never;
  await callOn(cut, "mergeGuest", { leaderboard, guest_token }, user("cyd")).catch(() => undefined);
  cut.db.runTransaction = run;
  await world.call("mergeGuest", { leaderboard, guest_token }, user("cyd")).catch(() => undefined);
  expect((await getGroup(world, group, "ann")).entries.map(({ player }) => player)).toEqual(["cyd", "ann"]);
});

test("of two members of an ended group the better place stays", async () => {
  const { group } = await createGroup(world, ["ann", "bob"], { ends_at: inMs(minuteMs) });
  await playInGroups(world, { ann: 5, bob: 7 });
  world.advance(hourMs);
  await getGroup(world, group, "ann");
  await world.call("mergePlayers", { from: "bob", to: "ann", leaderboard }, admin);
  expect((await getGroup(world, group, "ann")).place).toBe(1);
});

test("a merge of two members without scores says that it was done", async () => {
  const { group } = await createGroup(world, ["ann", "bob"]);
  const done = await world.call("mergePlayers", { from: "bob", to: "cyd", leaderboard }, admin).then(
    () => true,
    () => false,
  );
  const players = (await getGroup(world, group, "ann")).entries.map(({ player }) => player);
  expect(players).toEqual(done ? ["ann", "cyd"] : ["ann", "bob"]);
});

test("of two members of a tournament's group that has ended the better place stays", async () => {
  await save({ spans: [] });
  const cup = { leaderboard, season: "cup" };
  await world.call("openSeason", { ...cup, closes_at: inMs(2 * hourMs) }, admin);
  const { group } = await createGroup(world, ["ann", "bob", "cyd"], { season: "cup" });
  await playInGroups(world, { ann: 5, bob: 7, cyd: 6 }, { season: "cup" });
  await endSeason(world, cup, { until: ({ cleared_at: cleared }) => cleared !== null });
  await world.call("mergePlayers", { from: "bob", to: "ann", leaderboard }, admin);
  expect((await getGroup(world, group, "cyd")).entries.map(({ player, place }) => [player, place])).toEqual([
    ["ann", 1],
    ["cyd", 2],
  ]);
});

test("a merge into a player who was merged away before, and plays on, keeps the membership", async () => {
  await playInGroups(world, { bob: 1, cyd: 2 });
  await world.call("setPlayerStatus", { leaderboard, player: "bob", status: "hidden" }, admin);
  await world.call("mergePlayers", { leaderboard, from: "bob", to: "cyd" }, admin);
  const { group } = await createGroup(world, ["ann", "zoe"]);
  // For a quarter of an hour nothing is taken of bob.
  world.advance(16 * 60_000);
  await playInGroups(world, { ann: 5, zoe: 3, bob: 4 });
  await world.call("mergePlayers", { leaderboard, from: "ann", to: "bob" }, admin);
  await world.call("setPlayerStatus", { leaderboard, player: "bob", status: "active" }, admin);
  const { entries } = await getGroup(world, group, "zoe");
  expect(entries.map(({ player, score }) => [player, score])).toEqual([
    ["bob", 4],
    ["zoe", 3],
  ]);
});
