/** Bad requests for lists: each is refused with its code and the path of the field, never as an internal error. */
import { beforeAll, describe, expect, test } from "vitest";
import { getAroundSpec } from "../../../functions/src/operations/get-around.ts";
import { getPageSpec } from "../../../functions/src/operations/get-page.ts";
import { getPlayersSpec } from "../../../functions/src/operations/get-players.ts";
import type { Caller } from "../../../functions/src/operations/access.ts";
import { answer, type OperationSpec } from "../../../functions/src/operations/spec.ts";
import { publishRanking } from "../../../functions/src/ranking/run.ts";
import { type Member, populate, populateAndRank } from "../../support/crowd.ts";
import { expectRefusal, invalid, type Refusal, show } from "../../support/refusals.ts";
import { callOn, allTime, createBoard, createWorld, user, type World } from "../../support/world.ts";

const ann = user("ann");
const plain = allTime("plain");
const members = Array.from({ length: 30 }, (_, i): Member => ({ id: `p${i}`, score: i, achievedMs: i }));

let world: World;
let cursor: string;
beforeAll(async () => {
  world = createWorld();
  for (const leaderboard of ["plain", "other"]) {
    await populateAndRank(world, await createBoard(world, leaderboard), members);
  }
  await createBoard(world, "public", { visibility: "public" });
  cursor = (await page({ limit: 10 })).next_cursor ?? "";
});

const page = (asked: { limit?: number; cursor?: string; leaderboard?: string }) =>
  world.call("getPage", { leaderboard: "plain", ...asked }, ann);
const refusalOf = (spec: OperationSpec<never, unknown>, data: object, caller: Caller | undefined = ann) =>
  answer(spec, world.services, { leaderboard: "plain", ...data }, caller);
const textOf = (fields: object) => Buffer.from(JSON.stringify(fields)).toString("base64url");

const specs = { getAround: getAroundSpec, getPage: getPageSpec, getPlayers: getPlayersSpec };
type Name = keyof typeof specs;
const specOf = (name: Name) => specs[name] as unknown as OperationSpec<never, unknown>;
const good: Record<Name, object> = {
  getAround: { player: "p5" },
  getPage: {},
  getPlayers: { players: ["p1"] },
};
const names = Object.keys(specs) as Name[];

const numbers = [-1, 1.5, "5", NaN, Infinity, null, {}, 2 ** 53 + 2];
const badIds = ["", "a/b", ".", "..", "__id__", "x".repeat(1_501), "\ud800", 7, null, ["p1"]];

const refused: [name: Name, data: object, refusal: Refusal][] = [
  ...numbers.map((offset): (typeof refused)[number] => ["getPage", { offset }, invalid("offset")]),
  ...[...numbers, 0, 101].map((limit): (typeof refused)[number] => ["getPage", { limit }, invalid("limit")]),
  ["getPage", { offset: 0, cursor: "x" }, invalid("cursor")],
  ["getPage", { offset: -1, limit: 0 }, invalid("limit", "offset")],
  ["getPage", { player: "p1" }, invalid("player")],
  ...[7, null, {}, [], true].map((bad): (typeof refused)[number] => {
    return ["getPage", { cursor: bad }, invalid("cursor")];
  }),
  ...(["above", "below"] as const).flatMap((side) =>
    [...numbers, 51].map((bad): (typeof refused)[number] => ["getAround", { [side]: bad }, invalid(side)]),
  ),
  ...badIds.map((player): (typeof refused)[number] => ["getAround", { player }, invalid("player")]),
  ["getAround", { offset: 1 }, invalid("offset")],
  ["getPlayers", { players: undefined }, invalid("players")],
  ...["p1", {}, 7, null, []].map((players): (typeof refused)[number] => {
    return ["getPlayers", { players }, invalid("players")];
  }),
  ["getPlayers", { players: Array.from({ length: 101 }, (_, i) => `p${i}`) }, invalid("players")],
  ["getPlayers", { players: Array.from({ length: 101 }, () => "p1") }, invalid("players")],
  ...badIds.map((player): (typeof refused)[number] => {
    return ["getPlayers", { players: ["p1", player] }, invalid("players.1")];
  }),
  ["getPlayers", { player: "p1" }, invalid("player")],
];

test.each(refused.map(([name, data, refusal]) => [name, show(data), data, refusal] as const))(
  "%s of %s is refused",
  async (name, _shown, data, refusal) => {
    const error = await expectRefusal(world, refusal, () =>
      refusalOf(specOf(name), { ...good[name], ...data }),
    );
    for (const { message } of error.details.fields ?? []) {
      expect(message).toMatch(/must|at (least|most)|expected|is not a field|not both|next_cursor/i);
    }
  },
);

