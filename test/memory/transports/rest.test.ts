/** The REST interface: each request's answer and status. */
import { beforeEach, describe, expect, test } from "vitest";
import type { LeaderboardsAnswer } from "../../../functions/src/model/answers.ts";
import { createRestWorld, outcomeOf, type RestWorld } from "../../support/rest-world.ts";
import { createBoard } from "../../support/world.ts";

let world: RestWorld;
beforeEach(() => {
  world = createRestWorld();
});

const chess = "/v1/leaderboards/chess";

/** A board of three players, ranked. */
async function ranked(definition: Parameters<typeof createBoard>[2] = {}): Promise<void> {
  const key = await createBoard(world, "chess", definition);
  for (const [player, score] of Object.entries({ ann: 30, bob: 20, cyd: 10 })) {
    const sent = await world.send("POST", `${chess}/scores`, {
      as: player,
      body: { score, display_name: player },
    });
    expect(sent.status).toBe(200);
  }
  await world.deliverAll(key);
  await world.publish(key);
}

describe("a submission", () => {
  test("is the caller's own, and is answered as submitScore answers", async () => {
    await createBoard(world, "chess");
    const response = await world.send("POST", `${chess}/scores`, { as: "ann", body: { score: 7 } });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toEqual({
      leaderboard: "chess",
      player: "ann",
      seasons: [{ season: "all_time", span: "all_time", score: 7, improved: true, attempts: 1, rank: null }],
    });
  });

  test("for another player is for admins", async () => {
    await createBoard(world, "chess", { submit: "server" });
    const body = { player: "bob", score: 7 };
    const send = async (as: string) => outcomeOf(await world.send("POST", `${chess}/scores`, { as, body }));
    expect(await send("ann")).toEqual({ status: 403, code: "not_allowed" });
    expect(await send("bob")).toEqual({ status: 403, code: "server_scores_only" });
    expect(await send("admin")).toEqual({ status: 200 });
  });
});

test("reading some players, whatever their ids hold, and the neighbours of one", async () => {
  await ranked();
  const key = { leaderboard: "chess", season: "all_time" };
  await world.send("POST", `${chess}/scores`, { as: "admin", body: { player: "a,b & ü", score: 25 } });
  await world.deliver(key, "a,b & ü");
  const ids = ["cyd", "a,b & ü"].map((id) => `players=${encodeURIComponent(id)}`).join("&");
  const some = await world.get(`${chess}/players?${ids}`, "ann");
  expect(await some.json()).toMatchObject({ entries: [{ player: "a,b & ü" }, { player: "cyd" }] });
  const around = await world.get(
    `${chess}/scores/${encodeURIComponent("a,b & ü")}/around?above=1&below=0`,
    "ann",
  );
  expect(await around.json()).toMatchObject({ entries: [{ player: "ann" }, { player: "a,b & ü" }] });
});

test("segments are named as country:AT, several by their names, and said with a score", async () => {
  const segments = ["country", "guild"].map((name) => ({
    name,
    from: "submission" as const,
    values: ["AT", "red"],
  }));
  await ranked({ segments });
  const said = { country: "AT", guild: "red" };
  for (const as of ["ann", "cyd"])
    await world.send("POST", `${chess}/scores`, { as, body: { score: 1, segments: said } });
  await world.publish({ leaderboard: "chess", season: "all_time" });
  const get = async (path: string) => (await world.get(`${chess}/${path}`, "cyd")).json();
  for (const named of ["segment=country:AT", "segment=country:mine", "segment[country]=AT"])
    expect(await get(`scores/cyd?${named}&min_generation=2`)).toMatchObject({
      segment: { country: "AT" },
      rank: 2,
      players: 2,
    });
  expect(await get("scores/cyd?segments=country&segments=guild&min_generation=2")).toMatchObject({
    rank: 3,
    segments: { country: { rank: 2 }, guild: { rank: 2, segment: { guild: "red" } } },
  });
  for (const wrong of ["segment=AT", "segment=country:AT&segment=guild:red", "segment[]=AT"])
    expect(await outcomeOf(await world.get(`${chess}/top?${wrong}`, "cyd"))).toMatchObject({ status: 400 });
  for (const wrong of ["ranks?score=1&segments=country", "scores/cyd?segments=team"])
    expect(await outcomeOf(await world.get(`${chess}/${wrong}`, "cyd"))).toEqual({
      status: 400,
      code: "invalid_request",
      paths: ["segments"],
    });
});

describe("the list of boards", () => {
  const list = async (query = "", as?: string) => (await world.get(`/v1/leaderboards${query}`, as)).json();
  const names = (answer: unknown) =>
    (answer as LeaderboardsAnswer).leaderboards.map(({ leaderboard }) => leaderboard);

  test("shows all to signed-in users, and the public ones to everybody else, with their definitions", async () => {
    for (const name of ["b", "a", "c"])
      await createBoard(world, name, name === "b" ? { visibility: "public" } : {});
    expect(names(await list("", "ann"))).toEqual(["a", "b", "c"]);
    expect(await list()).toMatchObject({
      leaderboards: [
        { leaderboard: "b", definition: { order: "descending", visibility: "public", top_size: 100 } },
      ],
    });
  });

  test("continues where it ended", async () => {
    for (const name of ["a", "b", "c"]) await createBoard(world, name, { visibility: "public" });
    for (const as of ["ann", undefined]) {
      const first = await list("?limit=2", as);
      expect(names(first)).toEqual(["a", "b"]);
      expect(await list("?limit=2&cursor=b", as)).toEqual({
        leaderboards: [expect.objectContaining({ leaderboard: "c" })],
      });
      expect(first).toHaveProperty("next_cursor", "b");
    }
  });

  test("costs a read for each board, and leaves out one that is damaged", async () => {
    for (const name of ["a", "b", "c"]) await createBoard(world, name);
    await world.db.doc("leaderboards/b").update({ top_size: "many" });
    const { result, bill } = await world.meter.measure(() => list("", "ann"));
    expect(names(result)).toEqual(["a", "c"]);
    expect(bill).toEqual({ reads: 3, writes: 0, deletes: 0 });
    expect(world.logged.at(-1)).toMatchObject({ level: "warn", fields: { leaderboard: "b" } });
  });

  test("continues after a board with an id that no call accepts", async () => {
    for (const name of ["a", "c"]) await createBoard(world, name);
    await world.db.doc("leaderboards/b b!").set({ order: "ascending" });
    const first = await list("?limit=2", "ann");
    expect(names(first)).toEqual(["a"]);
    expect(first).toHaveProperty("next_cursor", "b b!");
    expect(names(await list("?limit=2&cursor=b%20b!", "ann"))).toEqual(["c"]);
  });
});
