/** Bad requests of players and readers: each is refused with its code and the path of the field, and writes nothing. */
import { beforeAll, describe, expect, test } from "vitest";
import { submitScoresSpec } from "../functions/src/admin/submit-scores.ts";
import { answer } from "../functions/src/callables/define-callable.ts";
import { getRankSpec } from "../functions/src/callables/get-rank.ts";
import { getTopSpec } from "../functions/src/callables/get-top.ts";
import { submitScoreSpec } from "../functions/src/callables/submit-score.ts";
import { expectRefusal, type Refusal } from "./refusals.ts";
import { admin, createBoard, createWorld, user, type World } from "./world.ts";

const long = (length: number) => "x".repeat(length);
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });
const invalid = (...paths: string[]): Refusal => ({ code: "invalid_request", paths });
const outOfRange = (...paths: string[]): Refusal => ({ code: "score_out_of_range", paths });
const ann = user("ann");

let world: World;
beforeAll(async () => {
  world = createWorld();
  await createBoard(world, "plain", { top_size: 10 });
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
    ...[
      "12",
      "",
      null,
      true,
      [1],
      { value: 1 },
      NaN,
      Infinity,
      -Infinity,
      2 ** 53 + 2,
      -(2 ** 53) - 2,
      1e300,
    ].map((score): [string, unknown, Refusal] => [
      `score ${show(score)}`,
      { leaderboard: "plain", score },
      invalid("score"),
    ]),
    ["columns on a board without", { leaderboard: "plain", columns: { points: 1 } }, invalid("columns")],
    [
      "unknown fields, naming each",
      { leaderboard: "plain", score: 1, rank: 1, admin: true },
      invalid("admin", "rank"),
    ],
    ["another player's name", { leaderboard: "plain", score: 1, player: "bob" }, invalid("player")],
    ...["", long(65), "a\u0000b", "\ud800", 7].map((id): [string, unknown, Refusal] => {
      return [
        `submission_id ${show(id)}`,
        { leaderboard: "plain", score: 1, submission_id: id },
        invalid("submission_id"),
      ];
    }),
    ...["", " \t ", long(65), "🏆".repeat(65), "a\nb", "a\u007fb", "\udfff", 7, null].map(
      (name): [string, unknown, Refusal] => {
        return [
          `display_name ${show(name)}`,
          { leaderboard: "plain", score: 1, display_name: name },
          invalid("display_name"),
        ];
      },
    ),
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
    await expectRefusal(world, refusal, () => answer(submitScoreSpec, world.services, data, ann));
  });

  test("a board that there is not", async () => {
    const data = { leaderboard: "missing", score: 1 };
    const error = await expectRefusal(world, "leaderboard_not_found", () =>
      answer(submitScoreSpec, world.services, data, ann),
    );
    expect(error.message).toContain('"missing"');
  });

  test("a caller who is not signed in, whatever the request", async () => {
    for (const data of [{ leaderboard: "public", score: 1 }, { leaderboard: "missing", score: 1 }, null]) {
      await expectRefusal(world, "unauthenticated", () =>
        answer(submitScoreSpec, world.services, data, undefined),
      );
    }
  });
});

describe("submitScores refuses", () => {
  const one = { player: "ann", score: 1 };
  const refused: [what: string, data: unknown, refusal: Refusal][] = [
    ["no submissions", { leaderboard: "plain" }, invalid("submissions")],
    ["0 submissions", { leaderboard: "plain", submissions: [] }, invalid("submissions")],
    [
      "501 submissions",
      { leaderboard: "plain", submissions: Array.from({ length: 501 }, () => one) },
      invalid("submissions"),
    ],
    ["submissions that are no list", { leaderboard: "plain", submissions: one }, invalid("submissions")],
    ["an unknown field", { leaderboard: "plain", submissions: [one], dry_run: true }, invalid("dry_run")],
  ];
  test.each(refused)("%s", async (_what, data, refusal) => {
    await expectRefusal(world, refusal, () => answer(submitScoresSpec, world.services, data, admin));
  });

  test("callers without the claim, and an unknown board", async () => {
    const call = (leaderboard: string, caller = admin) =>
      answer(submitScoresSpec, world.services, { leaderboard, submissions: [one] }, caller);
    await expectRefusal(world, "not_admin", () => call("plain", ann));
    await expectRefusal(world, "leaderboard_not_found", () => call("missing"));
  });
});

