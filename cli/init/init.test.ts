/* eslint-disable max-lines -- one project that somebody has serves all refusals */
/** What `firerank init` refuses and says, and what it writes; the project of test/repository/install.slow.test.ts shows it whole. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { parseEnv } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { plan, projectOf, read, writeAll } from "../testing/project.ts";
import { wantedIndexes } from "./edition.ts";
import { type InitOptions, initProject } from "./init.ts";
import { installTarball, isIgnored, npm, oldTarballs, shellArguments } from "./package.ts";
import { askFor, chosenValues } from "./parameters.ts";
import { projectFolder } from "./project-folder.ts";
import { functionsOf, reexportOf } from "./their-functions.ts";

type Files = Record<string, string>;

/** @returns all that was said */
async function init(project: string, more: Partial<InitOptions> = {}): Promise<string> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  await initProject({ project, yes: true, say, input: process.stdin, ...more });
  return said.join("\n");
}

/** What is said to one who is asked. */
const notesOf = (files: Files, more: Partial<InitOptions> = {}) =>
  plan(projectOf(files), { yes: false, ...more }).notes.join("\n");

const codebase = {
  source: "functions",
  codebase: "default",
  prefix: undefined,
  parameters: "functions",
  runtime: undefined,
  isKit: false,
};

const dependent = '{"dependencies": {"firerank": "file:../firerank.tgz"}}';
const inFunctions = '{"functions": {"source": "functions"}}';
const reexport = 'export * from "firerank";';
const own = '{"source": "firerank", "codebase": "firerank"}';
/** A project whose own codebase exports Firerank's functions. */
const exporting = {
  "firebase.json": inFunctions,
  "functions/package.json": dependent,
  "functions/index.js": reexport,
};
const inKit = {
  "firebase.json":
    '{"functions": [{"source": "ranks", "kit": "ranks", "instances": {"main": "function-kits/ranks/config-main"}}]}',
  "ranks/package.json": dependent,
  "ranks/index.js": reexport,
};
const submitting = (functions: string, source = "functions") => ({
  "firebase.json": `{"functions": ${functions}}`,
  [`${source}/index.js`]: "exports.submitScore = 1;",
});
const typescript = {
  "firebase.json": inFunctions,
  "functions/package.json": '{"main": "lib/index.js"}',
  "functions/src/index.ts": 'export * from "./scores";',
  "functions/src/scores.ts": "export const submitScore = 1;",
};
const remote = {
  "firebase.json":
    '{"functions": [{"codebase": "far", "remoteSource": {"repository": "https://example.com/far"}}]}',
};
const sdk = (version: string) => ({
  "functions/node_modules/firebase-functions/package.json": `{"version": "${version}"}`,
});
const rulesWith = (match: string) =>
  `rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n    ${match}\n  }\n}\n`;
const firestoreOf = (firestore: object) =>
  JSON.stringify({ ...(JSON.parse(inKit["firebase.json"]) as object), firestore });

