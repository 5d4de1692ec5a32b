/** Two players become one: scores by the board's aggregation, the stricter status, in every season, once. */
import { describe, expect, test, vi } from "vitest";
import {
  eventsPath,
  leaderboardPath,
  playerPath,
  runPath,
  type SeasonKey,
  seasonPath,
  standingsCollection,
  topPath,
} from "../../../functions/src/documents/paths.ts";
import { submissionIdsMax } from "../../../functions/src/model/limits.ts";
import { schemaVersion } from "../../../functions/src/model/schema-version.ts";
import { createServices } from "../../../functions/src/operations/services.ts";
import { closed, createEnding, endSeason, expectFinal, playerFields } from "../../support/closing.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import {
  callOn,
  admin,
  allTime,
  createBoard,
  createWorld,
  eachWorld,
  user,
  type World,
} from "../../support/world.ts";
import { atEachRequest, createDoomed, type Fault } from "../../functions/doomed.ts";

// Small documents, so that a small season has several.
vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const { smallDocuments } = await import("../../support/small-documents.ts");
  return { ...(await original<object>()), ...smallDocuments };
});

const world = eachWorld();

const submit = (w: World, player: string, leaderboard: string, score: number, id?: string) =>
  w.call(
    "submitScore",
    { leaderboard, score, ...(id === undefined ? {} : { submission_id: id }) },
    user(player),
  );
const merge = (from: string, to: string, w = world) => w.call("mergePlayers", { from, to }, admin);
const fieldsOf = async (key: SeasonKey, player: string, w = world) =>
  (await w.db.doc(playerPath(key, player)).get()).data();

/** No document of a board names a player, but for a status that the board keeps. */
async function expectGone(w: World, keys: readonly SeasonKey[], player: string): Promise<void> {
  const paths = keys.map((key) => playerPath(key, player));
  const [{ leaderboard } = { leaderboard: "" }] = keys;
  const found = await w.db.getAll(...paths.map((path) => w.db.doc(path)));
  expect(found.filter(({ exists }) => exists).map(({ ref }) => ref.path)).toEqual([]);
  const lists = await Promise.all([
    w.db.collection(eventsPath(leaderboard)).get(),
    ...keys.map((key) => w.db.collection(topPath(key).replace("/current", "")).get()),
    ...keys.map((key) => w.db.collection(standingsCollection(key)).get()),
    ...keys.map((key) => w.db.collection(runPath(key, "any").replace("/any", "")).get()),
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
      await submit(world, player, "board", points);
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
    await expectGone(world, [key], "guest");
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
  await submit(world, "guest", "board", 5);
  await submit(world, "ann", "other", 7);
  await world.db.doc(playerPath(key, "guest")).update({ country: "AT", "a.b": 1 });
  const { seasons } = await merge("guest", "ann");
  expect(seasons).toMatchObject([
    { leaderboard: "board", score: 5, merged: true },
    { leaderboard: "other", score: 7, merged: false },
  ]);
  expect(await fieldsOf(key, "ann")).toMatchObject({ score: 5, country: "AT", a: { b: 1 } });
  await submit(world, "guest", "board", 9);
  await world.db.doc(playerPath(key, "guest")).update({ country: "DE", shoe: 43 });
  await merge("guest", "ann");
  expect(await fieldsOf(key, "ann")).toMatchObject({ score: 9, attempts: 2, country: "AT", shoe: 43 });
  await expectGone(world, [key], "guest");
  await expectConverged(world, key);
});

test("a late repetition that came after the merge adds nothing, and a new score counts", async () => {
  await createBoard(world, "board", { aggregation: "sum" });
  const key = allTime("board");
  await submit(world, "guest", "board", 5, "a");
  await submit(world, "ann", "board", 7, "b");
  await merge("guest", "ann");
  // The guest's device has not heard of its score, and sends it again.
  await submit(world, "guest", "board", 5, "a");
  expect((await merge("guest", "ann")).seasons).toMatchObject([{ score: 12, merged: true, repeated: ["a"] }]);
  await submit(world, "guest", "board", 3, "c");
  expect((await merge("guest", "ann")).seasons).toMatchObject([{ score: 15, merged: true }]);
  // Sent for both: nobody can tell what it was worth, so the answer names it.
  await submit(world, "guest", "board", 1, "d");
  await submit(world, "guest", "board", 2, "e");
  await submit(world, "ann", "board", 1, "d");
  expect((await merge("guest", "ann")).seasons).toMatchObject([{ score: 19, repeated: ["d"] }]);
  expect((await submit(world, "ann", "board", 5, "a")).seasons).toMatchObject([{ score: 19 }]);
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
  await submit(world, "ann", "days", 5);
  await submit(world, "guest", "days", 9);
  await world.call("setPlayerStatus", { leaderboard: "days", player: "guest", status: "banned" }, admin);
  world.advance(24 * 3_600_000);
  await submit(world, "ann", "days", 6);
  const { seasons } = await merge("guest", "ann");
  expect(seasons).toMatchObject([
    { season: first.season, status: "banned", score: 9, merged: true },
    { season: second.season, status: "banned", score: 6, merged: false },
  ]);
  await expectGone(world, [first, second], "guest");
  for (const key of [first, second]) await expectConverged(world, key);
  world.advance(24 * 3_600_000);
  // The account that was merged may still be there: a throwaway account must not lift its ban.
  for (const player of ["ann", "guest"])
    await expect(submit(world, player, "days", 7)).rejects.toMatchObject({ code: "player_banned" });
});

test("a banned player does not play on after a merge, in all_time either", async () => {
  await createBoard(world, "board");
  await submit(world, "guest", "board", 9);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "guest", status: "banned" }, admin);
  await submit(world, "throwaway", "board", 1);
  await merge("guest", "throwaway");
  expect(await fieldsOf(allTime("board"), "guest")).toEqual({
    status: "banned",
    attempts: 0,
    counted: { score: null, of: expect.any(String) as string },
  });
  expect((await merge("guest", "throwaway")).seasons).toMatchObject([{ score: 9, merged: false }]);
  for (const player of ["throwaway", "guest"])
    await expect(submit(world, player, "board", 7)).rejects.toMatchObject({ code: "player_banned" });
  await world.call("setPlayerStatus", { leaderboard: "board", player: "guest", status: "active" }, admin);
  expect((await submit(world, "guest", "board", 7)).seasons).toMatchObject([{ score: 7, improved: true }]);
});