describe("readers are refused", () => {
  const refused: [
    what: string,
    spec: typeof getTopSpec | typeof getRankSpec,
    data: object,
    refusal: Refusal,
  ][] = [
    ...[0, -1, 1.5, "5", NaN, 11, 2 ** 53].map((limit): (typeof refused)[number] => {
      return [
        `getTop with limit ${show(limit)} where top_size is 10`,
        getTopSpec,
        { limit },
        invalid("limit"),
      ];
    }),
    ["getTop of a season's bad id", getTopSpec, { season: "a/b" }, invalid("season")],
    ["getTop with an offset, which it has not", getTopSpec, { offset: 1 }, invalid("offset")],
    [
      "getTop of season and span at once",
      getTopSpec,
      { season: "all_time", span: "all_time" },
      invalid("span"),
    ],
    ["getRank of an unknown freshness", getRankSpec, { freshness: "now" }, invalid("freshness")],
    ["getRank of a player with a slash", getRankSpec, { player: "a/b" }, invalid("player")],
    ["getRank of a score that is a text", getRankSpec, { score: "1" }, invalid("score")],
    ["getRank of NaN", getRankSpec, { score: NaN }, invalid("score")],
    ["getRank beyond 2^53", getRankSpec, { score: 2 ** 53 + 2 }, invalid("score")],
    ["getRank of a score and a player", getRankSpec, { score: 1, player: "ann" }, invalid("")],
    ["getRank of columns on a board without", getRankSpec, { columns: { points: 1 } }, invalid("columns")],
    ["getRank without a column", getRankSpec, columns({ points: 1 }), invalid("columns.seconds")],
    [
      "getRank of an unknown column",
      getRankSpec,
      columns({ points: 1, seconds: 1, goals: 1 }),
      invalid("columns.goals"),
    ],
    [
      "getRank of a fractional column",
      getRankSpec,
      columns({ points: 0.5, seconds: 1 }),
      invalid("columns.points"),
    ],
    [
      "getRank of a column out of range",
      getRankSpec,
      columns({ points: 1, seconds: 6 }),
      outOfRange("columns.seconds"),
    ],
  ];
  test.each(refused)("%s", async (_what, spec, data, refusal) => {
    const request = { leaderboard: "plain", ...data };
    await expectRefusal(world, refusal, () => call(spec, request));
  });

  test.each([getTopSpec, getRankSpec])(
    "$name of an unknown board or season, or not signed in",
    async (spec) => {
      await expectRefusal(world, "leaderboard_not_found", () => call(spec, { leaderboard: "missing" }));
      for (const asked of [{ season: "daily-2026-11-21" }, { span: "daily" }, { span: "a/b" }]) {
        await expectRefusal(world, "season_not_found", () => call(spec, { leaderboard: "plain", ...asked }));
      }
      await expectRefusal(world, "unauthenticated", () =>
        answer(spec, world.services, { leaderboard: "plain" }, undefined),
      );
    },
  );

  test("getRank without a player, a score or a caller, on a public board", async () => {
    await expectRefusal(world, "unauthenticated", () =>
      answer(getRankSpec, world.services, { leaderboard: "public" }, undefined),
    );
  });

  test("getRank of a player without a score", async () => {
    await expectRefusal(world, "player_not_ranked", () => call(getRankSpec, { leaderboard: "plain" }));
  });

  function call(spec: typeof getTopSpec | typeof getRankSpec, data: object): Promise<unknown> {
    return spec.name === getTopSpec.name
      ? answer(getTopSpec, world.services, data, ann)
      : answer(getRankSpec, world.services, data, ann);
  }
});

function columns(values: object) {
  return { leaderboard: "columns", columns: values };
}

function show(value: unknown): string {
  const text =
    typeof value === "number"
      ? String(value)
      : JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? `${inner}n` : inner));
  return text.length > 40 ? `${text.slice(0, 30)}… (${text.length} characters)` : text;
}
