/** What a save keeps of a board's definition, and what it takes out. */
import { beforeEach, expect, test } from "vitest";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import { readDefinition } from "../../../functions/src/model/definition.ts";
import { expectRefusal, invalid } from "../../support/refusals.ts";
import { callOn, admin, createBoard, user, eachWorld } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const guarded = {
  submit: "server",
  visibility: "public",
  min_score: 0,
  max_score: 1_000,
  max_change: 500,
  min_seconds_between: 10,
  max_attempts: { daily: 3 },
  tiers: [{ name: "gold", top_percent: 1 }],
  keep_seasons: 7,
  top_size: 50,
  spans: ["daily", "all_time"],
} as const;

const world = eachWorld();

beforeEach(async () => {
  await createBoard(world, "board", { ...guarded, spans: [...guarded.spans], tiers: [...guarded.tiers] });
});

const save = (definition: unknown) =>
  callOn(world.services, "saveLeaderboard", { leaderboard: "board", definition }, admin);
const stored = async () => readDefinition((await world.db.doc(leaderboardPath("board")).get()).data());

test.each(["before its first score", "with scores"])(
  "a save keeps what it does not name, %s",
  async (when) => {
    if (when === "with scores")
      await world.call(
        "submitScores",
        { leaderboard: "board", submissions: [{ player: "ann", score: 5 }] },
        admin,
      );
    const before = await stored();
    expect(await save({ top_size: 20 })).toEqual({ ...before, top_size: 20 });
    expect(await stored()).toEqual({ ...before, ...guarded, top_size: 20 });
    expect(await save({})).toEqual(await stored());
  },
);

test("a server-only board stays one, and keeps its limits, when a save is about something else", async () => {
  await save({ top_size: 20 });
  const forged = { leaderboard: "board", score: 9e15 };
  await expectRefusal(world, "server_scores_only", () => world.call("submitScore", forged, user("eve")));
  const submissions = [{ player: "eve", score: 9e15 }];
  const { results } = await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  expect(results).toMatchObject([{ error: { code: "score_out_of_range" } }]);
});

test("null takes a field out that may be missing", async () => {
  const { max_score: _, tiers: _tiers, ...rest } = await stored();
  expect(await save({ max_score: null, tiers: null, columns: null })).toEqual(rest);
  expect(await stored()).toEqual(rest);
});

test("null is refused for a field that every board has", async () => {
  const { submit, visibility, spans, top_size: top } = guarded;
  for (const name of Object.keys({ submit, visibility, spans, top_size: top }))
    await expectRefusal(world, invalid(`definition.${name}`), () => save({ [name]: null }));
});

test("a named field is checked beside those that are kept", async () => {
  await expectRefusal(world, invalid("definition.max_score"), () => save({ min_score: 2_000 }));
  const columns = [{ name: "points", min: 0, max: 9 }];
  const all = invalid("definition.max_change", "definition.max_score", "definition.min_score");
  await expectRefusal(world, all, () => save({ columns }));
  const none = { min_score: null, max_score: null, max_change: null };
  expect(await save({ columns, ...none })).toMatchObject({ columns, submit: "server" });
});

test("two saves at once both count", async () => {
  await Promise.all([save({ top_size: 20 }), save({ max_attempts: 9 })]);
  expect(await stored()).toMatchObject({ ...guarded, top_size: 20, max_attempts: { daily: 9, custom: 9 } });
});

test("a new board has the defaults, and a board whose definition was deleted is a new one", async () => {
  await createBoard(world, "new", { max_score: 5 });
  await world.db.doc(leaderboardPath("board")).delete();
  expect(await save({ max_score: null })).toEqual(readDefinition({}));
});

test("a stored field that no release would store is named, and can be saved over", async () => {
  await world.db.doc(leaderboardPath("board")).update({ top_size: "many" });
  await expectRefusal(world, invalid("definition.top_size"), () => save({ max_attempts: 9 }));
  expect(await save({ top_size: 20 })).toMatchObject({ ...guarded, top_size: 20 });
});

test("a damaged definition with scores is mended by a save that names what is damaged", async () => {
  const submissions = [{ player: "ann", score: 5 }];
  await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  const key = { leaderboard: "board", season: "all_time" };
  await world.publish(key);
  const before = await stored();
  await world.db.doc(leaderboardPath("board")).update({ top_size: "many" });
  boardCacheOf(world.services).forget("board");
  await expectRefusal(world, invalid("definition.top_size"), () => save({ visibility: "public" }));
  expect(await save({ top_size: 50 })).toEqual(before);
});

test("a field that somebody has emptied by hand is refused by name, and opens nothing", async () => {
  await world.db.doc(leaderboardPath("board")).update({ submit: null });
  boardCacheOf(world.services).forget("board");
  await expectRefusal(world, invalid("definition.submit"), () => save({ top_size: 20 }));
  expect(await save({ top_size: 20, submit: "server" })).toMatchObject({ submit: "server" });
});
