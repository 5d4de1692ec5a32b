/** What calls cost in document reads and writes: the promises of docs/costs.md and of docstrings, measured. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Bill } from "../../functions/src/documents/ranking-record.ts";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import { shardsPath } from "../../functions/src/documents/paths.ts";
import { splitReadsMax, topSizeMax } from "../../functions/src/model/limits.ts";
import { enqueueDueRuns } from "../../functions/src/jobs/schedule/schedule.ts";
import { publishRanking } from "../../functions/src/ranking/run.ts";
import { root } from "../../scripts/project.ts";
import { withQueue } from "../support/damage.ts";
import { callOn, type Operation, admin, allTime, createBoard, user, eachWorld } from "../support/world.ts";

const world = eachWorld();
const key = allTime("board");
const free = { reads: 0, writes: 0, deletes: 0 };
const rankNow = () => world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);

/** A board with three ranked players, its definition and the page of their scores in memory. */
beforeEach(async () => {
  await createBoard(world, "board", { aggregation: "latest", top_size: 2 });
  for (const [player, score] of Object.entries({ ann: 30, bob: 20, cyd: 10 }))
    await world.submit(player, score);
  await rankNow();
  await world.call("getRank", { leaderboard: "board", score: 1 }, user("ann"));
});

test.each<[what: string, player: string, scores: number[], name: string | undefined, Partial<Bill>]>([
  ["a changed score costs 1 read and 2 writes", "ann", [31], undefined, { reads: 1, writes: 2 }],
  ["a new player costs 2 reads and 2 writes", "dan", [5], undefined, { reads: 2, writes: 2 }],
  ["an unchanged score costs 1 read and no write", "ann", [30], undefined, { reads: 1 }],
  ["a new name alone costs 1 read and 1 write", "cyd", [10], "Cyd", { reads: 1, writes: 1 }],
  ["many in one call cost 1 read and 2 writes", "ann", [1, 2, 3, 4], undefined, { reads: 1, writes: 2 }],
])("of one player, %s", async (_what, player, scores, name, bill) => {
  const submissions = scores.map((score) => ({ player, score, display_name: name }));
  const call = () => world.call("submitScores", { leaderboard: "board", submissions }, admin);
  expect(await world.bill(call)).toEqual({ ...free, ...bill });
});

test("scores that share a commit share the write that counts them", async () => {
  const submissions = Array.from({ length: 10 }, (_, i) => ({ player: `p${i}`, score: i }));
  const spent = await world.bill(() =>
    world.call("submitScores", { leaderboard: "board", submissions }, admin),
  );
  expect(spent).toEqual({ ...free, reads: 2 * 10, writes: 10 + 1 });
});

test("players who submit at the same time share the write that counts them", async () => {
  const players = Array.from({ length: 60 }, (_, i) => `p${i}`);
  const spent = await world.bill(() =>
    Promise.all(players.map((player, i) => world.submit(player, i / 100))),
  );
  // The first goes at once, and all others wait for its commit.
  expect(spent).toEqual({ ...free, reads: 2 * 60, writes: 60 + 2 });
});

test("a direct write costs 1 read and 2 writes, over a counted score 3 of each, and its event again reads only", async () => {
  const score = { status: "active", achieved_at: Timestamp.now() };
  const first = await world.writeDirectly(key, "dan", { ...score, score: 5 });
  expect(await world.bill(() => world.follow(key, "dan", first))).toEqual({ ...free, reads: 1, writes: 2 });
  const second = await world.writeDirectly(key, "dan", { ...score, score: 6 });
  expect(await world.bill(() => world.follow(key, "dan", second))).toEqual({ ...free, reads: 3, writes: 3 });
  expect(await world.bill(() => world.follow(key, "dan", second))).toEqual({ ...free, reads: 3 });
});

test("all who ask for live ranks within 5 seconds share the page and the pending shards", async () => {
  await world.submit("ann", 31);
  const live = (score: number) =>
    world.call("getRank", { leaderboard: "board", score, freshness: "live" }, user("ann"));
  expect(await world.bill(() => live(31))).toEqual({ ...free, reads: 1 + 1 });
  world.advance(4_900);
  expect(await world.bill(() => live(7))).toEqual(free);
  world.advance(200);
  expect(await world.bill(() => live(7))).toEqual({ ...free, reads: 1 + 1 });
});

test("calls for admins cost what the page says", async () => {
  for (const [player, score] of Object.entries({ dan: 5, eve: 4, fay: 3, gus: 2 }))
    await world.submit(player, score);
  await rankNow();
  const ask = (name: Operation, request: object) =>
    world.bill(() => callOn(world.services, name, { leaderboard: "board", ...request }, admin));
  const top = 2;
  // The look for private groups, of which the player is in none.
  const groups = 1;
  const hidden = await ask("setPlayerStatus", { player: "eve", status: "hidden" });
  expect(hidden).toEqual({ ...free, reads: 6 + 3 + groups, writes: 2 + 1 });
  expect(await ask("exportPlayer", { player: "nobody" })).toEqual({ ...free, reads: 4 + 2 + 1 + groups });
  const nobody = await ask("removePlayer", { player: "nobody" });
  // The season's change is pending.
  expect(nobody).toEqual({ reads: 7 + 1 + groups + 2 + top, writes: 1 + 1, deletes: 1 });
  const removed = await ask("removePlayer", { player: "dan" });
  expect(removed).toEqual({ reads: 7 + 1 + groups + 3 + top, writes: 3 + 1, deletes: 1 + 1 });
  const merged = await ask("mergePlayers", { from: "fay", to: "gus" });
  expect(merged).toEqual({ reads: 8 + 3 + groups + 8 + top, writes: 5, deletes: 1 });
  await rankNow();
  expect(await ask("removePlayer", { player: "nobody" })).toEqual({
    ...free,
    reads: 7 + 1 + groups,
    writes: 1,
    deletes: 1,
  });
  const [pages, shards, players] = [1, 1, 5];
  // The marks, who is listed, and all documents; and as one player is hidden, the hidden and the banned.
  const counts = 3 + 2;
  expect(await ask("auditSeason", {})).toEqual({ ...free, reads: pages + shards + counts + 2, writes: 1 });
  const inFull = await ask("auditSeason", { full: true });
  expect(inFull).toEqual({ ...free, reads: pages + shards + counts + 3 + players, writes: 1 });
  const repaired = await ask("repairSeason", {});
  expect(repaired.reads).toBeGreaterThanOrEqual(2 * players + pages + shards + top);
  await rankNow();
  expect(await ask("repairSeason", {})).toMatchObject({ writes: pages + 8 });
  expect(await ask("openSeason", { season: "cup" })).toEqual({ ...free, reads: 2, writes: 2 });
});

