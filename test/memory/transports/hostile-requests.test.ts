/** Requests made to harm: JSON without a bottom, ids that are paths, floods of what is refused, guesses about others. */
import { beforeAll, describe, expect, test } from "vitest";
import { createRestWorld, outcomeOf, type RestWorld } from "../../support/rest-world.ts";
import { admin, allTime, createBoard, user } from "../../support/world.ts";

let world: RestWorld;
const scores = "/v1/leaderboards/board/scores";
beforeAll(async () => {
  world = createRestWorld();
  await createBoard(world, "board");
  await world.send("POST", scores, { as: "ann", body: { score: 1 } });
});

const nests = {
  arrays: (levels: number) => "[".repeat(levels) + "]".repeat(levels),
  objects: (levels: number) => '{"a":'.repeat(levels) + "1" + "}".repeat(levels),
};
const fields = ["score", "columns", "submission_id", "display_name", "metadata", "season", "player", "other"];

describe.each(Object.entries(nests))("JSON of %s in one another", (_, nest) => {
  test.each(fields)(
    "is refused as %s over REST, and nothing is read, and in a call where it has that field",
    async (field) => {
      const body = (levels: number) => `{"score": 2, "${field}": ${nest(levels)}}`;
      const { result, bill } = await world.meter.measure(() =>
        world.send("POST", scores, { as: "ann", body: body(2_000) }),
      );
      expect(await outcomeOf(result)).toMatchObject({ status: 400, code: "invalid_request" });
      expect(bill).toEqual({ reads: 0, writes: 0, deletes: 0 });
      const request = { leaderboard: "board", ...(JSON.parse(body(100_000)) as object) };
      const call = world.call("submitScore", request, user("ann"));
      // Calls of players ignore a field that no call has, whatever it holds.
      if (field === "other") expect(await call).toMatchObject({ seasons: [{ score: 2 }] });
      else await expect(call).rejects.toMatchObject({ code: "invalid_request" });
    },
  );

  test("is refused as the whole body", async () => {
    const answer = await world.send("POST", scores, { as: "ann", body: nest(2_000) });
    expect(answer.status).toBe(400);
  });
});

test.each([
  "/v1/leaderboards/..%2F..%2Fusers/scores",
  "/v1/leaderboards/board%2Fseasons%2Fall_time/scores",
  "/v1/leaderboards/board/scores/..%2F..%2Fboard",
  "/v1/leaderboards/board/scores/a%2Fb",
  "/v1/leaderboards/board/scores/__name__",
  "/v1/leaderboards/board/scores?season=all_time%2Fplayers%2Fann",
  "/v1/leaderboards/__proto__/scores",
])("an id that is a path or reserved is refused before anything is read: %s", async (path) => {
  const { result, bill } = await world.meter.measure(() => world.get(path, "ann"));
  expect(await outcomeOf(result)).toMatchObject({ status: 400, code: "invalid_request" });
  expect(bill).toEqual({ reads: 0, writes: 0, deletes: 0 });
});

test("of a board that is not public, a stranger learns that it exists, and nothing else", async () => {
  const answers = await Promise.all(
    [scores, `${scores}/ann`, `${scores}/nobody`, "/v1/leaderboards/missing/scores"].map(async (path) =>
      outcomeOf(await world.get(path)),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 404]);
  expect(await (await world.get("/v1/leaderboards")).json()).toMatchObject({ leaderboards: [] });
});

test("a hidden, a banned and an unknown player cannot be told apart by others", async () => {
  for (const [player, status] of [
    ["hid", "hidden"],
    ["ban", "banned"],
  ] as const) {
    await world.send("POST", scores, { as: player, body: { score: 3 } });
    await world.call("setPlayerStatus", { leaderboard: "board", player, status }, admin);
  }
  await world.deliverAll(allTime("board"));
  await world.publish(allTime("board"));
  expect((await world.get(`${scores}/ann`, "ban")).status).toBe(200);
  const answers = await Promise.all(
    ["hid", "ban", "who"].map(async (player) => {
      const answer = await world.get(`${scores}/${player}`, "ann");
      return { status: answer.status, text: (await answer.text()).replaceAll(player, "…") };
    }),
  );
  expect(answers[0]?.status).toBe(404);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});
