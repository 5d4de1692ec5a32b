/** Documents that a trusted server writes by itself, which our own commits and runs have to live with. */
import { beforeEach, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { documentSize } from "../../../functions/src/model/document-size.ts";
import { documentBytesMax } from "../../../functions/src/model/limits.ts";
import { expectConserved, expectConverged, expectRanked, publishedRows } from "../../support/oracle.ts";
import { admin, allTime, createBoard, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const key = allTime("board");
const rankNow = () => world.call("runRanking", { leaderboard: "board", include_open_slot: true }, admin);
const active = (score: number) => ({ score, status: "active", achieved_at: now() });
const now = () => Timestamp.fromMillis(world.services.now());

/** Nothing is on its way any more: the index is right. */
async function expectRight(): Promise<void> {
  await expectConserved(world, key);
  await expectConverged(world, key);
  await rankNow();
  await expectRanked(world, key);
}

beforeEach(async () => {
  await createBoard(world, "board", { aggregation: "latest" });
});

test("a document that has no room for a mark is not counted any more, and its event does not come again", async () => {
  await world.submit("ann", 30);
  await world.submit("bob", 20);
  await rankNow();
  const room = documentBytesMax - documentSize(playerPath(key, "ann"), { score: 50, own: "" });
  const write = await world.writeDirectly(key, "ann", { score: 50, own: "x".repeat(room - 10) });
  await world.follow(key, "ann", write, 2);
  await expectConserved(world, key);
  await rankNow();
  expect(await publishedRows(world.db, key)).toEqual([{ score: 20, players: 1, above: 0 }]);
  expect(world.logged.filter(({ level }) => level === "error").map(({ message }) => message)).toContain(
    "player ann is not ranked: Firestore refuses to write the document",
  );
});

test("a direct write to a season that has not begun is counted when its event comes again", async () => {
  await createBoard(world, "days", { spans: ["daily"] });
  const tomorrow = { leaderboard: "days", season: "daily-2100-01-03" };
  const write = await world.writeDirectly(tomorrow, "ann", active(30));
  await expect(world.follow(tomorrow, "ann", write)).rejects.toMatchObject({ code: "contention" });
  world.advance(86_400_000);
  await world.follow(tomorrow, "ann", write);
  await expectConserved(world, tomorrow);
  await expectConverged(world, tomorrow);
});

test("a direct write to a season of no span is left alone", async () => {
  await createBoard(world, "days", { spans: ["daily"] });
  const far = { leaderboard: "days", season: "daily-2100-03-01" };
  await world.follow(far, "ann", await world.writeDirectly(far, "ann", active(30)));
  expect((await world.db.doc(seasonPath(far)).get()).exists).toBe(false);
});

test("a trusted server's first document opens the season and is completed", async () => {
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", { score: 7 }));
  expect((await world.db.doc(seasonPath(key)).get()).exists).toBe(true);
  const player = await world.db.doc(playerPath(key, "ann")).get();
  expect(player.data()).toMatchObject({ score: 7, status: "active", counted: { score: 7 } });
  expect(player.get("achieved_at")).toBeDefined();
  await expectRight();
});

test("an invalid time from a trusted server is replaced, even if the score stays", async () => {
  await world.submit("ann", 30);
  const document = world.db.doc(playerPath(key, "ann"));
  await document.update({ achieved_at: "yesterday" });
  await world.deliver(key, "ann");
  expect((await document.get()).get("achieved_at")).toBeInstanceOf(Timestamp);
});

test.each([
  ["a string", "12"],
  ["NaN", NaN],
  ["infinity", Infinity],
  ["more than 2^53 - 1", 2 ** 53],
])("a score that is %s counts as none, is logged once and shows in the run record", async (_, score) => {
  await world.submit("bob", 20);
  const write = await world.writeDirectly(key, "ann", { score, status: "active" });
  await world.follow(key, "ann", write, 2);
  expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(1);
  expect(world.logged.find(({ level }) => level === "error")?.message).toContain("player ann is not ranked");
  const record = await rankNow();
  expect(record).toMatchObject({ players: 1, found: { unusable_scores: 1 } });
  expect(await publishedRows(world.db, key)).toEqual([{ score: 20, players: 1, above: 0 }]);

  await world.db.doc(playerPath(key, "ann")).update({ score: 12 });
  await world.deliver(key, "ann");
  expect(await rankNow()).toMatchObject({ players: 2, found: { unusable_scores: 0 } });
  await expectRanked(world, key);
});

test("a player's event on a board whose definition was deleted is still counted", async () => {
  await world.submit("bob", 30);
  await world.db.doc("leaderboards/board").delete();
  boardCacheOf(world.services).forget("board");
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", active(50)));
  await expectConverged(world, key);
  await expectConserved(world, key);
});

test("a value of a segment that is none takes no other with it when the player plays on", async () => {
  const segments = ["country", "platform"].map((name) => ({ name, from: "server" as const }));
  await world.call("saveLeaderboard", { leaderboard: "board", definition: { segments } }, admin);
  const own = { country: "AT", platform: 3 };
  await world.follow(key, "ann", await world.writeDirectly(key, "ann", { ...active(50), segments: own }));
  await world.submit("ann", 60);
  const document = await world.db.doc(playerPath(key, "ann")).get();
  expect(document.data()).toMatchObject({
    segments: own,
    counted: { score: 60, segments: ["country=AT"] },
  });
  await expectRight();
});
