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
  parameters: { name: string; in: string; schema: { type: string } }[];
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
  const named = ranks?.parameters.map(({ name, in: where, schema }) => [name, where, schema.type]);
  expect(named).toContainEqual(["leaderboard", "path", "string"]);
  expect(named).toContainEqual(["score", "query", "number"]);
  expect(named).toContainEqual(["columns", "query", "array"]);
  expect(named).toContainEqual(["segment", "query", "string"]);
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
    "200 400 401 403 404 409 413 415 429 500 502 503 504",
  );
  for (const status of ["500", "502", "504"]) {
    expect(submit?.responses[status]?.description).toContain("`submission_id` may be repeated");
  }
  const top = description.paths["/v1/leaderboards/{leaderboard}/top"]?.["get"];
  expect(Object.keys(top?.responses ?? {}).map(Number)).toEqual([
    200, 304, 400, 401, 403, 404, 409, 500, 503,
  ]);
});

/** All schemas in a part of the description. */
function schemasIn(part: unknown): Schema[] {
  if (typeof part !== "object" || part === null) return [];
  return [part, ...Object.values(part).flatMap(schemasIn)];
}

interface Schema {
  type?: string;
  format?: string;
  style?: string;
  minimum?: number;
  maximum?: number;
  pattern?: string;
}

test("says what generators of clients need to get each value whole", () => {
  for (const schema of schemasIn(description)) {
    const { type, format, minimum, maximum } = schema;
    const text = JSON.stringify(schema);
    // Without a format Go's takes float32 for a number, and Java's 32 bits for a whole number.
    if (type === "number") expect(format, text).toBe("double");
    if (type === "integer") expect(["int32", "int64"], text).toContain(format);
    if (format === "int32")
      expect(
        [minimum, maximum].every((edge) => edge === (Number(edge) | 0)),
        text,
      ).toBe(true);
    // Java's has no boolean that is always true, and none writes a map in a query alike.
    if (type === "boolean") expect(schema).not.toHaveProperty("const");
    expect(schema).not.toHaveProperty("style");
  }
});

test("has only patterns that each language reads", () => {
  const patterns = schemasIn(description).flatMap(({ pattern }) => (pattern === undefined ? [] : [pattern]));
  expect(patterns.length).toBeGreaterThan(5);
  expect(patterns.filter((pattern) => /\(\?|\\[pPu]/.test(pattern))).toEqual([]);
});

test("forbids what every board refuses: an empty name, id or cursor", () => {
  const { parameters } = description.paths["/v1/leaderboards/{leaderboard}/scores"]?.["get"] ?? {};
  const cursor = parameters?.find(({ name }) => name === "cursor");
  expect(cursor?.schema).toMatchObject({ minLength: 1 });
  const named = schemasIn(description.paths).filter((schema) => "display_name" in schema);
  // A score, a profile, and who makes or joins a group.
  expect(named).toHaveLength(4);
  expect(named.flatMap(schemasIn).filter(({ type }) => type === "string")).toContainEqual(
    expect.objectContaining({ minLength: 1, maxLength: 64 }),
  );
});

test("leaves texts open that may become more: error codes and kinds of events", () => {
  const words = schemasIn(description.components.schemas).flatMap((schema) =>
    "x-extensible-enum" in schema ? [schema as { enum?: string[]; "x-extensible-enum": string[] }] : [],
  );
  expect(words.map((schema) => schema["x-extensible-enum"][0])).toEqual(["season_opened", "unauthenticated"]);
  expect(words.filter((schema) => schema.enum !== undefined)).toEqual([]);
  const closed = schemasIn(description).flatMap((schema) =>
    "enum" in schema ? (schema.enum as string[]) : [],
  );
  expect(closed).not.toContain("unauthenticated");
  expect(closed).not.toContain("season_opened");
});
