/** Functions that are older than the data: they refuse it with what to do, and change nothing. */
import { beforeEach, expect, test } from "vitest";
import type { z } from "zod";
import { leaderboardPath, playerPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { schemaVersion } from "../../../functions/src/model/schema-version.ts";
import { listLeaderboardsSpec } from "../../../functions/src/operations/list-leaderboards.ts";
import { answer, type OperationSpec } from "../../../functions/src/operations/shared/spec.ts";
import { roleFor } from "../../../functions/src/operations/shared/access.ts";
import * as specs from "../../../functions/src/operations/specs.ts";
import { admin, allTime, createBoard, eachWorld, user } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const tooNew = { schema_version: schemaVersion + 1 };
const refusal = { code: "unknown_schema_version" };

const world = eachWorld();
beforeEach(async () => {
  await createBoard(world, "board");
});

test("what this release writes says in which form", async () => {
  await world.call("submitScore", { leaderboard: "board", score: 1 }, user("ann"));
  const [board, season] = await world.db.getAll(
    world.db.doc(leaderboardPath("board")),
    world.db.doc(seasonPath(allTime("board"))),
  );
  expect(board?.get("schema_version")).toBe(schemaVersion);
  expect(season?.get("schema_version")).toBe(schemaVersion);
});

test("each call refuses a definition of a newer release, and doesn't guess what it means", async () => {
  const ref = world.db.doc(leaderboardPath("board"));
  await ref.update({ ...tooNew, order: "sideways" });
  const before = (await ref.get()).data();
  boardCacheOf(world.services).forget("board");
  const calls = [
    () => world.call("submitScore", { leaderboard: "board", score: 1 }, user("ann")),
    () => world.call("getRank", { leaderboard: "board" }, user("ann")),
    () => world.call("saveLeaderboard", { leaderboard: "board", definition: {} }, admin),
    () => world.call("openSeason", { leaderboard: "board", season: "cup" }, admin),
    () => answer(listLeaderboardsSpec, world.services, {}, admin),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject(refusal);
  expect((await ref.get()).data()).toEqual(before);
});

test("a season of a newer release takes nothing until the newer functions are back, and then nothing is missing", async () => {
  await world.call("submitScore", { leaderboard: "board", score: 1 }, user("ann"));
  const key = allTime("board");
  const season = world.db.doc(seasonPath(key));
  await season.update(tooNew);
  boardCacheOf(world.services).forget("board");
  const before = (await season.get()).data();
  const calls = [
    () => world.call("submitScore", { leaderboard: "board", score: 2 }, user("bob")),
    () => world.call("runRanking", { leaderboard: "board" }, admin),
    () => world.call("listSeasons", { leaderboard: "board" }, admin),
    // An event that fails is delivered again.
    () => world.deliver(key, "ann"),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject(refusal);
  expect((await season.get()).data()).toEqual(before);
  expect((await world.db.doc(playerPath(key, "bob")).get()).exists).toBe(false);
  await season.update({ schema_version: schemaVersion });
  boardCacheOf(world.services).forget("board");
  await world.deliver(key, "ann");
  const asked = { leaderboard: "board", include_open_slot: true };
  expect(await world.call("runRanking", asked, admin)).toMatchObject({ outcome: "published", players: 1 });
});

test("a closed season of a newer release is not left out of a player's results, as if there were none", async () => {
  const closed = { ...tooNew, status: "closed", span: "custom", closed_at: new Date("2099-12-01T00:00:00Z") };
  await world.db.doc(seasonPath({ leaderboard: "board", season: "cup" })).set(closed);
  const results = world.call("getResults", { since: "2000-01-01T00:00:00Z" }, user("ann"));
  await expect(results).rejects.toMatchObject(refusal);
});

test("a player's call that a newer client sends is answered without the fields that this release does not know", async () => {
  const later = { leaderboard: "board", min_generations_of_friends: { ann: 3 }, sent_by: "9.0.0" };
  const ann = user("ann");
  const submitted = await world.call("submitScore", { ...later, score: 5 }, ann);
  expect(submitted).toMatchObject({ player: "ann", seasons: [{ score: 5 }] });
  await expect(world.call("listSeasons", later, ann)).resolves.toMatchObject({ leaderboard: "board" });
  await expect(world.call("getRank", { ...later, score: 5 }, ann)).rejects.toMatchObject({
    code: "player_not_ranked",
  });
});

const callsOfPlayers = Object.values(specs).filter(
  ({ name }) => roleFor(name) === undefined,
) as OperationSpec<z.ZodObject, unknown>[];
const fieldsOf = ({ request }: OperationSpec<z.ZodObject, unknown>) => Object.keys(request.shape);

test.each(callsOfPlayers.map((spec) => [spec.name, spec] as const))(
  "a field of another call, or one that is misspelled, is no newer field: %s refuses it",
  async (_, spec) => {
    const own = fieldsOf(spec);
    const all = callsOfPlayers.flatMap(fieldsOf);
    const wrong = [...new Set([...all, "submissionId", "Score", "MIN_GENERATION"])];
    for (const name of wrong.filter((one) => !own.includes(one))) {
      const call = answer(spec, world.services, { leaderboard: "board", [name]: 1 }, user("ann"));
      const fields = expect.arrayContaining([expect.objectContaining({ path: name })]) as unknown;
      await expect(call, name).rejects.toMatchObject({ code: "invalid_request", details: { fields } });
    }
  },
);

/** Words for a field that a game's own code or another service has. */
const otherWords = {
  player: ["player_id", "playerId", "playerID", "uid", "userId", "user_id", "PLAYER"],
  display_name: ["nickname", "nickName", "username", "user_name", "displayName"],
  limit: ["count", "Limit"],
};

test.each(callsOfPlayers.map((spec) => [spec.name, spec] as const))(
  "another word for a field is no newer field: %s says the field's name, and ignores the word where it has no such field",
  async (_, spec) => {
    for (const [field, words] of Object.entries(otherWords))
      for (const word of words) {
        const call = answer(spec, world.services, { leaderboard: "board", [word]: "bob" }, user("ann"));
        const error: unknown = await call.catch((cause: unknown) => cause);
        const problem = { path: word, message: `is not a field of this request; write ${field}` };
        const refused = expect.objectContaining({
          details: expect.objectContaining({
            fields: expect.arrayContaining([problem]) as unknown,
          }) as unknown,
        }) as unknown;
        if (fieldsOf(spec).includes(field)) expect(error, word).toEqual(refused);
        else expect(error, word).not.toEqual(refused);
      }
  },
);

test.each([
  ["getRank", { player_id: "bob" }, "player_id: is not a field of this request; write player"],
  ["getTop", { count: 1 }, "count: is not a field of this request; write limit"],
  [
    "submitScore",
    { score: 7, nickname: "Ann" },
    "nickname: is not a field of this request; write display_name",
  ],
] as const)("%s with %j does nothing", async (name, wrong, message) => {
  await world.call("submitScore", { leaderboard: "board", score: 1 }, user("ann"));
  const call = world.call(name, { leaderboard: "board", ...wrong }, user("ann"));
  await expect(call).rejects.toMatchObject({ code: "invalid_request", message });
  const player = await world.db.doc(playerPath(allTime("board"), "ann")).get();
  expect(player.get("score")).toBe(1);
});

test("an admin's call with a field that this release does not know is refused: nothing is half done", async () => {
  const later = { leaderboard: "board", dry_run: true };
  await expect(world.call("runRanking", later, admin)).rejects.toMatchObject({
    code: "invalid_request",
    details: { fields: [{ path: "dry_run" }] },
  });
});
