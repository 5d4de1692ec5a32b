/** `firerank indexes`: the indexes that the boards of a database use, in the project's file. */
import { expect, test } from "vitest";
import { boardsOf, writeIndexes } from "../../../cli/init/indexes.ts";
import { type BoardKind, enterpriseIndexes, everyKind } from "../../../cli/init/enterprise-indexes.ts";
import { parseIndexFile } from "../../../cli/init/index-file.ts";
import { projectOf, read } from "../../../cli/testing/project.ts";
import { createEnding, endSeason, playerFields } from "../../support/closing.ts";
import { admin, createBoard, createWorld } from "../../support/world.ts";

test("on Enterprise the file has the indexes of the boards, and again when another comes", async () => {
  const project = projectOf({
    "firebase.json": '{"firestore": {"indexes": "mine.json", "edition": "enterprise"}}',
  });
  const world = createWorld();
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const write = (yes = true) => writeIndexes(world.db, { project, yes, say, input: process.stdin });
  const indexes = () => parseIndexFile(read(project, "mine.json")).indexes;
  const kinds: BoardKind[] = [{ order: "ascending", ties: "first" }];

  await createBoard(world, "fastest", { order: "ascending" });
  await write();
  expect(indexes()).toEqual(enterpriseIndexes(kinds));
  await write(false); // nobody is asked, as nothing changes
  expect(said.at(-1)).toContain("Nothing to do");

  await createBoard(world, "last", { ties: "last", segments: [{ name: "country", from: "claim" }] });
  await expect(write(false)).rejects.toThrow("Nothing was written");
  await write();
  const all = enterpriseIndexes([...kinds, { order: "descending", ties: "last", hasSegments: true }]);
  expect(indexes()).toHaveLength(all.length);
  expect(indexes()).toEqual(expect.arrayContaining(all));

  // Of a board of another release nothing is known, so none of its indexes may go.
  await world.db.doc("leaderboards/newer").set({ order: "sideways" });
  await write();
  expect(indexes()).toHaveLength(enterpriseIndexes(everyKind).length);
});

test("a database that firebase.json does not name is refused", async () => {
  const project = projectOf({
    "firebase.json": '{"firestore": {"database": "games", "indexes": "mine.json"}}',
  });
  const options = { project, yes: true, say: () => undefined, input: process.stdin };
  await expect(writeIndexes(createWorld().db, options)).rejects.toThrow(
    "names no index file of the database (default)",
  );
});

test.each([
  ["ties", { ties: "first" }],
  ["segments", { segments: null }],
  ["a league", { league: null }],
  ["all of them", { ties: "first", segments: null, league: null }],
] as const)(
  "on Enterprise the file keeps what closed seasons use after a change of %s",
  async (_, changes) => {
    const project = projectOf({
      "firebase.json": '{"firestore": {"indexes": "mine.json", "edition": "enterprise"}}',
    });
    const world = createWorld();
    const write = () =>
      writeIndexes(world.db, { project, yes: true, say: () => undefined, input: process.stdin });
    const indexes = () => parseIndexFile(read(project, "mine.json")).indexes;
    const players = { ann: playerFields(9, 0, { segments: { country: "AT" } }) };
    const key = await createEnding(world, "board", players, {
      definition: {
        spans: ["weekly"],
        ties: "last",
        segments: [{ name: "country", from: "server" }],
        league: { span: "weekly", size: 30, tiers: [{ id: "bronze", name: "Bronze" }] },
      },
    });
    await endSeason(world, key);
    await write();
    const before = indexes();
    for (const one of ["counted.segments", "segments_ranking", "league_groups"])
      expect(JSON.stringify(before)).toContain(one);
    // Once more: what the board had stays known after any number of saves.
    for (const definition of [changes, { top_size: 5 }]) {
      await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
      await write();
      expect(indexes()).toEqual(expect.arrayContaining(before));
    }
  },
);

test("a board that had a league, and never a segment, keeps the indexes of groups", async () => {
  const world = createWorld();
  const league = { span: "weekly" as const, size: 30, tiers: [{ id: "bronze", name: "Bronze" }] };
  await createBoard(world, "board", { spans: ["weekly"], league });
  await world.submit("ann", 1);
  for (const definition of [{ league: null }, { top_size: 5 }])
    await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  expect(await boardsOf(world.db)).toMatchObject({ kinds: [{ hasLeague: true }] });
});

test("a board without a season keeps none of an earlier definition", async () => {
  const world = createWorld();
  await createBoard(world, "board", { ties: "last", segments: [{ name: "country", from: "claim" }] });
  const definition = { ties: "first" as const, segments: null };
  await world.call("saveLeaderboard", { leaderboard: "board", definition }, admin);
  const kind = {
    order: "descending",
    ties: "first",
    hasSegments: false,
    isTemplate: false,
    hasLeague: false,
  };
  expect(await boardsOf(world.db)).toEqual({ boards: 1, kinds: [kind] });
});
