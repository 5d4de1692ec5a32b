/**
 * Bad requests: each is refused with its code and the paths of its fields, and writes nothing. What a description of REST
 * forbids is in rest-fuzz.test.ts.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "../../../functions/src/operations/shared/access.ts";
import { type Member, populate, populateAndRank } from "../../support/crowd.ts";
import { expectRefusal, invalid, outOfRange, type Refusal, show } from "../../support/refusals.ts";
import {
  admin,
  allTime,
  callOn,
  createBoard,
  createWorld,
  type Operation,
  user,
  type World,
} from "../../support/world.ts";

const ann = user("ann");
const plain = allTime("plain");
const members = Array.from({ length: 30 }, (_, i): Member => ({ id: `p${i}`, score: i, achievedMs: i }));
const column = { name: "points", min: 0, max: 300 };
const tier = { name: "gold", top_percent: 1 };

let world: World;
beforeAll(async () => {
  world = createWorld();
  for (const leaderboard of ["plain", "other"])
    await populateAndRank(world, await createBoard(world, leaderboard, { top_size: 10 }), members);
  await createBoard(world, "public", { visibility: "public" });
  await createBoard(world, "columns", { columns: [column, { name: "seconds", min: -5, max: 5 }] });
});

/** What the board `plain` answers. */
const good: Partial<Record<Operation, object>> = {
  submitScore: { score: 1 },
  submitScores: { submissions: [{ player: "ann", score: 1 }] },
  getTop: {},
  getRank: { player: "p1" },
  getAround: { player: "p5" },
  getPage: {},
  getPlayers: { players: ["p1"] },
};
const names = Object.keys(good) as Operation[];
const reads = names.filter((name) => name.startsWith("get"));
const call = (name: Operation, data: object, caller: Caller | undefined = ann) =>
  callOn(world.services, name, { leaderboard: "plain", ...data }, caller);
const callerOf = (name: Operation) => (name === "submitScores" ? admin : ann);
const onColumns = (values: unknown, more = {}) => ({ leaderboard: "columns", columns: values, ...more });
const right = { points: 1, seconds: 1 };
const generations = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`cup-${i}`, 1]));

const refused: [name: Operation, data: object, refusal: Refusal][] = [
  ["submitScore", { score: undefined }, invalid("score")],
  [
    "submitScore",
    { leaderboard: 1, score: "1", display_name: "" },
    invalid("display_name", "leaderboard", "score"),
  ],
  ["submitScore", { score: 1, columns: { points: 1 } }, invalid("columns")],
  ["submitScore", { score: 1, offset: 1, limit: 1 }, invalid("limit", "offset")],
  ["submitScore", { score: 1, player: "bob" }, invalid("player")],
  ["submitScore", { score: 1, submission_id: "a\u0000b" }, invalid("submission_id")],
  ["submitScore", { score: 1, display_name: " \t " }, invalid("display_name")],
  ["submitScore", { score: 1, min_generations: { "a/b": 1 } }, invalid("min_generations.a/b")],
  ["submitScore", { score: 1, min_generations: generations(101) }, invalid("min_generations")],
  ["submitScore", { score: 1, metadata: { list: [[1]] } }, invalid("metadata")],
  ["submitScore", { leaderboard: "columns" }, invalid("columns")],
  ["submitScore", { leaderboard: "columns", score: 1 }, invalid("score")],
  ["submitScore", onColumns(right, { score: 1 }), invalid("score")],
  ["submitScore", onColumns([1, 2]), invalid("columns")],
  ["submitScore", onColumns({}), invalid("columns")],
  ["submitScore", onColumns({ ...right, goals: 1 }), invalid("columns.goals")],
  ["submitScore", onColumns({ ...right, constructor: 1 }), invalid("columns.constructor")],
  ["submitScore", onColumns({ ...right, points: 1.5 }), invalid("columns.points")],
  ["submitScore", onColumns({ ...right, points: 301 }), outOfRange("columns.points")],
  ["submitScore", onColumns({ ...right, seconds: -6 }), outOfRange("columns.seconds")],
  ["submitScores", { submissions: undefined }, invalid("submissions")],
  ["submitScores", { submissions: [] }, invalid("submissions")],
  ["submitScores", { submissions: Array.from({ length: 501 }, () => right) }, invalid("submissions")],
  ["submitScores", { submissions: [right], dry_run: true }, invalid("dry_run")],
  ["getTop", { limit: 11 }, invalid("limit")],
  ["getRank", { score: 1, player: "ann" }, invalid("")],
  ["getRank", { columns: { points: 1 }, player: undefined }, invalid("columns")],
  ["getRank", onColumns({ points: 1 }, { player: undefined }), invalid("columns.seconds")],
  ["getRank", onColumns({ ...right, goals: 1 }, { player: undefined }), invalid("columns.goals")],
  ["getRank", onColumns({ ...right, points: 0.5 }, { player: undefined }), invalid("columns.points")],
  ["getRank", onColumns({ ...right, seconds: 6 }, { player: undefined }), outOfRange("columns.seconds")],
  ["getPage", { offset: -1, limit: 0 }, invalid("limit", "offset")],
  ["getPage", { offset: 0, cursor: "x" }, invalid("cursor")],
  ["getPage", { cursor: "?!" }, invalid("cursor")],
  ["getPlayers", { players: ["p1", "a/b"] }, invalid("players.1")],
];

