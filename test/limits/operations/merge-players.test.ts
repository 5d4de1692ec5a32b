/** Two players become one: scores by the board's aggregation, the stricter status, in every season, once. */
import { expect, test, vi } from "vitest";
import {
  eventsPath,
  leaderboardPath,
  playerPath,
  runPath,
  type SeasonKey,
  seasonPath,
  standingsCollection,
  topPath,
  playerStatusPath,
} from "../../../functions/src/documents/paths.ts";
import { mergeKeptMs, submissionIdsMax } from "../../../functions/src/model/limits.ts";
import { schemaVersion } from "../../../functions/src/model/schema-version.ts";
import { createEnding, endSeason, expectFinal, playerFields } from "../../support/closing.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

// Small documents, so that a small season has several.
vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const { smallDocuments } = await import("../../support/small-documents.ts");
  return { ...(await original<object>()), ...smallDocuments };
});

const world = eachWorld();

const submit = (player: string, leaderboard: string, score: number, id?: string) =>
  world.call(
    "submitScore",
    { leaderboard, score, ...(id === undefined ? {} : { submission_id: id }) },
    user(player),
  );
const merge = (from: string, to: string) => world.call("mergePlayers", { from, to }, admin);
const fieldsOf = async (key: SeasonKey, player: string) =>
  (await world.db.doc(playerPath(key, player)).get()).data();

/** No document of a board names a player, but for a status that the board keeps. */
async function expectGone(keys: readonly SeasonKey[], player: string): Promise<void> {
  const paths = keys.map((key) => playerPath(key, player));
  const [{ leaderboard } = { leaderboard: "" }] = keys;
  const found = await world.db.getAll(...paths.map((path) => world.db.doc(path)));
  expect(found.filter(({ exists }) => exists).map(({ ref }) => ref.path)).toEqual([]);
  const lists = await Promise.all([
    world.db.collection(eventsPath(leaderboard)).get(),
    ...keys.map((key) => world.db.collection(topPath(key).replace("/current", "")).get()),
    ...keys.map((key) => world.db.collection(standingsCollection(key)).get()),
    ...keys.map((key) => world.db.collection(runPath(key, "any").replace("/any", "")).get()),
  ]);
  for (const { docs } of lists)
    for (const document of docs) expect(JSON.stringify(document.data())).not.toContain(`"${player}"`);
}

test.each([
  ["best", 40],
  ["latest", 25],
  ["sum", 65],
] as const)(
  "on a board of the %s, the two scores make %i, and everybody is ranked again",
  async (aggregation, score) => {
    await createBoard(world, "board", { aggregation });
    const key = allTime("board");
    for (const [player, points] of Object.entries({ guest: 40, ann: 25, bob: 30 })) {
      await submit(player, "board", points);
      world.advance(1_000);
    }
    await world.deliver(key, "guest", "ann", "bob");
    await world.publish(key);
    const first = await merge("guest", "ann");
    expect(first).toEqual({
      from: "guest",
      to: "ann",
      seasons: [{ ...key, span: "all_time", status: "active", score, attempts: 2, merged: true }],
    });
    const top = (await world.db.doc(topPath(key)).get()).get("entries") as { player: string }[];
    expect(top.map(({ player }) => player)).toEqual(score > 30 ? ["ann", "bob"] : ["bob", "ann"]);
    await expectGone([key], "guest");
    await world.publish(key);
    await expectRanked(world, key);
    await expectConserved(world, key);
    await expectConverged(world, key);
    const again = await merge("guest", "ann");
    expect(again).toEqual({
      ...first,
      seasons: first.seasons.map((season) => ({ ...season, merged: false })),
    });
  },
);

