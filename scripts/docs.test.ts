/** Compares the tables of README and docs/ with the code, and compiles their TypeScript. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  aroundSchema,
  entrySchema,
  pageSchema,
  playersSchema,
  rankSchema,
  seasonAnswerSchema,
  submissionSchema,
  topSchema,
} from "../functions/src/model/answers.ts";
import { alertCodes } from "../functions/src/jobs/alerts.ts";
import { storedDefinition } from "../functions/src/model/definition.ts";
import { errorCodes, FirerankError } from "../functions/src/model/errors.ts";
import * as limits from "../functions/src/model/limits.ts";
import { cost, functionTime, type Instance, instances } from "../cli/prices.ts";
import { roleFor } from "../functions/src/operations/shared/access.ts";
import { roles } from "../functions/src/model/role.ts";
import * as specs from "../functions/src/operations/specs.ts";
import { toHttpsError } from "../functions/src/transports/callable.ts";
import { parameters } from "../functions/src/model/parameters.ts";
import { statuses } from "../functions/src/transports/refusal.ts";
import { routes } from "../functions/src/transports/rest/routes.ts";
import { dangers } from "../cli/doctor/checks/boards.ts";
import { codeBlocks, readMarkdown, tableNamed, tables } from "../test/support/markdown.ts";
import { compileSamples, pagesWithSamples, questions, samplesOf } from "../test/support/samples.ts";
import { root } from "./project.ts";

const calls = "docs/calls.md";
const textOf = (path: string) => readFileSync(join(root, path), "utf8");

/** The first column of a table, whose cells may have several names. */
const namesIn = (...table: Parameters<typeof tableNamed>) =>
  tableNamed(...table).rows.flatMap(([cell = ""]) => cell.split(", "));

/** The same in any order. */
function expectSame(said: Iterable<unknown>, expected: Iterable<unknown>): void {
  expect([...said].toSorted()).toEqual([...expected].toSorted());
}

describe("samples", () => {
  test("all TypeScript in README and docs compiles, and a sample with a fault does not", () => {
    const code = 'import { getRank } from "firerank-client";\nawait getRank(board, { scores: 900 });';
    const asked = questions().map(({ where, code: line }) => ({
      where,
      code: `import { getAround, getPage, getRank, getThreshold, rankOf, watchTop } from "firerank-client";\n${line};`,
    }));
    const written = (["ts", "tsx"] as const).flatMap((language) =>
      pagesWithSamples.flatMap((page) => samplesOf(page, language)),
    );
    const samples = [...written, ...asked, { where: "here", code }];
    expect(compileSamples(samples)).toEqual([expect.stringContaining("here: ")]);
  });

  test("no page with TypeScript is left out", () => {
    const pages = globSync(["*.md", "docs/*.md", "client/README.md", "examples/*.md", "functions/SKILL.md"], {
      cwd: root,
    });
    const withSamples = pages.filter((page) => samplesOf(page).length > 0);
    expectSame(withSamples, pagesWithSamples);
  });
});

test("npx fetches nothing: anybody could own the name of a package that is not on npm", () => {
  const pages = globSync(
    ["*.md", "{docs,client,functions,examples}/*.md", "{cli,functions/src,web/src}/**/*.{ts,tsx}"],
    { cwd: root, exclude: ["**/node_modules/**"] },
  );
  const fetching = pages.filter((page) => textOf(page).includes("npx firerank"));
  expect(pages.length).toBeGreaterThan(100);
  expect(fetching).toEqual([]);
});

