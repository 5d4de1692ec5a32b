/** Bad requests over HTTP: the status and code that a client sees, and never `internal`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { seasonPath } from "../../../functions/src/documents/paths.ts";
import { addressesIn, callableUrl } from "../../../scripts/callable-client.ts";
import { createLive, type Live, type LiveBoard } from "../../support/live.ts";

const adminOnly = ["saveLeaderboard", "submitScores", "runRanking"];
const functions = [...adminOnly, "submitScore", "getRank", "getTop"];

let live: Live;
let board: LiveBoard;
/** Headers of each kind of caller. */
const callers: Record<string, Record<string, string>> = {
  nobody: {},
};

beforeAll(async () => {
  live = await createLive();
  board = await live.board({ max_score: 100 });
  const claims = { ann: {}, office: { leaderboard_admin: true }, almost: { leaderboard_admin: "true" } };
  for (const [name, claim] of Object.entries(claims)) {
    callers[name] = { Authorization: `Bearer ${(await live.account(name, claim)).idToken}` };
  }
});
afterAll(() => live.end());

const refused: [caller: string, name: string, data: object, http: number, code: string, path?: string][] = [
  ["nobody", "submitScore", { score: 1 }, 401, "unauthenticated"],
  ["ann", "submitScore", {}, 400, "invalid_request", "score"],
  ["ann", "submitScore", { score: "1" }, 400, "invalid_request", "score"],
  ["ann", "submitScore", { score: 1e300 }, 400, "invalid_request", "score"],
  ["ann", "submitScore", { score: "NaN" }, 400, "invalid_request", "score"],
  ["ann", "submitScore", { score: int64("9007199254740993") }, 400, "invalid_request", "score"],
  ["ann", "submitScore", { score: 1, player: "bob" }, 400, "invalid_request", "player"],
  ["ann", "submitScore", { score: 1, display_name: "" }, 400, "invalid_request", "display_name"],
  [
    "ann",
    "submitScore",
    { score: 1, metadata: { text: "x".repeat(2_000) } },
    400,
    "invalid_request",
    "metadata",
  ],
  ["ann", "submitScore", { score: 1, leaderboard: "a/b" }, 400, "invalid_request", "leaderboard"],
  ["ann", "submitScore", { score: 1, leaderboard: "missing" }, 404, "leaderboard_not_found"],
  ["ann", "submitScore", { score: 101 }, 400, "score_out_of_range", "score"],
  ["nobody", "getTop", {}, 401, "unauthenticated"],
  ["ann", "getTop", { limit: 0 }, 400, "invalid_request", "limit"],
  ["ann", "getTop", { season: "weekly-2026-W47" }, 404, "season_not_found"],
  ["nobody", "getRank", { score: 1 }, 401, "unauthenticated"],
  ["ann", "getRank", {}, 404, "player_not_ranked"],
  ["ann", "getRank", { player: "__id__" }, 400, "invalid_request", "player"],
  ["nobody", "runRanking", {}, 401, "unauthenticated"],
  ["ann", "runRanking", {}, 403, "not_allowed"],
  ["office", "runRanking", { leaderboard: "missing" }, 404, "leaderboard_not_found"],
  ["office", "runRanking", { include_open_slot: "yes" }, 400, "invalid_request", "include_open_slot"],
  ["almost", "saveLeaderboard", { definition: {} }, 403, "not_allowed"],
  ["office", "saveLeaderboard", { definition: { ties: 1 } }, 400, "invalid_request", "definition.ties"],
  ["ann", "submitScores", { submissions: [] }, 403, "not_allowed"],
  ["office", "submitScores", { submissions: [] }, 400, "invalid_request", "submissions"],
];

test.each(refused)(
  "%s calling %s with %j meets HTTP %i, %s",
  async (caller, name, data, http, code, path) => {
    const { status, error } = await send(
      caller,
      name,
      JSON.stringify({ data: { leaderboard: board.leaderboard, ...data } }),
    );
    expect({ status, code: error.details?.code }).toEqual({ status: http, code });
    expect(error.details?.fields?.map((field) => field.path)).toEqual(
      path === undefined ? undefined : [path],
    );
    expect(error.message).not.toMatch(/internal/i);
  },
);

test.each(functions)("%s refuses what is not a call, without failing", async (name) => {
  // The functions framework answers what is no JSON object, in HTML.
  for (const body of ["{", "null", '"x"', '{"data": {"score": NaN}}']) {
    expect((await post("office", name, body)).status).toBe(400);
  }
  for (const body of ["", "[]", "{}", '{"data": 1, "more": 2}']) {
    const { status, error } = await send("office", name, body);
    expect({ body, status, is: error.status }).toEqual({ body, status: 400, is: "INVALID_ARGUMENT" });
  }
  for (const data of [null, 1, "text", [], [[]], { leaderboard: {} }]) {
    const { status, error } = await send("office", name, JSON.stringify({ data }));
    expect({ data, status, code: error.details?.code }).toEqual({
      data,
      status: 400,
      code: "invalid_request",
    });
  }
});

test("a batch over HTTP answers each submission in its place", async () => {
  const good = live.uid("bob");
  const submissions = [
    { player: "a/b", score: 1 },
    { player: good, score: 5 },
    { player: "cyd", score: "5" },
    7,
  ];
  const { results } = await live.admin.call("submitScores", { leaderboard: board.leaderboard, submissions });
  expect(results).toMatchObject([
    { error: { code: "invalid_request", details: { fields: [{ path: "submissions.0.player" }] } } },
    { player: good, seasons: [{ score: 5 }] },
    { error: { code: "invalid_request", details: { fields: [{ path: "submissions.2.score" }] } } },
    { error: { code: "invalid_request", details: { fields: [{ path: "submissions.3" }] } } },
  ]);
});

test("nothing that was refused has opened a season", async () => {
  const untouched = await live.board({ max_score: 100 });
  for (const score of [101, "1", null]) {
    const data = { leaderboard: untouched.leaderboard, score };
    expect((await send("ann", "submitScore", JSON.stringify({ data }))).status).toBe(400);
  }
  expect((await live.db.doc(seasonPath(untouched.key)).get()).exists).toBe(false);
});

interface Answer {
  status: number;
  error: { status?: string; message?: string; details?: { code?: string; fields?: { path: string }[] } };
}

async function send(caller: string, name: string, body: string): Promise<Answer> {
  const response = await post(caller, name, body);
  const { error } = (await response.json()) as { error?: Answer["error"] };
  if (error === undefined) throw new Error(`${name} was answered to ${body}`);
  return { status: response.status, error };
}

function post(caller: string, name: string, body: string): Promise<Response> {
  return fetch(callableUrl(addressesIn(process.env), name), {
    method: "POST",
    headers: { "Content-Type": "application/json", ...callers[caller] },
    body,
  });
}

/** A 64-bit integer as the callable protocol writes it. */
function int64(value: string) {
  return { "@type": "type.googleapis.com/google.protobuf.Int64Value", value };
}