test("the player who stays need not have played, and keeps fields that are not Firerank's", async () => {
  await createBoard(world, "board");
  await createBoard(world, "other");
  const key = allTime("board");
  await submit("guest", "board", 5);
  await submit("ann", "other", 7);
  await world.db.doc(playerPath(key, "guest")).update({ country: "AT", "a.b": 1 });
  const { seasons } = await merge("guest", "ann");
  expect(seasons).toMatchObject([
    { leaderboard: "board", score: 5, merged: true },
    { leaderboard: "other", score: 7, merged: false },
  ]);
  expect(await fieldsOf(key, "ann")).toMatchObject({ score: 5, country: "AT", a: { b: 1 } });
  world.advance(mergeKeptMs);
  await submit("guest", "board", 9);
  await world.db.doc(playerPath(key, "guest")).update({ country: "DE", shoe: 43 });
  await merge("guest", "ann");
  expect(await fieldsOf(key, "ann")).toMatchObject({ score: 9, attempts: 2, country: "AT", shoe: 43 });
  await expectGone([key], "guest");
  await expectConverged(world, key);
});

test("a late repetition that came after the merge adds nothing, and a new score counts", async () => {
  await createBoard(world, "board", { aggregation: "sum" });
  const key = allTime("board");
  await submit("guest", "board", 5, "a");
  await submit("ann", "board", 7, "b");
  await merge("guest", "ann");
  // The guest's device has not heard of its score, and sends it again.
  await expectRefusal(world, "player_erased", () => submit("guest", "board", 5, "a"));
  world.advance(mergeKeptMs);
  await submit("guest", "board", 5, "a");
  expect((await merge("guest", "ann")).seasons).toMatchObject([{ score: 12, merged: true, repeated: ["a"] }]);
  world.advance(mergeKeptMs);
  await submit("guest", "board", 3, "c");
  expect((await merge("guest", "ann")).seasons).toMatchObject([{ score: 15, merged: true }]);
  world.advance(mergeKeptMs);
  // Sent for both: nobody can tell what it was worth, so the answer names it.
  await submit("guest", "board", 1, "d");
  await submit("guest", "board", 2, "e");
  await submit("ann", "board", 1, "d");
  expect((await merge("guest", "ann")).seasons).toMatchObject([{ score: 19, repeated: ["d"] }]);
  expect((await submit("ann", "board", 5, "a")).seasons).toMatchObject([{ score: 19 }]);
  await world.deliver(key, "ann", "guest");
  await expectConverged(world, key);
});

test("a ban of the player who goes is one of the player who stays, in all seasons and those to come", async () => {
  await createBoard(world, "days", { spans: ["daily"] });
  const [first, second] = ["daily-2100-01-02", "daily-2100-01-03"].map((season) => ({
    leaderboard: "days",
    season,
  }));
  if (first === undefined || second === undefined) throw new Error("there are two days");
  await submit("ann", "days", 5);
  await submit("guest", "days", 9);
  await world.call("setPlayerStatus", { leaderboard: "days", player: "guest", status: "banned" }, admin);
  world.advance(24 * 3_600_000);
  await submit("ann", "days", 6);
  const { seasons } = await merge("guest", "ann");
  expect(seasons).toMatchObject([
    { season: first.season, status: "banned", score: 9, merged: true },
    { season: second.season, status: "banned", score: 6, merged: false },
  ]);
  await expectGone([first, second], "guest");
  for (const key of [first, second]) await expectConverged(world, key);
  world.advance(24 * 3_600_000);
  // The account that was merged may still be there: a throwaway account must not lift its ban.
  for (const player of ["ann", "guest"])
    await expect(submit(player, "days", 7)).rejects.toMatchObject({ code: "player_banned" });
});

