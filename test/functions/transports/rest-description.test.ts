/** `/openapi.json`: valid, complete, and true of what the routes answer. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, expect, test } from "vitest";
import { routes } from "../../../functions/src/transports/rest/routes.ts";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { createBoard } from "../../support/world.ts";

interface Description {
  openapi: string;
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, unknown> };
}

interface DescribedOperation {
  operationId: string;
  summary: string;
  parameters: { name: string; in: string; style?: string }[];
  responses: Record<string, { description: string }>;
}

let world: RestWorld;
let description: Description;

beforeAll(async () => {
  world = createRestWorld();
  description = (await (await world.get("/openapi.json")).json()) as Description;
  const columns = [
    { name: "points", min: 0, max: 99 },
    { name: "goals", min: 0, max: 99 },
  ];
  const key = await createBoard(world, "cup", {
    columns,
    visibility: "public",
    tiers: [{ name: "gold", top_percent: 50 }],
  });
  for (const [player, points] of Object.entries({ ann: 9, bob: 7 })) {
    const body = {
      columns: { points, goals: 3 },
      display_name: player,
      metadata: { team: ["x", { y: null }] },
    };
    await world.send("POST", "/v1/leaderboards/cup/scores", { as: player, body });
  }
  await world.deliverAll(key);
  await world.publish(key);
});

/** One request for each operation. */
const requests: Record<string, [method: string, path: string, body?: object]> = {
  listLeaderboards: ["GET", "/v1/leaderboards"],
  listSeasons: ["GET", "/v1/leaderboards/cup/seasons"],
  submitScore: [
    "POST",
    "/v1/leaderboards/cup/scores",
    { columns: { points: 9, goals: 4 }, submission_id: "1" },
  ],
  setProfile: ["POST", "/v1/leaderboards/cup/profile", { display_name: "Anna" }],
  getPage: ["GET", "/v1/leaderboards/cup/scores?limit=1"],
  getRank: ["GET", "/v1/leaderboards/cup/scores/ann?exact=true"],
  getAround: ["GET", "/v1/leaderboards/cup/scores/ann/around"],
  getTop: ["GET", "/v1/leaderboards/cup/top?limit=2"],
  getPlayers: ["GET", "/v1/leaderboards/cup/players?players=ann&players=bob"],
  getResults: ["GET", "/v1/results?leaderboard=cup&limit=3"],
  getRankOfScore: ["GET", "/v1/leaderboards/cup/ranks?columns[points]=8&columns[goals]=0&freshness=live"],
};

test("it is a valid OpenAPI 3.1 document", async () => {
  const result = await new Validator().validate({ ...description });
  expect(result).toEqual({ valid: true });
  expect(description.openapi).toMatch(/^3\.1\./);
});

test("it describes each operation once, and each has its request here", () => {
  const described = Object.values(description.paths).flatMap((path) => Object.values(path));
  const names = described.map(({ operationId }) => operationId);
  expect(names.toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  expect(names.toSorted()).toEqual(Object.keys(requests).toSorted());
});

test.each(routes)("$name answers what it says", async ({ name, answer }) => {
  const [method, path, body] = requests[name] ?? ["GET", "/"];
  const response = await world.send(method, path, { as: "ann", ...(body === undefined ? {} : { body }) });
  expect(response.status).toBe(200);
  const answered: unknown = await response.json();
  expect(answer.parse(answered)).toEqual(answered);
});

test("names the parameters as requests write them, and the words of answers as components", () => {
  const ranks = description.paths["/v1/leaderboards/{leaderboard}/ranks"]?.["get"];
  const named = ranks?.parameters.map(({ name, in: where, style }) => [name, where, style]);
  expect(named).toContainEqual(["leaderboard", "path", undefined]);
  expect(named).toContainEqual(["score", "query", undefined]);
  expect(named).toContainEqual(["columns", "query", "deepObject"]);
  expect(Object.keys(description.components.schemas)).toEqual(
    expect.arrayContaining([
      "Rank",
      "Entry",
      "Top",
      "Page",
      "Around",
      "Players",
      "Submission",
      "Leaderboards",
      "Error",
    ]),
  );
});

test("lists for each operation the statuses of its refusals", () => {
  const submit = description.paths["/v1/leaderboards/{leaderboard}/scores"]?.["post"];
  expect(Object.keys(submit?.responses ?? {}).join(" ")).toBe(
    "200 400 401 403 404 409 413 415 429 500 503 5XX",
  );
  for (const status of ["500", "5XX"]) {
    expect(submit?.responses[status]?.description).toContain("`submission_id` may be repeated");
  }
  const top = description.paths["/v1/leaderboards/{leaderboard}/top"]?.["get"];
  expect(Object.keys(top?.responses ?? {}).map(Number)).toEqual([200, 304, 400, 401, 404, 409, 500, 503]);
});
