/** Bad requests of trusted servers and of readers: each is refused with its code and the path of the field. */
import { beforeAll, describe, test } from "vitest";
import { getRankSpec } from "../../../functions/src/operations/get-rank.ts";
import { getTopSpec } from "../../../functions/src/operations/get-top.ts";
import type { Caller } from "../../../functions/src/operations/access.ts";
import { expectRefusal, invalid, outOfRange, type Refusal, show } from "../../support/refusals.ts";
import { callOn, admin, createBoard, createWorld, user, type World } from "../../support/world.ts";

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
    await expectRefusal(world, refusal, () => callOn(world.services, "submitScores", data, admin));
  });

  test("callers without the claim, and an unknown board", async () => {
    const call = (leaderboard: string, caller = admin) =>
      callOn(world.services, "submitScores", { leaderboard, submissions: [one] }, caller);
    await expectRefusal(world, "not_allowed", () => call("plain", ann));
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
    ["getRank beyond 2^53 - 1", getRankSpec, { score: 2 ** 53 }, invalid("score")],
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
    await expectRefusal(world, refusal, () => callAs(ann, spec, request));
  });

  test.each([getTopSpec, getRankSpec])(
    "$name of an unknown board or season, or not signed in",
    async (spec) => {
      await expectRefusal(world, "leaderboard_not_found", () =>
        callAs(ann, spec, { leaderboard: "missing" }),
      );
      for (const asked of [{ season: "daily-2026-11-21" }, { span: "daily" }, { span: "a/b" }]) {
        await expectRefusal(world, "season_not_found", () =>
          callAs(ann, spec, { leaderboard: "plain", ...asked }),
        );
      }
      await expectRefusal(world, "unauthenticated", () => callAs(undefined, spec, { leaderboard: "plain" }));
    },
  );

  test("getRank without a player, a score or a caller, on a public board", async () => {
    await expectRefusal(world, "unauthenticated", () =>
      callOn(world.services, "getRank", { leaderboard: "public" }, undefined),
    );
  });

  test("getRank of a player without a score", async () => {
    await expectRefusal(world, "player_not_ranked", () => callAs(ann, getRankSpec, { leaderboard: "plain" }));
  });

  function callAs(
    caller: Caller | undefined,
    spec: typeof getTopSpec | typeof getRankSpec,
    data: object,
  ): Promise<unknown> {
    return spec.name === getTopSpec.name
      ? callOn(world.services, "getTop", data, caller)
      : callOn(world.services, "getRank", data, caller);
  }
});

function columns(values: object) {
  return { leaderboard: "columns", columns: values };
}

test.each(["a/b", "a/b/c", "..", "__a__"])(
  "a user whose uid, %j, cannot be a player id has no rank",
  async (uid) => {
    const request = { leaderboard: "plain" };
    const askers = [
      () => callOn(world.services, "getRank", request, user(uid)),
      () => callOn(world.services, "getAround", request, user(uid)),
    ];
    for (const ask of askers) await expectRefusal(world, invalid("player"), ask);
  },
);
