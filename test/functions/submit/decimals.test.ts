/** Scores with fractions, from every side from which they come. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { expectConserved, expectConverged, expectRanked } from "../../support/oracle.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const noise = 0.1 + 0.2;
const stored = async (player: string) => (await world.db.doc(playerPath(key, player)).get()).data();
const rankNow = () => world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
const written = (score: number) => ({
  score,
  status: "active",
  achieved_at: Timestamp.fromMillis(world.services.now()),
});

/** The players of a list, with their ranks and scores. */
async function listed(): Promise<[string, number, number][]> {
  const { entries } = await world.call("getPage", { leaderboard: "board" }, user("reader"));
  return entries.map(({ player, rank, score }) => [player, rank, score]);
}

async function expectRight(): Promise<void> {
  await expectConserved(world, key);
  await expectConverged(world, key);
  await rankNow();
  await expectRanked(world, key);
}

describe("a sum of 0.1 and 0.2", () => {
  test.each([undefined, 1])("shares the rank of 0.3, where decimals are %o", async (decimals) => {
    await createBoard(world, "board", { aggregation: "sum", decimals, min_score: 0 });
    await world.submit("ann", 0.3);
    world.advance(1_000);
    await world.submit("bob", 0.1);
    const { seasons } = await world.submit("bob", 0.2);
    expect(seasons[0]?.score).toBe(0.3);
    await rankNow();
    expect(await listed()).toEqual([
      ["ann", 1, 0.3],
      ["bob", 1, 0.3],
    ]);
    for (const score of [-0.1, -0.2]) await world.submit("ann", score);
    expect(await stored("ann")).toMatchObject({ score: 0 });
    await expectRight();
  });

  test.each([undefined, 1])("of two merged players is 0.3, where decimals are %o", async (decimals) => {
    await createBoard(world, "board", { aggregation: "sum", decimals });
    await world.submit("ann", 0.1);
    await world.submit("bob", 0.2);
    await world.call("mergePlayers", { from: "ann", to: "bob" }, admin);
    expect(await stored("bob")).toMatchObject({ score: 0.3, counted: { score: 0.3 } });
    await expectRight();
  });
});

describe("on a board with decimals", () => {
  beforeEach(async () => {
    await createBoard(world, "board", { decimals: 1, aggregation: "latest" });
  });

  test("the answer has the score as it is stored, and a rank of a score is that of its step", async () => {
    const { seasons } = await world.submit("ann", noise);
    expect(seasons[0]?.score).toBe(0.3);
    await world.submit("bob", 0.2);
    await rankNow();
    const asked = { leaderboard: "board", score: 0.3 - 1e-12 };
    expect(await world.call("getRank", asked, user("ann"))).toMatchObject({
      score: 0.3,
      rank: 1,
      players: 2,
    });
  });

  test("a direct write that adds with noise is brought to its step, by no operation more, and once", async () => {
    for (const [player, score] of [
      ["ann", 0.3],
      ["bob", 0.2],
      ["cem", 0.2],
    ] as const)
      await world.submit(player, score);
    await rankNow();
    // As increment(0.1) and increment(0.05 + 0.05) would leave them.
    const plain = await world.writeDirectly(key, "cem", { ...(await stored("cem")), ...written(0.1) });
    const usual = await world.bill(() => world.follow(key, "cem", plain));
    const write = await world.writeDirectly(key, "bob", { ...(await stored("bob")), ...written(noise) });
    expect(await world.bill(() => world.follow(key, "bob", write))).toEqual(usual);
    expect(await stored("bob")).toMatchObject({ score: 0.3, counted: { score: 0.3 } });
    await rankNow();
    expect(await listed()).toEqual([
      ["ann", 1, 0.3],
      ["bob", 1, 0.3],
      ["cem", 3, 0.1],
    ]);
    await expectRight();
    // The event of that commit finds nothing to do.
    const after = await world.db.doc(playerPath(key, "bob")).get();
    const own = { data: after.data() ?? {}, updateTime: after.updateTime, createTime: after.createTime };
    const event = { before: write.after, after: own as NonNullable<typeof write.after>, atMs: 0 };
    expect(await world.bill(() => world.follow(key, "bob", event))).toMatchObject({ reads: 0, writes: 0 });
  });

  test("a direct write of noise alone changes nothing that is counted, and the document is mended", async () => {
    await world.submit("ann", 0.3);
    const write = await world.writeDirectly(key, "ann", { ...(await stored("ann")), score: noise });
    await world.follow(key, "ann", write, 2);
    expect(await stored("ann")).toMatchObject({ score: 0.3, counted: { score: 0.3 } });
    await expectRight();
  });

  test("a repair mends what no event has told", async () => {
    await world.submit("ann", 0.3);
    await world.submit("cem", 0.3);
    await world.writeDirectly(key, "ann", { ...(await stored("ann")), score: noise });
    await world.writeDirectly(key, "bob", written(noise));
    const audit = { leaderboard: "board", full: true };
    expect(await world.call("auditSeason", audit, admin)).toMatchObject({
      found: { convergence: { in_flight: 1 } },
    });
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    for (const player of ["ann", "bob"]) expect(await stored(player)).toMatchObject({ score: 0.3 });
    expect(await world.call("auditSeason", audit, admin)).toMatchObject({
      found: { convergence: { in_flight: 0 } },
    });
    await expectRight();
  });

  test("a submission mends a score with noise that it does not change", async () => {
    await world.submit("ann", 0.3);
    await world.writeDirectly(key, "ann", { ...(await stored("ann")), score: noise });
    await world.submit("ann", 0.3);
    expect(await stored("ann")).toMatchObject({ score: 0.3 });
    await expectRight();
  });

  test("a player who was hidden with noise comes back with the step", async () => {
    await world.submit("ann", 0.3);
    await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "hidden" }, admin);
    await world.writeDirectly(key, "ann", { ...(await stored("ann")), score: noise });
    await world.call("setPlayerStatus", { leaderboard: "board", player: "ann", status: "active" }, admin);
    expect(await stored("ann")).toMatchObject({ score: 0.3, counted: { score: 0.3 } });
    await expectRight();
  });

  test("decimals are final from the first score on", async () => {
    const save = (decimals: number | null) =>
      world.call("saveLeaderboard", { leaderboard: "board", definition: { decimals } }, admin);
    expect(await save(2)).toMatchObject({ decimals: 2 });
    expect(await save(null)).not.toHaveProperty("decimals");
    expect(await save(1)).toMatchObject({ decimals: 1 });
    await world.submit("ann", 0.3);
    for (const decimals of [2, null])
      await expect(save(decimals)).rejects.toMatchObject({
        code: "definition_frozen",
        details: { fields: [{ path: "definition.decimals" }] },
      });
  });
});
