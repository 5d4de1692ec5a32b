/** Boards of several spans: one submission counts for all of them, and their seasons follow the clock. */
import { beforeEach, describe, expect, test } from "vitest";
import {
  playerPath,
  seasonPath,
  seasonsPath,
  type SeasonKey,
} from "../../../functions/src/documents/paths.ts";
import { readSeason } from "../../../functions/src/documents/season.ts";
import { toFirerankError } from "../../../client/src/firerank-error.ts";
import { textStore } from "../../../client/src/queue-stores.ts";
import { createSendQueue } from "../../../client/src/send-queue.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { device } from "../../support/client/device.ts";
import { admin, callOn, createBoard, user, eachWorld } from "../../support/world.ts";

const hour = 3_600_000;
const world = eachWorld();

// The world begins on Saturday, 2 January 2100, at noon.
const season = (id: string): SeasonKey => ({ leaderboard: "board", season: id });
const storedScore = async (id: string, player: string): Promise<unknown> =>
  (await world.db.doc(playerPath(season(id), player)).get()).get("score");
const seasonDocument = async (id: string) =>
  readSeason((await world.db.doc(seasonPath(season(id))).get()).data());
const seasonIds = async () =>
  (await world.db.collection(seasonsPath("board")).get()).docs.map(({ id }) => id);

const allSpans = ["all_time", "daily", "weekly", "monthly"] as const;
const ofToday = ["all_time", "daily-2100-01-02", "weekly-2099-W53", "monthly-2100-01"];

