/** The REST interface as a server, a browser or a CDN meets it: over HTTP, with ID tokens of the Auth emulator. */
import { beforeAll, expect, test } from "vitest";
import { playerPath } from "../../../functions/src/documents/paths.ts";
import { addressesIn, callableUrl, createCallableClient } from "../../../scripts/callable-client.ts";
import { useLive, type LiveBoard } from "../../support/live.ts";
import { outcomeOf } from "../../support/rest-world.ts";

const origin = callableUrl(addressesIn(process.env), "leaderboardApi");

const live = useLive();
let board: LiveBoard;
let path: string;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  board = await live.board({ visibility: "public", segments: [{ name: "country", from: "claim" }] });
  path = `/v1/leaderboards/${board.leaderboard}`;
  tokens["ann"] = (await live.account("ann")).idToken;
  tokens["office"] = (await live.account("office", { leaderboard_admin: true })).idToken;
});

function send(method: string, to: string, as?: string, body?: string, headers: Record<string, string> = {}) {
  return fetch(`${origin}${to}`, {
    method,
    headers: {
      ...(as === undefined ? {} : { Authorization: `Bearer ${tokens[as] ?? as}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

test("a score that is posted is ranked, and everybody may read a public board", async () => {
  const bob = live.uid("bob");
  expect((await send("POST", `${path}/scores`, "ann", '{"score": 7, "display_name": "Änn"}')).status).toBe(
    200,
  );
  const body = JSON.stringify({ player: bob, score: 9 });
  expect((await send("POST", `${path}/scores`, "office", body)).status).toBe(200);
  await board.rank();
  await board.rankOf({ player: bob });
  const top = await send("GET", `${path}/top`);
  expect(await top.json()).toMatchObject({
    entries: [
      { player: bob, rank: 1 },
      { player: live.uid("ann"), rank: 2, display_name: "Änn" },
    ],
  });
  const rank = await send("GET", `${path}/scores/${live.uid("ann")}`);
  expect(await rank.json()).toMatchObject({ rank: 2, players: 2 });
});

test("a custom claim of a player's token says the player's segment, by REST and by a callable", async () => {
  const cyd = await live.account("cyd", { country: "AT" });
  const dan = await live.account("dan", { country: "DE" });
  const { status } = await send("POST", `${path}/scores`, cyd.idToken, '{"score": 1}');
  expect(status).toBe(200);
  const client = createCallableClient(addressesIn(process.env), dan);
  await client.call("submitScore", { leaderboard: board.leaderboard, score: 1 });
  for (const [name, country] of [
    ["cyd", "AT"],
    ["dan", "DE"],
  ] as const) {
    const player = await live.db.doc(playerPath(board.key, live.uid(name))).get();
    expect(player.get("segments")).toEqual({ country });
  }
});

test("a browser of any origin may call", async () => {
  const preflight = await send("OPTIONS", `${path}/scores`, undefined, undefined, {
    Origin: "https://game.example",
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type",
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
  expect(preflight.headers.get("access-control-allow-methods")).toContain("POST");
  expect(preflight.headers.get("access-control-allow-headers")).toContain("Authorization");
  expect(preflight.headers.get("access-control-allow-credentials")).toBeNull();
});

test("a body of the wrong kind is refused with the status for it", async () => {
  const post = (body: string, type = "application/json") =>
    send("POST", `${path}/scores`, "ann", body, { "Content-Type": type });
  expect((await post("{")).status).toBe(400);
  expect(await outcomeOf(await post("[]"))).toEqual({ status: 400, code: "invalid_request" });
  expect(await outcomeOf(await post("score=1", "application/x-www-form-urlencoded"))).toMatchObject({
    status: 415,
  });
  expect(await outcomeOf(await post('{"score": 1}', "text/plain"))).toMatchObject({ status: 415 });
  expect(await outcomeOf(await post(`{"metadata": "${"x".repeat(20_000)}"}`))).toMatchObject({ status: 413 });
});
