/** Segments: who may say what, what is refused, and what it costs. The simulation holds ranks, lists and tops to a plain sort. */
import { beforeEach, describe, expect, test } from "vitest";
import { playerPath, segmentPagesPath } from "../../../functions/src/documents/paths.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { admin, allTime, callOn, createBoard, createWorld, eachWorld, user } from "../../support/world.ts";

const key = allTime("board");
const asked = { leaderboard: "board" };
const segments = [
  { name: "country", from: "submission" as const, values: ["AT", "DE"] },
  { name: "platform", from: "claim" as const },
];
const world = eachWorld();

const submit = (player: string, score: number, country?: string, platform?: string) =>
  world.call(
    "submitScore",
    { ...asked, score, ...(country !== undefined && { segments: { country } }) },
    { uid: player, ...(platform !== undefined && { claims: { platform } }) },
  );

/** A run over all slots that have ended. */
async function run() {
  world.advance(20_000);
  return publishRanking(world.services, key);
}

const save = (definition: object) => world.call("saveLeaderboard", { ...asked, definition }, admin);
const stored = async (player: string) => (await world.db.doc(playerPath(key, player)).get()).data();

describe("on a board with segments", () => {
  beforeEach(async () => {
    await createBoard(world, "board", { aggregation: "best", spans: ["all_time", "weekly"], segments });
    await submit("ann", 5, "AT", "ios");
    await submit("bob", 7, "DE", "ios");
    await submit("cem", 3, "AT", "web");
    await run();
  });

  test("`mine` is the segment of whoever asks, and who is in none is told so", async () => {
    const mine = { ...asked, segment: { country: "mine" } };
    const found = { rank: 2, players: 2, segment: { country: "AT" } };
    expect(await world.call("getRank", mine, user("cem"))).toMatchObject(found);
    expect((await world.call("getTop", mine, user("bob"))).entries).toHaveLength(1);
    await submit("dan", 1);
    const refused = world.call("getTop", mine, user("dan"));
    await expect(refused).rejects.toMatchObject({ code: "player_not_ranked" });
  });

  test.each<[Record<string, string | null>, RegExp]>([
    [{ platform: "ios" }, /custom claim/],
    [{ country: "AT", platform: null }, /custom claim/],
  ])("a submission with %o is refused, and nothing is stored", async (said, message) => {
    const submitted = world.call("submitScore", { ...asked, score: 9, segments: said }, user("eva"));
    await expect(submitted).rejects.toThrow(message);
    await expect(submitted).rejects.toMatchObject({ code: "invalid_request" });
    expect(await stored("eva")).toBeUndefined();
  });

  test("what the board does not have is passed over, and the answer names it; null leaves a segment", async () => {
    const one = (said: Record<string, string | null>) => ({ ...asked, score: 9, segments: said });
    const unknown = { country: "XX", guild: "a" };
    const answer = await world.call("submitScore", one(unknown), user("eva"));
    expect(answer.segments_passed_over).toEqual(["country", "guild"]);
    expect(await stored("eva")).toMatchObject({ score: 9, counted: { score: 9 } });
    expect(await stored("eva")).not.toHaveProperty("segments");
    const submissions = [{ player: "eva", score: 9, segments: { country: "mine", platform: "ios" } }];
    const { results } = await world.call("submitScores", { ...asked, submissions }, admin);
    expect(results).toMatchObject([{ segments_passed_over: ["country"] }]);
    expect((await stored("eva"))?.["segments"]).toEqual({ platform: "ios" });
    const known = await world.call("submitScore", one({ country: "AT" }), user("eva"));
    expect(known).not.toHaveProperty("segments_passed_over");
    expect((await stored("eva"))?.["counted"]).toMatchObject({ segments: ["country=AT", "platform=ios"] });
    await world.call("submitScore", one({ country: null }), user("eva"));
    expect((await stored("eva"))?.["counted"]).toMatchObject({ segments: ["platform=ios"] });
    const left = [{ player: "eva", score: 1, segments: { platform: null } }];
    await world.call("submitScores", { ...asked, submissions: left }, admin);
    expect(await stored("eva")).not.toHaveProperty("segments");
    expect((await stored("eva"))?.["counted"]).not.toHaveProperty("segments");
  });

  test("a claim that is no value counts as none, and the score counts", async () => {
    await submit("eva", 9, undefined, "not a value");
    expect((await stored("eva"))?.["counted"]).not.toHaveProperty("segments");
  });

  test("a value counts even if the score does not improve, in all spans", async () => {
    await submit("ann", 1, "DE");
    const { generation } = await run();
    const inDe = { ...asked, segment: { country: "DE" }, min_generation: generation ?? 0 };
    expect(await world.call("getRank", inDe, user("ann"))).toMatchObject({ score: 5, rank: 2, players: 2 });
    const { docs } = await world.db.collectionGroup("players").get();
    const ofAnn = docs.filter(({ id }) => id === "ann").map((one) => one.get("segments.country") as unknown);
    expect(ofAnn).toEqual(["DE", "DE"]);
  });

  test("`from` of a segment never changes; a segment may be added, and taken away", async () => {
    const chosen = { segments: [{ name: "platform", from: "submission", values: ["ios"] }] };
    await expect(save(chosen)).rejects.toMatchObject({ code: "definition_frozen" });
    await save({ segments: null });
    await expect(save(chosen)).rejects.toMatchObject({ code: "definition_frozen" });
    const ofAll = save({ segments: [{ name: "email", from: "claim" }] });
    await expect(ofAll).rejects.toMatchObject({ code: "invalid_request" });
    await save({ segments: [...segments, { name: "guild", from: "server" }] });
    const guild = { ...asked, segment: { guild: "a" } };
    expect(await world.call("getPage", guild, admin)).toMatchObject({ entries: [], players: 0 });
    await save({ segments: null });
    await expect(world.call("getPage", guild, admin)).rejects.toMatchObject({ code: "invalid_request" });
    await submit("ann", 9);
    expect(await stored("ann")).toMatchObject({ counted: { score: 9 } });
  });

  test("an instance that remembers the board without a segment keeps what another says of it", async () => {
    const old = world.anotherInstance();
    await callOn(old, "submitScore", { ...asked, score: 6 }, user("ann"));
    await save({ segments: [...segments, { name: "guild", from: "server" }] });
    const said = [{ player: "ann", score: 7, segments: { guild: "red" } }];
    await world.call("submitScores", { ...asked, submissions: said }, admin);
    await callOn(old, "submitScore", { ...asked, score: 8 }, user("ann"));
    expect((await stored("ann"))?.["segments"]).toEqual({ country: "AT", platform: "ios", guild: "red" });
  });
});

