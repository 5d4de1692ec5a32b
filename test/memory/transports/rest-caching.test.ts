/** How long answers may be cached, and by whom; and what revalidation costs. */
import { beforeEach, describe, expect, test } from "vitest";
import { Timestamp } from "../../../functions/src/documents/firestore.ts";
import { pagePath } from "../../../functions/src/documents/paths.ts";
import { secondsKept } from "../../../functions/src/transports/rest/caching.ts";
import { publishRows } from "../../support/crowd.ts";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { admin, allTime, createBoard } from "../../support/world.ts";

let world: RestWorld;
const open = "/v1/leaderboards/open";
const closed = "/v1/leaderboards/closed";

async function submit(board: string, player: string, score: number): Promise<void> {
  await world.send("POST", `/v1/leaderboards/${board}/scores`, { as: player, body: { score } });
  await world.deliver({ leaderboard: board, season: "all_time" }, player);
}

const rank = (board: string) => world.publish({ leaderboard: board, season: "all_time" });

/** A public board and another, each of three players, ranked 100 seconds before the next publication is due. */
beforeEach(async () => {
  world = createRestWorld();
  await createBoard(world, "open", { visibility: "public" });
  await createBoard(world, "closed");
  for (const board of ["open", "closed"]) {
    for (const [player, score] of Object.entries({ ann: 30, bob: 20, cyd: 10 }))
      await submit(board, player, score);
    await rank(board);
  }
  world.advance(200_000);
});

const control = async (path: string, as = "ann") => (await world.get(path, as)).headers.get("cache-control");
const again = (path: string, etag: string, as?: string) => world.get(path, as, { "If-None-Match": etag });
const etagOf = async (path: string, as?: string) => (await world.get(path, as)).headers.get("etag") ?? "";

/** Also with segments, in which ann and bob are from Austria. */
const lands = "/v1/leaderboards/lands";
beforeEach(async () => {
  const teams = { by: "sum" as const };
  const segments = [{ name: "country", from: "submission" as const, values: ["AT", "DE"], teams }];
  await createBoard(world, "lands", { visibility: "public", segments });
  for (const [as, country] of Object.entries({ ann: "AT", bob: "AT", cyd: "DE" })) {
    const body = { score: 5, segments: { country } };
    expect((await world.send("POST", `${lands}/scores`, { as, body })).status).toBe(200);
  }
  await rank("lands");
});

test.each([
  // Of a public board anybody may keep it, until the next publication.
  [`${open}/scores?limit=2`, "public, max-age=100"],
  [`${open}/ranks?score=15`, "public, max-age=100"],
  [`${open}/ranks?score=15&exact=true`, "public, max-age=100"],
  [`${lands}/scores?segment=country:AT`, "public, max-age=100"],
  [`${lands}/ranks?score=4&segment=country:AT`, "public, max-age=100"],
  // The top for as long as it may lag behind.
  [`${open}/top`, "public, max-age=2"],
  [`${lands}/top?segment=country:AT`, "public, max-age=2"],
  [`${lands}/teams/country`, "public, max-age=2"],
  [`${open}/seasons`, "public, no-cache"],
  // What is about a player is revalidated each time.
  [`${open}/scores/bob`, "public, no-cache"],
  [`${open}/scores/bob/around`, "public, no-cache"],
  [`${open}/players?players=bob`, "public, no-cache"],
  [`${lands}/scores/ann?segment=country:AT`, "public, no-cache"],
  [`${lands}/scores/ann?segments=country`, "public, no-cache"],
  // What is of the caller's own segment, or of another board, only the caller's cache may keep, each caller's apart.
  [`${lands}/scores?segment=country:mine`, "private, max-age=100"],
  [`${lands}/ranks?score=4&segment=country:mine`, "private, max-age=100"],
  [`${lands}/top?segment=country:mine`, "private, max-age=2"],
  [`${lands}/scores/ann/around?segment=country:mine`, "private, no-cache"],
  [`${closed}/scores`, "private, max-age=100"],
  [`${closed}/ranks?score=15`, "private, max-age=100"],
  [`${closed}/top`, "private, max-age=2"],
  [`${closed}/scores/bob`, "private, no-cache"],
  // So does the list of boards.
  ["/v1/leaderboards", "private, no-cache"],
  [`${open}/ranks?score=15&freshness=live`, "no-store"],
  [`${open}/scores?freshness=live`, "no-store"],
])("the answer to %s is kept: %s", async (path, kept) => {
  const { headers } = await world.get(path, "ann");
  expect(headers.get("cache-control")).toBe(kept);
  expect(headers.get("vary")).toBe(kept.startsWith("private") ? "Authorization" : null);
  if (kept.startsWith("private") && path.startsWith(lands)) expect((await world.get(path)).status).toBe(401);
});

test("what is left of the time until the next publication is kept, and 10 seconds where it is overdue", async () => {
  world.advance(99_500);
  expect(await control(`${open}/ranks?score=15`)).toBe("public, max-age=1");
  world.advance(500_000);
  expect(await control(`${open}/scores`)).toBe("public, max-age=10");
});

