/** Segments with more rows than a generation may have: ranks are exact, or their bounds hold. The limits are small. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { segmentPagesPath } from "../../../functions/src/documents/paths.ts";
import { segmentRowsMax } from "../../../functions/src/model/limits.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { seededRandom } from "../../support/arbitraries.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { admin, allTime, createBoard, createWorld, type World } from "../../support/world.ts";

vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const small = { onePageRowsMax: 8, rowsPerPageMax: 8, segmentRowsMax: 60, segmentRowCountedMax: 12 };
  return { ...(await original<object>()), ...small };
});

const key = allTime("board");
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));
/** The last has as few players as rows that it keeps. */
const sizes = { AT: 90, CH: 60, DE: 150, LI: 3 };
const countries = Object.keys(sizes);
const segments = [{ name: "country", from: "server" as const }];

describe.each(["descending", "ascending"] as const)("300 players in four countries, %s", (order) => {
  let world: World;
  let players: { player: string; score: number; country: string }[];
  let generation = 0;

  const isBetter = (a: number, b: number) => (order === "descending" ? a > b : a < b);
  const inCountry = (country: string) =>
    players.filter((one) => one.country === country).sort((a, b) => (isBetter(a.score, b.score) ? -1 : 1));
  const rankIn = (country: string, score: number) =>
    1 + inCountry(country).filter((other) => isBetter(other.score, score)).length;

  async function submit(some: typeof players): Promise<void> {
    const submissions = some.map(({ player, score, country }) => ({ player, score, segments: { country } }));
    await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  }

  async function run(): Promise<void> {
    world.advance(20_000);
    generation = (await publishRanking(world.services, key)).generation ?? generation;
  }

  beforeEach(async () => {
    world = createWorld();
    await createBoard(world, "board", { order, aggregation: "latest", segments });
    const scores = new Set<number>();
    while (scores.size < 303) scores.add(Math.floor(10_000 * random()));
    const all = Object.entries(sizes).flatMap(([country, size]) =>
      Array.from({ length: size }, () => country),
    );
    players = [...scores].map((score, i) => ({ player: `p${i}`, score, country: all[i] ?? "" }));
    await submit(players);
    await run();
    // Half of them play again, some in another country, in one run and then another.
    for (const one of players.filter((_, i) => i % 2 === 0)) {
      one.score = Math.floor(10_000 * random()) + 0.5;
      if (random() < 0.2) one.country = countries[Math.floor(3 * random())] ?? "AT";
    }
    await submit(players.filter((_, i) => i % 4 === 0));
    await run();
    await submit(players.filter((_, i) => i % 4 === 2));
    await run();
  });

  test("ranks are those of a plain sort, or lie within their bounds; small rows are counted unasked", async () => {
    const { docs } = await world.db.collection(segmentPagesPath(key)).get();
    const parts = docs.flatMap((page) => page.get("parts") as { scores: number[]; lows?: number[] }[]);
    const rows = parts.flatMap(({ scores, lows }) =>
      scores.map((score, i) => score === (lows?.[i] ?? score)),
    );
    expect(rows.length).toBeLessThanOrEqual(segmentRowsMax);
    let uncertain = 0;
    for (const { player, score, country } of players) {
      const truth = rankIn(country, score);
      const asked = { leaderboard: "board", player, segment: { country }, min_generation: generation };
      const rank = await world.call("getRank", asked, admin);
      expect(rank).toMatchObject({ players: inCountry(country).length });
      expect(rank.rank_best).toBeLessThanOrEqual(truth);
      expect(rank.rank_worst).toBeGreaterThanOrEqual(truth);
      if (rank.exact) expect(rank.rank).toBe(truth);
      else uncertain += 1;
      if (country === "LI") expect(rank.exact).toBe(true);
      const exact = await world.call("getRank", { ...asked, exact: true }, admin);
      expect(exact).toMatchObject({ rank: truth, exact: true });
    }
    expect(uncertain).toBeGreaterThan(0);
    // Each exact row has one player: the others were counted.
    expect(players.length - uncertain).toBeGreaterThan(rows.filter(Boolean).length);
  });

  test("an audit finds nothing wrong, and a repair makes the same ranking", async () => {
    const audit = await world.call("auditSeason", { leaderboard: "board", full: true }, admin);
    expect(audit).toMatchObject({ repair: "none", found: { pages: [], conservation: { scores: 0 } } });
    await world.call("repairSeason", { leaderboard: "board" }, admin);
    const again = await world.call("auditSeason", { leaderboard: "board", full: true }, admin);
    expect(again).toMatchObject({ repair: "none", found: { pages: [], conservation: { scores: 0 } } });
  });
});

describe("where nothing is pending", () => {
  const country = (i: number) => (i < 3 ? "LI" : "AT");
  const asked = { leaderboard: "board", segment: { country: "AT" } };

  test("a small merged row is counted as of the publication, asked or not, for 1 read", async () => {
    const world = createWorld();
    // What is read as of a publication is at most an hour old.
    world.advance(Date.now() - world.services.now());
    await createBoard(world, "board", { segments });
    const submissions = Array.from({ length: 130 }, (_, i) => ({
      player: `p${i}`,
      score: i,
      segments: { country: country(i) },
    }));
    await world.call("submitScores", { leaderboard: "board", submissions }, admin);
    world.advance(20_000);
    await publishRanking(world.services, key);
    let counted = 0;
    for (let score = 3; score < 130; score++) {
      for (const exact of [false, true]) {
        const ask = () => world.call("getRank", { ...asked, score, exact }, admin);
        const rank = await ask();
        expect(rank).toMatchObject({ freshness: "published" });
        if (rank.exact) expect(rank.rank).toBe(130 - score);
        const cost = await world.reads(ask);
        expect(cost).toBe(rank.exact && cost > 0 ? 1 : 0);
        counted += cost;
      }
    }
    expect(counted).toBeGreaterThan(0);
  });

  const season = { leaderboard: "board", season: "cup" };
  async function closed(): Promise<World> {
    const world = createWorld();
    const fields = (i: number) => playerFields(i, 0, { segments: { country: country(i) } });
    const all = Object.fromEntries(Array.from({ length: 130 }, (_, i) => [`p${i}`, fields(i)]));
    const cup = await createEnding(world, "board", all, { definition: { segments } });
    await endSeason(world, cup);
    return world;
  }

  test("a rank in a merged row of a closed season has the bounds of the row", async () => {
    const world = await closed();
    let uncertain = 0;
    for (let i = 3; i < 130; i++) {
      const rank = await world.call("getRank", { ...season, ...asked, player: `p${i}` }, admin);
      if (rank.exact) expect(rank.rank).toBe(130 - i);
      else uncertain += 1;
      expect(rank.rank_best).toBeLessThanOrEqual(130 - i);
      expect(rank.rank_worst).toBeGreaterThanOrEqual(130 - i);
      expect(rank.rank_worst - rank.rank_best).toBeLessThan(20);
    }
    expect(uncertain).toBeGreaterThan(0);
  });

  test("an audit of a closed season finds its pages right, also those of a segment that is not merged", async () => {
    const world = await closed();
    expect(await world.call("auditSeason", { ...season, full: true }, admin)).toMatchObject({
      found: { pages: [] },
    });
  });
});