/** What it says of which files, with which options. */
const refused: Record<string, [files: Files, more?: Partial<InitOptions>]> = {
  "functions of the same names as Firerank's: submitScore": [submitting('{"source": "functions"}')],
  "Firerank's: ranks-submitScore": [
    submitting('[{"source": "functions", "prefix": "ranks"}]'),
    { prefix: "ranks" },
  ],
  "Firerank's: kit-main-submitScore": [
    submitting('{"source": "x", "kit": "x", "instances": {"main": "c"}}', "x"),
    { prefix: "kit-main" },
  ],
  "--prefix Ranks: it takes": [exporting, { prefix: "Ranks" }],
  "not ending with -": [exporting, { prefix: "ranks-" }],
  "with the prefix a": [
    { "firebase.json": `{"functions": [${own.replace("}", ', "prefix": "a"}')}]}` },
    { prefix: "b" },
  ],
  "functions/ exports Firerank's functions itself": [exporting, { prefix: "ranks" }],
  "a kit, whose names begin with kit-main": [inKit, { prefix: "ranks" }],
  "has firebase-functions 6.4.0, and Firerank needs 7.4": [{ ...exporting, ...sdk("6.4.0") }],
  "npm install firebase-functions@latest": [{ ...exporting, ...sdk("7.3.9") }],
  "The functions of functions/ could not be asked for": [typescript],
  "add --prefix, or --names-checked": [typescript],
  "far, of another repository": [remote],
  "functions/.env says DATABASE=games, and --database other was asked for.": [
    { ...exporting, "functions/.env": "DATABASE=games" },
    { databaseId: "other" },
  ],
  "firebase.json names the databases games, shop. Say which one is meant: firerank init --database games": [
    { ...inKit, "firebase.json": firestoreOf([{ database: "games" }, { database: "shop" }]) },
  ],
  "--database Games: it takes": [exporting, { databaseId: "Games" }],
  "--direct-writes no: it takes true or false.": [exporting, { directWrites: "no" }],
  "functions/.env says DIRECT_WRITES=false": [
    { ...exporting, "functions/.env": "DIRECT_WRITES=false" },
    { directWrites: "true" },
  ],
  "functions/.env, line 2: the Firebase CLI does not take this line, and loads nothing of the file. Write ENFORCE_APP_CHECK= and its value: true or false.":
    [{ ...exporting, "functions/.env": "REGION=us-central1\nENFORCE_APP_CHECK: TRUE\n" }],
  "functions/.env, line 1: the Firebase CLI does not take this line, and loads nothing of the file. Write MAX_INSTANCES= and its value: a whole number":
    [{ ...exporting, "functions/.env": "MAX_INSTANCES" }],
  "functions/.env: line 1 says REGION=us-central1, and line 3 says REGION=europe-west1. The last line counts.":
    [{ ...exporting, "functions/.env": "REGION=us-central1\n\nREGION=europe-west1\n" }],
  'functions/.env: ENFORCE_APP_CHECK is "TRUE". It takes true or false.': [
    { ...exporting, "functions/.env": "ENFORCE_APP_CHECK=TRUE" },
  ],
  "functions/.env.prod: DIRECT_WRITES has nothing after =. It takes true or false.": [
    { ...exporting, "functions/.env.prod": "DIRECT_WRITES=\n" },
  ],
  'functions/.env: MAX_INSTANCES is "20 max". It takes a whole number from 1 to 9999.': [
    { ...exporting, "functions/.env": "MAX_INSTANCES=20 max # of ten\n" },
  ],
  'functions/.env.local: ENFORCE_APP_CHECK is "no". It takes true or false.': [
    { ...exporting, "functions/.env.local": "ENFORCE_APP_CHECK=no\n" },
  ],
  "functions/.env is not in UTF-8": [{ ...exporting, "functions/.env": "\0R\0E" }],
  "of enterprise edition": [
    { ...inKit, "firebase.json": firestoreOf({ edition: "enterprise" }) },
    { edition: "standard" },
  ],
  ".firebaserc is no JSON": [{ ...exporting, ".firebaserc": "{" }],
  "is of version 1": [{ "firestore.rules": "service cloud.firestore {\n}\n" }],
};
test.each(Object.entries(refused))("%s: refused, and nothing is written", async (message, [files, more]) => {
  const project = projectOf(files);
  const before = readdirSync(project, { recursive: true });
  await expect(init(project, more)).rejects.toThrow(message);
  expect(readdirSync(project, { recursive: true })).toEqual(before);
  for (const [path, text] of Object.entries(files)) expect(read(project, path)).toBe(text);
});