test("the dashboard is deployed to a site of its own, as on the game's its scripts would share the sign-in", () => {
  const page = textOf("docs/dashboard.md");
  // The id of a project's default site is the project's.
  expect(page).toMatch(/hosting:sites:create (\S+) --project (?!\1`)\S+`.*"hosting": \{ "site": "\1"/s);
});

test("where a repeated submission is promised to count once, the limit is said", () => {
  const pages = globSync(["*.md", "{docs,client,functions}/*.md"], { cwd: root });
  const promises = pages.flatMap((page) =>
    textOf(page)
      .split("\n")
      .filter((line) => /\bcounts (?:only )?once|never counts twice/.test(line))
      .filter((line) => /submission_id|\bretry|sent again/.test(line))
      .map((line) => `${page}: ${line}`),
  );
  expect(promises.length).toBeGreaterThan(8);
  const limit = new RegExp(`\\b${limits.submissionIdsMax}\\b`);
  expect(promises.filter((line) => !limit.test(line))).toEqual([]);
});

test("the layout in ARCHITECTURE has each folder of the functions, in the order in which they may import", () => {
  const layout = codeBlocks("ARCHITECTURE.md").find(({ code }) => code.startsWith("functions/"));
  const [ofFunctions = ""] = (layout?.code ?? "").split("\nclient/");
  const named = Array.from(ofFunctions.matchAll(/^ {2}src\/(\w+)\//gm), ([, folder]) => folder);
  const folders = globSync("functions/src/*/", { cwd: root }).map((path) => basename(path));
  expectSame(named, folders);
  const [, rooms = ""] = /^const rooms = (\[.*?\]);/ms.exec(textOf(".dependency-cruiser.js")) ?? [];
  const allowed = Array.from(rooms.matchAll(/"(\w+)"/g), ([, room]) => room);
  expect(named).toEqual(allowed);
});

test("each test lies in a folder that CONTRIBUTING describes, or in one folder below it", () => {
  const described = rowsOf("CONTRIBUTING.md", "folder").flatMap(([folder = ""]) =>
    Array.from(folder.matchAll(/^test\/(\w+)$/g), ([, name]) => name),
  );
  const files = globSync("test/**/*.test.ts", { cwd: root }).map((path) => path.split("/"));
  expectSame(described, new Set(files.map(([, folder]) => folder)));
  const isDeep = (path: string[]) => path.length > 4;
  expect(files.filter(isDeep).map((path) => path.join("/"))).toEqual([]);
});

/** Fields of a request that calls.md describes once for all calls that have them. */
const shared = ["leaderboard", "season", "span", "min_generation"];

type Shape = Record<string, z.ZodType>;
const shapeOf = (schema: unknown): Shape => (schema as { shape: Shape }).shape;

/** Compares a column of defaults with a schema's. */
function expectDefaults(rows: readonly string[][], shape: Shape): void {
  for (const [name = "", said] of rows) {
    const schema = shape[name];
    if (!(schema instanceof z.ZodDefault)) continue;
    const chosen: unknown = schema.def.defaultValue;
    const { items } = z.toJSONSchema(schema) as { items?: { enum?: unknown[] } };
    const isAll = Array.isArray(chosen) && isDeepStrictEqual(chosen, items?.enum);
    expect({ name, default: said }).toEqual({ name, default: isAll ? "all" : String(chosen) });
  }
}

const rowsOf = (...table: Parameters<typeof tableNamed>) => tableNamed(...table).rows;
const lists: Record<string, () => [said: Iterable<unknown>, expected: Iterable<unknown>]> = {
  "fields that calls share": () => [namesIn(calls, "field"), shared],
  "fields of an entry": () => [
    namesIn(calls, "entry", "What all calls share"),
    Object.keys(entrySchema.shape),
  ],
  "fields of an answer to a submission": () => [
    namesIn(calls, "answer", "submitScore"),
    Object.keys(submissionSchema.shape),
  ],
  "fields of a season in it": () => [
    namesIn(calls, "season", "submitScore"),
    Object.keys(seasonAnswerSchema.shape),
  ],
  "errors with their statuses": () => [
    rowsOf(calls, "code").map((row) => row.slice(0, 3)),
    errorCodes.map((code) => {
      const { code: status } = toHttpsError("test", new FirerankError(code, "no"));
      return [code, status, String(statuses[code].http)];
    }),
  ],
  "calls, and who may call them": () => [
    rowsOf(calls, "call").map(([call, who]) => [call, who]),
    Object.entries(specs).map(([call, { name }]) => [call, roleFor(name) ?? "player"]),
  ],
  roles: () => [namesIn(calls, "role"), roles],
  "operations of REST": () => [
    rowsOf("docs/rest.md", "request, after /v1/leaderboards").map(([request]) => request),
    routes.map(({ method, path }) => {
      const short = path
        .replace(/^\/v1\/leaderboards(?=.)/, "")
        .replace("/{leaderboard}/scores/{player}/", "…/scores/{player}/");
      return `${method.toUpperCase()} ${short}`;
    }),
  ],
  "parameters with their defaults": () => [
    rowsOf("docs/install.md", "parameter").map(([name, value]) => [name, value]),
    Object.entries(parameters).map(([name, one]) => [name, one.default]),
  ],
  alerts: () => [namesIn("docs/operating.md", "alert"), alertCodes],
};
test.each(Object.entries(lists))("the %s of the pages are those of the code", (_what, list) => {
  expectSame(...list());
});

describe("docs/calls.md", () => {
  const calledBy = (hasRole: boolean) => {
    return Object.entries(specs).filter(([, { name }]) => (roleFor(name) !== undefined) === hasRole);
  };
  const ofPlayers = calledBy(false);
  // The page of definitions describes the request of `saveLeaderboard`.
  const ofAdmins = calledBy(true).filter(([call]) => call !== "saveLeaderboard");

  test.each([...ofPlayers, ...ofAdmins])("names each field of a request to %s", (call, { name, request }) => {
    const { rows } = tableNamed(calls, "request", call);
    const isOwn = (field: string) => roleFor(name) !== undefined || !shared.includes(field);
    expectSame(
      rows.map(([field]) => field),
      Object.keys(shapeOf(request)).filter(isOwn),
    );
    expectDefaults(rows, shapeOf(request));
  });

  const sharedByAnswers = namesIn(calls, "field of an answer");
  const questionsAsked: [call: string, schema: z.ZodObject][] = [
    ["getRank", rankSchema],
    ["getTop", topSchema],
    ["getAround", aroundSchema],
    ["getPage", pageSchema],
    ["getPlayers", playersSchema],
  ];
  test.each(questionsAsked)(
    "names each field of an answer of %s, once for all or under it",
    (call, { shape }) => {
      const table = tables(calls).find(({ head, heading }) => head[0] === "answer" && heading === call);
      const own = table?.rows.map(([field = ""]) => field) ?? [];
      expectSame(new Set([...own, ...sharedByAnswers.filter((field) => field in shape)]), Object.keys(shape));
    },
  );

  const everywhere = ["invalid_request", "unauthenticated", "contention"];
  const bySpec = ofPlayers.map(([call]) => call);
  test.each(bySpec)("names the errors of %s that REST describes", (call) => {
    const text = readMarkdown(calls).find(
      (part) => part.kind === "paragraph" && part.heading === call && part.text.startsWith("Errors: "),
    );
    const said = text?.kind === "paragraph" ? (text.text.match(/[a-z]+(_[a-z]+)+/g) ?? []) : [];
    const refusals = routes
      .filter(({ name }) => name === call || (call === "getRank" && name === "getRankOfScore"))
      .flatMap(({ refusals: codes }) => codes)
      // Only REST lets a player name another.
      .filter((code) => !everywhere.includes(code) && code !== "not_allowed");
    expectSame(said, new Set(refusals));
  });
});

describe("docs/rest.md", () => {
  test("has each error beside its status", () => {
    const rows = tableNamed("docs/rest.md", "status").rows;
    for (const code of errorCodes) {
      if (code === "definition_frozen") continue;
      const row = rows.find(([status]) => status === String(statuses[code].http));
      expect(row?.[1], code).toContain(code);
    }
  });
});

describe("docs/definition.md", () => {
  const rows = tables("docs/definition.md").flatMap(({ head, rows: all }) =>
    all.flatMap(([names = "", second = ""]) =>
      names.split(", ").map((name) => ({ name, said: head[1] === "default" ? second : undefined })),
    ),
  );
  const { tiers: _, ...described } = storedDefinition.shape;

  test("has each field once; tiers have a section", () => {
    expectSame(
      rows.map(({ name }) => name),
      Object.keys(described),
    );
    expect(textOf("docs/definition.md")).toContain("`tiers` is");
  });

  test("has each default", () => {
    const withDefault = rows.filter(({ said }) => said !== undefined);
    expectDefaults(
      withDefault.map(({ name, said = "" }) => [name, said]),
      storedDefinition.shape,
    );
  });
});

const sizes: [what: string, ...numbers: number[]][] = [
  ["a board's id", limits.idCharactersMax],
  ["a player's id", limits.playerIdCharactersMax],
  ["a display_name", limits.displayNameCharactersMax],
  ["metadata", limits.metadataBytesMax / 1_024, limits.metadataDepthMax],
  ["a submission_id", limits.submissionIdCharactersMax, limits.submissionIdsMax],
  ["one player's setProfile", limits.profileSecondsBetween],
  ["a call of submitScores", limits.submissionsPerCallMax, limits.submissionsPerPlayerMax],
  ["the top", limits.topSizeMax, limits.topBytesMax / 1_024],
  ["a page of getPage", limits.pageLimitMax],
  ["neighbours in getAround", limits.aroundMax],
  ["players in getPlayers", limits.friendsMax],
  ["tiers of a board", limits.tiersMax],
  ["segments of a board", limits.segmentsMax, limits.segmentValuesMax, limits.valuesRankedMax],
  ["a segment's value", limits.segmentValueCharactersMax],
  ["the body of a REST request", limits.restBodyBytesMax / 1_024],
];
test("docs/costs.md has what a million calls of each function cost", () => {
  const { usual, trigger } = instances;
  const million = (instance: Instance, seconds = 0.1) =>
    cost(functionTime(1e6, seconds, instance), "us-central1");
  const expected = [usual, usual, trigger, usual].map((instance) => million(instance));
  const said = tableNamed("docs/costs.md", "function").rows.map(([, , , price = ""]) =>
    Number(/\$([\d.]+)/.exec(price)?.[1]),
  );
  for (const [i, dollars] of [...expected, million(usual, 1), million(usual, 2), million(usual)].entries())
    expect(said[i]).toBeCloseTo(dollars, 1);
  expect(said).toHaveLength(7);
});

describe("docs/request-costs.md", () => {
  const named = namesIn("docs/request-costs.md", "request");

  test("has a row for each call, and the calls for admins are in docs/costs.md", () => {
    const rowsOfAdmins = namesIn("docs/costs.md", "what", "Calls for admins");
    const missing = Object.entries(specs).filter(([call, { name }]) => {
      const rows = roleFor(name) !== undefined ? rowsOfAdmins : named;
      return !rows.some((row) => new RegExp(`^${call}\\b`).test(row));
    });
    expect(missing.map(([call]) => call)).toEqual([]);
  });

  test("has a row for each route of REST", () => {
    const rowOf: Record<string, string> = {
      getRankOfScore: "getRank of a score",
      listLeaderboards: "boards listed over REST",
    };
    const missing = routes.filter(({ name }) => !named.some((row) => row.startsWith(rowOf[name] ?? name)));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

test.each(sizes)("docs/limits.md has the size of %s", (what, ...numbers) => {
  const row = tableNamed("docs/limits.md", "what").rows.find(([name]) => name === what);
  const said = (row?.[1] ?? "").match(/\d[\d,]*/g) ?? [];
  for (const number of numbers) expect(said).toContain(number.toLocaleString("en"));
});

test("limits that pages name in their text are those of the code", () => {
  const many = (number: number) => number.toLocaleString("en");
  const pages: Record<string, string[]> = {
    "README.md": [
      `Up to ${many(limits.rowsMax)} different scores`,
      `up to ${limits.columnsMax} whole-number columns`,
    ],
    "docs/limits.md": [
      `Up to ${many(limits.rowsMax)} different scores`,
      `at most ${many(limits.skippedMax)} players with the same score`,
      `${limits.nobodySkippedMax} for callers`,
    ],
    "docs/segments.md": [
      `has at most ${limits.segmentsMax}.`,
      `1 to ${limits.segmentValuesMax} values`,
      `1 to ${limits.segmentValueCharactersMax} letters`,
      `At most ${many(limits.valuesRankedMax)} values`,
      `At most ${many(limits.segmentRowsMax)} rows`,
      `at most ${many(limits.segmentRowCountedMax)} players`,
    ],
    "docs/definition.md": [`at most ${limits.columnsMax} columns`, `up to ${limits.topWideningMax} times`],
    "docs/costs.md": [
      `up to ${limits.rowsPerPageMax} different scores`,
      `more than ${many(limits.shardsPerPublicationMax)} shards`,
      `${limits.dozeMs / 60_000} minutes later`,
    ],
    "docs/operating.md": [
      `for ${limits.runKeepDays} days`,
      `up to ${many(limits.repairInlinePlayersMax)} players`,
    ],
  };
  for (const [path, said] of Object.entries(pages)) {
    for (const phrase of said) expect(textOf(path), path).toContain(phrase);
  }
});

test("docs/doctor.md has each finding, with its gravity, and what it means", () => {
  const source = globSync("cli/doctor/checks/*.ts", { cwd: root }).map(textOf).join("\n");
  const made = source.matchAll(/\b(fault|danger|note)(?:\(|,)\s*"([a-z-]+)"/g);
  const said = new Map(Array.from(made, ([, gravity, id]) => [id, gravity]));
  for (const code of alertCodes)
    said.set(code.replaceAll("_", "-"), dangers.includes(code) ? "danger" : "fault");
  const { rows } = tableNamed("docs/doctor.md", "finding");
  expectSame(
    rows.map(([id, gravity]) => [id, gravity]),
    said,
  );
  for (const [id, , meaning] of rows) expect(meaning, id).not.toBe("");
});

describe("docs/operating.md", () => {
  test("has only log messages that there are", () => {
    const source = globSync("functions/src/**/*.ts", { cwd: root }).map(textOf).join("\n");
    for (const [message = ""] of tableNamed("docs/operating.md", "log message").rows)
      for (const part of message.split("…")) expect(source).toContain(part.trim());
  });
});
