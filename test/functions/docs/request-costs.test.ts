/** docs/request-costs.md: the most that a request can cost, by caller; each row is measured against the functions. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { playersPath, seasonPath } from "../../../functions/src/documents/paths.ts";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import {
  nobodySkippedMax,
  pageLimitMax,
  skippedMax,
  topSizeMax,
} from "../../../functions/src/model/limits.ts";
import { listLeaderboardsSpec } from "../../../functions/src/operations/list-leaderboards.ts";
import type { Caller } from "../../../functions/src/operations/shared/access.ts";
import type { Services } from "../../../functions/src/world/services.ts";
import { answer } from "../../../functions/src/operations/shared/spec.ts";
import {
  type Skips,
  skipsOfNobody,
  nobodyCountReadsMax,
  countedPerRead,
} from "../../../functions/src/reading/offset.ts";
import { viewOf } from "../../../functions/src/reading/view-of.ts";
import { root } from "../../../scripts/project.ts";
import { type Member, populate, populateAndRank, publishRows } from "../../support/crowd.ts";
import { createRestWorld, outcomeOf, type RestWorld } from "../../support/rest-world.ts";
import { type Operation, callOn, admin, allTime, createBoard, user } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

const leaderboard = "open";
const key = allTime(leaderboard);
const rowLeaderboard = "row";
const rowKey = allTime(rowLeaderboard);
const partsLeaderboard = "parts";
const names = ["country", "platform", "league", "guild"];
const segmentTop = { leaderboard: partsLeaderboard, segment: { country: "a" } };
const ann = user("ann");
const callers = { nobody: undefined, player: ann, admin };
type Who = keyof typeof callers;
const whos = Object.keys(callers) as Who[];

const singles = 200;
const equals = 1_300;
const before = 4_999_000;
const crowd = 2_000;

let world: RestWorld;
beforeAll(async () => {
  world = createRestWorld();
  await createBoard(world, leaderboard, { visibility: "public" });
  const members = Array.from({ length: singles + equals }, (_, i): Member => {
    return { id: `p${i}`, score: Math.max(0, singles - i), achievedMs: i };
  });
  await populateAndRank(world, key, members);

  // A merged row, most of which has one score, in the middle of ten million players.
  await createBoard(world, rowLeaderboard, { visibility: "public" });
  const inRow = Array.from({ length: crowd }, (_, i): Member => {
    return { id: `p${i}`, score: i < 1_600 ? 0.1 : i / 7, achievedMs: i };
  });
  await populate(world, rowKey, inRow);
  await publishRows(world, rowKey, "descending", [
    { score: 1e9, low: 1e8, players: before },
    { score: (crowd - 1) / 7, low: 0.1, players: crowd },
    { score: -1e8, low: -1e9, players: before },
  ]);
  // More players of one segment than a top lists.
  const parts = names.map((name) => ({ name, from: "server" as const, teams: { by: "sum" as const } }));
  await createBoard(world, partsLeaderboard, { visibility: "public", top_size: topSizeMax, segments: parts });
  const segments = Object.fromEntries(names.map((name) => [name, "a"]));
  const inParts = Array.from({ length: topSizeMax + 1 }, (_, i): Member => {
    return { id: `p${i}`, score: i % 100, achievedMs: i, segments };
  });
  await populateAndRank(world, allTime(partsLeaderboard), inParts);
  const boards = world.db.bulkWriter({ throttling: false });
  for (let i = 0; i < 110; i++) {
    void boards.set(world.db.doc(`leaderboards/more-${i}`), { visibility: "public" });
  }
  for (let i = 0; i < 110; i++) {
    const opensAt = Timestamp.fromMillis(i);
    void boards.set(world.db.doc(seasonPath({ leaderboard, season: `cup-${i}` })), { opens_at: opensAt });
  }
  await boards.close();
});

const table = readFileSync(join(root, "docs/request-costs.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|"))
  .map((line) => line.split("|").map((cell) => cell.trim()));

/** What the page says about a request: for no user, a player and an admin. */
function said(request: string): Record<Who, string> {
  const row = table.find((cells) => cells[1] === request);
  if (row === undefined) throw new Error(`docs/request-costs.md has no row "${request}"`);
  const [, , nobody = "", player = "", ofAdmin = ""] = row;
  return { nobody, player, admin: ofAdmin };
}

const numberIn = (cell: string) => Number(/^[\d,]+/.exec(cell)?.[0].replaceAll(",", ""));