test.each(refused.map(([name, data, refusal]) => [name, show(data), data, refusal] as const))(
  "%s of %s is refused",
  async (name, _shown, data, refusal) => {
    const request = { ...(name.startsWith("get") ? good[name] : {}), ...data };
    await expectRefusal(world, refusal, () => call(name, request, callerOf(name)));
  },
);

describe.each(names)("%s", (name) => {
  const ask = (data: object, caller: Caller | undefined = callerOf(name)) =>
    call(name, { ...good[name], ...data }, caller);

  test("refuses a board that is badly named or not there, and what is no request", async () => {
    await expectRefusal(world, invalid("leaderboard"), () => ask({ leaderboard: "a/b" }));
    const error = await expectRefusal(world, "leaderboard_not_found", () => ask({ leaderboard: "missing" }));
    expect(error.message).toContain('"missing"');
    for (const data of [undefined, null, [], "score"])
      await expectRefusal(world, invalid(""), () => callOn(world.services, name, data, callerOf(name)));
  });
});

describe.each(reads)("%s", (name) => {
  const ask = (data: object, caller: Caller | undefined = ann) =>
    call(name, { ...good[name], ...data }, caller);

  test("refuses a season or span that is not there, badly named, or both at once", async () => {
    await expectRefusal(world, invalid("season"), () => ask({ season: "a/b" }));
    await expectRefusal(world, invalid("span"), () => ask({ season: "all_time", span: "all_time" }));
    for (const asked of [{ season: "daily-2026-11-21" }, { span: "daily" }, { span: "a/b" }])
      await expectRefusal(world, "season_not_found", () => ask(asked));
  });

  test("refuses a freshness that is none, and who is not signed in, unless the board is public", async () => {
    await expectRefusal(world, invalid("freshness"), () => ask({ freshness: "fresh" }));
    const asNobody = (leaderboard: string) =>
      callOn(world.services, name, { ...good[name], leaderboard }, undefined);
    await expectRefusal(world, "unauthenticated", () => asNobody("plain"));
    const isOfOne = name === "getRank" || name === "getAround";
    if (isOfOne) await expectRefusal(world, "player_not_ranked", () => asNobody("public"));
    else expect(await asNobody("public")).toMatchObject({ entries: [], generation: 0 });
  });
});

