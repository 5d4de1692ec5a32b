/** Callables and the REST interface as clients of all kinds meet them: over HTTP, with ID tokens of the Auth emulator. */
import { beforeAll, describe, expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { submissionSchema } from "../../../functions/src/model/answers.ts";
import { addressesIn, callableUrl } from "../../../scripts/callable-client.ts";
import { useLive, type LiveBoard } from "../../support/live.ts";
import { outcomeOf } from "../../support/rest-world.ts";

const live = useLive();
let board: LiveBoard;
let path: string;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  const segments = [{ name: "country", from: "claim" }];
  board = await live.board({ visibility: "public", max_score: 100, segments });
  path = `/v1/leaderboards/${board.leaderboard}`;
  const claims = {
    ann: { country: "AT" },
    bob: { country: "DE" },
    office: { leaderboard_role: "admin" },
    almost: { leaderboard_role: "owner" },
  };
  for (const [name, claim] of Object.entries(claims))
    tokens[name] = (await live.account(name, claim)).idToken;
});

/** @param as a name, or nobody. */
function fetchAs(as: string, url: string, { headers, ...request }: RequestInit): Promise<Response> {
  const authorization = tokens[as] === undefined ? {} : { Authorization: `Bearer ${tokens[as]}` };
  const type = { "Content-Type": "application/json" };
  return fetch(url, { ...request, headers: { ...type, ...authorization, ...(headers as object) } });
}

const urlOf = (name: string) => callableUrl(addressesIn(process.env), name);
const call = (as: string, name: string, body: string) => fetchAs(as, urlOf(name), { method: "POST", body });
const rest = (as: string, to: string, request: RequestInit = {}) =>
  fetchAs(as, `${urlOf("leaderboardApi")}${to}`, request);
const postScore = (as: string, body: string, type = "application/json") =>
  rest(as, `${path}/scores`, { method: "POST", body, headers: { "Content-Type": type } });

/** A whole number as the SDKs for Apple, Android and Unity send it: as text, which JavaScript's numbers cannot spoil. */
const int64 = (value: number | string) => ({
  "@type": "type.googleapis.com/google.protobuf.Int64Value",
  value: String(value),
});

describe("a callable", () => {
  test.each<[as: string, name: string, data: object, status: number, code: string, ...paths: string[]]>([
    ["nobody", "submitScore", { score: 1 }, 401, "unauthenticated"],
    ["ann", "submitScore", {}, 400, "invalid_request", "score"],
    ["ann", "submitScore", { score: int64("9007199254740993") }, 400, "invalid_request", "score"],
    ["ann", "submitScore", { score: 1, leaderboard: "missing" }, 404, "leaderboard_not_found"],
    ["ann", "submitScore", { score: 101 }, 400, "score_out_of_range", "score"],
    ["ann", "getRank", { player: "nobody" }, 404, "player_not_ranked"],
    ["ann", "runRanking", {}, 403, "not_allowed"],
    ["almost", "saveLeaderboard", { definition: {} }, 403, "not_allowed"],
    ["office", "submitScores", { submissions: [] }, 400, "invalid_request", "submissions"],
  ])(
    "refuses bad requests: from %s, %s with %j has HTTP %i, %s",
    async (as, name, data, status, code, ...paths) => {
      const response = await call(
        as,
        name,
        JSON.stringify({ data: { leaderboard: board.leaderboard, ...data } }),
      );
      expect(await outcomeOf(response)).toEqual({ status, code, ...(paths.length > 0 && { paths }) });
    },
  );

  test.each(["saveLeaderboard", "submitScores", "runRanking", "submitScore", "getRank", "getTop"])(
    "refuses what is not a call, without failing: %s",
    async (name) => {
      // The functions framework answers what is no JSON object, in HTML.
      for (const body of ["{", "null", '"x"', '{"data": {"score": NaN}}'])
        expect((await call("office", name, body)).status).toBe(400);
      for (const body of ["", "[]", "{}", '{"data": 1, "more": 2}']) {
        const response = await call("office", name, body);
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({ error: { status: "INVALID_ARGUMENT" } });
      }
      for (const data of [null, 1, "text", [], [[]], { leaderboard: {} }])
        expect(await outcomeOf(await call("office", name, JSON.stringify({ data })))).toMatchObject({
          status: 400,
          code: "invalid_request",
        });
    },
  );

  test("takes a 64-bit integer, which arrives as text with a type, like any other score", async () => {
    const { leaderboard } = await live.board();
    const eve = await live.as("eve");
    for (const score of [1_250, -7, Number.MAX_SAFE_INTEGER]) {
      const request = { leaderboard, score: int64(score), metadata: { level: int64(3) } };
      const answer = submissionSchema.parse(await eve.send("submitScore", request));
      expect(answer.seasons[0]?.score).toBe(Math.max(1_250, score));
    }
    const columns = { points: int64(3), goals: int64(2) };
    const league = await live.board({
      columns: Object.keys(columns).map((name) => ({ name, min: 0, max: 100 })),
    });
    const answer = await eve.send("submitScore", { leaderboard: league.leaderboard, columns });
    expect(submissionSchema.parse(answer).seasons[0]?.columns).toEqual({ points: 3, goals: 2 });
  });
});

test("scores that are posted or sent by a call are ranked, in segments that the tokens claim, and everybody may read a public board", async () => {
  const [ann, bob, cyd] = ["ann", "bob", "cyd"].map((name) => live.uid(name));
  expect((await postScore("ann", '{"score": 7, "display_name": "Änn"}')).status).toBe(200);
  expect((await postScore("office", JSON.stringify({ player: cyd, score: 9 }))).status).toBe(200);
  const called = { data: { leaderboard: board.leaderboard, score: 1 } };
  expect((await call("bob", "submitScore", JSON.stringify(called))).status).toBe(200);
  for (const [player, country] of [
    [ann, "AT"],
    [bob, "DE"],
  ] as const) {
    const stored = await live.db.doc(playerPath(board.key, player ?? "")).get();
    expect(stored.get("segments")).toEqual({ country });
  }
  await board.rank();
  await board.rankOf({ player: cyd });
  expect(await (await rest("nobody", `${path}/top`)).json()).toMatchObject({
    entries: [
      { player: cyd, rank: 1 },
      { player: ann, rank: 2, display_name: "Änn" },
      { player: bob, rank: 3 },
    ],
  });
  const rank = await rest("nobody", `${path}/scores/${ann}`);
  expect(await rank.json()).toMatchObject({ rank: 2, players: 3 });
});

test("a browser of any origin may call the REST interface", async () => {
  const { status, headers } = await rest("nobody", `${path}/scores`, {
    method: "OPTIONS",
    headers: {
      Origin: "https://game.example",
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "authorization,content-type",
    },
  });
  expect(status).toBe(204);
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(headers.get("access-control-allow-methods")).toContain("POST");
  expect(headers.get("access-control-allow-headers")).toContain("Authorization");
  expect(headers.get("access-control-allow-credentials")).toBeNull();
});

test("the REST interface refuses a body of the wrong kind with the status for it", async () => {
  expect((await postScore("ann", "{")).status).toBe(400);
  expect(await outcomeOf(await postScore("ann", "[]"))).toEqual({ status: 400, code: "invalid_request" });
  expect((await postScore("ann", "score=1", "application/x-www-form-urlencoded")).status).toBe(415);
  expect((await postScore("ann", `{"metadata": "${"x".repeat(20_000)}"}`)).status).toBe(413);
});