type Ask = (services: Services, who: Who) => Promise<unknown>;
const ask =
  (name: Operation, data: object): Ask =>
  (services, who) =>
    callOn(services, name, { leaderboard, ...data }, callers[who]);
const offset = (who: Who) => singles + (who === "nobody" ? nobodySkippedMax : skippedMax);
const ids = Array.from({ length: 100 }, (_, i) => `p${i}`);
let cursor: string | undefined;

/** The most expensive request of each row, and what it reads beside: pages, which the table leaves out for lists. */
const dearest: [row: string, ask: Ask, more?: number][] = [
  ["`getRank` of a score", ask("getRank", { score: 7 })],
  ["`getRank` of a player", ask("getRank", { player: "p7" })],
  ["… `segments`", ask("getRank", { leaderboard: partsLeaderboard, player: "p7", segments: names }), 2],
  ["`getTeams`", ask("getTeams", { leaderboard: partsLeaderboard, segment: "guild" })],
  ["`getTop`", ask("getTop", {})],
  // Behind 1,150 equals, whose count is billed 2 reads of at most 20.
  [
    "`getTop` of a segment",
    (services, who) =>
      ask("getTop", { ...segmentTop, limit: who === "nobody" ? pageLimitMax : topSizeMax })(services, who),
    1,
  ],
  ["`getAround`, 50 on each side", ask("getAround", { player: "p1400", above: 50, below: 50 }), 1 - 18],
  [
    "`getPage` of 100 from an offset",
    (services, who) => ask("getPage", { offset: offset(who), limit: 100 })(services, who),
    1,
  ],
  [
    "`getPage` of 100 behind a cursor",
    (services, who) => ask("getPage", { cursor, limit: 100 })(services, who),
    1,
  ],
  ["`getPlayers`, 100", ask("getPlayers", { players: ids }), 1],
  ["`listSeasons`, 100", ask("listSeasons", { limit: 100 })],
  [
    "boards listed over REST, 100",
    (services, who) => answer(listLeaderboardsSpec, services, { limit: 100 }, callers[who]),
  ],
];

describe.each(dearest)("%s", (request, asked, more = 0) => {
  beforeAll(async () => {
    cursor = (await world.call("getPage", { leaderboard, limit: 100 }, ann)).next_cursor;
  });

  test.each(whos)("costs what the page says, asked by %s", async (who) => {
    const cold = world.anotherInstance();
    for (const board of [leaderboard, partsLeaderboard]) await boardCacheOf(cold).load(allTime(board));
    expect(await world.reads(() => asked(cold, who))).toBe(numberIn(said(request)[who]) + more);
  });
});

test.each(whos)("a board that is not in memory costs what the page says, asked by %s", async (who) => {
  const cold = world.anotherInstance();
  const ask = () => callOn(cold, "getTop", { leaderboard }, callers[who]);
  const { bill } = await world.meter.measure(ask);
  expect(bill.reads).toBe(1 + numberIn(said("the board, once a minute and instance")[who]));
});

test("a submission costs what the page says: the player, the page for its rank, and the top's gate", async () => {
  const cold = await world.coldInstance(key);
  const submit = () => callOn(cold, "submitScore", { leaderboard, score: 50.5 }, ann);
  const { bill } = await world.meter.measure(submit);
  expect(said("`submitScore`").player).toContain(`${bill.reads}, and ${bill.writes} write`);
  await expect(world.call("submitScore", { leaderboard, score: 1 })).rejects.toMatchObject({
    code: said("`submitScore`").nobody === "refused" ? "unauthenticated" : "",
  });
});

test("a profile costs what the page says: the season, the player, and the top's gate", async () => {
  const cold = await world.coldInstance(key);
  await world.call("submitScore", { leaderboard, score: 99.5 }, ann);
  const set = () => callOn(cold, "setProfile", { leaderboard, display_name: "Anna" }, ann);
  const { bill } = await world.meter.measure(set);
  expect(said("`setProfile`").player).toContain(`${bill.reads}, and ${bill.writes} write`);
});

