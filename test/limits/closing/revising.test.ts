/** Players who are erased, hidden or readmitted after a season closed, or while it closes: everybody is ranked again. */
import { describe, expect, test, vi } from "vitest";
import { startRepair } from "../../../functions/src/jobs/repair/repair.ts";
import { revisionRecord } from "../../../functions/src/documents/closing-record.ts";
import { pagePath, playerPath, runPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { publishStandings } from "../../../functions/src/standings/publish-standings.ts";
import { countPlayers } from "../../../functions/src/counting/count-players.ts";
import { revisionsGatherMs } from "../../../functions/src/model/limits.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { createServices } from "../../../functions/src/operations/shared/services.ts";
import {
  closed,
  createEnding,
  endSeason,
  expectFinal,
  playerFields,
  seasonOf,
  sortedPlayers,
} from "../../support/closing.ts";
import { callOn, admin, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

// Small documents, so that a small season has several; closing.test.ts revises one of documents as they are.
vi.mock("../../../functions/src/model/limits.ts", async (original) => {
  const { smallDocuments } = await import("../../support/small-documents.ts");
  return { ...(await original<object>()), ...smallDocuments };
});

const world = eachWorld();

/** Two and a half documents and three pages; a crowd of equals crosses the edge of the first two. */
const crowd = () =>
  Object.fromEntries(
    Array.from({ length: 250 }, (_, i) => {
      const score = i < 170 ? 50 : i % 60;
      const more = {
        ...(i % 40 === 3 ? { status: "hidden" } : {}),
        ...(i % 90 === 0 ? { metadata: { i } } : {}),
      };
      return [`p${i}`, playerFields(score, i, more)];
    }),
  );

const setStatus = (leaderboard: string, player: string, status: "active" | "hidden" | "banned") =>
  world.call("setPlayerStatus", { leaderboard, player, status }, admin);
const remove = (leaderboard: string, player: string) =>
  world.call("removePlayer", { leaderboard, player }, admin);

async function revisionsOf(key: SeasonKey) {
  const { docs } = await world.db.collection(runPath(key, "any").replace("/any", "")).get();
  return docs.filter((run) => run.get("kind") === "revision").map((run) => revisionRecord.parse(run.data()));
}

describe("revisions that come together", () => {
  const banned = Array.from({ length: 12 }, (_, i) => `p${100 + i * 7}`).filter((id) => id !== "p163");

  /** What a new instance answers of ranks and lists is what a full sort gives. */
  async function expectAnswers(key: SeasonKey): Promise<void> {
    const sorted = await sortedPlayers(world, key);
    const other = world.anotherInstance();
    const page = await callOn(other, "getPage", { ...key, offset: 50, limit: 100 }, admin);
    expect(page.entries.map(({ player }) => player)).toEqual(
      sorted.slice(50, 150).map(({ player }) => player),
    );
    for (const at of [0, 165, sorted.length - 1]) {
      const { player, score } = sorted[at] ?? {};
      const rank = sorted.findIndex((one) => one.score === score) + 1;
      const found = await callOn(other, "getRank", { ...key, player }, admin);
      expect(found).toMatchObject({ rank, players: sorted.length });
      expect(found).not.toHaveProperty("exact", false);
    }
    const top = await callOn(other, "getTop", key, admin);
    expect(top.entries.map(({ player }) => player)).toEqual(sorted.slice(0, 20).map(({ player }) => player));
  }

  test("are published once, and nobody is shown meanwhile", async () => {
    const key = await createEnding(world, "board", crowd(), { definition: { top_size: 20 } });
    await endSeason(world, key);
    const { ranking } = await seasonOf(world, key);
    const { bill: first } = await world.meter.measure(() => setStatus("board", "p30", "banned"));
    const bills = [];
    for (const player of banned) {
      const { bill } = await world.meter.measure(() => setStatus("board", player, "banned"));
      bills.push(bill);
      world.advance(1_000);
    }
    // What the first pays beside: three documents of the standings, the pages, and what tells that all is published.
    for (const { reads, writes } of bills) {
      expect(writes).toBeLessThanOrEqual(first.writes - 5);
      expect(reads).toBeLessThanOrEqual(first.reads - 10);
    }
    await remove("board", "p200");
    await setStatus("board", "p3", "active");
    expect((await seasonOf(world, key)).ranking.generation).toBe(ranking.generation + 1);
    await expectAnswers(key);
    await endSeason(world, key);
    await expectFinal(world, key);
    await expectAnswers(key);
    const season = await seasonOf(world, key);
    expect(season.ranking.generation).toBe(ranking.generation + 2);
    expect(season).toMatchObject({ end_due_at: null, revisions: 14, published_revisions: 14 });
  });

  test("before the season is cleared do not bring its clearing forward", async () => {
    const key = await createEnding(world, "board", crowd());
    await endSeason(world, key, { until: closed });
    const { end_due_at: clears } = await seasonOf(world, key);
    await setStatus("board", "p30", "banned");
    await endSeason(world, key, { until: ({ end_due_at: due }) => due?.isEqual(clears ?? due) === true });
    expect(await seasonOf(world, key)).toMatchObject({ cleared_at: null, published_revisions: 1 });
    await endSeason(world, key);
    await expectFinal(world, key);
  });
});

test("a change that does not affect the standings is not a revision", async () => {
  const key = await createEnding(world, "board", crowd());
  await endSeason(world, key);
  await setStatus("board", "p3", "banned");
  await setStatus("board", "p1", "active");
  await remove("board", "p3");
  expect(await remove("board", "nobody")).toEqual({ player: "nobody", removed: [] });
  expect(await revisionsOf(key)).toEqual([]);
  await expectFinal(world, key);
});

test("pages and top follow at once: the last player leaves, comes back, and is named by no record", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(5, 1, { metadata: { a: 1 } }) });
  await endSeason(world, key);
  await setStatus("board", "ann", "hidden");
  await expectFinal(world, key);
  world.advance(revisionsGatherMs);
  await setStatus("board", "ann", "active");
  await expectFinal(world, key);
  world.advance(revisionsGatherMs);
  const { removed } = await remove("board", "ann");
  expect(removed).toContainEqual({ ...key, player: true, top: true });
  await expectFinal(world, key);
  const records = await revisionsOf(key);
  expect(records.map(({ reason }) => reason).sort()).toEqual(["active", "hidden", "removed"]);
  expect(JSON.stringify(records)).not.toContain("ann");
});

