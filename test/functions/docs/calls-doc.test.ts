/**
 * The examples of docs/calls.md, docs/rest.md and docs/levels.md: each is sent, in the order of the page, and must be answered as the
 * page says.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { FirerankError } from "../../../functions/src/model/errors.ts";
import * as specs from "../../../functions/src/operations/specs.ts";
import { routes } from "../../../functions/src/transports/rest/routes.ts";
import { createRestWorld, type RestWorld } from "../../support/rest-world.ts";
import {
  type Operation,
  admin,
  allTime,
  createBoard,
  createWorld,
  user,
  type World,
} from "../../support/world.ts";
import { codeBlocks, type CodeBlock } from "../../support/markdown.ts";

const setupSchema = z.strictObject({
  leaderboard: z.string(),
  definition: z.record(z.string(), z.unknown()),
  scores: z.record(z.string(), z.number()),
});

/** The board that docs/calls.md says its examples share. */
function setup() {
  const block = codeBlocks("docs/calls.md").find(({ words }) => words[0] === "setup");
  return setupSchema.parse(JSON.parse(block?.code ?? "null"));
}

async function begin(world: World): Promise<void> {
  answeredFor.clear();
  const { leaderboard, definition, scores } = setup();
  await createBoard(world, leaderboard, definition);
  for (const [player, score] of Object.entries(scores)) {
    await world.call("submitScore", { leaderboard, score }, user(player));
    world.advance(60_000);
  }
  await publish(world);
}

/** What happens automatically between two requests: triggers, the next ranking, and pages in memory expire. */
async function publish(world: World): Promise<void> {
  const { leaderboard } = setup();
  await world.deliverAll(allTime(leaderboard));
  world.advance(5 * 60_000);
  await world.call("runRanking", { leaderboard, include_open_slot: true }, admin);
  world.advance(5 * 60_000);
}

interface Example {
  /** What the page calls it: heading and line. */
  name: string;
  heading: string;
  caller: string;
  request: string;
  answer: CodeBlock;
}

/** Each block `request WHO` with the block after it, which is its answer. */
function examplesOf(path: string): Example[] {
  const blocks = codeBlocks(path);
  return blocks.flatMap(({ where, heading, words: [word, caller = ""], code }, i) => {
    if (word !== "request") return [];
    const answer = blocks[i + 1];
    if (answer === undefined || !["answer", "error"].includes(answer.words[0] ?? ""))
      throw new Error(`the request at ${where} is not followed by its answer`);
    return [{ name: `${heading}, ${where}`, heading, caller, request: code, answer }];
  });
}

/**
 * Ids and codes of groups, which no page can predict: what the page says, with what was answered where the page says it first.
 */
const answeredFor = new Map<string, string>();

/** A request or an answer of the page, with the ids and codes that were answered before. */
function withAnswered(text: string): string {
  return [...answeredFor].reduce((said, [here, answered]) => said.replaceAll(here, answered), text);
}

type WithGroup = Partial<Record<"group" | "code", unknown>>;

function learn(said: WithGroup, answered: WithGroup): void {
  for (const name of ["group", "code"] as const) {
    const [here, sent] = [said[name], answered[name]];
    if (typeof here !== "string" || typeof sent !== "string") continue;
    if (![...answeredFor.values()].includes(here)) answeredFor.set(here, sent);
  }
}

/** The same with times and cursors replaced by words, as no page can predict them. */
function comparable(value: unknown, name = ""): unknown {
  if (typeof value === "string" && name === "next_cursor") return "a cursor";
  if (typeof value === "string" && z.iso.datetime().safeParse(value).success) return "a time";
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, comparable(inner, key)]));
}

/** Compares an answer with the page's: the whole answer, or with the word `part` only the shown part. */
function expectAnswer(sent: unknown, { code, words }: CodeBlock): void {
  learn(JSON.parse(withAnswered(code)) as WithGroup, sent as WithGroup);
  const said = comparable(JSON.parse(withAnswered(code)));
  // As it is sent: without undefined fields.
  const answered = comparable(JSON.parse(JSON.stringify(sent)));
  if (words.includes("part")) expect(answered).toMatchObject(said as object);
  else expect(answered).toEqual(said);
}

