/** What a trusted server writes into players' documents of a season that is closed: standings are final, in every call. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { createEnding, endSeason, expectFinal, playerFields } from "../../support/closing.ts";
import { allPages, callOn, admin, createWorld, user, type World } from "../../support/world.ts";

let world: World;
let key: SeasonKey;
const crowd = () =>
  Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => {
      const more = { display_name: `Player ${i}`, ...(i === 1 ? { metadata: { i } } : {}) };
      return [`p${i}`, playerFields(10 * (30 - i), i, more)];
    }),
  );
const write = (player: string, fields: object) =>
  world.db.doc(playerPath(key, player)).set(fields, { merge: true });

beforeEach(() => {
  world = createWorld();
});

async function createClosed(): Promise<void> {
  key = await createEnding(world, "board", crowd(), { definition: { top_size: 10 } });
  await endSeason(world, key);
  await expectFinal(world, key);
}

/** What a trusted server must not do. */
async function meddle(): Promise<void> {
  await write("p1", { score: 9_999, display_name: "King", metadata: { i: 2 } });
  await write("p2", { score: 5 });
  await write("p3", { status: "hidden" });
  await write("p4", { achieved_at: Timestamp.fromMillis(0) });
  await write("new", playerFields(7_777, 1));
}

test("ranks, neighbours, friends, results, pages and top all say what the standings say", async () => {
  await createClosed();
  await meddle();
  world.advance(1);
  const other = world.anotherInstance();
  for (const [i, player] of ["p0", "p1", "p2", "p3", "p4", "p5"].entries()) {
    const final = { rank: i + 1, score: 10 * (30 - i) };
    expect(await callOn(other, "getRank", { ...key, player }, admin)).toMatchObject(final);
    const around = await callOn(other, "getAround", { ...key, player, above: 1, below: 1 }, admin);
    const own = around.entries.find((entry) => entry.player === player);
    expect(own).toMatchObject({ ...final, position: i + 1, display_name: `Player ${i}` });
    const { results } = await callOn(other, "getResults", { leaderboard: "board" }, user(player));
    expect(results).toMatchObject([final]);
  }
  const players = ["p5", "p4", "p3", "p2", "p1", "new", "p0"];
  const friends = await callOn(other, "getPlayers", { ...key, players }, admin);
  const { entries } = await callOn(other, "getPage", { ...key, limit: 6 }, admin);
  expect(entries.map(({ player }) => player)).toEqual(["p0", "p1", "p2", "p3", "p4", "p5"]);
  expect(entries[1]).toMatchObject({ display_name: "Player 1", metadata: { i: 1 } });
  expect(friends.entries.map(({ position_exact: _, ...entry }) => entry)).toEqual(entries);
  const refusal = { code: "player_not_ranked" };
  const stranger = { ...key, player: "new" };
  await expect(callOn(other, "getRank", stranger, admin)).rejects.toMatchObject(refusal);
  await expect(callOn(other, "getAround", stranger, admin)).rejects.toMatchObject(refusal);
  // A revision publishes a top again.
  await world.call("setPlayerStatus", { leaderboard: "board", player: "p0", status: "hidden" }, admin);
  const top = await callOn(other, "getTop", key, admin);
  expect(top.entries.slice(0, 4)).toMatchObject([
    { player: "p1", rank: 1, score: 290, display_name: "Player 1", metadata: { i: 1 } },
    { player: "p2", rank: 2 },
    { player: "p3", rank: 3 },
    { player: "p4", rank: 4 },
  ]);
});

test("a full audit names how many are not what the standings say, and asks for no repair", async () => {
  await createClosed();
  const audit = (full: boolean) => world.call("auditSeason", { ...key, full }, admin);
  expect(await audit(true)).toMatchObject({
    repair: "none",
    found: { pages: [], convergence: { difference: 0, players: 0 } },
  });
  await meddle();
  await world.db.doc(playerPath(key, "p6")).delete();
  await write("other", playerFields(1, 1));
  const { bill, result } = await world.meter.measure(() => audit(true));
  expect(result).toMatchObject({
    repair: "none",
    found: {
      // p3 is hidden and p6 gone, and two are there who were not.
      convergence: {
        difference: 0,
        players: 5,
        examples: [
          { counted: "290", should_be: "9999" },
          { counted: "280", should_be: "5" },
          { counted: "270", should_be: "nothing" },
          { counted: "260", should_be: "260" },
          { counted: "240", should_be: "nothing" },
        ],
      },
    },
  });
  expect(bill.reads).toBeLessThanOrEqual(30 + 20);
  expect(world.logged.at(-1)).toMatchObject({ level: "error", message: /final/ });
  expect(await audit(false)).toMatchObject({ found: { convergence: { difference: 0, players: null } } });
});

test("a rank costs one more read only if a trusted server has changed the player", async () => {
  await createClosed();
  await write("p2", { score: 5 });
  const other = world.anotherInstance();
  const rankOf = async (player: string) =>
    await world.bill(() => callOn(other, "getRank", { ...key, player }, admin));
  await rankOf("p7");
  expect(await rankOf("p1")).toMatchObject({ reads: 1 });
  expect(await rankOf("p2")).toMatchObject({ reads: 2 });
});