test.each(["getRank", "getAround", "submitScore"] as const)(
  "%s of whoever asks needs a caller, on a public board too, whose uid can be a player id",
  async (name) => {
    const request = { leaderboard: "public", ...(name === "submitScore" ? { score: 1 } : {}) };
    await expectRefusal(world, "unauthenticated", () => callOn(world.services, name, request, undefined));
    for (const uid of ["a/b", "..", "__a__"])
      await expectRefusal(world, invalid("player"), () => callOn(world.services, name, request, user(uid)));
  },
);

describe("a cursor", () => {
  const page = (asked: { limit?: number; cursor?: string; leaderboard?: string }) =>
    world.call("getPage", { leaderboard: "plain", ...asked }, ann);
  let cursor: string;
  beforeAll(async () => {
    cursor = (await page({ limit: 10 })).next_cursor ?? "";
  });

  test("that was cut short is refused, and the error says what to send", async () => {
    for (let length = 0; length < cursor.length; length += 7) {
      const cut = cursor.slice(0, length);
      const error = await expectRefusal(world, invalid("cursor"), () => page({ cursor: cut }));
      expect(error.message).toContain("next_cursor");
    }
  });

  test("that was changed lists from where it points", async () => {
    const after = [5, 1_700_000_000, 0, "p5"];
    const changed = { v: 1, leaderboard: "plain", season: "all_time", after, position: 2 ** 52 };
    const text = Buffer.from(JSON.stringify(changed)).toString("base64url");
    expect((await page({ cursor: text })).entries).not.toEqual([]);
  });

  test("of another board is refused, naming both", async () => {
    const error = await expectRefusal(world, invalid("cursor"), () => page({ cursor, leaderboard: "other" }));
    expect(error.message).toContain('"plain"');
    expect(error.message).toContain('"other"');
  });

  test("of an older generation continues after the same player, with ranks of the newest", async () => {
    const before = await page({ cursor, limit: 5 });
    await populate(world, plain, [{ id: "new", score: 1_000, achievedMs: 0 }]);
    await world.publish(plain);
    world.advance(10 * 60_000);
    const after = await page({ cursor, limit: 5 });
    expect(after.generation).toBe(before.generation + 1);
    expect(after.entries).toEqual(before.entries.map((entry) => ({ ...entry, rank: entry.rank + 1 })));
  });
});

describe("a definition", () => {
  const save = (definition: unknown) =>
    callOn(world.services, "saveLeaderboard", { leaderboard: "board", definition }, admin);

  test("that is missing, no object, has unknown fields, or contradicts itself is refused", async () => {
    for (const bad of [undefined, null, "default", []])
      await expectRefusal(world, invalid("definition"), () => save(bad));
    const unknown = invalid("definition.orders", "definition.updated_at");
    await expectRefusal(world, unknown, () => save({ orders: 1, updated_at: 1 }));
    await expectRefusal(world, invalid("definition.max_score"), () => save({ min_score: 2, max_score: 1 }));
    const tiers = [{ ...tier, colour: "yellow" }];
    await expectRefusal(world, invalid("definition.tiers.0.colour"), () => save({ tiers }));
  });

  describe("of a board that has a score", () => {
    const goals = { ...column, name: "goals" };
    const definition = { order: "ascending" as const, columns: [column, goals] };
    beforeAll(async () => {
      await createBoard(world, "board", definition);
      await world.call("submitScore", { leaderboard: "board", columns: { points: 1, goals: 1 } }, ann);
    });

    test.each([
      ["order", { ...definition, order: "descending" }],
      ["aggregation", { ...definition, aggregation: "sum" }],
      ["columns", { ...definition, columns: [goals, column] }],
      ["columns", { columns: null }],
    ])("keeps its %s", async (field, changed) => {
      const frozen: Refusal = { code: "definition_frozen", paths: [`definition.${field}`] };
      await expectRefusal(world, frozen, () => save(changed));
    });

    test("may change in everything else", async () => {
      const changed = { ...definition, ties: "last", top_size: 7, visibility: "public", tiers: [tier] };
      expect(await save(changed)).toMatchObject({ ties: "last", top_size: 7 });
    });
  });
});
