/**
 * Requests in the bytes of game engines' own JSON, and in the texts that they put into a query. The script
 * findings/json-of-game-engines.sh has the programs that write them.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { admin, allTime, callOn, createBoard, user } from "../../support/world.ts";

let world: RestWorld;
beforeEach(async () => {
  world = createRestWorld();
  const segments = [{ name: "country", from: "submission" as const, values: ["AT"] }];
  await createBoard(world, "run", { segments });
  await createBoard(world, "cup", {
    columns: ["points", "goals"].map((name) => ({ name, min: 0, max: 99 })),
  });
});

async function submit(body: string, board = "run", as = "ann") {
  const response = await world.send("POST", `/v1/leaderboards/${board}/scores`, { as, body });
  const answer = (await response.json()) as { seasons?: object[]; error?: { message: string } };
  return answer.error?.message ?? answer.seasons?.[0];
}

const stored = async (player = "ann") =>
  (await world.db.doc(`leaderboards/run/seasons/all_time/players/${player}`).get()).data();

describe("a score counts as it was meant", () => {
  test.each([
    ["Lua 5.4's dkjson", '{"score":850.0,"segments":[],"metadata":[]}', 850],
    ["cjson and dkjson", '{"score":1e+15}', 1e15],
    ["Luanti", '{"score":850.0,"metadata":null,"segments":null}', 850],
    ["Luanti's largest", '{"score":9007199254740991.0}', 2 ** 53 - 1],
    ["Godot", '{"display_name":null,"score":850,"segments":{},"submission_id":"f81d4fae"}', 850],
    [
      "libGDX without prototypes",
      '{"score":0,"display_name":null,"submission_id":null,"segments":null,"metadata":null,"season":null,"columns":null}',
      0,
    ],
    ["libGDX's JsonValue", '{"score":1.0E15,"display_name":"J\\u00fcrgen"}', 1e15],
    ["serde_json", '{"score":0.1,"display_name":null,"segments":{}}', 0.1],
    ["a stream with a byte order mark", '\uFEFF{"score":850}', 850],
    ["a generation that was read as a float", '{"score":850,"min_generation":0.0,"min_generations":[]}', 850],
    ["a score of minus nothing", '{"score":-0.0}', 0],
  ])("%s: %s", async (_engine, body, score) => {
    expect(await submit(body)).toMatchObject({ score, improved: true });
    expect(await stored()).toMatchObject({ score });
  });

  test.each([
    ["cjson of 123456789012345", '{"score":1.2345678901234e+14}', 123_456_789_012_340],
    ["Haxe on Neko, of 2^53 - 1", '{"score":9.00719925474099e+15}', 2 ** 53 - 2],
    ["serde_json's json! of an f32 of 0.1", '{"score":0.10000000149011612}', 0.10000000149011612],
    ["libGDX's map", '{"score":1,"metadata":{"level":{"class":"java.lang.Integer","value":3}}}', 1],
  ])("or as it was written, which nobody can tell from what was meant: %s", async (_engine, body, score) => {
    expect(await submit(body)).toMatchObject({ score, improved: true });
    const { metadata } = JSON.parse(body) as { metadata?: object };
    expect(await stored()).toMatchObject({ score, ...(metadata && { metadata }) });
  });

  test("in a tournament too", async () => {
    await world.call("openSeason", { leaderboard: "run", season: "may" }, admin);
    const body = '{"season":"may","score":850.0,"metadata":null,"segments":[],"min_generation":0.0}';
    expect(await submit(body)).toMatchObject({ season: "may", score: 850 });
  });

  test("columns too", async () => {
    const body = '{"score":null,"columns":{"goals":7.0,"points":3.0},"submission_id":null}';
    expect(await submit(body, "cup")).toMatchObject({ columns: { points: 3, goals: 7 } });
  });
});

describe("null is as if it were left out", () => {
  test("and the same is stored", async () => {
    const first = '{"score":1,"display_name":"Ann","metadata":{"level":3},"segments":{"country":"AT"}}';
    for (const as of ["ann", "bob"]) await submit(first, "run", as);
    await submit('{"score":2}', "run", "ann");
    await submit('{"score":2,"display_name":null,"metadata":null,"segments":null}', "run", "bob");
    const { achieved_at: _at, counted: _mark, ...ann } = (await stored("ann")) ?? {};
    expect(ann).toMatchObject({ score: 2, display_name: "Ann", segments: { country: "AT" } });
    const { achieved_at: _atBob, counted: _markBob, ...bob } = (await stored("bob")) ?? {};
    expect(bob).toEqual(ann);
  });

  test("but where it takes something out", async () => {
    await submit('{"score":1,"display_name":"Ann","segments":{"country":"AT"}}');
    await submit('{"score":2,"segments":{"country":null}}');
    const body = '{"display_name":null,"metadata":null,"league":null}';
    await world.send("POST", "/v1/leaderboards/run/profile", { as: "ann", body });
    expect(await stored()).not.toHaveProperty("display_name");
    expect(await stored()).not.toHaveProperty("segments.country");
  });

  test("in each player's call, and in each submission of a server's", async () => {
    for (let score = 0; score < 3; score++) {
      const submissions = [
        { player: `p${score}`, score, metadata: null, segments: [], display_name: null, columns: null },
      ];
      const { results } = await world.call("submitScores", { leaderboard: "run", submissions }, admin);
      expect(results).toMatchObject([{ seasons: [{ score }] }]);
    }
    await world.publish(allTime("run"));
    const asked = { leaderboard: "run", season: null, span: null, cursor: null, segment: null, since: null };
    expect(await callOn(world.services, "getPage", asked, user("p1"))).toHaveProperty("entries.length", 3);
    const rank = { leaderboard: "run", player: "p2", min_generation: null, freshness: null, exact: null };
    expect(await callOn(world.services, "getRank", rank, user("p1"))).toMatchObject({ rank: 1 });
  });

  test("not where a player is named: a server's score without its player would be the server's own", async () => {
    expect(await submit('{"score":1,"player":null}', "run", "admin")).toContain("player: must be a text");
    expect(await submit('{"score":null}')).toContain("score: is missing");
    for (const name of ["getRank", "getHistory"] as const) {
      const call = callOn(world.services, name, { leaderboard: "run", player: null }, user("ann"));
      await expect(call).rejects.toMatchObject({ details: { fields: [{ path: "player" }] } });
    }
  });
});

describe("a refusal shows what was read", () => {
  test.each([
    [
      "cjson with 14 digits",
      '{"score":9.007199254741e+15}',
      "score: must be at most 2^53 - 1 in size; this is 9007199254741000",
    ],
    [
      "libGDX's map",
      '{"score":{"class":"java.lang.Double","value":850}}',
      'score: must be a finite number; this is an object with "class" and "value"',
    ],
    ["libGDX's map without names", '{"score":{"value":850}}', 'this is an object with "value"'],
    ["a long that is quoted", '{"score":"9007199254740991"}', 'this is the text "9007199254740991"'],
    ["libGDX's 0", '{"display_name":"Ann"}', "score: is missing"],
    ["a list that is not empty", '{"score":1,"segments":["AT"]}', "segments: must be values by segment"],
    [
      "Steam's id as a number",
      '{"score":1,"metadata":{"id":7.6561198012346e+16}}',
      "such as an id, as a text",
    ],
    ["libGDX's minimal form", "{score:850,display_name:Ann B.}", "The body is not JSON"],
  ])("%s: %s", async (_engine, body, words) => {
    expect(await submit(body)).toContain(words);
    expect(await stored()).toBeUndefined();
  });
});

describe("a query says what the engine's own text means", () => {
  beforeEach(async () => {
    for (const [player, score] of Object.entries({ ann: 1e15, bob: 0.3, cyd: -2 }))
      await submit(JSON.stringify({ score }), "run", player);
    await world.publish(allTime("run"));
  });

  test.each([
    // Lua and Haxe write 10^15 so, and an unescaped + is a space.
    ["ranks?score=1e+15", { score: 1e15, rank: 1 }],
    ["ranks?score=1.0E+15", { score: 1e15, rank: 1 }],
    ["ranks?score=1e%2B15", { score: 1e15, rank: 1 }],
    ["ranks?score=1.0E15", { score: 1e15, rank: 1 }],
    ["ranks?score=3e-01", { score: 0.3, rank: 2 }],
    ["ranks?score=850.0&min_generation=1.0", { score: 850, rank: 2 }],
    ["scores/bob?exact=True&min_generation=1e+00", { rank: 2 }],
    ["scores/bob?exact=FALSE", { rank: 2 }],
    ["top?limit=2.0", { players: 3, entries: [{ player: "ann" }, { player: "bob" }] }],
  ])("%s", async (path, answer) => {
    expect(await (await world.get(`/v1/leaderboards/run/${path}`, "ann")).json()).toMatchObject(answer);
  });

  test("Godot's own query of a list of players, and cursors that nobody has escaped", async () => {
    const get = async (path: string) =>
      (await (await world.get(`/v1/leaderboards/run/${path}`, "ann")).json()) as {
        entries: { player: string }[];
        next_cursor?: string;
      };
    const some = await get("players?players=ann&players=bob&freshness=published&min_generation=1.0");
    expect(some.entries).toMatchObject([{ player: "ann" }, { player: "bob" }]);
    const pages: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined;) {
      const page = await get(`scores?limit=1.0${cursor && `&cursor=${cursor}`}`);
      pages.push(...page.entries.map(({ player }) => player));
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(["ann", "bob", "cyd"]);
  });

  test("a time's zone too", async () => {
    const response = await world.get("/v1/results?since=2026-11-01T00:00:00+02:00", "ann");
    expect(await response.json()).toMatchObject({ results: [] });
  });

  test.each([
    ["ranks?score=0,3", 'score: must be a finite number; this is the text "0,3"'],
    ["ranks?score=1 e15", "score: must be a finite number"],
    ["ranks?score=+5", "score: must be a finite number"],
    ["scores/bob?exact=yes", 'exact: must be true or false; this is the text "yes"'],
  ])("%s is none", async (path, words) => {
    const { error } = (await (await world.get(`/v1/leaderboards/run/${path}`, "ann")).json()) as {
      error: { message: string };
    };
    expect(error.message).toContain(words);
  });
});