test("a banned player does not play on after a merge, in all_time either", async () => {
  await createBoard(world, "board");
  await submit("guest", "board", 9);
  const ban = { leaderboard: "board", player: "guest", status: "banned", reason: "a bot" } as const;
  await world.call("setPlayerStatus", ban, admin);
  await submit("throwaway", "board", 1);
  await merge("guest", "throwaway");
  const kept = await world.db.doc(playerStatusPath("board", "throwaway")).get();
  expect(kept.data()).toEqual({ status: "banned", reason: "a bot" });
  expect(await fieldsOf(allTime("board"), "guest")).toEqual({
    status: "banned",
    attempts: 0,
    counted: { score: null, of: expect.any(String) as string },
  });
  expect((await merge("guest", "throwaway")).seasons).toMatchObject([{ score: 9, merged: false }]);
  for (const player of ["throwaway", "guest"])
    await expect(submit(player, "board", 7)).rejects.toMatchObject({ code: "player_banned" });
  await world.call("setPlayerStatus", { leaderboard: "board", player: "guest", status: "active" }, admin);
  expect((await submit("guest", "board", 7)).seasons).toMatchObject([{ score: 7, improved: true }]);
});

test("ids of both stay known, however often the merged player submits", async () => {
  await createBoard(world, "board", { aggregation: "sum" });
  for (const player of ["guest", "ann"])
    for (let i = 0; i < submissionIdsMax; i++) await submit(player, "board", 1, `${player}-${i}`);
  await merge("guest", "ann");
  await submit("ann", "board", 1, "new");
  // Each device repeats its last one.
  for (const id of ["guest-19", "ann-19"])
    expect((await submit("ann", "board", 1, id)).seasons).toMatchObject([
      { score: 2 * submissionIdsMax + 1, repeated: true },
    ]);
});

test("a season in which the sum cannot be stored stays as it is, and the others are merged", async () => {
  await createBoard(world, "board", { aggregation: "sum" });
  await world.call("openSeason", { leaderboard: "board", season: "cup" }, admin);
  for (const player of ["guest", "ann"]) {
    await submit(player, "board", 2 ** 53 - 1);
    await world.call("submitScore", { leaderboard: "board", season: "cup", score: 1 }, user(player));
  }
  const { seasons } = await merge("guest", "ann");
  expect(seasons).toMatchObject([
    { season: "all_time", score: 2 ** 53 - 1, merged: false, error: { code: "score_out_of_range" } },
    { season: "cup", score: 2, merged: true },
  ]);
  expect(await fieldsOf(allTime("board"), "guest")).toMatchObject({ score: 2 ** 53 - 1 });
});

test("a player cannot be merged into the same one, and somebody must be there", async () => {
  await createBoard(world, "board");
  await expectRefusal(world, invalid("to"), () => merge("ann", "ann"));
  await expectRefusal(world, invalid("from"), () => merge("ann/x", "ann"));
  await expectRefusal(world, "player_not_ranked", () => merge("nobody", "no-one"));
  await expectRefusal(world, "leaderboard_not_found", () =>
    world.call("mergePlayers", { from: "a", to: "b", leaderboard: "none" }, admin),
  );
  await expectRefusal(world, "not_allowed", () =>
    world.call("mergePlayers", { from: "a", to: "b" }, user("a")),
  );
  await submit("ann", "board", 5);
  expect((await merge("nobody", "ann")).seasons).toMatchObject([{ score: 5, merged: false }]);
});

test("standings say what a closed season's scores are, also of a player whose document was deleted", async () => {
  const key = await createEnding(
    world,
    "board",
    { guest: playerFields(9, 1, { display_name: "Guest", metadata: { a: 1 } }), ann: playerFields(4, 2) },
    { definition: { aggregation: "sum" } },
  );
  await endSeason(world, key);
  await world.db.doc(playerPath(key, "guest")).delete();
  await world.db.doc(playerPath(key, "ann")).update({ score: 1_000 });
  expect((await merge("guest", "ann")).seasons).toMatchObject([{ score: 13, merged: true }]);
  await endSeason(world, key);
  await expectFinal(world, key);
  expect(await fieldsOf(key, "ann")).toMatchObject({ score: 13, display_name: "Guest", metadata: { a: 1 } });
});