test("ids of both stay known, however often the merged player submits", async () => {
  await createBoard(world, "board", { aggregation: "sum" });
  for (const player of ["guest", "ann"])
    for (let i = 0; i < submissionIdsMax; i++) await submit(world, player, "board", 1, `${player}-${i}`);
  await merge("guest", "ann");
  await submit(world, "ann", "board", 1, "new");
  // Each device repeats its last one.
  for (const id of ["guest-19", "ann-19"])
    expect((await submit(world, "ann", "board", 1, id)).seasons).toMatchObject([
      { score: 2 * submissionIdsMax + 1, repeated: true },
    ]);
});

test("a season in which the sum cannot be stored stays as it is, and the others are merged", async () => {
  await createBoard(world, "board", { aggregation: "sum" });
  await world.call("openSeason", { leaderboard: "board", season: "cup" }, admin);
  for (const player of ["guest", "ann"]) {
    await submit(world, player, "board", 2 ** 53 - 1);
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
  await submit(world, "ann", "board", 5);
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
      await submit(world, "guest", board, 5);
      await submit(world, "ann", board, 7);
    }
    await damage();
    world.services.boards.forget("board");
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
    world.services.boards.forget("board");
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
  world.services.boards.forget("board");
  expect(await merge("guest", "ann")).toMatchObject({ seasons: [], failed: [{ leaderboard: "board" }] });
});

test("a season that is being deleted is left alone", async () => {
  const key = await createEnding(world, "board", { guest: playerFields(9, 1), ann: playerFields(4, 2) });
  await world.db.doc(seasonPath(key)).update({ status: "deleting" });
  await createBoard(world, "other");
  await submit(world, "ann", "other", 1);
  expect((await merge("guest", "ann")).seasons).toMatchObject([{ leaderboard: "other", merged: false }]);
  expect(await fieldsOf(key, "guest")).toMatchObject({ score: 9 });
});

describe.each<Fault>(["killed before", "killed after", "answer lost"])("%s each request", (fault) => {
  test("a merge that is called again adds nothing twice, in an open and in a closed season", async () => {
    const methods = await atEachRequest(async (n) => {
      const own = createWorld();
      const cup = await createEnding(
        own,
        "board",
        { guest: playerFields(9, 1), ann: playerFields(4, 2), bob: playerFields(10, 3) },
        { definition: { aggregation: "sum" } },
      );
      await endSeason(own, cup, { until: closed });
      const key = allTime("board");
      for (const [player, score] of Object.entries({ guest: 5, ann: 7, bob: 9 }))
        await submit(own, player, "board", score);
      await own.deliver(key, "guest", "ann", "bob");
      await own.publish(key);
      await own.call("setPlayerStatus", { leaderboard: "board", player: "bob", status: "hidden" }, admin);
      const doomed = createDoomed(own.db, n, fault);
      const broken = createServices({ ...own.services, db: doomed.db });
      const request = { from: "guest", to: "ann" };
      await Promise.allSettled([callOn(broken, "mergePlayers", request, admin)]);
      await doomed.bury();
      own.services.boards.forget("board");
      const { seasons } = await merge("guest", "ann", own);
      expect(seasons.map(({ season, score }) => [season, score]).sort()).toEqual([
        ["all_time", 12],
        ["cup", 13],
      ]);
      await endSeason(own, cup);
      await expectFinal(own, cup);
      await own.publish(key);
      await expectRanked(own, key);
      await expectConserved(own, key);
      await expectConverged(own, key);
      await expectGone(own, [key, cup], "guest");
      return doomed.struck();
    });
    expect(methods).toContain("commit");
  });
});

test("costs what it says", async () => {
  await createBoard(world, "board", { events: [] });
  const key = allTime("board");
  for (const [player, score] of Object.entries({ guest: 9, ann: 7, bob: 5 }))
    await submit(world, player, "board", score);
  await world.deliver(key, "guest", "ann", "bob");
  await world.publish(key);
  const { bill } = await world.meter.measure(() => merge("guest", "ann"));
  // The board, its statuses and events; the season twice; the merge; the top and its two players. It writes the player who
  // stays, the receipt for the other, the shard document and the top.
  expect(bill).toEqual({ reads: 1 + 2 + 1 + 4 + 5 + (1 + 1 + 2 + 1), writes: 1 + 1 + 1 + 1, deletes: 1 });
  // Nothing is left to merge: only what looks for it, and for changes that are pending.
  await world.publish(key);
  const again = await world.meter.measure(() => merge("guest", "ann"));
  expect(again.bill).toEqual({ reads: 1 + 2 + 1 + 4 + 1 + 1, writes: 0, deletes: 0 });
});