const few = () =>
  Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${i}`, playerFields(i % 4, i)] as const));

/** Services whose memory says that the season still closes, for as long as the test lasts. */
async function rememberingIt(key: SeasonKey) {
  const { db } = world;
  const nowMs = world.services.now();
  const services = createServices({ ...world.services, db, now: () => nowMs });
  await boardCacheOf(services).load(key);
  return services;
}

test.each(["hidden", "active"] as const)(
  "a player who is made %s counts once, also by an instance that remembers the season as it was",
  async (status) => {
    const nobody = Object.fromEntries(
      Object.entries(few()).map(([id, fields]) => [id, { ...fields, status: "hidden" }]),
    );
    const key = await createEnding(world, "board", status === "hidden" ? few() : nobody);
    const remembering = await rememberingIt(key);
    await endSeason(world, key, { until: closed });
    for (const player of ["p4", "p7"]) {
      world.advance(revisionsGatherMs);
      await setStatus("board", player, status);
      await expect(countPlayers(remembering, key, [player])).rejects.toMatchObject({ code: "season_closed" });
      const { outcome } = await publishRanking(remembering, key, { includeOpenSlot: true });
      expect(outcome).toBe("nothing_to_do");
      await expectFinal(world, key);
    }
  },
);

test("a document that was deleted by hand is erased from the standings too", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(5, 1), bob: playerFields(4, 1) });
  await endSeason(world, key);
  await world.db.doc(playerPath(key, "ann")).delete();
  expect(await remove("board", "ann")).toMatchObject({ removed: [{ player: false }] });
  await expectFinal(world, key);
});

test("a slow publication shows no older revision, also where a repair has asked for the last one again", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(5, 1), bob: playerFields(4, 1) });
  await endSeason(world, key);
  const slow = world.anotherInstance();
  let struck = false;
  await publishStandings(slow, await boardCacheOf(slow).load(key), async () => {
    if (struck) return;
    struck = true;
    await setStatus("board", "ann", "hidden");
    await endSeason(world, key);
    await startRepair(world.services, key, { kind: "repair", full: false });
  });
  expect(struck).toBe(true);
  expect((await world.db.doc(pagePath(key, 0)).get()).get("scores")).toEqual([4]);
  await endSeason(world, key);
  await expectFinal(world, key);
});

test("a season that closed without anybody takes a player back while its next step is due", async () => {
  const key = await createEnding(world, "board", { ann: playerFields(5, 1, { status: "hidden" }) });
  await endSeason(world, key, { until: closed });
  const { end_due_at: due } = await seasonOf(world, key);
  world.advance(Math.max(0, (due?.toMillis() ?? NaN) - world.services.now()));
  await setStatus("board", "ann", "active");
  await endSeason(world, key);
  await expectFinal(world, key);
});

test("a trusted server's bare document that was banned before an event completed it can come back", async () => {
  const key = await createEnding(world, "board", {
    ann: playerFields(5, 1),
    bob: { score: 7, status: "banned" },
  });
  await endSeason(world, key);
  await setStatus("board", "bob", "active");
  await endSeason(world, key);
  await expectFinal(world, key);
  const { rank } = await world.call("getRank", { ...key, player: "bob" }, admin);
  expect(rank).toBe(1);
  expect((await revisionsOf(key)).map(({ reason }) => reason)).toEqual(["active"]);
});