test.each([
  ["much metadata", { metadata: { text: "x".repeat(600_000) } }],
  ["no room left", { text: "x".repeat(1_046_900) }],
])("a player whose document has %s can be banned, and comes back", async (_what, more) => {
  for (const at of ["closing", "closed"]) {
    world = createWorld();
    const name = "Fat".repeat(300);
    const fields = playerFields(1_000, 1, { display_name: name, ...more });
    key = await createEnding(world, "board", { ...crowd(), fat: fields });
    const set = (status: "active" | "banned") =>
      world.call("setPlayerStatus", { leaderboard: "board", player: "fat", status }, admin);
    await endSeason(world, key, at === "closing" ? { until: ({ status }) => status === "closing" } : {});
    await set("banned");
    await endSeason(world, key);
    const list = () => callOn(world.anotherInstance(), "getPage", { ...key, limit: 1 }, admin);
    expect((await list()).entries).toMatchObject([{ player: "p0" }]);
    await set("active");
    await endSeason(world, key);
    expect((await list()).entries).toMatchObject([{ player: "fat", score: 1_000, display_name: name }]);
  }
});

describe("values of segments that a server writes", () => {
  const segments = [{ name: "country", from: "server" as const }];
  const fields = (score: number, country: string) => playerFields(score, 0, { segments: { country } });
  /** What a segment shows: how many players, and each with the rank. */
  async function shown(country: string) {
    const asked = { ...key, segment: { country }, limit: 9 };
    const { players, entries } = await world.call("getPage", asked, admin);
    return [players, ...entries.map(({ player, rank }) => `${player} ${rank}`)];
  }

  beforeEach(async () => {
    const all = { ann: fields(5, "AT"), bob: fields(7, "AT"), cem: fields(3, "AT"), dan: fields(9, "DE") };
    key = await createEnding(world, "board", all, { definition: { segments } });
  });

  test("after the end, with another score, change no rank and no score in any call", async () => {
    await endSeason(world, key);
    await write("ann", { score: 999, display_name: "King", segments: { country: "DE" } });
    const inAt = { ...key, segment: { country: "AT" } };
    const expected = [
      { player: "bob", score: 7, rank: 1 },
      { player: "ann", score: 5, rank: 2 },
      { player: "cem", score: 3, rank: 3 },
    ];
    const friends = { ...inAt, players: ["ann", "cem", "bob", "dan"] };
    const lists = {
      getPage: (await world.call("getPage", { ...inAt, limit: 9 }, admin)).entries,
      live: (await world.call("getPage", { ...inAt, limit: 9, freshness: "live" }, admin)).entries,
      getTop: (await world.call("getTop", inAt, admin)).entries,
      getAround: (await world.call("getAround", { ...inAt, player: "ann" }, admin)).entries,
      above: (await world.call("getAround", { ...inAt, player: "cem", above: 2 }, admin)).entries,
      getPlayers: (await world.call("getPlayers", friends, admin)).entries,
    };
    // Ann's document, which those above have too, bob's and cem's; and what the standings say of ann.
    const around = () => callOn(world.services, "getAround", { ...inAt, player: "ann" }, admin);
    expect(await world.reads(around)).toBe(5);
    for (const [call, entries] of Object.entries(lists)) {
      expect(entries, call).toMatchObject(expected);
      expect(entries[1], call).not.toHaveProperty("display_name");
      expect(entries[1], call).not.toHaveProperty("exact");
      if (call !== "getTop") expect(entries[1], call).toMatchObject({ position_exact: false });
    }
    for (const { player, rank } of expected)
      expect(await world.call("getRank", { ...inAt, player }, admin)).toMatchObject({ rank, exact: true });
    // A page begins behind the last document of the one before.
    const answers = await allPages((more) => world.call("getPage", { ...inAt, limit: 1, ...more }, admin));
    const pages = answers.flatMap(({ entries }) => entries.map(({ player, rank }) => `${player} ${rank}`));
    expect(pages).toEqual(["ann 2", "bob 1", "cem 3"]);
  });

  test("after the end, with the mark of another player's document, bring nobody into a segment", async () => {
    await endSeason(world, key);
    const ofDan = (await world.db.doc(playerPath(key, "dan")).get()).data() ?? {};
    await world.db.doc(playerPath(key, "cem")).set(ofDan);
    expect(await shown("DE")).toEqual([1, "dan 1"]);
    const inDe = { ...key, segment: { country: "DE" } };
    const friends = await world.call("getPlayers", { ...inDe, players: ["cem", "dan"] }, admin);
    expect(friends.entries).toMatchObject([{ player: "dan", rank: 1 }]);
    for (const call of ["getRank", "getAround"] as const)
      await expect(world.call(call, { ...inDe, player: "cem" }, admin)).rejects.toMatchObject({
        code: "player_not_ranked",
      });
    const rank = await world.call("getRank", { ...key, player: "cem", segments: ["country"] }, admin);
    expect(rank).toMatchObject({ score: 3, segments: { country: { rank: 3, segment: { country: "AT" } } } });
  });

  test("a rank is not certain while a revision's pages are not published", async () => {
    await endSeason(world, key);
    const ask = () =>
      callOn(
        world.anotherInstance(),
        "getRank",
        { ...key, player: "cem", segment: { country: "AT" } },
        admin,
      );
    const list = () =>
      callOn(world.anotherInstance(), "getPage", { ...key, segment: { country: "AT" } }, admin);
    await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "hidden" }, admin);
    await world.call("mergePlayers", { leaderboard: "board", from: "dan", to: "cem" }, admin);
    expect(await ask()).toMatchObject({ exact: false, rank_best: 1 });
    expect((await list()).entries.find(({ player }) => player === "cem")).toMatchObject({ exact: false });
    world.advance(300_000);
    await endSeason(world, key);
    expect(await ask()).toMatchObject({ exact: true, rank: 1 });
    expect((await list()).entries).toMatchObject([
      { player: "cem", score: 9, rank: 1 },
      { player: "bob", score: 7, rank: 2 },
    ]);
    const audit = await world.call("auditSeason", { ...key, full: true }, admin);
    expect(audit).toMatchObject({ found: { pages: [], conservation: { difference: 0 } } });
  });
});
