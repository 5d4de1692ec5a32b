/**
 * Requests as HTTP libraries and clients of other generators than the tested ones write them: lists and maps in a query,
 * times, and 64-bit integers. Each line was seen of the library that it names.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { allTime, createBoard } from "../../support/world.ts";

let world: RestWorld;
beforeEach(async () => {
  world = createRestWorld();
  const segments = [
    { name: "country", from: "submission" as const, values: ["AT"] },
    { name: "guild", from: "server" as const },
  ];
  await createBoard(world, "run", { segments, private_groups: true });
  await createBoard(world, "cup", {
    columns: ["points", "goals"].map((name) => ({ name, min: 0, max: 99 })),
  });
  for (const player of ["ann", "bob"])
    await post("run/scores", { score: 850, segments: { country: "AT" } }, player);
  await world.publish(allTime("run"));
});

async function get(path: string, as = "ann"): Promise<Record<string, unknown>> {
  return (await (await world.get(`/v1/${path}`, as)).json()) as Record<string, unknown>;
}

async function post(path: string, body: object, as = "ann"): Promise<Record<string, unknown>> {
  const response = await world.send("POST", `/v1/leaderboards/${path}`, { as, body });
  return (await response.json()) as Record<string, unknown>;
}

const refusal = (message: string) => ({ error: { message: expect.stringContaining(message) as string } });

describe("a list in a query", () => {
  test.each([
    ["axios 1", "players[]=ann&players[]=bob"],
    ["openapi-zod-client, Alamofire 5, Faraday 2", "players%5B%5D=ann&players%5B%5D=bob"],
    ["PHP's http_build_query", "players%5B0%5D=ann&players%5B1%5D=bob"],
    ["a loop", "players=ann&players%5B%5D=bob"],
  ])("of %s", async (_, query) => {
    expect(await get(`leaderboards/run/players?${query}`)).toMatchObject({
      entries: [{ player: "ann" }, { player: "bob" }],
    });
  });

  test("of names, or of a map's entries", async () => {
    const { segments } = await get("leaderboards/run/scores/ann?segments[]=country&segments[]=guild");
    expect(segments).toMatchObject({ country: { rank: 1 }, guild: null });
    const asked = "leaderboards/cup/ranks?columns[]=points:3&columns[]=goals:7&freshness=live";
    expect(await get(asked)).toMatchObject({ columns: { points: 3, goals: 7 } });
  });

  test("in brackets may have a comma in an id, which axios does not escape", async () => {
    await post("run/scores", { score: 1 }, "e,f");
    await world.publish(allTime("run"));
    expect(await get("leaderboards/run/players?players[]=e,f&players[]=ann")).toMatchObject({
      entries: [{ player: "ann" }, { player: "e,f" }],
    });
  });

  test("in one text is refused if nobody has that id, as URLSearchParams and RTK Query write a whole list so", async () => {
    const joined = "leaderboards/run/players?players=ann%2Cbob";
    expect(await get(joined)).toMatchObject(refusal("players=a&players=b"));
    for (const query of ["players[]=ann%2Cbob", "players=ann%2Cbob&players=cyd"])
      expect(await get(`leaderboards/run/players?${query}`)).toMatchObject({ entries: [] });
    await post("run/scores", { score: 1 }, "ann,bob");
    await world.publish(allTime("run"));
    expect(await get(joined)).toMatchObject({ entries: [{ player: "ann,bob" }] });
  });

  test("is only where a list is meant", async () => {
    for (const query of ["limit[]=2", "nothing[]=2", "limit[0]=2", "season[a]=b"])
      expect(await get(`leaderboards/run/top?${query}`)).toMatchObject(
        refusal("is not a parameter of this request"),
      );
    expect(await get("leaderboards/run/players?players[a]=ann")).toMatchObject(
      refusal("players[a]: is not a parameter"),
    );
  });
});

test("a map in a query has its names in brackets", async () => {
  const cup = await get("leaderboards/cup/ranks?columns[points]=3&columns%5Bgoals%5D=7&freshness=live");
  expect(cup).toMatchObject({ columns: { points: 3, goals: 7 } });
  const { entries } = await get("leaderboards/run/top?segment[country]=AT");
  expect(entries).toMatchObject([{ player: "ann" }, { player: "bob" }]);
  const twice = "leaderboards/cup/ranks?columns[points]=3&columns=points:4";
  expect(await get(twice)).toMatchObject(refusal('must not have "points" twice'));
});

describe("a time", () => {
  test.each([
    ["openapi-generator's Python client", "2026-11-30T17%3A44%3A36.635190%2B0000"],
    ["openapi-generator's Rust client", "2026-11-30+17%3A44%3A36.635190+%2B00%3A00"],
    ["Java's OffsetDateTime at midnight", "2026-12-01T00%3A00%2B01%3A00"],
  ])("of %s in a query", async (_, since) => {
    expect(await get(`results?since=${since}`)).toMatchObject({ results: [] });
  });

  test("in a body", async () => {
    const { group } = await post("run/groups", { name: "Friends", ends_at: "2100-01-05 00:00+0100" });
    expect(await get(`leaderboards/run/groups/${String(group)}`)).toMatchObject({
      ends_at: "2100-01-04T23:00:00.000Z",
    });
  });
});

describe("a 64-bit integer as a text, as hey-api writes a BigInt, and Protocol Buffers in JSON", () => {
  test("is a column, a generation and a group's size", async () => {
    const body = {
      columns: { points: "3", goals: "7" },
      min_generation: "0",
      min_generations: { all_time: "0" },
    };
    const { seasons } = await post("cup/scores", body);
    expect(seasons).toMatchObject([{ columns: { points: 3, goals: 7 } }]);
    const { group } = await post("run/groups", { name: "Friends", size: "5" });
    expect(await get(`leaderboards/run/groups/${String(group)}`)).toMatchObject({ size: 5 });
  });

  test.each(["3.0", "1e1", "", " 3", "12345678901234567", "three"])("but not %o", async (points) => {
    expect(await post("cup/scores", { columns: { points, goals: 7 } })).toMatchObject(
      refusal("columns.points: must be a whole number"),
    );
  });

  test("is no score, and no text of metadata", async () => {
    expect(await post("run/scores", { score: "851" })).toMatchObject(refusal('this is the text "851"'));
    await post("run/scores", { score: 851, metadata: { skin: "3" } });
    expect(await get("leaderboards/run/players?players=ann&freshness=live")).toMatchObject({
      entries: [{ score: 851, metadata: { skin: "3" } }],
    });
  });
});

test.each([
  ["country", "ann"],
  ["guild", "admin"],
])("an empty text leaves the segment %s, as null does", async (name, as) => {
  const submit = (value: string) =>
    post("run/scores", { player: "ann", score: 850, segments: { [name]: value } }, as);
  const rankIn = async () => {
    const { segments } = await get(`leaderboards/run/scores/ann?segments=${name}&freshness=live`);
    return (segments as Record<string, { rank: number } | null>)[name]?.rank;
  };
  await submit("AT");
  await world.publish(allTime("run"));
  expect(await rankIn()).toBe(1);
  expect(await submit("")).not.toHaveProperty("segments_passed_over");
  expect(await rankIn()).toBeUndefined();
});