const unfit = (dependency: string, node: string, runtime = "") => ({
  ...exporting,
  "firebase.json": `{"functions": {"source": "functions"${runtime}}}`,
  "functions/package.json": JSON.stringify({ dependencies: { firerank: dependency }, engines: { node } }),
});
const outside = "takes firerank from ../firerank.tgz, and a deploy uploads only what is in functions/. Copy";
const old = "functions/ runs on Node 20, where Firerank does not load";
const openTo = (way: string) =>
  `firestore.rules lets clients ${way} documents of Firerank, by the match in line 4`;
const unasked = "npx firebase functions:list";
const noted: Record<
  string,
  [files: Files, says: string, saysNot?: string | undefined, more?: Partial<InitOptions>]
> = {
  "a package outside of the codebase": [unfit("file:../firerank.tgz", "24"), outside, old],
  "an old Node in package.json": [unfit("file:firerank.tgz", "20"), old, "uploads only"],
  both: [unfit("../firerank.tgz", "24", ', "runtime": "nodejs20"'), outside],
  "a newer Node in firebase.json": [
    unfit("^0.1.0", "20", ', "runtime": "nodejs24"'),
    "already",
    "does not load",
  ],
  "a kit with Firerank": [inKit, "The codebase in ranks/ has Firerank's functions already, so none is added"],
  "functions that are not built": [typescript, unasked],
  "those of another repository": [remote, unasked],
  "a codebase of Firerank's beside others": [
    { "firebase.json": `{"functions": [${own}, {"source": "python"}]}` },
    "python/ could not be asked",
  ],
  "functions that are not built, with a prefix": [typescript, "", unasked, { prefix: "ranks" }],
  "those of another repository, with a prefix": [remote, "", unasked, { prefix: "ranks" }],
  "a dependency that nothing exports": [
    { "firebase.json": '{"functions": {"source": "."}}', "package.json": dependent, "index.js": "" },
    "nothing there exports it, so Firerank gets a codebase of its own",
  ],
  "rules that let clients read all": [
    { ...exporting, "firestore.rules": rulesWith("match /{any=**} { allow read: if true; }") },
    openTo("read"),
    "forge",
  ],
  "rules that let clients write all": [
    { ...exporting, "firestore.rules": rulesWith("match /{any=**} { allow write: if true; }") },
    `${openTo("write")}. Firestore allows what any one rule allows, so players can forge`,
  ],
  "a firebase-functions of the future": [{ ...exporting, ...sdk("8.0.0") }, "already"],
  "several databases": [
    { ...exporting, "firebase.json": '{"firestore": {"rules": "a"}}' },
    "The emulators apply no rules at all",
    undefined,
    { databaseId: "games" },
  ],
  "a name that is nearly a parameter's": [
    { ...exporting, "functions/.env": "MAX_INSTANCE=3\n" },
    "functions/.env, line 1: Firerank has no parameter MAX_INSTANCE. Did you mean MAX_INSTANCES?",
  ],
  "a database with the name default": [
    exporting,
    'The database is one with the name "default". If you mean the one that projects have without a name, it is (default)',
    undefined,
    { databaseId: "default" },
  ],
  "what nobody has chosen": [
    exporting,
    "functions/.env gets REGION=us-central1 and ENFORCE_APP_CHECK=true and DIRECT_WRITES=true",
  ],
  "how to leave the trigger out": [
    exporting,
    "DIRECT_WRITES=false. Without it, each score saves a call of the trigger indexPlayer, $0.86",
  ],
  "what .env.<project> says, and not what .env.local says to the emulators": [
    {
      ...exporting,
      "functions/.env.prod": "REGION=b-c1\n",
      "functions/.env.local": "ENFORCE_APP_CHECK=false",
    },
    "gets ENFORCE_APP_CHECK=true and",
    "REGION=us-central1",
  ],
};
test.each(Object.entries(noted))("%s: a note", (_, [files, says, saysNot, more]) => {
  const notes = notesOf(files, more);
  expect(notes).toContain(says);
  if (saysNot !== undefined) expect(notes).not.toContain(saysNot);
});

