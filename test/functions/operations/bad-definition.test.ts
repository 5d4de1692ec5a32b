/** Bad definitions: `saveLeaderboard` names the field that is wrong and stores nothing. */
import { beforeAll, describe, expect, test } from "vitest";
import { leaderboardPath } from "../../../functions/src/documents/paths.ts";
import type { Caller } from "../../../functions/src/operations/access.ts";
import { expectRefusal, invalid, type Refusal, show } from "../../support/refusals.ts";
import { callOn, admin, createBoard, createWorld, user, type World } from "../../support/world.ts";

const world: World = createWorld();
const save = (definition: unknown, caller: Caller | undefined = admin) =>
  callOn(world.services, "saveLeaderboard", { leaderboard: "board", definition }, caller);

const column = { name: "points", min: 0, max: 9 };
const tier = { name: "gold", top_percent: 1 };
const many = (count: number, make: (i: number) => object) => Array.from({ length: count }, (_, i) => make(i));
const range = (bits: number) => ({ min: 0, max: 2 ** bits - 1 });

/** A bad value with a problem at a path below the field. */
class Deep {
  readonly at: string;
  readonly value: unknown;
  constructor(at: string, value: unknown) {
    this.at = at;
    this.value = value;
  }
}

/** Bad values by field. */
const badValues: Record<string, unknown[]> = {
  order: ["up", 1, null],
  aggregation: ["average", null],
  spans: [
    "all_time",
    null,
    ["all_time", "all_time"],
    new Deep("0", ["yearly"]),
    new Deep("1", ["daily", "custom"]),
  ],
  events: ["season_closed", null, ["season_closed", "season_closed"], new Deep("0", ["score_submitted"])],
  time_zone: ["Mars/Olympus", "", 1],
  week_starts_on: ["Monday", 1],
  ties: ["random", true],
  ranking_interval_minutes: [0, -1, 0.5, 1_441, NaN, Infinity, "5"],
  visibility: ["private", true],
  top_size: [0, -1, 1.5, 1_001, "100", NaN],
  top_refresh_seconds: [0, -1, 1.5, 61, "2", NaN],
  min_score: ["0", NaN, Infinity, 2 ** 53, -(2 ** 53)],
  max_score: ["0", NaN, -Infinity, 2 ** 53, -(2 ** 53)],
  max_change: [0, -1, NaN, Infinity, "1"],
  min_seconds_between: [0, -1, 31_536_001, NaN, "1"],
  max_attempts: [0, -1, 1.5, "3", NaN],
  submit: ["anyone", true],
  keep_seasons: [0, 1.5, "3"],
  tiers: [
    [],
    "gold",
    many(21, (i) => ({ name: `t${i}`, top_percent: i + 1 })),
    [tier, tier],
    [
      { ...tier, top_percent: 2 },
      { name: "silver", top_percent: 1 },
    ],
    new Deep("0.top_percent", [{ ...tier, top_percent: 0 }]),
    new Deep("0.top_percent", [{ ...tier, top_percent: 101 }]),
    new Deep("0.name", [{ ...tier, name: "" }]),
    new Deep("0.name", [{ ...tier, name: "x".repeat(65) }]),
    new Deep("0.colour", [{ ...tier, colour: "yellow" }]),
  ],
  columns: [
    [],
    "points",
    many(9, (i) => ({ ...column, name: `c${i}` })),
    [column, column],
    [
      { ...column, ...range(27) },
      { name: "goals", ...range(27) },
    ],
    new Deep("0.name", [{ ...column, name: "" }]),
    new Deep("0.name", [{ ...column, name: "1st" }]),
    new Deep("0.name", [{ ...column, name: "__proto__" }]),
    new Deep("0.name", [{ ...column, name: "a.b" }]),
    new Deep("0.name", [{ ...column, name: "x".repeat(65) }]),
    new Deep("0.min", [{ ...column, min: 0.5 }]),
    new Deep("0.max", [{ ...column, min: 9 }]),
    new Deep("0.max", [{ ...column, max: -1 }]),
    new Deep("0.max", [{ ...column, max: NaN }]),
    new Deep("0.max", [{ ...column, min: 9, max: 2 ** 53 }]),
    new Deep("0.order", [{ ...column, order: "up" }]),
    new Deep("1.unit", [column, { ...column, name: "goals", unit: "m" }]),
  ],
};

