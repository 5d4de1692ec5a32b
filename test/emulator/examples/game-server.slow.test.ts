/** The game server of examples/, played against the emulators. */
import { expect, test } from "vitest";
import { createToken } from "../../../examples/admin.ts";
import { emulators } from "../../../examples/emulators.ts";
import { createFirerank } from "../../../examples/game-server/firerank.ts";
import { entrySchema, rankSchema } from "../../../functions/src/model/answers.ts";
import { startFailingProxy } from "../../support/failing-proxy.ts";
import { startExample } from "../../support/examples.ts";
import { useLive, eventually } from "../../support/live.ts";

const live = useLive();

async function json(asked: Promise<Response>): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await asked;
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

test("the game server throws dice for its players, and tells their ranks and the top of each table", async () => {
  const game = await startExample(live, "game-server");
  const get = (path: string) => json(fetch(`${game.url}${path}`));
  const play = (player: string, table = "red") =>
    json(fetch(`${game.url}/tables/${table}/players/${player}/throws`, { method: "POST" }));

  expect(await get("/tables/red/players/ann")).toMatchObject({
    status: 404,
    body: { error: "ann has no rank at this table yet" },
  });
  expect((await play("cyd", "blue_2")).status).toBe(200);
  const best: Record<string, number> = {};
  for (const player of ["ann", "bob", "ann", "Jürgen%20X"]) {
    const { status, body } = await play(player);
    expect({ status, body }).toMatchObject({ status: 200, body: { dice: expect.any(Array) as unknown } });
    const score = Number(body["score"]);
    expect((body["dice"] as number[]).reduce((sum, eyes) => sum + eyes, 0)).toBe(score);
    best[player] = Math.max(score, best[player] ?? 0);
    expect(body["best"]).toBe(best[player]);
  }
  const scores = Object.values(best);
  const rankOf = (score = NaN) => 1 + scores.filter((other) => other > score).length;
  await eventually(async () => {
    await game.rank(`${game.leaderboard}:red`);
    const { body } = await get("/tables/red/players/ann");
    expect(rankSchema.parse(body)).toMatchObject({
      score: best["ann"],
      rank: rankOf(best["ann"]),
      players: 3,
    });
    const top = await get("/tables/red/top");
    expect(entrySchema.array().parse(top.body["entries"])).toHaveLength(3);
    expect(top.body["entries"]).toContainEqual(
      expect.objectContaining({ player: "Jürgen X", display_name: "Jürgen X", score: best["Jürgen%20X"] }),
    );
  });
  await eventually(async () => {
    await game.rank(`${game.leaderboard}:blue_2`);
    expect((await get("/tables/blue_2/top")).body).toMatchObject({ entries: [{ player: "cyd" }] });
  });
  expect(await play("ann", "no%20table")).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining("leaderboard") as unknown },
  });
  for (const path of ["/elsewhere", "/tables", "/tables/red", "/players/ann"])
    expect(await get(path)).toMatchObject({ status: 404 });
  expect(await get("/")).toEqual({
    status: 200,
    body: {
      try: [
        `curl -X POST ${game.url}/tables/red/players/ann/throws`,
        `curl ${game.url}/tables/red/players/ann`,
        `curl ${game.url}/tables/red/top`,
      ],
    },
  });
});

test("only the game's server may submit", async () => {
  const { leaderboard } = await startExample(live, "game-server");
  const cheat = (await live.as("cheat")).call("submitScore", {
    leaderboard: `${leaderboard}:red`,
    score: 18,
  });
  await expect(cheat).rejects.toMatchObject({ details: { code: "server_scores_only" } });
});

/** The game server's client of the REST interface, which loses its first answer. */
async function playing(leaderboard: string) {
  const addresses = emulators(process.env);
  const { origin, host } = new URL(addresses.rest);
  const { port, requests } = await startFailingProxy(host, ["answer_lost"]);
  const url = addresses.rest.replace(origin, `http://127.0.0.1:${port}`);
  const firerank = createFirerank({ url, token: createToken(addresses, "admin") });
  return { board: firerank(leaderboard), requests };
}

test("a throw whose answer was lost is sent again and counts once", async () => {
  const { leaderboard } = await live.board({ aggregation: "sum", submit: "server" });
  const { board, requests } = await playing(leaderboard);
  const { seasons } = await board.submit("ann", 11, "the-throw");
  expect(requests).toHaveLength(2);
  expect(requests[1]?.data).toEqual(requests[0]?.data);
  expect(seasons).toMatchObject([{ score: 11, attempts: 1, repeated: true }]);
});

test("a refusal is not sent again", async () => {
  const { board, requests } = await playing("nowhere");
  await expect(board.submit("ann", 11, "the-throw")).rejects.toMatchObject({
    status: 404,
    code: "leaderboard_not_found",
  });
  expect(requests).toHaveLength(2); // the first answer was lost
});
