/** What admins do to a player holds for what a server has written into the next season already. */
import { beforeEach, expect, test } from "vitest";
import type { PlayerWrite } from "../../../functions/src/counting/changed-player.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { eventsPath, playerPath, type SeasonKey, topPath } from "../../../functions/src/documents/paths.ts";
import { expectConserved, expectRanked } from "../../support/oracle.ts";
import { admin, callOn, createBoard, eachWorld, type Operation, user } from "../../support/world.ts";

const world = eachWorld();
const dayMs = 86_400_000;
const today: SeasonKey = { leaderboard: "board", season: "daily-2100-01-02" };
const tomorrow: SeasonKey = { leaderboard: "board", season: "daily-2100-01-03" };
let write: PlayerWrite;

const listedIn = async (key: SeasonKey) =>
  (await world.call("getPage", { ...key, offset: 0 }, user("ben"))).entries.map(({ player }) => player);

/** Before midnight a server copies today's scores into tomorrow's season, as docs/operating.md says. */
beforeEach(async () => {
  await createBoard(world, "board", { spans: ["daily"] });
  await world.submit("ann", 5);
  await world.submit("ben", 5);
  const { counted: _, ...copied } = (await world.db.doc(playerPath(today, "ann")).get()).data() ?? {};
  write = await world.writeDirectly(tomorrow, "ann", copied);
  await expect(world.follow(tomorrow, "ann", write)).rejects.toMatchObject({ code: "contention" });
});

/** Midnight passes, and the event of the server's write comes again. */
async function beginTomorrow(): Promise<void> {
  world.advance(dayMs - (world.services.now() % dayMs) + 60_000);
  await world.follow(tomorrow, "ann", write);
  await world.submit("ben", 3);
  await expectConserved(world, tomorrow);
  await world.publish(tomorrow);
  await expectRanked(world, tomorrow);
}

test("a ban", async () => {
  await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "banned" }, admin);
  await beginTomorrow();
  expect(await listedIn(tomorrow)).toEqual(["ben"]);
  await expect(world.submit("ann", 9)).rejects.toMatchObject({ code: "player_banned" });
});

test("a merge", async () => {
  await world.call("mergePlayers", { leaderboard: "board", from: "ann", to: "cyd" }, admin);
  await beginTomorrow();
  expect(await listedIn(tomorrow)).not.toContain("ann");
});

test("an erasure", async () => {
  await world.call("removePlayer", { leaderboard: "board", player: "ann" }, admin);
  await beginTomorrow();
  expect(await listedIn(tomorrow)).toEqual(["ben"]);
});

test("a ban of who is nowhere else", async () => {
  const fields = { score: 7, status: "active", achieved_at: Timestamp.fromMillis(world.services.now()) };
  await world.writeDirectly(tomorrow, "dan", fields);
  const ban = { leaderboard: "board", player: "dan", status: "banned" } as const;
  await expect(world.call("setPlayerStatus", ban, admin)).resolves.toMatchObject({ player: "dan" });
});

test("a readmission", async () => {
  await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "banned" }, admin);
  // The server copies the banned player too.
  const { counted: _, ...copied } = (await world.db.doc(playerPath(today, "ann")).get()).data() ?? {};
  write = await world.writeDirectly(tomorrow, "ann", copied);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "active" }, admin);
  await beginTomorrow();
  expect((await listedIn(tomorrow)).toSorted()).toEqual(["ann", "ben"]);
});

test("a guest's score", async () => {
  const guest_token = world.accounts.addGuest("ann");
  await world.call("mergeGuest", { leaderboard: "board", guest_token }, user("cyd"));
  await beginTomorrow();
  expect((await listedIn(tomorrow)).toSorted()).toEqual(["ben", "cyd"]);
});

test("no top and no event tells of tomorrow today, whoever is banned, readmitted or erased", async () => {
  await world.writeDirectly(tomorrow, "dan", {
    score: 7,
    status: "active",
    achieved_at: Timestamp.fromMillis(world.services.now()),
  });
  const setStatus = (status: "banned" | "active") =>
    world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status }, admin);
  await setStatus("banned");
  await setStatus("active");
  await world.call("removePlayer", { leaderboard: "board", player: "ann" }, admin);
  expect((await world.db.doc(topPath(tomorrow)).get()).exists).toBe(false);
  const events = await world.db.collection(eventsPath("board")).where("season", "==", tomorrow.season).get();
  expect(events.docs.map((event) => event.get("kind") as string)).toEqual([]);
});

test("the look into the season to come costs 2 reads, of a merge 3", async () => {
  const bills = [];
  for (const [leaderboard, span] of [
    ["always", "all_time"],
    ["days", "daily"],
  ] as const) {
    await createBoard(world, leaderboard, { spans: [span] });
    for (const player of ["ann", "ben", "cyd"])
      await world.call("submitScore", { leaderboard, score: 5 }, user(player));
    const bill = async (name: Operation, asked: object, caller = admin) =>
      (await world.bill(() => callOn(world.services, name, { leaderboard, ...asked }, caller))).reads;
    bills.push([
      await bill("setPlayerStatus", { player: "ann", status: "active" }),
      await bill("removePlayer", { player: "nobody" }),
      await bill("mergePlayers", { from: "nobody", to: "ben" }),
      await bill("mergeGuest", { guest_token: world.accounts.addGuest("cyd") }, user("ben")),
    ]);
  }
  const [always = [], days = []] = bills;
  expect(days.map((reads, i) => reads - (always[i] ?? NaN))).toEqual([2, 2, 3, 2]);
});