describe.each(names)("%s", (name) => {
  test("names the field that is unknown, and a bad season", async () => {
    const ask = (data: object) => refusalOf(specOf(name), { ...good[name], ...data });
    await expectRefusal(world, invalid("freshness"), () => ask({ freshness: "fresh" }));
    await expectRefusal(world, invalid("exact"), () => ask({ exact: true }));
    await expectRefusal(world, invalid("season"), () => ask({ season: "a/b" }));
    await expectRefusal(world, invalid("span"), () => ask({ season: "all_time", span: "all_time" }));
    await expectRefusal(world, invalid("leaderboard"), () => ask({ leaderboard: "a/b" }));
    await expectRefusal(world, "season_not_found", () => ask({ season: "daily-2026-11-21" }));
    await expectRefusal(world, "leaderboard_not_found", () => ask({ leaderboard: "missing" }));
  });

  test("is for signed-in users, and on a public board for everybody", async () => {
    const call = (leaderboard: string) =>
      answer(specOf(name), world.services, { ...good[name], leaderboard }, undefined);
    await expectRefusal(world, "unauthenticated", () => call("plain"));
    if (name === "getAround") await expectRefusal(world, "player_not_ranked", () => call("public"));
    else expect(await call("public")).toMatchObject({ entries: [], generation: 0 });
  });
});

test("getAround without a player or a caller, on a public board, asks to sign in", async () => {
  await expectRefusal(world, "unauthenticated", () =>
    callOn(world.services, "getAround", { leaderboard: "public" }, undefined),
  );
});

describe("a cursor that is", () => {
  const place = [5, 1_700_000_000, 0, "p5"];
  const whole = { v: 1, leaderboard: "plain", season: "all_time", after: place, position: 7 };
  const damaged: [what: string, cursor: string][] = [
    ["empty", ""],
    ["no base64", "?!"],
    ["no JSON", Buffer.from("{").toString("base64url")],
    ["a number", textOf([7])],
    ["of another version", textOf({ ...whole, v: 2 })],
    ["without a place", textOf({ ...whole, after: undefined })],
    ["without a score", textOf({ ...whole, after: [] })],
    ["of a score that is none", textOf({ ...whole, after: ["5"] })],
    ["of a score beyond 2^53", textOf({ ...whole, after: [2 ** 54] })],
    ["of half a time", textOf({ ...whole, after: [5, 1_700_000_000] })],
    ["of a time beyond the year 9999", textOf({ ...whole, after: [5, 1e12, 0, "p5"] })],
    ["of a fraction beyond a second", textOf({ ...whole, after: [5, 0, 1e9, "p5"] })],
    ["of no document's id", textOf({ ...whole, after: [5, 0, 0, "a/b"] })],
    ["of a reserved id", textOf({ ...whole, after: [5, 0, 0, "__id__"] })],
    ["of an empty id", textOf({ ...whole, after: [5, 0, 0, ""] })],
    ["of an id beyond 1,500 bytes", textOf({ ...whole, after: [5, 0, 0, "\u00e4".repeat(751)] })],
    ["without a position", textOf({ ...whole, position: 0 })],
    ["at a fractional position", textOf({ ...whole, position: 1.5 })],
    ["with more than it needs", textOf({ ...whole, offset: 1 })],
    ["far too long", textOf({ ...whole, after: [5, 0, 0, "x".repeat(5_000)] })],
  ];
  test.each(damaged)("%s is refused with what to do", async (_what, bad) => {
    const error = await expectRefusal(world, invalid("cursor"), () => page({ cursor: bad }));
    expect(error.message).toContain("next_cursor");
  });

  test("truncated or changed is refused, or lists what it says, and is never an internal error", async () => {
    for (let length = 0; length < cursor.length; length += 7) {
      await expectRefusal(world, invalid("cursor"), () => page({ cursor: cursor.slice(0, length) }));
    }
    expect((await page({ cursor: textOf(whole) })).entries[0]).toMatchObject({ position: 8 });
    expect((await page({ cursor: textOf({ ...whole, position: 2 ** 52 }) })).entries).not.toEqual([]);
  });

  test("of another board or season is refused, naming both", async () => {
    const error = await expectRefusal(world, invalid("cursor"), () => page({ cursor, leaderboard: "other" }));
    expect(error.message).toContain('"plain"');
    expect(error.message).toContain('"other"');
    const elsewhere = textOf({ ...whole, season: "daily-2026-11-21" });
    await expectRefusal(world, invalid("cursor"), () => page({ cursor: elsewhere }));
  });

  test("of an older generation continues after the same player, with ranks of the newest", async () => {
    const before = await page({ cursor, limit: 5 });
    await populate(world, plain, [{ id: "new", score: 1_000, achievedMs: 0 }]);
    await publishRanking(world.services, plain, { includeOpenSlot: true });
    world.advance(10 * 60_000);
    const after = await page({ cursor, limit: 5 });
    expect(after.generation).toBe(before.generation + 1);
    expect(after.entries).toEqual(before.entries.map((entry) => ({ ...entry, rank: entry.rank + 1 })));
  });
});
