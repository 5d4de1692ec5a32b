/**
 * The events of a board's seasons: what they hold. The simulation shows that each is written once, if and only if it
 * happened.
 */
import { describe, expect, test } from "vitest";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { type BoardEvent, boardEvent } from "../../../functions/src/documents/event.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { eventsPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { admin, createBoard, presentOf, user, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const day = 86_400_000;
const submit = (score: number, uid = "ann") =>
  world.call("submitScore", { leaderboard: "board", score }, user(uid));
const crowd = (size: number) =>
  Object.fromEntries(Array.from({ length: size }, (_, i) => [`p${i}`, playerFields(i, i)]));

const order = ["season_opened", "season_closing", "season_closed", "season_revised"];

/** The events of seasons, in order; top-events.test.ts is about those of tops. */
async function eventsOf(leaderboard: string, season?: string): Promise<BoardEvent[]> {
  const { docs } = await world.db.collection(eventsPath(leaderboard)).get();
  const events = docs.map((document) => boardEvent.parse(document.data()));
  return events
    .filter(({ kind }) => order.includes(kind))
    .filter((event) => season === undefined || event.season === season)
    .sort((a, b) => a.at.toMillis() - b.at.toMillis() || order.indexOf(a.kind) - order.indexOf(b.kind));
}
const kindsOf = async (leaderboard: string, season?: string) =>
  (await eventsOf(leaderboard, season)).map(({ kind }) => kind);

describe("a season that opens", () => {
  test("by a submission writes one event for each span", async () => {
    await createBoard(world, "board", { spans: ["all_time", "daily"] });
    const other = world.anotherInstance();
    await submit(7);
    await submit(8);
    await boardCacheOf(other).open(presentOf({ leaderboard: "board", season: "all_time" }));
    const [daily] = await eventsOf("board", "daily-2100-01-02");
    const at = Timestamp.fromMillis(world.services.now());
    expect(daily).toEqual({
      kind: "season_opened",
      leaderboard: "board",
      season: "daily-2100-01-02",
      span: "daily",
      at,
      opens_at: Timestamp.fromMillis(Date.parse("2100-01-02")),
      closes_at: Timestamp.fromMillis(Date.parse("2100-01-03")),
      board_event_expires_at: Timestamp.fromMillis(at.toMillis() + 30 * day),
    });
    const [allTime] = await eventsOf("board", "all_time");
    expect(allTime).toMatchObject({ kind: "season_opened", span: "all_time", opens_at: at, closes_at: null });
    expect(await eventsOf("board")).toHaveLength(2);
  });
});

describe("a season's end", () => {
  test("begins at the cost of 2 reads and 3 writes", async () => {
    const key = await createEnding(world, "board", crowd(3));
    const { bill } = await world.meter.measure(() => stepEnd(world.services, { ...key, step: 0 }));
    // The previous season; then the step starts its record, reads the board, and finds that it has to wait.
    expect(bill).toEqual({ reads: 1 + 2 + 1 + 2, writes: 3 + 2 + 2, deletes: 0 });
  });

  test("keeps its events when the season is deleted", async () => {
    const key = await createEnding(world, "board", crowd(2));
    await endSeason(world, key);
    const now = Timestamp.fromMillis(world.services.now());
    await world.db.doc(seasonPath(key)).update({ status: "deleting", end_due_at: now });
    await endSeason(world, key);
    expect((await world.db.doc(seasonPath(key)).get()).exists).toBe(false);
    expect(await kindsOf("board", "cup")).toEqual(["season_closing", "season_closed"]);
  });
});

test("a closed season that is revised has an event that does not name the player", async () => {
  const key = await createEnding(world, "board", crowd(5));
  await endSeason(world, key);
  world.advance(1);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "p4", status: "banned" }, admin);
  world.advance(1);
  await world.call("setPlayerStatus", { leaderboard: "board", player: "p4", status: "hidden" }, admin);
  await world.call("removePlayer", { leaderboard: "board", player: "p3" }, admin);
  const events = (await eventsOf("board", "cup")).slice(2);
  expect(events).toMatchObject([
    { kind: "season_revised", reason: "banned", revisions: 1, player_count: 4 },
    { kind: "season_revised", reason: "removed", revisions: 2, player_count: 3 },
  ]);
  expect(JSON.stringify(events)).not.toMatch(/p3|p4/);
});

test("a board writes the kinds of events that it names, and none if it names none", async () => {
  for (const [leaderboard, events] of [
    ["some", ["season_closed"]],
    ["none", []],
  ] as const) {
    const key = await createEnding(world, leaderboard, crowd(2), { definition: { events: [...events] } });
    await world.call("submitScore", { leaderboard, score: 1 }, user("ann"));
    await endSeason(world, key);
    await world.call("removePlayer", { leaderboard, player: "p1" }, admin);
    expect(await kindsOf(leaderboard)).toEqual(events);
  }
});
