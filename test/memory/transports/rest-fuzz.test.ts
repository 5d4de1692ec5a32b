/**
 * Generated requests to the REST interface, made from its own description. Each answer is one that is described, with
 * its headers and body; none has status 500; what the description forbids is refused, and what it allows is not, but for
 * reasons that no schema can say.
 */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { errorSchema } from "../../../functions/src/transports/rest/errors.ts";
import { routes } from "../../../functions/src/transports/rest/routes.ts";
import { type JsonSchema, recordOf, valueOf, wrongTextOf, wrongValueOf } from "../../support/json-schema.ts";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import { admin, createBoard, user } from "../../support/world.ts";

interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: object };
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: "path" | "query"; required?: boolean; schema: JsonSchema }[];
  requestBody?: { content: { "application/json": { schema: JsonSchema & { required?: string[] } } } };
  responses: Record<
    string,
    { headers?: Record<string, unknown>; content: { "application/json": { schema: object } } }
  >;
}

interface Request {
  as: string | undefined;
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  body: Record<string, unknown> | undefined;
}

const players = ["ann", "bob", "cyd", "dan ü", "e,f&g=h"];
const columns = [
  { name: "points", min: 0, max: 99 },
  { name: "goals", min: -50, max: 50, order: "ascending" as const },
];
const boards = {
  open: {
    visibility: "public" as const,
    tiers: [{ name: "gold", top_percent: 10 }],
    max_score: 1e9,
    movement: true,
    private_groups: true,
    segments: [
      { name: "country", from: "submission" as const, values: ["AT", "DE"] },
      { name: "guild", from: "server" as const, teams: { by: "sum" as const } },
    ],
  },
  weekly: {
    visibility: "public" as const,
    spans: ["all_time" as const, "weekly" as const],
    league: { span: "weekly" as const, size: 5, tiers: [{ id: "bronze", name: "Bronze" }] },
  },
  cup: { visibility: "public" as const, columns },
  sum: { aggregation: "sum" as const, order: "ascending" as const, max_change: 1_000, ties: "last" as const },
  served: { submit: "server" as const, min_seconds_between: 1 },
  empty: { max_attempts: 3, top_size: 2 },
};

/** Names that exist: generated ones never would. */
const known: Record<string, fc.Arbitrary<unknown>> = {
  leaderboard: fc.constantFrom(...Object.keys(boards)),
  player: fc.constantFrom(...players, "nobody"),
  players: fc.uniqueArray(fc.constantFrom(...players, "nobody"), { minLength: 1 }),
  season: fc.constant("all_time"),
  span: fc.constant("all_time"),
  segment: fc.constantFrom("country:AT", "country:mine", "guild:red"),
  "segment's name": fc.constantFrom("country", "guild"),
  segments: fc.uniqueArray(fc.constantFrom("country", "guild")),
  columns: fc
    .tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: -50, max: 50 }))
    .map(([points, goals]) => [`points:${points}`, `goals:${goals}`]),
};
/** The same of a body, which has maps. */
const said: typeof known = {
  columns: fc.record({ points: fc.integer({ min: 0, max: 99 }), goals: fc.integer({ min: -50, max: 50 }) }),
  segments: fc.record(
    { country: fc.constantFrom("AT", "DE"), guild: fc.constant("red") },
    { requiredKeys: [] },
  ),
};
const anyOf = (schema: JsonSchema, name: string) => {
  const meant = name === "segment" && schema.pattern === undefined ? "segment's name" : name;
  const arbitrary = (schema.type === "object" ? said[name] : undefined) ?? known[meant];
  return arbitrary === undefined
    ? valueOf(schema)
    : fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: valueOf(schema) });
};

let world: RestWorld;
let described: Map<string, Operation>;
let components: object;

beforeAll(async () => {
  world = createRestWorld();
  for (const [leaderboard, definition] of Object.entries(boards)) {
    const key = await createBoard(world, leaderboard, definition);
    if (leaderboard === "empty") continue;
    const submissions = players.map((player, i) => ({
      player,
      ...(leaderboard === "cup" ? { columns: { points: i % 3, goals: i } } : { score: 10 * (i % 3) }),
      display_name: player,
      ...(leaderboard === "open" && { segments: { country: i % 2 === 0 ? "AT" : "DE", guild: "red" } }),
      metadata: { team: "x", tags: ["a", { b: null }] },
    }));
    await world.call("submitScores", { leaderboard, submissions }, admin);
    await world.publish(key);
  }
  await makeGroups();
  const { paths, components: named } = (await (await world.get("/openapi.json")).json()) as Description;
  components = named.schemas;
  described = new Map(
    Object.values(paths).flatMap((path) => Object.values(path).map((one) => [one.operationId, one])),
  );
});

/** Groups that generated requests find, rename and delete: ten of ann's own, with all players in each. */
async function makeGroups(): Promise<void> {
  const made: { group: string; code: string }[] = [];
  for (let n = 0; n < 10; n++)
    made.push(await world.call("createGroup", { leaderboard: "open", name: `group ${n}` }, user("ann")));
  for (const { code } of made)
    for (const player of players) await world.call("joinGroup", { leaderboard: "open", code, player }, admin);
  known["group"] = fc.constantFrom(...made.map(({ group }) => group));
  known["code"] = fc.constantFrom(...made.map(({ code }) => code));
}

