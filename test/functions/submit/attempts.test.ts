/** Boards that limit attempts, where a submission counts in several spans. */
import { expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { admin, createBoard, eachWorld, user } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const world = eachWorld();
const dayMs = 86_400_000;
const stored = async (season: string) =>
  (await world.db.doc(playerPath({ leaderboard: "board", season }, "ann")).get()).data();

/** Each span's score and attempts, and the code of its refusal. */
async function play(score: number, id?: string) {
  const { seasons } = await world.submit("ann", score, id === undefined ? {} : { submission_id: id });
  return seasons.map(({ span, score, attempts, repeated, error }) => [
    span,
    score,
    attempts,
    ...(error ? [error.code] : []),
    ...(repeated ? ["repeated"] : []),
  ]);
}

test("a plain number is for the first span and each tournament, and refuses nobody from the second day on", async () => {
  const key = await createBoard(world, "board", { spans: ["daily", "all_time"], max_attempts: 2 });
  const { definition } = await boardCacheOf(world.services).load(key);
  expect(definition.max_attempts).toEqual({ daily: 2, custom: 2 });
  for (let day = 0; day < 3; day += 1) {
    for (const score of [1, 2]) expect((await play(10 * day + score))[0]?.[0]).toBe("daily");
    world.advance(dayMs);
  }
  expect(await stored("all_time")).toMatchObject({ score: 22, attempts: 6 });
});

test("a span whose attempts are used up does not take the others down, and the answer says so", async () => {
  await createBoard(world, "board", { spans: ["all_time", "daily"], max_attempts: { daily: 1 } });
  await play(5);
  expect(await play(7)).toEqual([
    ["all_time", 7, 2],
    ["daily", 5, 1, "too_many_attempts"],
  ]);
  expect(await stored("daily-2100-01-02")).toMatchObject({ score: 5, attempts: 1 });
  const bill = await world.bill(() => play(8));
  // Of the two documents that are read one changes, and the shard of its season.
  expect(bill).toMatchObject({ writes: 2 });
});

test("a submission is refused where no span takes it, and where it is wrong in itself", async () => {
  const limits = { max_attempts: { daily: 1, all_time: 2 }, max_score: 10 };
  await createBoard(world, "board", { spans: ["all_time", "daily"], ...limits });
  await play(5);
  await expect(play(11)).rejects.toMatchObject({ code: "score_out_of_range" });
  await play(6);
  await expect(play(7)).rejects.toMatchObject({ code: "too_many_attempts" });
  expect(await stored("all_time")).toMatchObject({ score: 6, attempts: 2 });
});

test.each(["best", "latest", "sum"] as const)(
  "a repeated attempt counts once in each span, also after midnight, on a board of %s",
  async (aggregation) => {
    await createBoard(world, "board", { spans: ["daily", "all_time"], max_attempts: 1, aggregation });
    world.advance(12 * 3_600_000 - 60_000);
    await play(5, "a");
    const total = aggregation === "sum" ? 12 : 7;
    expect(await play(7, "b")).toEqual([
      ["daily", 5, 1, "too_many_attempts"],
      ["all_time", total, 2],
    ]);
    const again = [
      ["daily", 5, 1, "too_many_attempts", "repeated"],
      ["all_time", total, 2, "repeated"],
    ];
    expect(await play(7, "b")).toEqual(again);
    world.advance(120_000);
    // It was sent for the day before, where it did not count: nor does it in the new one.
    expect(await play(7, "b")).toEqual(again);
    expect(await stored("daily-2100-01-03")).toBeUndefined();
    expect(await play(5, "a")).toEqual([
      ["daily", 5, 1, "repeated"],
      ["all_time", total, 2, "repeated"],
    ]);
    expect((await play(1, "c"))[0]).toEqual(["daily", 1, 1]);
  },
);

test("of several submissions in a call each span takes as many as it allows", async () => {
  await createBoard(world, "board", { spans: ["daily", "all_time"], max_attempts: { daily: 2 } });
  const submissions = [1, 2, 3].map((score) => ({ player: "ann", score }));
  const { results } = await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  const errors = results.map((one) => ("seasons" in one ? one.seasons.map(({ error }) => error?.code) : []));
  expect(errors).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ["too_many_attempts", undefined],
  ]);
  expect(await stored("daily-2100-01-02")).toMatchObject({ score: 2, attempts: 2 });
  expect(await stored("all_time")).toMatchObject({ score: 3, attempts: 3 });
});

