/** What the REST interface refuses: the status, the code and the headers that say what would be right. */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import { errorSchema } from "../../../functions/src/transports/rest/errors.ts";
import { createRestWorld, outcomeOf, type RestWorld } from "../../support/rest-world.ts";
import { admin, allTime, createBoard } from "../../support/world.ts";
import { boardCacheOf } from "../../../functions/src/seasons/board.ts";

let world: RestWorld;
const open = "/v1/leaderboards/open";
const cup = "/v1/leaderboards/cup";
const scores = `${open}/scores`;

beforeAll(async () => {
  world = createRestWorld();
  await createBoard(world, "open", { visibility: "public", max_score: 100 });
  await createBoard(world, "cup", { columns: [{ name: "goals", min: 0, max: 9 }] });
  await createBoard(world, "server", { submit: "server" });
  await createBoard(world, "slow", { min_seconds_between: 90.5 });
  for (const board of ["slow", "open"]) {
    await world.send("POST", `/v1/leaderboards/${board}/scores`, { as: "ann", body: { score: 1 } });
  }
  await world.send("POST", scores, { as: "bad-bob", body: { score: 1 } });
  await world.call("setPlayerStatus", { leaderboard: "open", player: "bad-bob", status: "banned" }, admin);
});
beforeEach(() => {
  world.enforceAppCheck = false;
});

const post = (to: string, as: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
  world.send("POST", to, { ...(as === undefined ? {} : { as }), body, headers });

describe("a submission", () => {
  const refused: [
    to: string,
    as: string | undefined,
    body: unknown,
    status: number,
    code: string,
    path?: string,
  ][] = [
    ["open", undefined, { score: 1 }, 401, "unauthenticated"],
    ["open", "bad", { score: 1 }, 401, "unauthenticated"],
    ["open", "ann", {}, 400, "invalid_request", "score"],
    // As text: JavaScript would read one less.
    ["open", "ann", '{"score": 9007199254740993}', 400, "invalid_request", "score"],
    ["open", "ann", { score: 1, leaderboard: "open" }, 400, "invalid_request", "leaderboard"],
    ["open", "ann", { score: 101 }, 400, "score_out_of_range", "score"],
    ["open", "ann", { score: 1, player: "bob" }, 403, "not_allowed"],
    ["open", "bad-bob", { score: 2 }, 403, "player_banned"],
    ["server", "ann", { score: 2 }, 403, "server_scores_only"],
    ["a%2Fb", "ann", { score: 2 }, 400, "invalid_request", "leaderboard"],
    ["slow", "ann", { score: 2 }, 429, "too_frequent"],
  ];

  test.each(refused)("to %s as %s of %j is answered %i, %s", async (board, as, body, status, code, path) => {
    const response = await post(`/v1/leaderboards/${board}/scores`, as, body);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await outcomeOf(response)).toEqual({
      status,
      code,
      ...(path === undefined ? {} : { paths: [path] }),
    });
  });

  test("that comes too soon gets the time to wait, in whole seconds", async () => {
    const response = await post("/v1/leaderboards/slow/scores", "ann", { score: 2 });
    expect(response.headers.get("retry-after")).toBe("91");
    expect(response.headers.get("access-control-expose-headers")).toContain("Retry-After");
    expect(await response.json()).toMatchObject({ error: { details: { retry_after_seconds: 91 } } });
  });

  test.each([
    ["no JSON", "{", "application/json", 400],
    ["no object", "[1]", "application/json", 400],
    ["null", "null", "application/json; charset=utf-8", 400],
    ["a form", "score=1", "application/x-www-form-urlencoded", 415],
    ["JSON by another name", '{"score": 1}', "text/plain", 415],
    [
      "too large",
      JSON.stringify({ score: 1, metadata: { text: "é".repeat(8_192) } }),
      "application/json",
      413,
    ],
  ])("with a body that is %s is refused with the status for it", async (_what, body, type, status) => {
    expect(await outcomeOf(await post(scores, "ann", body, { "Content-Type": type }))).toEqual({
      status,
      code: "invalid_request",
    });
  });

  test("without a body is refused", async () => {
    expect(await outcomeOf(await world.send("POST", scores, { as: "ann" }))).toEqual({
      status: 415,
      code: "invalid_request",
    });
  });

  test("may hold all that a submission can, in escapes", async () => {
    const escaped = (text: string) =>
      Array.from(text)
        .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join("");
    const body = `{"score": 5, "submission_id": "${escaped("i".repeat(64))}", "display_name": "${escaped("n".repeat(64))}", "metadata": {"t": "${escaped("x".repeat(1_014))}"}}`;
    expect(await outcomeOf(await post(scores, "ann", body))).toEqual({ status: 200 });
  });
});