type Route = (typeof routes)[number];

const operationOf = ({ name }: Route) => described.get(name) ?? expect.fail(`${name} is not described`);

function parametersOf({ parameters = [] }: Operation, place: "path" | "query") {
  const schemas = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema }) => [name, schema]);
  return Object.fromEntries(schemas) as Record<string, JsonSchema>;
}

/** Any request that the description allows; a submission has a score or columns. */
function requestTo(operation: Operation): fc.Arbitrary<Request> {
  const inPath = Object.entries(parametersOf(operation, "path"));
  const schema = operation.requestBody?.content["application/json"].schema;
  const bodyOf = ({ score, columns: map, ...shared }: Record<string, JsonSchema>) => {
    const others = withNeeded(shared, (name) => schema?.required?.includes(name) === true);
    if (score === undefined || map === undefined) return others;
    const value = fc.oneof(
      fc.record({ score: anyOf(score, "score") }),
      fc.record({ columns: anyOf(map, "columns") }),
    );
    return fc.tuple(others, value).map((parts) => Object.assign({}, ...parts) as Record<string, unknown>);
  };
  return fc.record({
    as: fc.constantFrom(undefined, "ann", "admin"),
    path: fc.record(
      Object.fromEntries(
        // A URL leaves these two out.
        inPath.map(([name, one]) => [
          name,
          anyOf(one, name).filter((value) => !/^\.\.?$/.test(String(value))),
        ]),
      ),
    ),
    query: queryTo(operation),
    body: schema === undefined ? fc.constant(undefined) : bodyOf(schema.properties ?? {}),
  });
}

function queryTo(operation: Operation): fc.Arbitrary<Record<string, unknown>> {
  return withNeeded(
    parametersOf(operation, "query"),
    (name) => operation.parameters?.some((one) => one.name === name && one.required === true) === true,
  );
}

/** The fields that are required, and a few others. */
function withNeeded(
  fields: Record<string, JsonSchema>,
  isRequired: (name: string) => boolean,
): fc.Arbitrary<Record<string, unknown>> {
  const all = Object.entries(fields);
  const needed = all.filter(([name]) => isRequired(name));
  return fc
    .tuple(
      fc.record(Object.fromEntries(needed.map(([name, schema]) => [name, anyOf(schema, name)]))),
      recordOf(Object.fromEntries(all.filter(([name]) => !isRequired(name))), anyOf),
    )
    .map(([needs, more]) => ({ ...needs, ...more }));
}

/** Such a request, with one thing that the description forbids, and its name. */
function wrongRequestTo(operation: Operation): fc.Arbitrary<Request & { name: string }> {
  const places = fc.constantFrom(...placesOf(operation));
  return fc
    .tuple(requestTo(operation), places)
    .chain(([request, { place, name, wrong }]) =>
      wrong.map((value) => ({ ...request, name, [place]: { ...request[place], [name]: value } })),
    );
}

/** Why a request is refused that the description allows: for what no schema says of one value alone. */
const beyondSchemas: readonly RegExp[] = [
  // What the board has, or has not.
  /^this leaderboard /,
  /has no (league|teams|private groups)/,
  /has \d+ groups of this player/,
  // A code is cleaned of spaces and hyphens first.
  /^must be 13 letters and digits/,
  /^is (past|too far away|no member of this group|the only member|the name of a group that you own)/,
  /^is (one of a span|for a group of a span)/,
  /a league has weeks$/,
  /^is not a (segment|column) of this leaderboard/,
  /is not a (segment|value of this segment)/,
  /^comes from the /,
  /the board's top_size$/,
  /more than max_change/,
  /belongs to a span of the board/,
  /^must be one of "/,
  /^must not be better than best: /,
  /it is a value of "/,
  // Fields together.
  /, not both$/,
  /^give one of /,
  /^is missing/,
  /leave out segment$/,
  /^is for players/,
  /^must name (an|its) /,
  // What a description says in words.
  /^is damaged; take next_cursor/,
  /^must have a visible character$/,
  /which Firestore (reserves|cannot store)$/,
  /^is \d+ bytes as JSON/,
  /^must be at most \d+ levels deep$/,
  /^must not have ".*" twice$/,
  /^must hold whole numbers up to 2\^53 - 1 in size only;/,
  /^must not be "\." or "\.\."$/,
];

interface Place {
  place: "path" | "query" | "body";
  name: string;
  wrong: fc.Arbitrary<unknown>;
}