test.each<[what: string, damage: () => Promise<unknown>, mend: () => Promise<unknown>, message: string]>([
  [
    "a damaged definition",
    () => world.db.doc(leaderboardPath("board")).update({ order: "sideways" }),
    () => world.db.doc(leaderboardPath("board")).update({ order: "descending" }),
    'A document of leaderboard "board" is damaged: order: ',
  ],
  [
    "a damaged season",
    () => world.db.doc(seasonPath(allTime("board"))).update({ interval_ms: "long" }),
    () => world.db.doc(seasonPath(allTime("board"))).update({ interval_ms: 300_000 }),
    'A document of leaderboard "board" is damaged: interval_ms: ',
  ],
  [
    "a definition of a newer release",
    () => world.db.doc(leaderboardPath("board")).update({ schema_version: 99 }),
    () => world.db.doc(leaderboardPath("board")).update({ schema_version: schemaVersion }),
    "99",
  ],
])(
  "a board with %s is named in the answer, and all others are merged",
  async (_what, damage, mend, message) => {
    for (const board of ["arena", "board", "zoo"]) {
      await createBoard(world, board, { aggregation: "sum" });
      await submit("guest", board, 5);
      await submit("ann", board, 7);
    }
    await damage();
    boardCacheOf(world.services).forget("board");
    const { seasons, failed } = await merge("guest", "ann");
    expect(seasons).toMatchObject([
      { leaderboard: "arena", score: 12, merged: true },
      { leaderboard: "zoo", score: 12, merged: true },
    ]);
    expect(failed).toEqual([{ leaderboard: "board", message: expect.stringContaining(message) as string }]);
    expect(await fieldsOf(allTime("board"), "guest")).toMatchObject({ score: 5 });
    const named = { from: "guest", to: "ann", leaderboard: "board" };
    await expect(world.call("mergePlayers", named, admin)).rejects.toThrow();
    await mend();
    boardCacheOf(world.services).forget("board");
    expect(await merge("guest", "ann")).toMatchObject({
      seasons: [
        { leaderboard: "arena", score: 12, merged: false },
        { leaderboard: "board", score: 12, merged: true },
        { leaderboard: "zoo", score: 12, merged: false },
      ],
    });
  },
);

test("if the only board is damaged, a merge does not say that the players are nowhere", async () => {
  await createBoard(world, "board");
  await world.db.doc(leaderboardPath("board")).update({ order: "sideways" });
  boardCacheOf(world.services).forget("board");
  expect(await merge("guest", "ann")).toMatchObject({ seasons: [], failed: [{ leaderboard: "board" }] });
});

test("a season that is being deleted is left alone", async () => {
  const key = await createEnding(world, "board", { guest: playerFields(9, 1), ann: playerFields(4, 2) });
  await world.db.doc(seasonPath(key)).update({ status: "deleting" });
  await createBoard(world, "other");
  await submit("ann", "other", 1);
  expect((await merge("guest", "ann")).seasons).toMatchObject([{ leaderboard: "other", merged: false }]);
  expect(await fieldsOf(key, "guest")).toMatchObject({ score: 9 });
});

test("costs what it says", async () => {
  await createBoard(world, "board", { events: [] });
  const key = allTime("board");
  for (const [player, score] of Object.entries({ guest: 9, ann: 7, bob: 5 }))
    await submit(player, "board", score);
  await world.deliver(key, "guest", "ann", "bob");
  await world.publish(key);
  const { bill } = await world.meter.measure(() => merge("guest", "ann"));
  // The board, its statuses and events; the season twice; the merge, with what an erasure has left; a last look; the top and its two players; the private groups. It writes the
  // player who stays, the receipt for the other, what keeps that one out, the shard document and the top.
  expect(bill).toEqual({
    reads: 1 + 2 + 1 + 4 + 7 + 2 + (1 + 1 + 2 + 1) + 1,
    writes: 1 + 1 + 1 + 1 + 1,
    deletes: 1,
  });
  // Nothing is left to merge: only what looks for it, and for changes that are pending.
  await world.publish(key);
  const again = await world.meter.measure(() => merge("guest", "ann"));
  expect(again.bill).toEqual({ reads: 1 + 2 + 1 + 4 + 2 + 1 + 1 + 1, writes: 0, deletes: 0 });
});