describe("a question", () => {
  const refused: [path: string, as: string | undefined, status: number, code: string, path?: string][] = [
    [`${open}/top?limit=`, "ann", 400, "invalid_request", "limit"],
    [`${open}/top?limit=1&limit=2`, "ann", 400, "invalid_request", "limit"],
    [`${open}/top?leaderboard=cup`, "ann", 400, "invalid_request", "leaderboard"],
    [`${cup}/top`, undefined, 401, "unauthenticated"],
    [`${open}/top`, "bad", 401, "unauthenticated"],
    [`${open}/players`, undefined, 400, "invalid_request", "players"],
    [`${open}/players?players=ann&players=__x__`, undefined, 400, "invalid_request", "players.1"],
    [`${open}/players?players=ann,bob`, undefined, 400, "invalid_request", "players"],
    [`${open}/players?players=ann&players=bob,cyd`, undefined, 400, "invalid_request", "players"],
    [`${open}/scores/ann?segments=country,guild`, "ann", 400, "invalid_request", "segments"],
    [`${open}/scores/nobody/around`, "ann", 404, "player_not_ranked"],
    [`${open}/scores/nobody`, undefined, 404, "player_not_ranked"],
    [`${open}/scores/ann?player=bob`, "ann", 400, "invalid_request", "player"],
    [`${open}/ranks`, "ann", 400, "invalid_request", "score"],
    [`${open}/ranks?score=1e999`, "ann", 400, "invalid_request", "score"],
    [`${cup}/ranks?columns=1`, "ann", 400, "invalid_request", "columns"],
    [`${cup}/ranks?columns=:1`, "ann", 400, "invalid_request", "columns"],
    [`${cup}/ranks?columns=goals:1&columns=goals:2`, "ann", 400, "invalid_request", "columns"],
    [`${cup}/ranks?columns[goals]=x`, "ann", 400, "invalid_request", "columns.goals"],
    [`${cup}/ranks?goals=1`, "ann", 400, "invalid_request", "goals"],
    [`${cup}/ranks?columns=goals:x`, "ann", 400, "invalid_request", "columns.goals"],
    [`${cup}/ranks?columns=__proto__:1`, "ann", 400, "invalid_request", "columns.goals"],
    ["/v1/leaderboards?cursor=%2F", undefined, 400, "invalid_request", "cursor"],
    ["/v1/leaderboards/", "ann", 404, "invalid_request"],
    ["/", undefined, 404, "invalid_request"],
    [`${open}/scores/%2E%2E`, undefined, 404, "invalid_request"],
  ];

  test.each(refused)("%s as %s is answered %i, %s", async (path, as, status, code, field) => {
    const response = await world.get(path, as);
    expect(await outcomeOf(response)).toEqual({
      status,
      code,
      ...(field === undefined ? {} : { paths: [field] }),
    });
    expect(response.headers.get("etag")).toBeNull();
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});

test("of a list with commas the answer says how it is written", async () => {
  const response = await world.get(`${open}/players?players=ann,bob`);
  expect(await response.json()).toMatchObject({
    error: {
      message:
        "players: must be written players=a&players=b if it names several; one with a comma is players[]=a%2Cb",
    },
  });
});

test.each([
  ["PUT", scores, "GET, HEAD, POST, OPTIONS"],
  ["DELETE", `${open}/scores/ann`, "GET, HEAD, OPTIONS"],
  ["POST", "/openapi.json", "GET, HEAD, OPTIONS"],
  ["PATCH", "/v1/leaderboards", "GET, HEAD, OPTIONS"],
])("%s %s is refused with the methods that it takes", async (method, path, allowed) => {
  const response = await world.send(method, path, { as: "ann" });
  expect(response.headers.get("allow")).toBe(allowed);
  expect(await outcomeOf(response)).toEqual({ status: 405, code: "invalid_request" });
});

describe("an Authorization header", () => {
  test.each(["Basic YTpi", "Bearer", "Bearer a b", "bad"])(
    "%j is refused with a challenge",
    async (value) => {
      const response = await world.get(`${open}/top`, undefined, { Authorization: value });
      expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
      expect(await outcomeOf(response)).toEqual({ status: 401, code: "unauthenticated" });
    },
  );

  test("that cannot be checked is not the caller's fault, and the cause is not revealed", async () => {
    const response = await world.get(`${open}/top`, "broken");
    const { error } = errorSchema.parse(await response.json());
    expect({ status: response.status, code: error.code }).toEqual({ status: 500, code: "internal" });
    expect(error.message).not.toContain("keys");
    expect(world.logged.at(-1)).toMatchObject({ level: "error", message: "getTop failed" });
  });
});

describe("if App Check is enforced", () => {
  const app = { "X-Firebase-AppCheck": "app" };
  const status = async (response: Promise<Response>) => (await response).status;
  beforeEach(() => {
    world.enforceAppCheck = true;
  });

  test("players' requests need its token, and admins' do not", async () => {
    const missing = await post(scores, "ann", { score: 1 });
    expect(await missing.clone().text()).toContain("is missing: send it as X-Firebase-AppCheck");
    expect(await outcomeOf(missing)).toEqual({ status: 401, code: "app_check_missing" });
    expect(
      await outcomeOf(await post(scores, "ann", { score: 1 }, { "X-Firebase-AppCheck": "x" })),
    ).toMatchObject({ status: 401 });
    expect(await status(post(scores, "ann", { score: 1 }, app))).toBe(200);
    expect(await status(post(scores, "admin", { score: 1 }))).toBe(200);
    expect(await status(world.get(`${cup}/top`, "ann"))).toBe(401);
    expect(await status(world.get(`${cup}/top`, "ann", app))).toBe(200);
    expect(await status(world.get("/v1/leaderboards", "ann"))).toBe(401);
    expect(await status(world.get("/v1/results?leaderboard=open", "ann"))).toBe(401);
    expect(await status(world.get("/v1/results?leaderboard=open", "ann", app))).toBe(200);
  });

  test("what anyone may read of a public board needs none", async () => {
    await world.deliverAll(allTime("open"));
    await world.publish(allTime("open"));
    expect(await status(world.get(`${open}/top`))).toBe(200);
    expect(await status(world.get(`${open}/ranks?score=1`, "ann"))).toBe(200);
    expect(await status(world.get("/v1/leaderboards"))).toBe(200);
    expect(await status(world.get("/openapi.json"))).toBe(200);
    expect(await outcomeOf(await world.get("/v1/leaderboards/a%20b/top"))).toEqual({
      status: 400,
      code: "invalid_request",
      paths: ["leaderboard"],
    });
  });
});

test("a temporary fault of Firestore is a conflict worth a retry", async () => {
  const boards = boardCacheOf(world.services);
  const load = boards.load.bind(boards);
  boards.load = () => Promise.reject(Object.assign(new Error("aborted by peer"), { code: 10 }));
  const response = await world.get(`${open}/top`);
  boards.load = () => Promise.reject(new FirerankError("contention", "The database was too busy."));
  const told = await world.get(`${open}/top`);
  boards.load = load;
  expect(await outcomeOf(response)).toEqual({ status: 409, code: "contention" });
  expect(await outcomeOf(told)).toEqual({ status: 409, code: "contention" });
  expect(world.logged.at(-1)).toMatchObject({ level: "warn", fields: { cause: "aborted by peer" } });
});
