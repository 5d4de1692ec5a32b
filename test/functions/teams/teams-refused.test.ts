/** What is refused about teams, and that nothing is lost by it. */
import { expect, test } from "vitest";
import { admin, allTime, callOn, createBoard, eachWorld, user } from "../../support/world.ts";

const world = eachWorld();
const guild = { name: "guild", from: "server" };

test.each<[definition: object, path: string, message: RegExp]>([
  [{ segments: [{ ...guild, teams: {} }] }, "definition.segments.0.teams.by", /is missing/],
  [{ segments: [{ ...guild, teams: { by: "most" } }] }, "definition.segments.0.teams.by", /"sum"/],
  [
    { segments: [{ ...guild, teams: { by: "best" } }] },
    "definition.segments.0.teams.best",
    /how many players/,
  ],
  [
    { segments: [{ ...guild, teams: { by: "sum", best: 3 } }] },
    "definition.segments.0.teams.best",
    /only then/,
  ],
  [
    { segments: [{ ...guild, teams: { by: "best", best: 101 } }] },
    "definition.segments.0.teams.best",
    /at most 100/,
  ],
  [
    { segments: [{ ...guild, teams: { by: "sum", min_players: 0 } }] },
    "definition.segments.0.teams.min_players",
    /at least 1/,
  ],
  [
    { segments: [{ ...guild, visible: "self", teams: { by: "sum" } }] },
    "definition.segments.0.teams",
    /shown to everybody/,
  ],
  [
    { columns: [{ name: "points", min: 0, max: 9 }], segments: [{ ...guild, teams: { by: "sum" } }] },
    "definition.segments.0.teams",
    /beside columns/,
  ],
])("the definition %j is refused, and the board stays as it was", async (definition, path, message) => {
  await createBoard(world, "board", { top_size: 7 });
  const error: unknown = await callOn(
    world.services,
    "saveLeaderboard",
    { leaderboard: "board", definition },
    admin,
  ).catch((refusal: unknown) => refusal);
  expect(error).toMatchObject({
    code: "invalid_request",
    details: { fields: [{ path, message: expect.stringMatching(message) as string }] },
  });
  const stored = (await world.db.doc("leaderboards/board").get()).data();
  expect(stored).toMatchObject({ top_size: 7 });
  expect(stored).not.toHaveProperty("segments");
});

test.each<[request: object, path: string]>([
  [{}, "segment"],
  [{ segment: "country" }, "segment"],
  [{ segment: "league" }, "segment"],
  [{ segment: "guild", cursor: "x" }, "cursor"],
  [{ segment: "guild", cursor: "" }, "cursor"],
  [{ segment: "guild", limit: 0 }, "limit"],
  [{ segment: "guild", limit: 101 }, "limit"],
  [{ segment: { guild: "red" } }, "segment"],
])("getTeams with %j is refused", async (request, path) => {
  const segments = [
    { ...guild, teams: { by: "sum" } },
    { name: "league", from: "claim" },
  ] as const;
  await createBoard(world, "board", { segments: [...segments] as never });
  const asked = callOn(world.services, "getTeams", { leaderboard: "board", ...request }, user("ann"));
  await expect(asked).rejects.toMatchObject({ code: "invalid_request", details: { fields: [{ path }] } });
});

test("teams of a board for signed-in users are not for others, and beyond the last there are none", async () => {
  await createBoard(world, "board", { segments: [{ ...guild, from: "server", teams: { by: "sum" } }] });
  const asked = { leaderboard: "board", segment: "guild" };
  await expect(callOn(world.services, "getTeams", asked, undefined)).rejects.toMatchObject({
    code: "unauthenticated",
  });
  const submissions = [{ player: "ann", score: 1, segments: { guild: "red" } }];
  await world.call("submitScores", { leaderboard: "board", submissions }, admin);
  await world.publish(allTime("board"));
  const beyond = await world.call("getTeams", { ...asked, cursor: "999" }, user("ann"));
  expect(beyond).toMatchObject({ entries: [], teams: 1 });
  expect(beyond).not.toHaveProperty("next_cursor");
});
