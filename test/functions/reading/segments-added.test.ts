/** Segments of a board whose ranking was published without them, or never. */
import { expect, test } from "vitest";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { admin, allTime, createBoard, createWorld, user } from "../../support/world.ts";

const key = allTime("board");
const board = { leaderboard: "board" };
const ofSegment = { ...board, segment: { country: "AT" } };
const segments = [{ name: "country", from: "submission" as const, values: ["AT", "DE"] }];

test("nobody is in a segment that a ranked board has got, until somebody is published there", async () => {
  const world = createWorld();
  await createBoard(world, "board");
  const submit = (country?: string) =>
    world.call("submitScore", { ...board, score: 5, ...(country && { segments: { country } }) }, user("ann"));
  const run = async () => {
    world.advance(20_000);
    await publishRanking(world.services, key);
  };
  await submit();
  await run();
  await world.call("saveLeaderboard", { ...board, definition: { segments } }, admin);
  world.advance(60_000);

  const none = { generation: 1, entries: [] };
  expect(await world.call("getTop", { ...ofSegment, min_generation: 1 }, admin)).toMatchObject(none);
  expect(await world.call("getPage", ofSegment, admin)).toMatchObject({ ...none, players: 0 });
  expect(await world.call("getPlayers", { ...ofSegment, players: ["ann"] }, admin)).toMatchObject(none);
  const ranked = world.call("getRank", { ...ofSegment, score: 3 }, admin);
  expect(await ranked).toMatchObject({ generation: 1, rank: 1, players: 0 });
  const again = await world.bill(() => world.call("getRank", { ...ofSegment, score: 4 }, admin));
  expect(again.reads).toBe(0);

  await submit("AT");
  const ofAnn = { ...board, segments: ["country"] };
  const rank = await world.call("getRank", ofAnn, user("ann"));
  expect(rank).toMatchObject({ rank: 1, generation: 1, segments: { country: { rank: 1, generation: 1 } } });
  world.advance(6_000);
  const live = await world.call("getRank", { ...ofAnn, freshness: "live" }, user("ann"));
  expect(live).toMatchObject({ segments: { country: { rank: 1, players: 1, freshness: "live" } } });
  await run();
  const published = await world.call("getTop", { ...ofSegment, min_generation: 2 }, admin);
  expect(published).toMatchObject({ generation: 2, players: 1, entries: [{ player: "ann" }] });
});

test("before the first publication the lists of a segment are empty, as those of all players are", async () => {
  const world = createWorld();
  await createBoard(world, "board", { segments });
  for (const call of ["getTop", "getPage"] as const)
    expect(await world.call(call, ofSegment, admin)).toMatchObject({
      segment: { country: "AT" },
      generation: 0,
      entries: [],
      players: 0,
    });
});