test("a score costs what it costs elsewhere, and a run its pages of segments more", async () => {
  const costs = await Promise.all(
    [true, false].map(async (has) => {
      const one = createWorld();
      const more = has ? { segments, movement: true } : {};
      await createBoard(one, "board", { aggregation: "latest", ...more });
      const play = (score: number, country: string) =>
        one.call(
          "submitScore",
          { ...asked, score, ...(has && { segments: { country } }) },
          { uid: "ann", claims: { platform: "ios" } },
        );
      await play(1, "AT");
      one.advance(20_000);
      await publishRanking(one.services, key);
      const score = await one.bill(() => play(2, "DE"));
      one.advance(20_000);
      const run = await one.bill(() => publishRanking(one.services, key));
      return { score, run, pages: (await one.db.collection(segmentPagesPath(key)).get()).size };
    }),
  );
  const [withSegments, plain] = costs;
  expect(withSegments?.score).toEqual(plain?.score);
  expect([withSegments?.pages, plain?.pages]).toEqual([1, 0]);
  const { reads = 0, writes = 0, deletes = 0 } = plain?.run ?? {};
  expect(withSegments?.run).toEqual({ reads: reads + 1, writes: writes + 1, deletes });
});

/** Gives players `p<n>` a score in a guild `g<n>` of their own. */
async function join(from: number, count: number): Promise<void> {
  const submissions = Array.from({ length: count }, (_, i) => from + i).map((n) => {
    return { player: `p${n}`, score: n, segments: { guild: `g${n}` } };
  });
  await world.call("submitScores", { ...asked, submissions }, admin);
}

test("more values than are ranked are refused, an alert names their segment, and others come in once nobody is left in them", async () => {
  await createBoard(world, "board", { segments: [{ name: "guild", from: "server" }] });
  const codes = async () => (await world.call("listAlerts", asked, admin)).alerts.map(({ code }) => code);
  await join(0, 500);
  await join(500, 500);
  expect((await run()).found).toMatchObject({ segments: 1_000 });
  expect(await codes()).toEqual([]);
  await join(1_000, 2);
  expect((await run()).found).toMatchObject({ segments: 1_000, left_out: { guild: 2 } });
  const { alerts } = await world.call("listAlerts", asked, admin);
  expect(alerts).toMatchObject([
    {
      code: "values_left_out",
      message: "The segment guild has more values than the 1,000 that are ranked: 2 players are in others.",
      call: "repairSeason",
    },
  ]);
  const rank = (guild: string, min_generation = 2) =>
    world.call("getRank", { ...asked, score: 1, segment: { guild }, min_generation }, admin);
  expect(await rank("g7")).toMatchObject({ players: 1, rank: 2, exact: true });
  await expect(rank("g1001")).rejects.toMatchObject({ code: "invalid_request" });
  const all = { ...asked, player: "p1001", segments: ["guild"], min_generation: 2 };
  expect(await world.call("getRank", all, admin)).toMatchObject({ rank: 1, segments: { guild: null } });
  // Nobody is in the first any more, and still no other takes its place: what was left out of it is not known.
  await world.call("removePlayer", { ...asked, player: "p0" }, admin);
  await run();
  await expect(rank("g0", 3)).rejects.toMatchObject({ code: "invalid_request" });
  await expect(rank("g1001", 3)).rejects.toMatchObject({ code: "invalid_request" });
  const audit = await world.call("auditSeason", { ...asked, full: true }, admin);
  expect(audit).toMatchObject({ repair: "none", found: { conservation: { scores: 0 } } });
  // Once nobody is left in the others either, everything is known again.
  for (const player of ["p1000", "p1001"]) await world.call("removePlayer", { ...asked, player }, admin);
  expect((await run()).found).not.toHaveProperty("left_out");
  expect(await codes()).toEqual([]);
  await world.call("setPlayerStatus", { ...asked, player: "p1001", status: "active" }, admin);
  await join(1_001, 1);
  await run();
  expect(await rank("g1001", 5)).toMatchObject({ players: 1 });
  // Otherwise a repair ranks the values that are left out, as far as there is room.
  await join(1_002, 2);
  for (const player of ["p1", "p2"]) await world.call("removePlayer", { ...asked, player }, admin);
  expect((await run()).found).not.toHaveProperty("left_out");
  await join(2_000, 3);
  expect((await run()).found).toMatchObject({ left_out: { guild: 3 } });
  for (const player of ["p3", "p4", "p5"]) await world.call("removePlayer", { ...asked, player }, admin);
  await run();
  await expect(rank("g2002", 8)).rejects.toMatchObject({ code: "invalid_request" });
  await world.call("repairSeason", asked, admin);
  expect(await rank("g2002", 9)).toMatchObject({ players: 1 });
  expect(await codes()).toEqual([]);
});