describe("docs/calls.md", () => {
  const examples = examplesOf("docs/calls.md");
  let world: World;
  beforeAll(async () => {
    world = createWorld();
    await begin(world);
  });

  test("there is an example of each call", () => {
    expect([...new Set(examples.map(({ heading }) => heading))].toSorted()).toEqual(
      Object.keys(specs).toSorted(),
    );
  });

  test.each(examples)("$name is answered as it says", async ({ heading, caller, request, answer }) => {
    // The example of runRanking publishes what the one before it changed.
    if (heading !== "runRanking") await publish(world);
    const by = caller === "admin" ? admin : user(caller);
    const call = world.call(heading as Operation, JSON.parse(withAnswered(request)) as never, by);
    if (answer.words[0] === "answer") expectAnswer(await call, answer);
    else {
      const error: unknown = await call.catch((refusal: unknown) => refusal);
      if (!(error instanceof FirerankError)) throw new Error("it was not refused", { cause: error });
      expectAnswer({ code: error.code, ...error.details }, answer);
    }
  });
});

describe("docs/rest.md", () => {
  const examples = examplesOf("docs/rest.md");
  let world: RestWorld;
  beforeAll(async () => {
    world = createRestWorld();
    await begin(world);
  });

  test("there is an example of each operation", () => {
    const sent = examples.map(({ request }) => {
      const { method, path } = readCurl(request);
      const pathname = path.split("?")[0] ?? "";
      return routes.find(
        (operation) =>
          operation.method === method.toLowerCase() &&
          new RegExp(`^${operation.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(pathname),
      )?.name;
    });
    expect([...new Set(sent)].toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  });

  test.each(examples)("$name is answered as it says", async (example) => {
    await publish(world);
    await sendCurl(world, example);
  });
});

describe("docs/levels.md", () => {
  const examples = examplesOf("docs/levels.md");
  const ofLevel = allTime("level:dungeon-7");
  let world: RestWorld;
  beforeAll(async () => {
    world = createRestWorld();
    await createBoard(world, "level", { order: "ascending", template: { ids: { collection: "levels" } } });
    await world.db.doc("levels/dungeon-7").set({ name: "The dungeon" });
  });

  test("there are examples", () => {
    expect(examples.length).toBeGreaterThan(2);
  });

  test.each(examples)("$name is answered as it says", async (example) => {
    await sendCurl(world, example);
    await world.publish(ofLevel);
    world.advance(5 * 60_000);
  });
});

/** Sends a request as the page says it, and compares the answer with the page's. */
async function sendCurl(world: RestWorld, { caller, request, answer }: Example): Promise<void> {
  const { method, path, headers, body } = readCurl(withAnswered(request));
  const token = caller === "admin" ? "$ADMIN_TOKEN" : "$ID_TOKEN";
  expect(headers["Authorization"]).toBe(`Bearer ${token}`);
  const response = await world.send(method, path, {
    as: caller,
    ...(body === undefined ? {} : { body }),
  });
  expect(response.status).toBe(Number(answer.words[1]));
  expectAnswer(await response.json(), answer);
}

interface CurlRequest {
  method: "GET" | "POST";
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  /** JSON as text. */
  body: string | undefined;
}

/** A command of the pages: `curl "$API/…" -H "…" --json '…'`, and nothing else. */
function readCurl(command: string): CurlRequest {
  const [, path, options = ""] = /^curl "\$API(\/[^"]*)"(.*)$/.exec(command.replaceAll("\\\n", "")) ?? [];
  if (path === undefined) throw new Error(`no such command is expected: ${command}`);
  const headers: Record<string, string> = {};
  let body: string | undefined;
  const rest = options.replace(/\s+-H "([\w-]+): ([^"]+)"|\s+--json '([^']+)'/g, (_, name, value, json) => {
    if (json === undefined) headers[name as string] = value as string;
    else body = json as string;
    return "";
  });
  if (rest.trim() !== "") throw new Error(`"${rest}" is not expected in: ${command}`);
  return { method: body === undefined ? "GET" : "POST", path, headers, body };
}
