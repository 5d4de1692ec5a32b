import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "jsonc-parser";
import { type BoardKind, enterpriseIndexes } from "./enterprise-indexes.ts";
import { editionOf, wantedIndexes } from "./edition.ts";
import { configIn, mergeFirebaseJson } from "./merge-firebase-json.ts";
import { mergeIndexes as mergeWanted } from "./merge-indexes.ts";

const ours = readFileSync(join(import.meta.dirname, "..", "..", "firestore.indexes.json"), "utf8");
const mergeIndexes = (theirs: string | undefined) => mergeWanted(theirs, wantedIndexes("standard"));
type Indexes = Record<"indexes" | "fieldOverrides", Record<string, unknown>[]>;
const wanted = JSON.parse(ours) as Indexes;
const shape = (text: string) => parse(text.replace("\uFEFF", "")) as Indexes;

/** An index of theirs. */
const own = {
  collectionGroup: "photos",
  queryScope: "COLLECTION",
  fields: [{ fieldPath: "at", order: "ASCENDING" }],
};

describe("indexes", () => {
  test.each([[undefined], [""], ["\n"]])("where there are none, as %j, ours are all", (theirs) => {
    expect(mergeIndexes(theirs).text).toBe(ours);
  });

  test.each([
    ["an empty file", "{}"],
    ["an index", JSON.stringify({ indexes: [own] }, null, 2)],
    ["tabs", JSON.stringify({ indexes: [own], fieldOverrides: [] }, null, "\t")],
    ["Windows' line ends", JSON.stringify({ indexes: [own] }, null, 2).replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${JSON.stringify({ indexes: [own] })}`],
    [
      "comments and commas",
      `{\n  // mine\n  "indexes": [\n    ${JSON.stringify(own)}, // this too\n  ],\n}\n`,
    ],
  ])("%s stays, and gets what is missing once", (_what, theirs) => {
    const { text } = mergeIndexes(theirs);
    const before = (shape(theirs) as Partial<Indexes>).indexes ?? [];
    expect(shape(text).indexes).toEqual([...before, ...wanted.indexes]);
    expect(shape(text).fieldOverrides).toEqual(wanted.fieldOverrides);
    expect(mergeIndexes(text).text).toBe(text);
    expect(text.startsWith("\uFEFF")).toBe(theirs.startsWith("\uFEFF"));
    if (theirs.includes("\r\n")) expect(text.replaceAll("\r\n", "")).not.toContain("\n");
    if (theirs.includes("\t")) expect(text).toContain('\n\t\t{\n\t\t\t"collectionGroup"');
    if (theirs.includes("//")) expect(text).toContain("// mine");
  });

  test("in another order, and as `firebase firestore:indexes` writes them, they are the same", () => {
    const indexes = wanted.indexes.toReversed().map(({ collectionGroup, queryScope, fields }) => {
      const last = { fieldPath: "__name__", order: (fields as { order: string }[]).at(-1)?.order };
      return { density: "SPARSE_ALL", queryScope, fields: [...(fields as object[]), last], collectionGroup };
    });
    const theirs = JSON.stringify({ fieldOverrides: wanted.fieldOverrides.toReversed(), indexes });
    expect(mergeIndexes(theirs).text).toBe(theirs);
  });

  test("an exemption of theirs for the same field keeps its indexes, and gets what ours needs", () => {
    const ascending = { order: "ASCENDING", queryScope: "COLLECTION" };
    const theirs = {
      fieldOverrides: [
        { collectionGroup: "players", fieldPath: "achieved_at", indexes: [ascending] },
        { collectionGroup: "seasons", fieldPath: "parked", indexes: [ascending] },
        { collectionGroup: "runs", fieldPath: "run_record_expires_at", indexes: [] },
      ],
    };
    const { text, kept } = mergeIndexes(JSON.stringify(theirs));
    const merged = shape(text).fieldOverrides;
    expect(kept).toEqual(["players.achieved_at"]);
    expect(merged[0]).toEqual(theirs.fieldOverrides[0]);
    expect(merged[1]?.["indexes"]).toHaveLength(4);
    expect(merged[2]?.["ttl"]).toBe(true);
    expect(merged).toHaveLength(wanted.fieldOverrides.length);
    expect(mergeIndexes(text).text).toBe(text);
  });

  test.each([
    ["[]", "no JSON object"],
    ["{", "no JSON: CloseBraceExpected in line 1"],
    ['{"indexes": {}}', "indexes"],
    ['{"indexes": [{"fields": []}]}', "indexes.0.collectionGroup"],
  ])("%s is refused", (theirs, message) => {
    expect(() => mergeIndexes(theirs)).toThrow(message);
  });
});

describe("firebase.json", () => {
  const merge = (theirs: string | undefined, databaseId?: string) =>
    mergeFirebaseJson(theirs, { source: "firerank", databaseId });
  const added = (id: string) => ({
    database: id,
    rules: `firestore.${id}.rules`,
    indexes: `firestore.${id}.indexes.json`,
  });
  const value = (text: string) => parse(text.replace("\uFEFF", "")) as Record<string, unknown>;
  const predeploy = ['npm --prefix "$RESOURCE_DIR" ci --no-workspaces --no-audit --no-fund'];
  const ours = { source: "firerank", codebase: "firerank" };
  const entry = expect.objectContaining({ ...ours, predeploy }) as unknown;

  test.each([
    ["none", undefined, []],
    ["an object with a source", '{"functions": {"source": "functions"}}', [{ source: "functions" }]],
    ["an array", '{"functions": [{"source": "a", "codebase": "a"}]}', [{ source: "a", codebase: "a" }]],
    ["a byte order mark", '\uFEFF{"functions": []}', []],
    ["tabs", '{\n\t"functions": {\n\t\t"source": "x"\n\t}\n}', [{ source: "x" }]],
    ["Windows' line ends", '{\r\n  "hosting": {}\r\n}\r\n', []],
    ["comments", '{\n  // mine\n  "hosting": {}\n}\n', []],
  ])("%s gets Firerank's codebase once, beside what is there", (_what, theirs, before) => {
    const merged = merge(theirs);
    expect(value(merged.text)["functions"]).toEqual([...before, entry]);
    expect(merge(merged.text).text).toBe(merged.text);
    expect(configIn(merged.text).own?.source).toBe("firerank");
    if (theirs?.includes("\r\n")) expect(merged.text.replaceAll("\r\n", "")).not.toContain("\n");
    if (theirs?.includes("//")) expect(merged.text).toContain("// mine");
    if (theirs?.includes("hosting")) expect(value(merged.text)["hosting"]).toEqual({});
  });

  test.each([
    [ours, entry],
    [[ours], [entry]],
    [
      { ...ours, predeploy: [] },
      { ...ours, predeploy: [] },
    ],
  ])("a codebase that an older init has added installs itself too, as %j", (functions, expected) => {
    expect(value(merge(JSON.stringify({ functions })).text)["functions"]).toEqual(expected);
  });

  test("a new codebase gets the prefix, and one that is there keeps its own", () => {
    const { text } = mergeFirebaseJson("{}", { source: "firerank", prefix: "ranks" });
    expect(configIn(text).own?.prefix).toBe("ranks");
    expect(merge(text).text).toBe(text);
  });

  test("their names of the rules and indexes hold, and of several databases, Firerank's is changed", () => {
    const merged = merge('{"firestore": {"rules": "r/mine.rules"}}');
    const paths = { rules: "r/mine.rules", indexes: "firestore.indexes.json" };
    expect(merged).toMatchObject(paths);
    expect(value(merged.text)["firestore"]).toEqual(paths);
    const theirs =
      '{"firestore": [{"database": "(default)", "rules": "a"}, {"database": "games", "rules": "b", "indexes": "c"}]}';
    expect(merge(theirs)).toMatchObject({ rules: "a", indexes: "firestore.indexes.json" });
    expect(merge(theirs, "games")).toMatchObject({ rules: "b", indexes: "c" });
  });

  test.each([
    ["none", "{}", { database: "games", rules: "firestore.rules", indexes: "firestore.indexes.json" }],
    [
      "that object",
      '{"firestore": {"database": "games", "rules": "a"}}',
      { database: "games", rules: "a", indexes: "firestore.indexes.json" },
    ],
    [
      "one of the default database",
      '{"firestore": {\n  // mine\n  "rules": "a" }}',
      [{ rules: "a", database: "(default)" }, added("games")],
    ],
    [
      "a list of others",
      '{"firestore": [{"database": "other", "rules": "a"}]}',
      [{ database: "other", rules: "a" }, added("games")],
    ],
  ])("where `firestore` is %s, a named database has an entry of its own", (_what, theirs, wanted) => {
    const { text, databases } = merge(theirs, "games");
    expect(value(text)["firestore"]).toEqual(wanted);
    expect(databases).toBe(Array.isArray(wanted) ? wanted.length : 1);
    expect(merge(text, "games").text).toBe(text);
    if (theirs.includes("// mine")) expect(text).toContain("// mine");
  });

  test("the default database gets an entry beside named ones", () => {
    const { text } = merge('{"firestore": {"database": "other", "rules": "firestore.rules"}}');
    expect(value(text)["firestore"]).toEqual([
      { database: "other", rules: "firestore.rules" },
      { ...added("default"), database: "(default)" },
    ]);
    expect(configIn(text).databases).toEqual(["other", "(default)"]);
  });

  test("a target may be any database, so none is added beside it", () => {
    const theirs = '{"firestore": [{"target": "main", "rules": "a"}]}';
    expect(() => merge(theirs, "games")).toThrow("by the targets main, and games may be one of them. Give");
    const both = '{"firestore": [{"target": "main", "rules": "a"}, {"database": "games"}]}';
    expect(merge(both, "games").rules).toBe("firestore.rules");
    expect(configIn(both).databases).toEqual(["games"]);
  });

  test("emulators in one line stay in one line", () => {
    const theirs =
      '{\n  "emulators": { "auth": { "port": 1 }, "ui": {"enabled": false}, },\n  "hosting": {}\n}\n';
    const { text } = merge(theirs);
    expect(text).toContain(
      '  "emulators": { "auth": { "port": 1 }, "ui": {"enabled": false}, "firestore": { "port": 8080 }, ' +
        '"functions": { "port": 5001 }, "tasks": { "port": 9499 }, },\n',
    );
    expect(merge(text).text).toBe(text);
  });

  test.each([
    [
      '{\n  "functions": [{ "source": "functions", "predeploy": [] }],\n  "hosting": {}\n}\n',
      '[{ "source": "functions", "predeploy": [] },\n',
    ],
    ['{\n  "functions": { "source": "functions" },\n  "hosting": {}\n}\n', '[{ "source": "functions" },\n'],
    ['{\n  "functions": {\n    "source": "functions"\n  }\n}\n', '[{\n    "source": "functions"\n  },\n'],
    [
      '{\n  "functions": [\n    {"source": "functions"} // mine\n  ]\n}\n',
      '[\n    {"source": "functions"}, // mine\n    {\n      "source": "firerank",',
    ],
  ])("only what comes is formatted: %j", (theirs, written) => {
    const { text } = merge(theirs);
    expect(text).toContain(`"functions": ${written}`);
    expect(merge(text).text).toBe(text);
    expect(text).toMatch(/\n {4}\{\n {6}"source": "firerank",\n/);
    if (theirs.includes("hosting")) expect(text).toContain('\n  "hosting": {},\n');
  });

  test("a codebase that is called firerank already keeps its folder, and each instance of a kit is one of its own", () => {
    const kit = { kit: "k", source: "x", instances: { one: "function-kits/k/config-one", two: "t" } };
    const elsewhere = { remoteSource: { repository: "r", ref: "main" }, runtime: "nodejs24" };
    const games = { source: "games", codebase: "firerank" };
    const functions = [games, { prefix: "p", configDir: "c" }, kit, elsewhere];
    const { own, others } = configIn(merge(JSON.stringify({ functions })).text);
    expect(own?.source).toBe("games");
    expect(others.map((one) => [one.source, one.codebase, one.prefix, one.parameters, one.isKit])).toEqual([
      ["functions", "default", "p", "c", false],
      ["x", "one", "kit-one", "function-kits/k/config-one", true],
      ["x", "two", "kit-two", "t", true],
    ]);
  });

  test("a kit's instance of Firerank's name is refused, as firebase-tools would refuse them both", () => {
    const theirs = '{"functions": {"kit": "k", "source": "x", "instances": {"firerank": "c"}}}';
    expect(() => merge(theirs)).toThrow("an instance of a function kit that is called firerank");
    expect(configIn(mergeFirebaseJson(theirs, { source: undefined }).text).own).toBeUndefined();
  });

  test.each([
    ['{"functions": "functions"}', "firebase.json: functions"],
    ["{,}", "firebase.json is no JSON"],
    ['{"firestore": 1}', "firebase.json: firestore"],
  ])("%s is refused", (theirs, message) => {
    expect(() => merge(theirs)).toThrow(message);
  });
});

describe("editions", () => {
  const usual: BoardKind = { order: "descending", ties: "first" };
  const lowest: BoardKind = { order: "ascending", ties: "last" };
  const enterprise = (theirs: string | undefined, kinds?: readonly BoardKind[]) =>
    mergeWanted(theirs, wantedIndexes("enterprise", kinds)).text;
  const indexesIn = (text: string) => shape(text).indexes;
  const [pages] = enterpriseIndexes([usual]).filter(
    ({ collectionGroup, fields }) =>
      collectionGroup === "scores_ranking" && fields[0]?.fieldPath === "from_score",
  );

  test("those of other boards come with them, stay in a second init, and go with them", () => {
    const both = enterprise(enterprise(undefined), [usual, lowest]);
    expect(indexesIn(both)).toEqual(expect.arrayContaining(enterpriseIndexes([usual, lowest])));
    expect(enterprise(both)).toBe(both);
    expect(enterprise(both, [usual, lowest])).toBe(both);
    const one = enterprise(both, [lowest]);
    expect(indexesIn(one)).toHaveLength(enterpriseIndexes([lowest]).length);
    expect(indexesIn(one)).not.toContainEqual(pages);
    expect(indexesIn(enterprise(one, []))).toEqual(expect.arrayContaining(enterpriseIndexes([usual])));
  });

  test("a file of the Standard edition becomes one of Enterprise and back, and theirs stays", () => {
    const theirs = JSON.stringify({ indexes: [own], fieldOverrides: [] }, null, 2);
    const standard = mergeIndexes(theirs).text;
    const other = enterprise(standard);
    expect(indexesIn(other)).toEqual([own, ...enterpriseIndexes([usual])]);
    expect(shape(other).fieldOverrides).toEqual(wanted.fieldOverrides.filter((one) => one["ttl"]));
    const back = shape(mergeIndexes(other).text);
    expect(back.fieldOverrides.toSorted(byText)).toEqual(wanted.fieldOverrides.toSorted(byText));
    expect(back.indexes).toContainEqual(own);
    // Some are the same but for `__name__`, which is implied on Standard.
    expect(back.indexes).toHaveLength(1 + wanted.indexes.length);
  });

  test("an index of theirs is left alone where it differs in anything", () => {
    const dense = { ...pages, density: "SPARSE_ANY" };
    expect(indexesIn(enterprise(JSON.stringify({ indexes: [dense] }), [lowest]))).toContainEqual(dense);
  });

  test("firebase.json says the edition, for the database and the emulator", () => {
    const merge = (theirs: string, edition?: "enterprise") =>
      parse(mergeFirebaseJson(theirs, { source: undefined, edition }).text) as object;
    const edition = "enterprise";
    expect(merge("{}", edition)).toMatchObject({
      firestore: { edition },
      emulators: { firestore: { port: 8080, edition } },
    });
    const emulators = { firestore: { edition: "standard" } };
    expect(merge(JSON.stringify({ emulators }), edition)).toMatchObject({ emulators });
    expect(JSON.stringify(merge("{}"))).not.toContain("edition");
  });

  test("the edition is what is asked for, or what firebase.json says, or Standard", () => {
    expect(editionOf(undefined, undefined)).toBe("standard");
    expect(editionOf("Enterprise", undefined)).toBe("enterprise");
    expect(editionOf(undefined, "ENTERPRISE")).toBe("enterprise");
    expect(() => editionOf("premium", undefined)).toThrow('"premium" is not one of standard and enterprise');
  });
});

const byText = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

test("emulators get ports that none of theirs has", () => {
  const theirs = { hosting: { port: 5001 }, database: { port: 9099 }, ui: { enabled: true }, extensions: {} };
  const { text } = mergeFirebaseJson(JSON.stringify({ emulators: theirs }), { source: undefined });
  expect(parse(text)).toMatchObject({
    emulators: {
      ...theirs,
      auth: { port: 9100 },
      firestore: { port: 8080 },
      functions: { port: 5002 },
      tasks: { port: 9499 },
    },
  });
});

test("emulators get ports that nothing on the computer listens to, and it is told", () => {
  const takenPorts = new Set([8080, 8081, 9099]);
  const { text, moved } = mergeFirebaseJson('{"emulators": {"tasks": {"port": 9100}}}', {
    source: undefined,
    takenPorts,
  });
  expect(parse(text)).toMatchObject({
    emulators: { auth: { port: 9101 }, firestore: { port: 8082 }, functions: { port: 5001 } },
  });
  expect(moved).toEqual([
    { name: "auth", port: 9101 },
    { name: "firestore", port: 8082 },
  ]);
  // Those that it has, which may well run now, stay.
  expect(mergeFirebaseJson(text, { source: undefined, takenPorts: new Set([5001, 9101]) })).toMatchObject({
    text,
    moved: [],
  });
});