describe("one submission", () => {
  test("opens the current seasons, and counts in each; its answer has a line for each, in their order", async () => {
    await createBoard(world, "board", { spans: [...allSpans], time_zone: "Asia/Kathmandu" });
    const { seasons } = await world.submit("ann", 7);
    expect(seasons).toMatchObject(ofToday.map((id, i) => ({ season: id, span: allSpans[i], score: 7 })));
    expect((await seasonIds()).toSorted()).toEqual(ofToday.toSorted());
    for (const id of ofToday) expect(await storedScore(id, "ann")).toBe(7);
    const daily = await seasonDocument("daily-2100-01-02");
    expect(daily.opens_at.toDate().toISOString()).toBe("2100-01-01T18:15:00.000Z");
    expect(daily.closes_at?.toDate().toISOString()).toBe("2100-01-02T18:15:00.000Z");
    expect(daily.end_due_at).toEqual(daily.closes_at);
    expect((await seasonDocument("all_time")).closes_at).toBe(null);
  });

  test("costs a read and two writes a span, and no write for a span whose score did not change", async () => {
    await createBoard(world, "board", { spans: ["all_time", "daily"] });
    await world.submit("ann", 7);
    await world.submit("bob", 1);
    world.advance(24 * hour);
    await world.submit("bob", 1);
    const { bill } = await world.meter.measure(() => world.submit("ann", 3));
    // A player's document a span, and the ranks of the answer: nothing is published, so a look for the page each. The
    // one span whose score changed has its player and its shard document written.
    expect(bill).toEqual({ reads: 2 + 2, writes: 2, deletes: 0 });
    expect(await storedScore("all_time", "ann")).toBe(7);
    expect(await storedScore("daily-2100-01-03", "ann")).toBe(3);
  });

  test("counts in the spans whose totals it leaves in their range", async () => {
    await createBoard(world, "board", { spans: ["all_time", "daily"], aggregation: "sum", max_score: 10 });
    await world.submit("ann", 8);
    world.advance(24 * hour);
    // Today's sum is 8, which is fine; the all-time sum would be 16.
    const { seasons } = await world.submit("ann", 8);
    expect(seasons).toMatchObject([
      { span: "all_time", score: 8, error: { code: "score_out_of_range" } },
      { season: "daily-2100-01-03", score: 8 },
    ]);
    expect(await storedScore("daily-2100-01-03", "ann")).toBe(8);
    await expect(world.submit("ann", 3)).rejects.toMatchObject({ code: "score_out_of_range" });
  });

  test("that one span takes, and in which another has no document of the player, begins none there", async () => {
    await createBoard(world, "board", { spans: ["all_time", "daily"], aggregation: "sum", min_score: 0 });
    await world.submit("ann", 8);
    world.advance(24 * hour);
    const { seasons } = await world.submit("ann", -3);
    expect(seasons).toMatchObject([
      { span: "all_time", score: 5 },
      { span: "daily", score: 0, attempts: 0, rank: null, error: { code: "score_out_of_range" } },
    ]);
    expect(await storedScore("daily-2100-01-03", "ann")).toBe(undefined);
  });

  test("needs a season on a board without spans", async () => {
    await createBoard(world, "board", { spans: [] });
    await expect(world.submit("ann", 1)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(world.call("getPage", { leaderboard: "board" }, user("ann"))).rejects.toMatchObject({
      code: "invalid_request",
    });
  });
});

describe("over the edge of a day", () => {
  test("a submission sent again after midnight has counted where it was sent first", async () => {
    await createBoard(world, "board", { spans: ["all_time", "daily"], aggregation: "sum" });
    world.advance(12 * hour - 1_000);
    await world.submit("ann", 5, { submission_id: "one" });
    world.advance(2_000);
    const { seasons } = await world.submit("ann", 5, { submission_id: "one" });
    expect(seasons).toMatchObject([
      { season: "all_time", score: 5, repeated: true },
      { season: "daily-2100-01-02", score: 5, repeated: true },
    ]);
    expect(await storedScore("daily-2100-01-03", "ann")).toBe(undefined);
    // Another one counts, and is known again.
    await world.submit("ann", 2, { submission_id: "two" });
    await world.submit("ann", 2, { submission_id: "two" });
    expect(await storedScore("all_time", "ann")).toBe(7);
    expect(await storedScore("daily-2100-01-03", "ann")).toBe(2);
  });

  test("one that changed nothing where it was sent first has left nothing behind, and counts in the new day", async () => {
    await createBoard(world, "board", { spans: ["daily"] });
    await world.submit("ann", 9);
    world.advance(12 * hour - 1_000);
    const { result: first, bill } = await world.meter.measure(() =>
      world.submit("ann", 5, { submission_id: "one" }),
    );
    expect(first.seasons).toMatchObject([{ season: "daily-2100-01-02", score: 9, improved: false }]);
    // To be known again it would cost a write, and so would each that is no better.
    expect(bill.writes).toBe(0);
    world.advance(2_000);
    const { seasons } = await world.submit("ann", 5, { submission_id: "one" });
    expect(seasons).toMatchObject([{ season: "daily-2100-01-03", score: 5, improved: true }]);
    expect(seasons[0]).not.toHaveProperty("repeated");
  });
});

describe("a score that comes over the end of a season", () => {
  const [firstDay, secondDay] = ["daily-2100-01-02", "daily-2100-01-03"] as const;
  const submit = (score: number, id: string) => world.submit("ann", score, { submission_id: id });

  test("and that a closing overtakes counts for the next season of its span when it is sent again", async () => {
    await createBoard(world, "board", { spans: ["daily"] });
    await world.submit("bob", 1);
    world.advance(12 * hour);
    const cameMs = world.services.now() - 1_000;
    await stepEnd(world.services, { ...season(firstDay), step: 1 });
    const early = { ...world.services, now: () => cameMs };
    const request = { leaderboard: "board", score: 7, submission_id: "only" };
    await expect(callOn(early, "submitScore", request, user("ann"))).rejects.toMatchObject({
      code: "contention",
      message: expect.stringContaining("nothing was recorded; send it again") as unknown,
    });
    expect(await submit(7, "only")).toMatchObject({ seasons: [{ season: secondDay, score: 7 }] });
  });

  test("counts today though the season of yesterday is damaged", async () => {
    await createBoard(world, "board", { spans: ["daily"] });
    await submit(7, "one");
    await world.db.doc(seasonPath(season(firstDay))).update({ opens_at: "long ago" });
    // Within the first quarter of an hour, in which a score may have been sent to yesterday's season before.
    world.advance(12 * hour + 60_000);
    expect(await submit(9, "two")).toMatchObject({ seasons: [{ season: secondDay, score: 9 }] });
  });
});

describe("a question", () => {
  beforeEach(async () => {
    await createBoard(world, "board", { spans: ["daily", "all_time"] });
    await world.submit("ann", 5);
    await world.submit("bob", 7);
    world.advance(24 * hour);
    await world.submit("ann", 3);
    for (const id of await seasonIds()) {
      await world.deliverAll(season(id));
      await world.publish(season(id));
    }
  });

  const rank = (asked: object) => world.call("getRank", { leaderboard: "board", ...asked }, user("ann"));

  test("is about the current season of the board's first span, or the span or season it names", async () => {
    expect(await rank({})).toMatchObject({ season: "daily-2100-01-03", rank: 1, score: 3, players: 1 });
    expect(await rank({ span: "all_time" })).toMatchObject({ season: "all_time", rank: 2, score: 5 });
    expect(await rank({ season: "daily-2100-01-02" })).toMatchObject({ rank: 2, score: 5, players: 2 });
  });

  test("and a ranking run too, of what it names or of the first span", async () => {
    const run = (asked: object) =>
      world.call("runRanking", { leaderboard: "board", include_open_slot: true, ...asked }, admin);
    expect(await run({})).toMatchObject({ season: "daily-2100-01-03" });
    expect(await run({ span: "all_time" })).toMatchObject({ season: "all_time" });
    await expect(run({ span: "weekly" })).rejects.toMatchObject({ code: "season_not_found" });
    await expect(run({ span: "daily", season: "all_time" })).rejects.toMatchObject({
      code: "invalid_request",
    });
  });

  test("about a current season that has not been opened finds nobody", async () => {
    world.advance(24 * hour);
    const answer = await world.call("getPage", { leaderboard: "board" }, user("ann"));
    expect(answer).toMatchObject({ season: "daily-2100-01-04", entries: [], players: 0 });
  });
});

describe("another calendar", () => {
  const save = (definition: object) =>
    world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  const seasonNow = async () =>
    (await world.submit("ann", Math.random())).seasons.map(({ season }) => season);

  test("that the season does not know, for example because a zone's rules changed, lets it go on", async () => {
    await createBoard(world, "board", { spans: ["daily"] });
    await world.submit("ann", 1);
    const today = season("daily-2100-01-02");
    const early = new Date(world.services.now() + 11 * hour);
    await world.db.doc(seasonPath(today)).update({ closes_at: early, end_due_at: early });
    world.advance(11 * hour);
    await expect(world.submit("ann", 2)).rejects.toMatchObject({
      code: "contention",
      message: expect.stringContaining("is being lengthened, and nothing was recorded") as unknown,
      details: { retry_after_seconds: 60 },
    });
    await stepEnd(world.services, { ...today, step: 0 });
    const { status, closes_at: closes, end_due_at: due } = await seasonDocument("daily-2100-01-02");
    expect([status, closes?.toDate().toISOString()]).toEqual(["open", "2100-01-03T00:00:00.000Z"]);
    expect(due).toEqual(closes);
    world.advance(2 * 60_000);
    expect(await seasonNow()).toEqual(["daily-2100-01-02"]);
    world.advance(hour);
    await stepEnd(world.services, { ...today, step: 1 });
    expect(await seasonDocument("daily-2100-01-02")).toMatchObject({ status: "closing" });
  });

  test("loses no score that waits in an app's queue, whether the season goes on or its end has begun", async () => {
    await createBoard(world, "board", { spans: ["daily", "all_time"] });
    await world.submit("bob", 1);
    const today = season("daily-2100-01-02");
    const early = new Date(world.services.now() + 11 * hour);
    await world.db.doc(seasonPath(today)).update({ closes_at: early, end_due_at: early });
    world.advance(11 * hour);
    const { queue, told, waits } = queueOf("ann");
    const score = { score: 2, submission_id: "one" };
    await queue.add(score);
    expect(told).toEqual(["waits: contention"]);
    expect(waits).toEqual([60_000]);
    // Another instance goes by the old rules, and has begun to close it.
    await world.db.doc(seasonPath(today)).update({ status: "closing" });
    world.advance(60_000);
    await queue.flush();
    expect(told).toEqual(["waits: contention", "waits: contention"]);
    expect(waits.at(-1)).toBe(hour - 60_000);
    world.advance(hour - 60_000);
    await queue.flush();
    expect(told.at(-1)).toBe("sent: daily-2100-01-03, all_time");
    expect(await storedScore("all_time", "ann")).toBe(2);
  });

  test("a new interval reaches all open seasons", async () => {
    await createBoard(world, "board", { spans: ["daily", "weekly"] });
    await world.submit("ann", 1);
    await save({ spans: ["daily", "weekly"], ranking_interval_minutes: 30 });
    for (const id of await seasonIds()) expect((await seasonDocument(id)).interval_ms).toBe(30 * 60_000);
  });

  test("a removed span takes no more scores, and its season ends at its time", async () => {
    await createBoard(world, "board", { spans: ["daily", "weekly"] });
    await world.submit("ann", 1);
    const before = await seasonDocument("daily-2100-01-02");
    await save({ spans: ["weekly"] });
    await world.submit("bob", 1);
    expect(await storedScore("daily-2100-01-02", "bob")).toBe(undefined);
    expect((await seasonDocument("daily-2100-01-02")).end_due_at).toEqual(before.end_due_at);
  });
});

/** The client's own queue of a player's scores, which go to the world's functions. */
function queueOf(player: string) {
  const told: string[] = [];
  const waits: number[] = [];
  const store = textStore(device(), ["queue"], (work) => work());
  const queue = createSendQueue({
    store,
    send: ({ score: { score = NaN, ...more } }) =>
      world.submit(player, score, more).catch((error: unknown) => {
        if (!(error instanceof FirerankError)) throw error;
        const { code, message, details } = error;
        throw toFirerankError("submitScore", {
          code: "functions/aborted",
          message,
          details: { code, ...details },
        });
      }),
    player: () => player,
    alone: (work) => work(),
    later: (_, ms) => {
      waits.push(ms);
      return () => undefined;
    },
    random: () => 1,
    serverMs: () => Promise.resolve(world.services.now()),
    maxAgeMs: 24 * hour,
    onSent: ({ seasons }) => told.push(`sent: ${seasons.map((one) => one.season).join(", ")}`),
    onDropped: ({ code }) => told.push(`dropped: ${code}`),
    onWaiting: ({ code }) => told.push(`waits: ${code}`),
  });
  const add = async (score: { score: number; submission_id: string }) => {
    await store.add({ player, score, made_at: new Date(world.services.now()).toISOString() }, 10);
    await queue.flush();
  };
  return { queue: { ...queue, add }, told, waits };
}