test("the database that is asked for gets rules and indexes, and the functions are told", async () => {
  const project = projectOf({
    ...exporting,
    "firebase.json": '{"functions": {"source": "functions"}, "firestore": {"rules": "firestore.rules"}}',
    "firestore.rules": "mine",
    "functions/.env": "MINE=1",
  });
  await init(project, { databaseId: "games" });
  const files = readdirSync(project);
  expect(files).toEqual(expect.arrayContaining(["firestore.games.rules", "firestore.games.indexes.json"]));
  const text = read(project, "functions/.env");
  expect(text).toMatch(/^MINE=1\nREGION=us-central1\nDATABASE=games\n/);
  expect(parseEnv(text)).toEqual({ ...chosenValues({ DATABASE: "games" }), MINE: "1" });
  expect(read(project, "firestore.rules")).toBe("mine");
  for (const databaseId of [undefined, "games"])
    expect(await init(project, { databaseId })).toContain("Nothing to do");
});

/** What would be written, by path. */
const changesOf = (project: string, more: Partial<InitOptions> = {}) =>
  new Map(plan(project, more).changes.map(({ path, after }) => [path, after]));

test("where firebase.json names one database only, that is Firerank's", () => {
  const only = firestoreOf({ database: "games", rules: "mine.rules" });
  const changes = changesOf(projectOf({ ...inKit, "firebase.json": only }));
  expect(changes.get("function-kits/ranks/config-main/.env")).toContain("DATABASE=games\n");
  expect(changes.get("mine.rules")).toContain("match /leaderboards/");
});

test("a parameter behind a byte order mark is there, and is not written again", () => {
  const path = "functions/.env";
  const project = projectOf({ ...exporting, [path]: "\uFEFFREGION=europe-west3\nDATABASE=games\n" });
  expect(changesOf(project).get(path)).toMatch(
    /^\uFEFFREGION=europe-west3\nDATABASE=games\nENFORCE_APP_CHECK=true\n/,
  );
});

test("DIRECT_WRITES is written where it is said, beside what is there, and once", () => {
  const path = "functions/.env";
  const project = projectOf({ ...exporting, [path]: "MEMORY_MIB=1024" });
  const env = () => changesOf(project, { directWrites: "false" }).get(path);
  expect(env()).toMatch(/^MEMORY_MIB=1024\n.*\nDIRECT_WRITES=false\n/s);
  writeAll(project, { [path]: env() ?? "" });
  expect(env()).toBeUndefined();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** A terminal whose user answers each question by a name in it, and what was asked. */
function terminal(answers: Record<string, string>) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const asked: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    const name = Object.keys(answers).find((one) => String(text).includes(one)) ?? expect.fail(String(text));
    asked.push(name);
    setImmediate(() => input.write(`${answers[name] ?? ""}\n`));
    return true;
  });
  return { input, asked };
}

test.each([
  [{ REGION: "", ENFORCE_APP_CHECK: "", DIRECT_WRITES: "" }, ["us-central1", "true", "true"]],
  [
    { REGION: " europe-west3 ", ENFORCE_APP_CHECK: "false", DIRECT_WRITES: "No" },
    ["europe-west3", "false", "false"],
  ],
])("of the answers %j these count: %j", async (answers, counted) => {
  const { input, asked } = terminal(answers);
  const names = ["REGION", "ENFORCE_APP_CHECK", "DIRECT_WRITES"] as const;
  expect(Object.values(await askFor(names, input))).toEqual(counted);
  expect(asked).toEqual(Object.keys(answers));
});

test.each([
  ["REGION", "eur3", "the region of your database, .*"],
  ["ENFORCE_APP_CHECK", "maybe", "true or false. Yes and no will do here."],
] as const)("%s does not take %s, and nothing is written", async (name, answer, takes) => {
  const project = projectOf(exporting);
  const { input } = terminal({ REGION: "", ENFORCE_APP_CHECK: "", [name]: answer });
  const run = initProject({ project, yes: false, say: () => undefined, input });
  await expect(run).rejects.toThrow(
    new RegExp(`^${name} is "${answer}". It takes ${takes} Nothing was written.$`),
  );
  expect(readdirSync(project)).toEqual(["firebase.json", "functions"]);
});