test("a page is read again once the next publication is overdue", async () => {
  world.advance(5 * 60_000);
  expect(
    await world.bill(() => world.call("getRank", { leaderboard: "board", score: 1 }, user("ann"))),
  ).toEqual({
    ...free,
    reads: 3, // the page, and the board, which is outdated after a minute
  });
});

test("a definition and its season cost 2 reads a minute", async () => {
  world.advance(61_000);
  expect(await world.bill(() => world.submit("ann", 30))).toEqual({ ...free, reads: 3 });
});

test("a ranking run costs its pages, shards and top players, and says so in its record", async () => {
  await world.submit("ann", 35);
  await world.submit("bob", 25);
  const shards = (await world.db.collection(shardsPath(key)).get()).size;
  const { result: record, bill: spent } = await world.meter.measure(rankNow);
  const indexEntriesOfTop = 1;
  expect(spent).toEqual({
    reads: 1 + shards + 1 + 2 + indexEntriesOfTop, // page, shards, the top, its 2 players
    writes: 1 + 3, // page, top, season, run record
    deletes: shards,
  });
  expect(record).toMatchObject({ outcome: "published", billed: spent, read: { pages: 1, shards, top: 2 } });
});

test("a run with nothing to fold costs 1 read and writes nothing; the call reads what is published too", async () => {
  expect(await world.bill(() => publishRanking(world.services, allTime("board")))).toEqual({
    ...free,
    reads: 1,
  });
  expect(await world.bill(rankNow)).toEqual({ ...free, reads: 2 });
});

test("the schedule costs 1 read for each season due, and 1 when none is", async () => {
  expect(await world.bill(() => enqueueDueRuns(withQueue(world.services).services))).toEqual({
    ...free,
    reads: 1,
  });
  await createBoard(world, "other");
  await world.call("submitScore", { leaderboard: "other", score: 1 }, user("ann"));
  world.advance(5 * 60_000);
  expect(await world.bill(() => enqueueDueRuns(withQueue(world.services).services))).toEqual({
    ...free,
    reads: 2,
  });
});

test("a run of several pages reads and writes each of them once", async () => {
  const submissions = Array.from({ length: 1_100 }, (_, i) => ({ player: `p${i}`, score: 1_000 + i }));
  for (const from of [0, 500, 1_000]) {
    const some = submissions.slice(from, from + 500);
    await world.call("submitScores", { leaderboard: "board", submissions: some }, admin);
  }
  await rankNow();
  await world.submit("p0", 5_000);
  const spent = await world.bill(() => world.publish(key));
  expect(spent).toEqual({ reads: 5 + 1 + 1 + 2 + 1, writes: 5 + 3 + 2, deletes: 1 }); // with both events of the first top
  expect(topSizeMax).toBeLessThanOrEqual(1_000); // more would add index reads to the top query
});

test("a thousand different scores are one page, which a run reads and writes once", async () => {
  const submissions = Array.from({ length: 990 }, (_, i) => ({ player: `p${i}`, score: 1_000 + i }));
  for (const from of [0, 500]) {
    const some = submissions.slice(from, from + 500);
    await world.call("submitScores", { leaderboard: "board", submissions: some }, admin);
  }
  await rankNow();
  await world.submit("p0", 5_000);
  const spent = await world.bill(() => world.publish(key));
  expect(spent).toEqual({ reads: 1 + 1 + 1 + 2 + 1, writes: 1 + 3 + 2, deletes: 1 });
});

test("docs/costs.md says what a run may read beside its pages and shards, and what was measured", () => {
  const [costs, measured] = ["docs/costs.md", "docs/rank-error.md"].map((path) =>
    readFileSync(join(root, path), "utf8"),
  );
  expect(costs).toContain(`1 more for each player in them, ${splitReadsMax.toLocaleString("en")} at most`);
  // The last column of the table is a run's split reads.
  const rows = (measured ?? "").split("\n").filter((line) => /^\|.*above 0\.02 %/.test(line));
  const reads = rows.map((line) => line.split("|").at(-2)?.trim() ?? "");
  expect(reads.length).toBeGreaterThanOrEqual(2);
  const byNumber = reads.sort((a, b) => Number(a.replaceAll(",", "")) - Number(b.replaceAll(",", "")));
  expect(costs).toContain(`between ${byNumber[0]} a run`);
  expect(costs).toContain(`and ${byNumber.at(-1)}, where`);
});
