/** Custom seasons: tournaments, opened and closed by an admin. */
import { beforeEach, describe, expect, test } from "vitest";
import { playerPath, seasonPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { stepEnd } from "../../../functions/src/jobs/closing/end.ts";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { readSeason } from "../../../functions/src/documents/season.ts";
import { seasonOf } from "../../support/closing.ts";
import { allPages, admin, createBoard, user, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const minute = 60_000;
const world = eachWorld();

beforeEach(async () => {
  await createBoard(world, "board");
});

const cup: SeasonKey = { leaderboard: "board", season: "cup" };
const at = (ms: number) => new Date(world.services.now() + ms).toISOString();
const open = (more: object = {}) => world.call("openSeason", { ...cup, ...more }, admin);
const close = (season = "cup") => world.call("closeSeason", { leaderboard: "board", season }, admin);
const submit = (player: string, score: number, more: object = {}) =>
  world.call("submitScore", { ...cup, score, ...more }, user(player));
const storedScore = async (key: SeasonKey, player: string): Promise<unknown> =>
  (await world.db.doc(playerPath(key, player)).get()).get("score");

test("a tournament takes the scores that name it, and the board's spans those that name none", async () => {
  const opened = { season: "cup", span: "custom", status: "open", opens_at: at(0), closes_at: null };
  expect(await open()).toEqual({ leaderboard: "board", ...opened, players: 0, generation: 0 });
  expect((await submit("ann", 5)).seasons).toMatchObject([{ season: "cup", span: "custom", score: 5 }]);
  await world.call("submitScore", { leaderboard: "board", score: 3 }, user("ann"));
  expect(await storedScore(cup, "ann")).toBe(5);
  expect(await storedScore({ leaderboard: "board", season: "all_time" }, "ann")).toBe(3);
  await world.call("submitScores", { ...cup, submissions: [{ player: "bob", score: 9 }] }, admin);
  await world.deliverAll(cup);
  await world.publish(cup);
  expect(await world.call("getRank", cup, user("ann"))).toMatchObject({
    season: "cup",
    rank: 2,
    players: 2,
  });
  const { seasons } = await world.call("listSeasons", { leaderboard: "board", span: "custom" }, user("ann"));
  expect(seasons).toEqual([{ ...opened, players: 2, generation: 1 }]);
});

test("takes scores from its first millisecond to the one before its last", async () => {
  await open({ opens_at: at(10 * minute), closes_at: at(20 * minute) });
  const refusal = expect.objectContaining({ code: "season_closed" }) as Error;
  await expect(submit("ann", 1)).rejects.toThrow(/opens at 2100-01-02T12:10:00/);
  world.advance(10 * minute - 1);
  await expect(submit("ann", 1)).rejects.toThrow(refusal);
  world.advance(1);
  await submit("ann", 1);
  world.advance(10 * minute - 1);
  await submit("ann", 2);
  world.advance(1);
  await expect(submit("ann", 3)).rejects.toThrow(/takes no more scores/);
  await expect(submit("ann", 3)).rejects.toThrow(refusal);
  expect(await storedScore(cup, "ann")).toBe(2);
});

test("a submission that counted gets its answer after the end too, and one that did not is refused", async () => {
  await open({ closes_at: at(minute) });
  await submit("ann", 5, { submission_id: "one" });
  world.advance(minute);
  expect((await submit("ann", 5, { submission_id: "one" })).seasons).toMatchObject([
    { season: "cup", score: 5, repeated: true },
  ]);
  await expect(submit("ann", 6, { submission_id: "two" })).rejects.toMatchObject({ code: "season_closed" });
  const submissions = [
    { player: "ann", score: 5, submission_id: "one" },
    { player: "bob", score: 5, submission_id: "one" },
  ];
  const { results } = await world.call("submitScores", { ...cup, submissions }, admin);
  expect(results).toMatchObject([{ seasons: [{ score: 5 }] }, { error: { code: "season_closed" } }]);
  expect(await storedScore(cup, "bob")).toBe(undefined);
});

test.each([
  ["opens_at", "0001-01-01T00:00:00+01:00", "must lie in the years 0001 to 9999 in UTC"],
  ["closes_at", "9999-12-31T23:59:59-01:00", "must lie in the years 0001 to 9999 in UTC"],
  // Firestore has these, but not the run after the one nor the closing after the other.
  ["opens_at", "9999-12-31T23:59:59Z", "must be before the year 9999"],
  ["closes_at", "9999-12-31T23:59:59Z", "must be before the year 9999"],
])("a tournament has no %s of %s: it %s", async (path, time, message) => {
  await createBoard(world, "board");
  const refusal = { code: "invalid_request", details: { fields: [{ path, message }] } };
  await expect(open({ [path]: time })).rejects.toMatchObject(refusal);
});

test("a tournament may open and close at the very ends of what is allowed", async () => {
  await createBoard(world, "board", { ranking_interval_minutes: 1_440 });
  const times = { opens_at: "0001-01-01T00:00:00.000Z", closes_at: "9998-12-31T23:59:59.000Z" };
  expect(await open(times)).toMatchObject(times);
  const last = {
    season: "last",
    opens_at: "9998-12-31T23:59:58.000Z",
    closes_at: "9998-12-31T23:59:59.000Z",
  };
  expect(await open(last)).toMatchObject(last);
});

describe("closing by hand", () => {
  test("ends it for all instances at the same moment, which is in the answer", async () => {
    await open();
    const other = await world.coldInstance(cup);
    const { closes_at: closes } = await close();
    expect(closes).toBe(at(65_000));
    world.advance(64_999);
    await submit("ann", 1);
    world.advance(1);
    await expect(submit("ann", 2)).rejects.toMatchObject({ code: "season_closed" });
    const season = (await boardCacheOf(other).load(cup)).season;
    expect(season?.closes_at?.toDate().toISOString()).toBe(closes);
    expect(season?.end_due_at).toEqual(season?.closes_at);
  });

  describe("by a commit that takes longer than the margin, or a server whose clock is behind", () => {
    const lateMs = 20_000;
    /** What the database's clock would have said. Instances remember the season as it was for a minute from then on. */
    const tell = (ms: number) =>
      world.db.doc(seasonPath(cup)).update({ end_told_at: Timestamp.fromMillis(ms) });

    test("the answer says the end that all instances know", async () => {
      await open();
      const run = world.db.runTransaction.bind(world.db);
      world.db.runTransaction = async (...args) => {
        world.db.runTransaction = run;
        const result = await run(...args);
        world.advance(lateMs);
        await tell(world.services.now());
        return result;
      };
      expect(await close()).toMatchObject({ closes_at: at(60_000) });
    });

    test("… and so does the season's next step, if the call dies", async () => {
      await open();
      await close();
      const toldMs = world.services.now() + lateMs;
      await tell(toldMs);
      world.advance(65_000);
      await stepEnd(world.services, { ...cup, step: 0 });
      const { status, closes_at: closes } = await seasonOf(world, cup);
      expect([status, closes?.toMillis()]).toEqual(["open", toldMs + 60_000]);
    });
  });

  test("twice is the same as once, and does not delay an earlier end", async () => {
    await open({ closes_at: at(10_000) });
    world.advance(9_999);
    expect(await close()).toMatchObject({ closes_at: at(1), status: "open" });
    // Whether its closing has begun or not.
    world.advance(1);
    expect(await close()).toMatchObject({ closes_at: at(0), status: "closing" });
    await world.db.doc(seasonPath(cup)).update({ status: "closed", closed_at: Timestamp.fromMillis(90_000) });
    expect(await close()).toMatchObject({ status: "closed", closed_at: "1970-01-01T00:01:30.000Z" });
  });

  test("before it opens has it never open", async () => {
    await open({ opens_at: at(10 * minute) });
    await close();
    await expect(submit("ann", 1)).rejects.toThrow(/opens at/);
    world.advance(65_000);
    await expect(submit("ann", 1)).rejects.toThrow(/takes no more scores/);
  });

  test("is for existing custom seasons only", async () => {
    await world.call("submitScore", { leaderboard: "board", score: 3 }, user("ann"));
    await expect(close("all_time")).rejects.toMatchObject({ code: "invalid_request" });
    await expect(close("none")).rejects.toMatchObject({ code: "season_not_found" });
  });
});

describe("opening", () => {
  test("costs what its docstring says, and writes once", async () => {
    expect(await world.bill(() => open())).toMatchObject({ reads: 2, writes: 2 });
    expect(await world.bill(() => open())).toMatchObject({ reads: 2, writes: 0 });
  });

  test("again is no error with the same times, but an error with other times", async () => {
    const times = { opens_at: at(minute), closes_at: at(2 * minute) };
    const first = await open(times);
    expect(await open(times)).toEqual(first);
    await expect(open({ ...times, closes_at: at(3 * minute) })).rejects.toMatchObject({
      code: "invalid_request",
    });
    await expect(open()).rejects.toMatchObject({ code: "invalid_request" });
    await open({ ...times, season: "another" });
  });

  test.each([
    ["closes_at", () => ({ opens_at: at(2 * minute), closes_at: at(minute) })],
    ["closes_at", () => ({ opens_at: at(minute), closes_at: at(minute) })],
    ["closes_at", () => ({ opens_at: at(-2 * minute), closes_at: at(-minute) })],
    ["opens_at", () => ({ opens_at: "tomorrow" })],
    ["season", () => ({ season: "daily-2100-01-02" })],
    ["season", () => ({ season: "all_time" })],
    ["season", () => ({ season: "a/b" })],
  ] as const)("with a bad %s is refused", async (path, more) => {
    await expect(open(more())).rejects.toMatchObject({
      code: "invalid_request",
      details: { fields: [{ path }] },
    });
  });

  test("a score for a season of a span, or for one that does not exist, is refused", async () => {
    await expect(submit("ann", 1)).rejects.toMatchObject({ code: "season_not_found" });
    await expect(submit("ann", 1, { season: "all_time" })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("listSeasons", () => {
  const list = (more: object = {}) =>
    world.call("listSeasons", { leaderboard: "board", ...more }, user("ann"));

  test("has the newest first, page by page, by span and status", async () => {
    await world.call("submitScore", { leaderboard: "board", score: 3 }, user("ann"));
    for (const n of [1, 2, 3, 4, 5]) await open({ season: `cup-${n}`, opens_at: at(n * minute) });
    const all = ["cup-5", "cup-4", "cup-3", "cup-2", "cup-1", "all_time"];
    expect((await list()).seasons.map(({ season }) => season)).toEqual(all);
    const answers = await allPages((more) => list({ limit: 4, ...more }));
    const found = answers.flatMap(({ seasons }) => seasons.map(({ season }) => season));
    expect(found).toEqual(all);
    expect((await list({ span: "all_time" })).seasons).toMatchObject([
      { season: "all_time", closes_at: null },
    ]);
    await world.db.doc(seasonPath({ leaderboard: "board", season: "cup-2" })).update({ status: "closed" });
    await world.db.doc(seasonPath({ leaderboard: "board", season: "cup-3" })).update({ status: "deleting" });
    expect((await list({ span: "custom", status: "closed" })).seasons).toMatchObject([{ season: "cup-2" }]);
    expect((await list()).seasons.map(({ season }) => season)).toEqual(all.filter((id) => id !== "cup-3"));
  });

  test("costs a read a season, and refuses what is no cursor", async () => {
    await open();
    await open({ season: "another" });
    await list();
    expect(await world.bill(() => list())).toEqual({ reads: 2, writes: 0, deletes: 0 });
    for (const cursor of ["nonsense", "999999999999999-x", "-999999999999999-x"])
      await expect(list({ cursor })).rejects.toMatchObject({ code: "invalid_request" });
  });

  test("returns the server's clock and the current seasons, opened or not, and without seasons costs no read", async () => {
    await createBoard(world, "board", { spans: ["weekly", "all_time"], time_zone: "Asia/Kathmandu" });
    await list();
    const { result, bill } = await world.meter.measure(() => list({ limit: 0 }));
    const times = { opens_at: "2099-12-27T18:15:00.000Z", closes_at: "2100-01-03T18:15:00.000Z" };
    const next = { season: "weekly-2100-W01", opens_at: times.closes_at };
    const weekly = { span: "weekly", season: "weekly-2099-W53", ...times, next };
    const ever = { span: "all_time", season: "all_time", opens_at: null, closes_at: null, next: null };
    expect(result).toMatchObject({ as_of: at(0), running: [weekly, ever], seasons: [] });
    expect(bill).toEqual({ reads: 0, writes: 0, deletes: 0 });
    await createBoard(world, "cups", { spans: [] });
    expect(await world.call("listSeasons", { leaderboard: "cups" }, user("ann"))).toMatchObject({
      running: [],
    });
  });
});

test("a new interval causes no run of a tournament before it opens", async () => {
  await open({ opens_at: at(30 * 24 * 60 * minute) });
  const definition = { ranking_interval_minutes: 60 };
  await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  const season = readSeason((await world.db.doc(seasonPath(cup)).get()).data());
  expect(season.next_run_at?.toMillis()).toBeGreaterThan(season.opens_at.toMillis());
});