test("on a terminal each parameter is asked for once, and its answer written; a second time nothing is asked", async () => {
  const project = projectOf(exporting);
  const chosen = { REGION: "europe-west3", ENFORCE_APP_CHECK: "false", DIRECT_WRITES: "n" };
  const answers = { ...chosen, "Write this?": "y" };
  const { input, asked } = terminal(answers);
  const said: string[] = [];
  const run = () => initProject({ project, yes: false, say: (line) => void said.push(line), input });
  await run();
  expect(asked).toEqual(Object.keys(answers));
  expect(read(project, "functions/.env")).toMatch(
    /^REGION=europe-west3\n.*\nENFORCE_APP_CHECK=false\nDIRECT_WRITES=false\n/s,
  );
  expect(said.join("\n")).not.toContain("which nobody has chosen");
  await run();
  expect(said.at(-1)).toContain("Nothing to do");
  expect(asked).toHaveLength(4);
});

test("on Windows a path with spaces reaches npm as one argument", () => {
  const args = ["pack", "--pack-destination", String.raw`C:\Users\Ann Lee\Temp`];
  expect(shellArguments(args, "win32").join(" ")).toBe(
    String.raw`"pack" "--pack-destination" "C:\Users\Ann Lee\Temp"`,
  );
  expect(shellArguments(args, "linux")).toBe(args);
});

test("a codebase that was changed after its build was not asked for its newest functions", async () => {
  const project = projectOf({
    "firebase.json": inFunctions,
    "functions/package.json": '{"main": "lib/index.js"}',
    "functions/src/index.ts": "export const mine = 1;\nexport const newest = 2;",
    "functions/lib/index.js": "exports.mine = 1;",
    "functions/node_modules/firebase-functions/lib/bin/firebase-functions.js":
      "require('fs').writeFileSync(process.env.FUNCTIONS_MANIFEST_OUTPUT_PATH, '{\"endpoints\": {\"mine\": {}}}');\n",
  });
  const wroteSource = (minutes: number) => {
    const at = new Date(Date.now() + minutes * 60_000);
    utimesSync(join(project, "functions/src/index.ts"), at, at);
  };
  wroteSource(-1);
  expect(functionsOf(project, codebase)).toEqual({ names: ["mine"], isCertain: true, isStale: false });
  wroteSource(1);
  const names = ["mine", "newest"];
  expect(functionsOf(project, codebase)).toEqual({ names, isCertain: false, isStale: true });
  await expect(init(project)).rejects.toThrow(
    "The functions of functions/ (its build is older than its source) could not be asked for their names.",
  );
});

test("a codebase on firebase-functions 5, whose program only serves its answer, is asked and not waited for", () => {
  const sdk = "functions/node_modules/firebase-functions/lib";
  const project = projectOf({
    "functions/index.js": "exports.notFoundByText = 1;",
    [`${sdk}/bin/firebase-functions.js`]: "setInterval(() => undefined, 1_000);",
    [`${sdk}/runtime/loader.js`]: "exports.loadStack = async (folder) => ({ mine: require(folder) });",
    [`${sdk}/runtime/manifest.js`]: "exports.stackToWire = (endpoints) => ({ endpoints });",
  });
  const begun = Date.now();
  expect(functionsOf(project, codebase)).toEqual({ names: ["mine"], isCertain: true, isStale: false });
  expect(Date.now() - begun).toBeLessThan(30_000);
});