const cases = Object.entries(badValues).flatMap(([field, values]) =>
  values.map((bad): [field: string, shown: string, value: unknown, path: string] => {
    if (!(bad instanceof Deep)) return [field, show(bad), bad, `definition.${field}`];
    return [field, show(bad.value), bad.value, `definition.${field}.${bad.at}`];
  }),
);

test.each(cases)("%s cannot be %s", async (field, _shown, value, path) => {
  await expectRefusal(world, invalid(path), () => save({ [field]: value }));
});

test("every field of a definition has bad values here", async () => {
  const scratch = createWorld();
  const optional = { min_score: 0, max_score: 9, max_change: 1, min_seconds_between: 1, max_attempts: 1 };
  await createBoard(scratch, "single", {
    ...optional,
    tiers: [tier],
    keep_seasons: 1,
  });
  await createBoard(scratch, "columns", { columns: [column] });
  const stored = await scratch.db.getAll(
    ...["single", "columns"].map((id) => scratch.db.doc(leaderboardPath(id))),
  );
  const fields = new Set(stored.flatMap((document) => Object.keys(document.data() ?? {})));
  expect([...Object.keys(badValues), "schema_version", "updated_at"].sort()).toEqual([...fields].sort());
});

test("a definition that is missing, no object or has unknown fields is refused", async () => {
  for (const bad of [undefined, null, "default", []]) {
    await expectRefusal(world, invalid("definition"), () => save(bad));
  }
  await expectRefusal(world, invalid("definition.orders", "definition.updated_at"), () =>
    save({ orders: 1, updated_at: 1 }),
  );
});

test("fields that contradict each other are refused", async () => {
  await expectRefusal(world, invalid("definition.max_score"), () => save({ min_score: 2, max_score: 1 }));
  const scoreLimits = { min_score: 1, max_score: 2, max_change: 3 };
  const paths = ["definition.max_change", "definition.max_score", "definition.min_score"];
  await expectRefusal(world, invalid(...paths), () => save({ columns: [column], ...scoreLimits }));
});

test("only an account with the claim may save", async () => {
  await expectRefusal(world, "not_allowed", () => save({}, user("ann")));
  await expectRefusal(world, "unauthenticated", () =>
    callOn(world.services, "saveLeaderboard", { leaderboard: "board", definition: {} }, undefined),
  );
});

describe("once a board has a score", () => {
  const goals = { ...column, name: "goals" };
  const definition = { order: "ascending" as const, columns: [column, goals] };
  beforeAll(async () => {
    await createBoard(world, "board", definition);
    const submission = { leaderboard: "board", columns: { points: 1, goals: 1 } };
    await world.call("submitScore", submission, user("ann"));
  });

  test.each([
    ["order", { ...definition, order: "descending" }],
    ["aggregation", { ...definition, aggregation: "sum" }],
    ["columns", { ...definition, columns: [{ ...column, max: 10 }, goals] }],
    ["columns", { ...definition, columns: [{ ...column, order: "ascending" }, goals] }],
    ["columns", { ...definition, columns: [goals, column] }],
    ["columns", { columns: null }],
  ])("its %s cannot change", async (field, changed) => {
    const frozen: Refusal = { code: "definition_frozen", paths: [`definition.${field}`] };
    await expectRefusal(world, frozen, () => save(changed));
  });

  test("everything else may change", async () => {
    const changed = { ...definition, ties: "last", top_size: 7, visibility: "public", tiers: [tier] };
    expect(await save(changed)).toMatchObject({ ties: "last", top_size: 7 });
  });
});
