/** Bad requests over HTTP: the status and code that a client sees, and never `internal`. */
import { beforeAll, expect, test } from "vitest";
import { addressesIn, callableUrl } from "../../../scripts/callable-client.ts";
import { useLive, type LiveBoard } from "../../support/live.ts";

const adminOnly = ["saveLeaderboard", "submitScores", "runRanking"];
const functions = [...adminOnly, "submitScore", "getRank", "getTop"];

const live = useLive();
let board: LiveBoard;
/** Headers of each kind of caller. */
const callers: Record<string, Record<string, string>> = {
  nobody: {},
};

beforeAll(async () => {
  board = await live.board({ max_score: 100 });
  const claims = { ann: {}, office: { leaderboard_admin: true }, almost: { leaderboard_admin: "true" } };
  for (const [name, claim] of Object.entries(claims)) {
    callers[name] = { Authorization: `Bearer ${(await live.account(name, claim)).idToken}` };
  }
});

const refused: [caller: string, name: string, data: object, http: number, code: string, path?: string][] = [
  ["nobody", "submitScore", { score: 1 }, 401, "unauthenticated"],
  ["ann", "submitScore", {}, 400, "invalid_request", "score"],
  ["ann", "submitScore", { score: int64("9007199254740993") }, 400, "invalid_request", "score"],
  ["ann", "submitScore", { score: 1, leaderboard: "missing" }, 404, "leaderboard_not_found"],
  ["ann", "submitScore", { score: 101 }, 400, "score_out_of_range", "score"],
  ["ann", "getRank", {}, 404, "player_not_ranked"],
  ["ann", "runRanking", {}, 403, "not_allowed"],
  ["almost", "saveLeaderboard", { definition: {} }, 403, "not_allowed"],
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