test("a dependency on the package alone is no export of it", async () => {
  const root = { ...codebase, source: "." };
  const files = {
    "firebase.json": '{"functions": {"source": "."}}',
    "package.json": '{"dependencies": {"firerank": "file:firerank.tgz"}}',
    "index.js": '// export * from "firerank";\nimport "firerank-client";\n',
    "node_modules/firerank/index.js": 'export * from "firerank";',
    "firerank/index.js": 'export * from "firerank";',
  };
  const project = projectOf(files);
  expect(reexportOf(project, root, [".", "firerank"])).toBeUndefined();
  expect(reexportOf(project, root, ["."])).toBeDefined();
  const own = { ...files, "src/ranks.ts": 'export * as ranks from "firerank";\n' };
  expect(reexportOf(projectOf(own), root, ["firerank"])).toBeDefined();
  const compiled = { ...files, "lib/ranks.js": '__exportStar(require("firerank"), exports);\n' };
  expect(reexportOf(projectOf(compiled), root, ["firerank"])).toBeDefined();
});

test("new files of rules and indexes are not to be deployed before they have what the console has", async () => {
  const project = projectOf(exporting);
  const said = await init(project);
  const files = { rules: "firestore.rules", indexes: "firestore.indexes.json" };
  const replaced = "DEPLOYING REPLACES WHAT THE CONSOLE HAS.";
  expect(said).toContain(`${replaced} ${files.rules} and ${files.indexes}`);
  expect(said).toContain("nam5");
  expect(said).toContain("npx firebase deploy --only functions\n");
  const known = { ...exporting, [files.rules]: read(project, files.rules) };
  const both = await init(projectOf({ ...known, [files.indexes]: read(project, files.indexes) }));
  expect(both).not.toContain("CONSOLE");
  expect(both).toContain("npx firebase deploy --only functions,firestore\n");
  const ofIndexes = notesOf({ ...known, [files.indexes]: " " });
  expect(ofIndexes).toContain(
    `${replaced} ${files.indexes} is new, and it has nothing but Firerank's indexes.`,
  );
  expect(ofIndexes).not.toContain("replaces its rules");
});

test("an upgrade leaves no tarball of another version, but what is theirs, or another codebase's, stays", () => {
  const named = (folder: string, name: string) =>
    `{"dependencies": {"firerank": "file:${folder}${name}.tgz"}}`;
  const files = ["0.0.9", "0.1.0", "0.2.0-rc.1", "0.2.0", "client-0.1.0"].map((name) => [
    `firerank/firerank-${name}.tgz`,
    "",
  ]);
  const project = projectOf({
    "package.json": named("firerank/firerank-", "0.1.0"),
    "functions/package.json": named("../firerank/firerank-", "0.2.0-rc.1"),
    "firerank/package.json": named("firerank-", "0.0.9"),
    "firerank/notes.tgz": "",
    ...(Object.fromEntries(files) as Files),
  });
  const gone = (source: string, others: string[]) =>
    oldTarballs(project, source, "firerank-0.2.0.tgz", others);
  expect(gone("firerank", ["functions"])).toEqual(["firerank/firerank-0.0.9.tgz"]);
  expect(gone("firerank", [])).toEqual(
    ["0.0.9", "0.2.0-rc.1"].map((name) => `firerank/firerank-${name}.tgz`),
  );
  expect(gone("firerank-2", [])).toEqual([]);
});

test("in a workspace of npm the root's lock file stays, and the package is in Firerank's folder", () => {
  const project = projectOf({
    "package.json": '{"private": true, "workspaces": ["*"]}',
    "firerank/package.json": '{"name": "firerank-codebase", "private": true, "version": "1.0.0"}',
    "small/package.json": '{"name": "firerank", "version": "0.1.0"}',
  });
  npm(["pack", "--pack-destination", join(project, "firerank")], join(project, "small"));
  installTarball(join(project, "firerank"), "firerank-0.1.0.tgz");
  expect(readdirSync(project)).toEqual(["firerank", "package.json", "small"]);
  expect(readdirSync(join(project, "firerank", "node_modules"))).toContain("firerank");
});