describe("who is nobody is refused", () => {
  const refused: [what: string, name: Operation, data: object, path: string][] = [
    ["a live rank", "getRank", { score: 7, freshness: "live" }, "freshness"],
    ["an exact rank", "getRank", { player: "p7", exact: true }, "exact"],
    ["a long top of a segment", "getTop", { ...segmentTop, limit: pageLimitMax + 1 }, "limit"],
    ["a skip of more than 100", "getPage", { offset: singles + nobodySkippedMax + 1 }, "offset"],
  ];
  test.each(refused)(
    "%s, with no read beside the page, and told to sign in",
    async (_what, name, data, path) => {
      const asked = { leaderboard, ...data };
      const refusal = () => callOn(world.services, name, asked, undefined).catch((error: unknown) => error);
      await refusal(); // the page comes into memory
      const { result, bill } = await world.meter.measure(refusal);
      expect(result).toBeInstanceOf(FirerankError);
      expect(result).toMatchObject({ code: "unauthenticated", details: { fields: [{ path }] } });
      expect((result as FirerankError).message).toMatch(
        /sign in with Firebase Auth, or send an App Check token$/,
      );
      expect(bill.reads).toBe(0);
    },
  );

  test.each(refused)(
    "%s, and a player, an admin and the owner's app are answered",
    async (_what, name, data) => {
      const asked = { leaderboard, ...data };
      for (const caller of [ann, admin]) await callOn(world.services, name, asked, caller);
      await callOn(world.services, name, asked, undefined, true);
    },
  );

  test("the same over REST, with 401; an App Check token vouches where it is valid", async () => {
    const board = `/v1/leaderboards/${leaderboard}`;
    const paths = [
      `${board}/ranks?score=7&freshness=live`,
      `${board}/ranks?score=7&exact=true`,
      `${board}/scores/p7?exact=true`,
      `${board}/scores?offset=${singles + nobodySkippedMax + 1}`,
    ];
    for (const enforced of [false, true]) {
      world.enforceAppCheck = enforced;
      for (const path of paths) {
        expect(await outcomeOf(await world.get(path))).toMatchObject({
          status: 401,
          code: "unauthenticated",
        });
        expect((await world.get(path, undefined, { "X-Firebase-AppCheck": "forged" })).status).toBe(401);
        expect((await world.get(path, undefined, { "X-Firebase-AppCheck": "app" })).status).toBe(200);
        expect((await world.get(path, "ann", { "X-Firebase-AppCheck": "app" })).status).toBe(200);
        expect((await world.get(path, "admin")).status).toBe(200);
        // Anybody can sign in, where anonymous sign-in is on.
        expect((await world.get(path, "ann")).status).toBe(enforced ? 401 : 200);
      }
      expect((await world.get(`${board}/scores?offset=${singles + nobodySkippedMax}`)).status).toBe(200);
    }
    world.enforceAppCheck = false;
  });
});

describe("an offset in a merged row", () => {
  const page = (offset: number, caller?: Caller) =>
    world.call("getPage", { leaderboard: rowLeaderboard, offset, limit: 100 }, caller);

  test("costs nobody more than 50 reads of counts, and 100 skipped", async () => {
    const more = Number(/\d+/.exec(said("… in a merged row").nobody)?.[0]);
    expect(more).toBe(nobodyCountReadsMax);
    let refusals = 0;
    for (const skip of [0, 24, 100, 300, 390, 420, 700, 1_200, 1_999]) {
      const ask = () => page(before + skip).catch((error: unknown) => error);
      const { result, bill } = await world.meter.measure(ask);
      if (result instanceof FirerankError) refusals += 1;
      expect(bill.reads).toBeLessThanOrEqual(
        numberIn(said("`getPage` of 100 from an offset").nobody) + more + 1,
      );
    }
    // Deep among equals: it takes up to 64 counts to separate them from others.
    expect(refusals).toBeGreaterThan(0);
    expect(refusals).toBeLessThan(6);
    await expect(page(before + 1_200, ann)).resolves.toMatchObject({ entries: { length: 100 } });
  });

  test("is never billed more for counts than allowed, however many players have entered the row", async () => {
    const board = await boardCacheOf(world.services).load(rowKey);
    const players = (await world.db.collection(playersPath(rowKey)).count().get()).data().count;
    expect(players).toBeGreaterThan(countedPerRead);
    const tight: Skips = { ...skipsOfNobody, countReads: 1 };
    const ask = () =>
      viewOf(world.services, board, {})
        .linesFrom(before + 1_900, 1, tight)
        .catch((error: unknown) => error);
    const { result, bill } = await world.meter.measure(ask);
    expect(result).toMatchObject({ code: "unauthenticated" });
    expect((result as FirerankError).message).toContain(
      `use the offset ${before} and continue with next_cursor`,
    );
    expect(bill.reads).toBe(1);
  });
});