function placesOf(operation: Operation): Place[] {
  const { properties } = operation.requestBody?.content["application/json"].schema ?? {};
  // An empty part of a path is another path, and so are these.
  const inPath = Object.entries(parametersOf(operation, "path")).map(([name, schema]) => ({
    place: "path" as const,
    name,
    wrong: wrongTextOf({ ...schema, minLength: 0 })?.filter((text) => !/^\.{0,2}$/.test(text)),
  }));
  const inQuery = Object.entries(parametersOf(operation, "query")).map(([name, schema]) => ({
    place: "query" as const,
    name,
    wrong: wrongTextOf(schema),
  }));
  const values = Object.entries(properties ?? {}).map(([name, schema]) => ({
    place: "body" as const,
    name,
    wrong: wrongValueOf(schema).filter((value) => !isNothing(name, schema, value)),
  }));
  const unknown = {
    place: properties === undefined ? ("query" as const) : ("body" as const),
    name: "unknown",
  };
  return [
    { ...unknown, wrong: fc.constant("1") },
    ...values,
    ...[...inPath, ...inQuery].flatMap(({ wrong, ...at }) => (wrong === undefined ? [] : [{ ...at, wrong }])),
  ];
}

/** What is taken as if the field were left out, or empty, and described so in words alone. */
function isNothing(name: string, schema: JsonSchema, value: unknown): boolean {
  if (value === null) return name !== "player";
  const mayBeObject = [schema, ...(schema.anyOf ?? [])].some(({ type }) => [type].flat().includes("object"));
  return mayBeObject && Array.isArray(value) && value.length === 0;
}

async function send(route: Route, { as, path, query, body }: Request): Promise<Response> {
  const address = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  );
  const more = { ...(as === undefined ? {} : { as }), ...(body === undefined ? {} : { body }) };
  return world.send(route.method.toUpperCase(), `${address}?${search.toString()}`, more);
}

/** A schema of the description with what it refers to. */
function resolved(schema: object): z.core.JSONSchema.JSONSchema {
  const text = JSON.stringify({ ...schema, $defs: components });
  return JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")) as z.core.JSONSchema.JSONSchema;
}

/** Checks an answer against the description. @returns the answer */
async function check(route: Route, response: Response): Promise<object> {
  const { status, headers } = response;
  const answered = (await response.json()) as object;
  expect(status, JSON.stringify(answered)).not.toBe(500);
  const about =
    operationOf(route).responses[String(status)] ?? expect.fail(`status ${status} is not described`);
  const lacking = Object.keys(about.headers ?? {}).filter((name) => !headers.has(name));
  expect(lacking.filter((name) => name !== "Retry-After")).toEqual([]);
  expect(headers.get("content-type")).toMatch(/^application\/json/);
  expect((status === 200 ? route.answer : errorSchema).parse(answered)).toEqual(answered);
  const described = about.content["application/json"].schema;
  const problems = z.fromJSONSchema(resolved(described)).safeParse(answered).error?.issues;
  expect(problems, JSON.stringify(answered)).toBeUndefined();
  return answered;
}

test("what is generated for a field of a request is what its schema describes", () => {
  for (const { operationId, parameters = [], requestBody } of described.values()) {
    const inBody = requestBody?.content["application/json"].schema.properties ?? {};
    const schemas = [...parameters.map(({ schema }) => schema), ...Object.values(inBody)];
    for (const schema of schemas) {
      const right = z.fromJSONSchema(resolved(schema));
      fc.assert(
        fc.property(valueOf(schema), (value) => {
          const problems = right.safeParse(value).error?.issues;
          expect(problems, `${operationId}: ${JSON.stringify(value)}`).toBeUndefined();
        }),
      );
    }
  }
});

test.each(routes)("$name answers generated requests as it says, and accepts some", async (route) => {
  let accepted = 0;
  const answers = fc.asyncProperty(requestTo(operationOf(route)), async (request) => {
    const response = await send(route, request);
    if (response.status === 200) accepted += 1;
    const answered = await check(route, response);
    const { error } = (response.status === 400 ? answered : {}) as Partial<z.infer<typeof errorSchema>>;
    if (error?.code !== "invalid_request") return;
    const messages = (error.details.fields ?? []).map(({ message }) => message);
    const others = messages.filter((message) => !beyondSchemas.some((reason) => reason.test(message)));
    expect(others, JSON.stringify(request)).toEqual([]);
  });
  // Some operations take few generated requests: one board has a league, and a player makes few groups in a minute.
  const { seed = 0 } = fc.readConfigureGlobal();
  for (let round = 0; round < 20 && accepted === 0; round++) {
    world.advance(60_000);
    await fc.assert(answers, { seed: seed + round });
  }
  expect(accepted).toBeGreaterThan(0);
});

test.each(routes)("$name refuses what its description forbids, by its name", async (route) => {
  let named = 0;
  await fc.assert(
    fc.asyncProperty(wrongRequestTo(operationOf(route)), async ({ name, ...request }) => {
      const response = await send(route, request);
      expect(response.status).toBeGreaterThanOrEqual(400);
      const { error } = errorSchema.parse(await check(route, response));
      if (error.code !== "invalid_request") return;
      named += 1;
      const paths = (error.details.fields ?? []).map(({ path }) => path.split(".")[0]);
      expect(paths, JSON.stringify(request)).toContain(name);
    }),
  );
  expect(named).toBeGreaterThan(20);
});