/** A project in git, which leaves out what a clone of a codebase needs. */
function inGit(files: Files): string {
  const project = projectOf({ ".gitignore": ".env\n*.tgz\n", ...files });
  spawnSync("git", ["init", "--quiet"], { cwd: project });
  return project;
}

test("git keeps what a clone of a new codebase needs", () => {
  const project = inGit({ "firebase.json": "{}" });
  const path = "firerank/.gitignore";
  const ignore = changesOf(project).get(path) ?? expect.fail();
  mkdirSync(join(project, "firerank"));
  const ignored = () =>
    [".env", "firerank-0.1.0.tgz", "package-lock.json", "node_modules/a.js", ".env.local"].filter((name) =>
      isIgnored(project, `firerank/${name}`),
    );
  expect(ignored()).toEqual([".env", "firerank-0.1.0.tgz"]);
  writeAll(project, { [path]: ignore });
  expect(ignored()).toEqual(["node_modules/a.js", ".env.local"]);
});

test("a .env of their own codebase that git leaves out is noticed", () => {
  expect(plan(inGit(exporting)).notes.join("\n")).toContain("git ignores functions/.env");
});

test("the project is that of the nearest firebase.json upwards", () => {
  const project = projectOf({ "firebase.json": "{}", "web/src/a.js": "" });
  expect(projectFolder(join(project, "web", "src"))).toBe(project);
  expect(projectFolder(project)).toBe(project);
  const none = projectOf({ "web/a.js": "" });
  expect(projectFolder(join(none, "web"))).toBe(join(none, "web"));
});

test("an Enterprise database gets its own indexes, and a second init changes nothing", async () => {
  const project = projectOf({
    ...exporting,
    ...sdk("7.4.0"),
    "firestore.rules": rulesWith("match /events/{id} { allow read: if true; }"),
  });
  const notes = await init(project, { edition: "enterprise" });
  const json = (name: string) => JSON.parse(read(project, name)) as Record<string, unknown>;
  expect(json("firebase.json")).toMatchObject({
    firestore: { edition: "enterprise", indexes: "firestore.indexes.json" },
    emulators: { firestore: { edition: "enterprise" } },
  });
  expect(json("firestore.indexes.json")).toEqual(wantedIndexes("enterprise").wanted);
  expect(notes).toContain("npx --no-install firerank indexes");
  expect(notes).toContain("Your collection events has the name of one of Firerank's");
  expect(await init(project)).toContain("Nothing to do");
});

test("the names of their functions are found in their text, where they cannot be asked", () => {
  const project = projectOf({
    "functions/package.json": '{"main": "lib/index.js"}',
    "functions/src/index.ts":
      'export const a = 1;\nexport { b, c as d } from "./b";\nexport async function e() {}\nconst f = 2;\n',
  });
  const names = ["a", "e", "b", "d"];
  expect(functionsOf(project, codebase)).toEqual({ names, isCertain: false, isStale: false });
  expect(functionsOf(project, { ...codebase, prefix: "mine" }).names).toContain("mine-a");
});

test("a codebase whose main is a folder, as Node takes it, is searched where its source usually is", () => {
  const project = projectOf({
    "functions/package.json": '{"main": "lib"}',
    "functions/lib/index.js": "",
    "functions/index.ts": "export const a = 1;",
  });
  expect(functionsOf(project, codebase).names).toEqual(["a"]);
});

test("who has no Firebase CLI is told to install it, before the commands that need it", async () => {
  vi.stubEnv("PATH", "/nowhere");
  expect(await init(projectOf(exporting))).toMatch(
    / {2}npm install --save-dev firebase-tools\n {2}npx firebase/,
  );
  const installed = { ...exporting, "node_modules/.bin/firebase": "" };
  expect(await init(projectOf(installed))).not.toContain("firebase-tools");
});