test("an answer is the same for everybody", async () => {
  for (const path of [
    "top",
    "scores",
    "ranks?score=15",
    "scores/bob",
    "scores/bob/around",
    "players?players=bob",
  ]) {
    const etags = await Promise.all(
      ["ann", "bob", "admin", undefined].map((as) => etagOf(`${open}/${path}`, as)),
    );
    expect(new Set(etags).size).toBe(1);
  }
});

test("the top is the same for everybody, and beyond 100 players it is for known callers", async () => {
  await world.call("saveLeaderboard", { leaderboard: "lands", definition: { top_size: 200 } }, admin);
  world.advance(60_000);
  const top = `${lands}/top?segment=country:AT`;
  for (const as of [undefined, "ann"])
    expect(await (await world.get(top, as)).json()).toMatchObject({
      entries: [{ player: "ann" }, { player: "bob" }],
    });
  expect((await world.get(`${top}&limit=101`, "ann")).status).toBe(200);
  expect((await world.get(`${top}&limit=101`)).status).toBe(401);
});

test("an exact rank is not kept if it is live because its publication is too old to be read", async () => {
  await createBoard(world, "slow", { visibility: "public", ranking_interval_minutes: 600 });
  const slow = allTime("slow");
  await publishRows(world, slow, "descending", [{ score: 100, low: 1, players: 5 }]);
  const inMinutes = (minutes: number) => Timestamp.fromMillis(world.services.now() + minutes * 60_000);
  await world.db
    .doc(pagePath(slow, 0))
    .update({ as_of: inMinutes(-56), read_at: inMinutes(-56), next_publish_at: inMinutes(544) });
  expect(await control("/v1/leaderboards/slow/ranks?score=40")).toMatch(/^public, max-age=\d+$/);
  expect(await control("/v1/leaderboards/slow/ranks?score=40&exact=true")).toBe("no-store");
});

test("before the first publication everything is revalidated", async () => {
  await createBoard(world, "new", { visibility: "public" });
  expect(await control("/v1/leaderboards/new/scores")).toBe("public, no-cache");
  const nothing = await again("/v1/leaderboards/new/ranks?score=1", "");
  expect([nothing.status, nothing.headers.get("cache-control")]).toEqual([404, "no-store"]);
});

describe("an answer that the caller has already", () => {
  test("is not sent again, and says how long it may be kept now", async () => {
    const path = `${open}/ranks?score=15`;
    const etag = await etagOf(path);
    world.advance(40_000);
    const response = await again(path, etag);
    expect([response.status, await response.text()]).toEqual([304, ""]);
    expect(response.headers.get("cache-control")).toBe("public, max-age=60");
    expect(response.headers.get("etag")).toBe(etag);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toContain("ETag");
  });

  test("costs no read if the page in memory is enough", async () => {
    const path = `${open}/ranks?score=15`;
    const etag = await etagOf(path);
    const { result, bill } = await world.meter.measure(() => again(path, `"other", ${etag}`));
    expect(result.status).toBe(304);
    expect(bill).toEqual({ reads: 0, writes: 0, deletes: 0 });
  });

  test("is different after the next publication, even if only other players moved", async () => {
    const paths = ["ranks?score=15", "scores", "scores/bob", "players?players=bob"].map(
      (path) => `${open}/${path}`,
    );
    const before = await Promise.all(paths.map((path) => etagOf(path)));
    await submit("open", "dan", 40);
    await rank("open");
    world.advance(100_000);
    for (const [i, path] of paths.entries()) expect((await again(path, before[i] ?? "")).status).toBe(200);
  });

  test("is different as soon as a player's own score has changed", async () => {
    const path = `${closed}/scores/bob`;
    const etag = await etagOf(path, "bob");
    expect((await again(path, etag, "bob")).status).toBe(304);
    await submit("closed", "bob", 35);
    const response = await again(path, etag, "bob");
    expect(await response.json()).toMatchObject({ score: 35, rank: 1, generation: 1 });
  });

  test("is checked for access like any other", async () => {
    const etag = await etagOf(`${closed}/top`, "ann");
    expect((await again(`${closed}/top`, etag)).status).toBe(401);
  });
});

test("HEAD returns the same as GET, without the body", async () => {
  const get = await world.get(`${open}/scores`);
  const head = await world.send("HEAD", `${open}/scores`);
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const name of ["cache-control", "content-type"])
    expect(head.headers.get(name)).toBe(get.headers.get(name));
});

test("an answer is kept for at least a second, and never longer than its page", () => {
  expect(secondsKept("ranking", 100_400, 100_000)).toBe(1);
  expect(secondsKept("ranking", 109_999, 100_000)).toBe(9);
  expect(secondsKept("ranking", undefined, 100_000)).toBe(0);
  expect(secondsKept("ranking", Infinity, 100_000)).toBe(10);
  expect(secondsKept("now", 109_999, 100_000)).toBe(0);
});
