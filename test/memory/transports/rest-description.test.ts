/** `/openapi.json`: valid and complete. rest-fuzz.test.ts shows that it is true of what the routes answer. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, expect, test } from "vitest";
import { routes } from "../../../functions/src/transports/rest/routes.ts";
import { createRestWorld } from "../../support/rest-world.ts";

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

let description: Description;

beforeAll(async () => {
  description = (await (await createRestWorld().get("/openapi.json")).json()) as Description;
});

test("it is a valid OpenAPI 3.1 document", async () => {
  const result = await new Validator().validate({ ...description });
  expect(result).toEqual({ valid: true });
  expect(description.openapi).toMatch(/^3\.1\./);
});

test("it describes each operation once", () => {
  const described = Object.values(description.paths).flatMap((path) => Object.values(path));
  const names = described.map(({ operationId }) => operationId);
  expect(names.toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
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
