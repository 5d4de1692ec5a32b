/** Bad submissions of players: each is refused with its code and the path of the field, and writes nothing. */
import { beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, invalid, outOfRange, type Refusal, show } from "../../support/refusals.ts";
import { callOn, createBoard, createWorld, user, type World } from "../../support/world.ts";

const long = (length: number) => "x".repeat(length);
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
const ann = user("ann");

let world: World;
beforeAll(async () => {
  world = createWorld();
  await createBoard(world, "plain");
  await createBoard(world, "public", { visibility: "public" });
  const columns = [
    { name: "points", min: 0, max: 300 },
    { name: "seconds", min: -5, max: 5, order: "ascending" as const },
  ];
  await createBoard(world, "columns", { columns });
});

describe("submitScore refuses, before a season is opened,", () => {
  const refused: [what: string, data: unknown, refusal: Refusal][] = [
    ["no data", undefined, invalid("")],
    ["null", null, invalid("")],
    ["a list", [], invalid("")],
    ["a text", "score", invalid("")],
    ["an empty request", {}, invalid("leaderboard")],
    [
      "several bad fields, naming each",
      { leaderboard: 1, score: "1", display_name: "" },
      invalid("display_name", "leaderboard", "score"),
    ],
    ...["", "a/b", ".", "..", "__id__", "-a", "a b", "ä", long(65), 5, null].map(
      (leaderboard): [string, unknown, Refusal] => {
        return [`leaderboard ${show(leaderboard)}`, { leaderboard, score: 1 }, invalid("leaderboard")];
      },
    ),
    ["a missing score", { leaderboard: "plain" }, invalid("score")],
    ...["12", "", null, true, [1], { value: 1 }, NaN, Infinity, -Infinity, 2 ** 53, -(2 ** 53), 1e300].map(
      (score): [string, unknown, Refusal] => [
        `score ${show(score)}`,
        { leaderboard: "plain", score },
        invalid("score"),
      ],
    ),
    ["columns on a board without", { leaderboard: "plain", columns: { points: 1 } }, invalid("columns")],
    [
      "fields of other calls, naming each",
      { leaderboard: "plain", score: 1, offset: 1, limit: 1 },
      invalid("limit", "offset"),
    ],
    ["another player's name", { leaderboard: "plain", score: 1, player: "bob" }, invalid("player")],
    ...["", long(65), "a\u0000b", "\ud800", 7].map((id): [string, unknown, Refusal] => {
      return [
        `submission_id ${show(id)}`,
        { leaderboard: "plain", score: 1, submission_id: id },
        invalid("submission_id"),
      ];
    }),
    ...[
      "",
      " \t ",
      "\u3164",
      "\u200b\u0301",
      long(65),
      "🏆".repeat(65),
      "a\nb",
      "a\u007fb",
      "\udfff",
      7,
      null,
    ].map((name): [string, unknown, Refusal] => {
      return [
        `display_name ${show(name)}`,
        { leaderboard: "plain", score: 1, display_name: name },
        invalid("display_name"),
      ];
    }),
    ...[
      "text",
      ["list"],
      null,
      { text: long(1_014) },
      { text: "ä".repeat(510) },
      { list: [[1]] },
      { list: [{ list: [[1]] }] },
      { n: NaN },
      { n: Infinity },
      { __name__: 1 },
      { a: { __a__: 1 } },
      { "": 1 },
      { text: "\ud800" },
      { "\ud800": 1 },
      { a: undefined },
      { a: 1n },
      nested(10),
    ].map((metadata): [string, unknown, Refusal] => {
      return [
        `metadata ${show(metadata)}`,
        { leaderboard: "plain", score: 1, metadata },
        invalid("metadata"),
      ];
    }),
    ["a missing columns object", { leaderboard: "columns" }, invalid("columns")],
    ["a score on a board with columns", { leaderboard: "columns", score: 1 }, invalid("score")],
    ["both", { leaderboard: "columns", score: 1, columns: { points: 1, seconds: 1 } }, invalid("score")],
    ["columns that are no object", { leaderboard: "columns", columns: [1, 2] }, invalid("columns")],
    [
      "missing columns, naming each",
      { leaderboard: "columns", columns: {} },
      invalid("columns.points", "columns.seconds"),
    ],
    ["an unknown column", columns({ points: 1, seconds: 1, goals: 1 }), invalid("columns.goals")],
    [
      "a column named as what every object has",
      columns({ points: 1, seconds: 1, constructor: 1 }),
      invalid("columns.constructor"),
    ],
    ["a fractional column", columns({ points: 1.5, seconds: 1 }), invalid("columns.points")],
    ["a column that is a text", columns({ points: "1", seconds: 1 }), invalid("columns.points")],
    ["a column that is NaN", columns({ points: NaN, seconds: 1 }), invalid("columns.points")],
    ["a column that is infinite", columns({ points: 1, seconds: -Infinity }), invalid("columns.seconds")],
    ["a column above its range", columns({ points: 301, seconds: 1 }), outOfRange("columns.points")],
    ["a column below its range", columns({ points: 1, seconds: -6 }), outOfRange("columns.seconds")],
  ];

  test.each(refused)("%s", async (_what, data, refusal) => {
    await expectRefusal(world, refusal, () => callOn(world.services, "submitScore", data, ann));
  });

  test("a board that does not exist", async () => {
    const data = { leaderboard: "missing", score: 1 };
    const error = await expectRefusal(world, "leaderboard_not_found", () =>
      callOn(world.services, "submitScore", data, ann),
    );
    expect(error.message).toContain('"missing"');
  });

  test("a caller who is not signed in, whatever the request", async () => {
    for (const data of [{ leaderboard: "public", score: 1 }, { leaderboard: "missing", score: 1 }, null]) {
      await expectRefusal(world, "unauthenticated", () =>
        callOn(world.services, "submitScore", data, undefined),
      );
    }
  });
});

function columns(values: object) {
  return { leaderboard: "columns", columns: values };
}

test.each(["a/b", "a/b/c", "..", "__a__", "ann "])(
  "submitScore refuses a user whose uid, %j, cannot be a player id",
  async (uid) => {
    const request = { leaderboard: "plain", score: 1 };
    await expectRefusal(world, invalid("player"), () =>
      callOn(world.services, "submitScore", request, user(uid)),
    );
  },
);