test("a repair ranks values that were left out as far as there is room, and the alert counts the players of the others", async () => {
  await createBoard(world, "board", { segments: [{ name: "guild", from: "server" }] });
  await join(0, 500);
  await join(500, 500);
  await run();
  await join(1_000, 4);
  const second = { player: "second", score: 1, segments: { guild: "g1003" } };
  await world.call("submitScores", { ...asked, submissions: [second] }, admin);
  expect((await run()).found).toMatchObject({ left_out: { guild: 5 } });
  for (const player of ["p0", "p1"]) await world.call("removePlayer", { ...asked, player }, admin);
  await run();
  await world.call("repairSeason", asked, admin);
  const players = async (guild: string) => {
    const request = { ...asked, score: 1, segment: { guild }, min_generation: 4 };
    return (await world.call("getRank", request, admin)).players;
  };
  // There is room for two: the guild of two players, and the first of the others by name.
  expect([await players("g1003"), await players("g1000")]).toEqual([2, 1]);
  for (const guild of ["g1001", "g1002"])
    await expect(players(guild)).rejects.toMatchObject({ code: "invalid_request" });
  expect((await world.call("listAlerts", asked, admin)).alerts).toMatchObject([
    {
      code: "values_left_out",
      message: "The segment guild has more values than the 1,000 that are ranked: 2 players are in others.",
    },
  ]);
  const audit = await world.call("auditSeason", { ...asked, full: true }, admin);
  expect(audit).toMatchObject({ repair: "none" });
});

describe("without a ranking of segments", () => {
  const inAt = { ...asked, segment: { country: "AT" } };
  const [country] = segments;

  test("nobody is in a segment that a ranked board has got, until somebody is published there", async () => {
    await createBoard(world, "board");
    await submit("ann", 5);
    await run();
    await save({ segments: [country] });
    world.advance(60_000);
    const none = { generation: 1, entries: [] };
    expect(await world.call("getTop", { ...inAt, min_generation: 1 }, admin)).toMatchObject(none);
    expect(await world.call("getPage", inAt, admin)).toMatchObject({ ...none, players: 0 });
    expect(await world.call("getPlayers", { ...inAt, players: ["ann"] }, admin)).toMatchObject(none);
    const rank = { generation: 1, rank: 1, players: 0 };
    expect(await world.call("getRank", { ...inAt, score: 3 }, admin)).toMatchObject(rank);
    expect(await world.reads(() => world.call("getRank", { ...inAt, score: 4 }, admin))).toBe(0);
    await submit("ann", 5, "AT");
    const ofAnn = { ...asked, segments: ["country"] };
    const first = { rank: 1, generation: 1 };
    const own = { ...first, segments: { country: first } };
    expect(await world.call("getRank", ofAnn, user("ann"))).toMatchObject(own);
    world.advance(6_000);
    const live = { segments: { country: { rank: 1, players: 1, freshness: "live" } } };
    expect(await world.call("getRank", { ...ofAnn, freshness: "live" }, user("ann"))).toMatchObject(live);
    await run();
    const published = await world.call("getTop", { ...inAt, min_generation: 2 }, admin);
    expect(published).toMatchObject({ generation: 2, players: 1, entries: [{ player: "ann" }] });
  });

  test("before the first publication the lists of a segment are empty, as those of all players are", async () => {
    await createBoard(world, "board", { segments: [country ?? expect.fail()] });
    const empty = { segment: { country: "AT" }, generation: 0, entries: [], players: 0 };
    for (const call of ["getTop", "getPage"] as const)
      expect(await world.call(call, inAt, admin)).toMatchObject(empty);
  });
});