test("a tournament has a limit of its own", async () => {
  await createBoard(world, "board", { spans: ["all_time"], max_attempts: { custom: 1 } });
  const cup = { leaderboard: "board", season: "cup", closes_at: "2100-01-03T12:00:00Z" };
  await world.call("openSeason", cup, admin);
  const submit = (more: object) =>
    world.call("submitScore", { leaderboard: "board", score: 1, ...more }, user("ann"));
  await submit({ season: "cup" });
  await expect(submit({ season: "cup" })).rejects.toMatchObject({ code: "too_many_attempts" });
  for (let i = 0; i < 3; i += 1) await submit({});
});

test("a limit of a span that the board does not have is refused with its path, also when the span goes", async () => {
  await createBoard(world, "board", { spans: ["daily", "all_time"], max_attempts: { daily: 3 } });
  const save = (definition: object) =>
    world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  for (const [definition, path] of [
    [{ max_attempts: { weekly: 3 } }, "definition.max_attempts.weekly"],
    [{ spans: ["all_time"] }, "definition.max_attempts.daily"],
    [{ max_attempts: {} }, "definition.max_attempts"],
    [{ max_attempts: { daily: 0 } }, "definition.max_attempts"],
    [{ max_attempts: 0 }, "definition.max_attempts"],
  ] as const)
    await expect(save(definition), path).rejects.toMatchObject({
      code: "invalid_request",
      details: { fields: [{ path: expect.stringMatching(path) as string }] },
    });
  expect(await save({ spans: ["all_time"], max_attempts: 3 })).toMatchObject({
    max_attempts: { all_time: 3, custom: 3 },
  });
});

test.each([
  ["max_score", { max_score: 10 }, { score: 6 }],
  [
    "a column's range",
    { columns: [{ name: "points", min: 0, max: 10, order: "descending" as const }] },
    { columns: { points: 6 } },
  ],
])("a total that has reached %s in one span does not take the others down", async (_what, limit, value) => {
  await createBoard(world, "board", { spans: ["daily", "all_time"], aggregation: "sum", ...limit });
  const submit = () => world.call("submitScore", { leaderboard: "board", ...value }, user("ann"));
  await submit();
  world.advance(dayMs);
  // Came out: score_out_of_range, on each day from now on, also for the day.
  const { seasons } = await submit();
  expect(seasons[0]).toMatchObject({ span: "daily", attempts: 1 });
});

test("a refused attempt that is sent again after midnight is still refused, though the player has played since", async () => {
  await createBoard(world, "board", { spans: ["daily", "all_time"], max_attempts: 1, aggregation: "latest" });
  world.advance(12 * 3_600_000 - 60_000);
  await play(5, "a");
  expect(await play(7, "b")).toEqual([
    ["daily", 5, 1, "too_many_attempts"],
    ["all_time", 7, 2],
  ]);
  world.advance(120_000);
  await play(1, "c");
  const submission = { leaderboard: "board", score: 7, submission_id: "b" };
  const { seasons } = await world.call("submitScore", submission, user("ann"));
  const daily = seasons.filter(({ span }) => span === "daily");
  // Came out: repeated in the new day, with the score of another submission and without a refusal.
  expect(daily).toMatchObject([{ season: "daily-2100-01-02", error: { code: "too_many_attempts" } }]);
});

test("a submission that one span refused for its total is sent again: the answer says so once more", async () => {
  await createBoard(world, "board", { spans: ["daily", "all_time"], aggregation: "sum", max_score: 10 });
  const send = (id: string) =>
    world.call("submitScore", { leaderboard: "board", score: 6, submission_id: id }, user("ann"));
  await send("a");
  world.advance(dayMs);
  const { seasons } = await send("b");
  const again = (await send("b")).seasons;
  for (const [first, second] of [seasons, again])
    expect([first, second]).toMatchObject([
      { span: "daily", score: 6, attempts: 1 },
      { span: "all_time", score: 6, attempts: 1, error: { code: "score_out_of_range" } },
    ]);
  expect(again.map(({ repeated }) => repeated)).toEqual([true, true]);
});
