/** Hiding, banning and erasing a player: what is kept, what is shown, and what it costs. */
import { beforeEach, expect, test } from "vitest";
import { playerPath, playerStatusPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import type { PlayerStatus } from "../../../functions/src/model/player-status.ts";
import { documentsOf } from "../../support/documents-below.ts";
import { expectRanked } from "../../support/oracle.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { admin, allTime, createBoard, user, eachWorld } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const submit = (player: string, score: number, leaderboard = "board") =>
  world.call(
    "submitScore",
    { leaderboard, score, display_name: `The ${player}`, metadata: { of: player } },
    user(player),
  );
const setStatus = (player: string, status: PlayerStatus, leaderboard = "board") =>
  world.call("setPlayerStatus", { leaderboard, player, status }, admin);
const remove = (player: string, leaderboard?: string) =>
  world.call("removePlayer", { player, ...(leaderboard === undefined ? {} : { leaderboard }) }, admin);
const listed = async (leaderboard = "board") =>
  (await world.call("getTop", { leaderboard }, user("ann"))).entries.map(({ player, rank }) => [
    player,
    rank,
  ]);

beforeEach(async () => {
  await createBoard(world, "board", { top_size: 2 });
  for (const [player, score] of Object.entries({ ann: 30, bob: 20, cyd: 10 })) await submit(player, score);
  await world.deliver(key, "ann", "bob", "cyd");
  await world.publish(key);
});

test("a hidden player leaves the top list at once, before any run", async () => {
  await setStatus("ann", "hidden");
  expect(await listed()).toEqual([
    ["bob", 1],
    ["cyd", 2],
  ]);
});

test("a banned player's submissions are refused, a hidden player's count but are not shown", async () => {
  await setStatus("ann", "banned");
  await expectRefusal(world, "player_banned", () => submit("ann", 50));
  await setStatus("ann", "hidden");
  expect((await submit("ann", 50)).seasons).toMatchObject([{ score: 50, rank: null }]);
  await world.deliver(key, "ann");
  await world.publish(key);
  await expectRanked(world, key);
});

test("the reason of a ban is kept for moderators, where no player can read or ask for it, until the next call", async () => {
  const reason = "Scores from a changed client; ticket 4312.";
  const ban = { leaderboard: "board", player: "ann", status: "banned", reason } as const;
  const answered = await world.call("setPlayerStatus", ban, admin);
  const kept = async () => (await world.db.doc(playerStatusPath("board", "ann")).get()).data();
  expect(await kept()).toEqual({ status: "banned", reason });
  // The rules show a player the own document, and everybody pages and the top. What moderators read is a document of its own.
  const refused = await submit("ann", 50).then(
    String,
    (error: unknown) => JSON.stringify(error) + String(error),
  );
  await world.deliver(key, "ann");
  await world.publish(key);
  const told = [JSON.stringify(answered), refused];
  for (const caller of [user("ann"), user("bob")])
    for (const call of [
      world.call("getRank", { leaderboard: "board" }, caller),
      world.call("getPlayers", { leaderboard: "board", players: ["ann", "bob"] }, caller),
      world.call("getMyBoards", {}, caller),
      world.call("getTop", { leaderboard: "board" }, caller),
    ])
      told.push(
        await call.then(
          (answer) => JSON.stringify(answer),
          (error: unknown) => JSON.stringify(error) + String(error),
        ),
      );
  for (const path of await documentsOf(world.db, "board"))
    if (path !== playerStatusPath("board", "ann"))
      told.push(JSON.stringify((await world.db.doc(path).get()).data()));
  expect(told.filter((text) => text.includes("4312"))).toEqual([]);
  expect(told.join()).toContain("player_banned");

  await setStatus("ann", "hidden");
  expect(await kept()).toEqual({ status: "hidden" });
  await world.call("setPlayerStatus", ban, admin);
  await setStatus("ann", "active");
  expect(await kept()).toBeUndefined();
});

test("a reason that nobody can read, that is too long, or of a player who is taken back is refused", async () => {
  const asked = { leaderboard: "board", player: "ann" };
  for (const [status, reason] of [
    ["banned", ""],
    ["banned", " "],
    ["banned", "two\nlines"],
    ["hidden", "x".repeat(501)],
    ["active", "sorry"],
  ] as const)
    await expectRefusal(world, invalid("reason"), () =>
      world.call("setPlayerStatus", { ...asked, status, reason }, admin),
    );
  await world.call("setPlayerStatus", { ...asked, status: "hidden", reason: "😀".repeat(500) }, admin);
});

test("the status of a player without a document, or on no board, is refused", async () => {
  await expectRefusal(world, "player_not_ranked", () => setStatus("eve", "hidden"));
  await expectRefusal(world, "leaderboard_not_found", () => setStatus("ann", "hidden", "other"));
  const status = "gone" as PlayerStatus;
  await expectRefusal(world, invalid("status"), () => setStatus("ann", status));
  const request = { leaderboard: "board", player: "ann", status: "hidden" } as const;
  await expectRefusal(world, "not_allowed", () => world.call("setPlayerStatus", request, user("ann")));
});

test("a season that is damaged does not keep a ban from the others, and from those to come", async () => {
  const [broken, cup] = ["a-cup", "b-cup"].map((season) => ({ leaderboard: "board", season }));
  if (broken === undefined || cup === undefined) throw new Error("there are two");
  for (const season of [broken, cup]) {
    await world.call("openSeason", season, admin);
    await world.call("submitScore", { ...season, score: 1 }, user("ann"));
  }
  await world.db.doc(seasonPath(broken)).update({ interval_ms: "long" });
  await expect(setStatus("ann", "banned")).rejects.toThrow("interval_ms");
  const statusIn = async (path: string) => (await world.db.doc(path).get()).get("status") as unknown;
  for (const path of [playerPath(key, "ann"), playerPath(cup, "ann"), playerStatusPath("board", "ann")])
    expect(await statusIn(path)).toBe("banned");
  expect(await listed()).toEqual([
    ["bob", 1],
    ["cyd", 2],
  ]);
  await world.db.doc(seasonPath(broken)).update({ interval_ms: 300_000 });
  await setStatus("ann", "banned");
  expect(await statusIn(playerPath(broken, "ann"))).toBe("banned");
});

test("a player can be removed from one board only", async () => {
  await createBoard(world, "other");
  await submit("ann", 5, "other");
  expect((await remove("ann", "board")).removed).toMatchObject([{ leaderboard: "board" }]);
  expect((await world.db.doc(playerPath(allTime("other"), "ann")).get()).exists).toBe(true);
  await expectRefusal(world, "leaderboard_not_found", () => remove("ann", "no-board"));
});

test("hiding and readmitting cost what the docstring says, in the top and below it", async () => {
  const below = await world.meter.measure(() => setStatus("cyd", "hidden"));
  // season and document; both again; the top; the board, an erasure and all_time; the open ones; private groups
  expect(below.bill).toEqual({ reads: 2 + 2 + 1 + 3 + 1 + 1, writes: 1 + 1 + 1, deletes: 0 });
  const within = await world.meter.measure(() => setStatus("ann", "hidden"));
  const top = 1 + 1 + 1;
  // another leads
  expect(within.bill).toEqual({ reads: 2 + 2 + 1 + top + 3 + 1 + 1, writes: 1 + 1 + 1 + 1 + 1, deletes: 0 });
  const readmitted = await world.meter.measure(() => setStatus("cyd", "active"));
  // season and document; both again; an erasure, and the status; the open ones; private groups
  expect(readmitted.bill).toEqual({ reads: 2 + 2 + 2 + 1 + 1, writes: 1 + 1, deletes: 1 });
});
