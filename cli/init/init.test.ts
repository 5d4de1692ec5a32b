/* eslint-disable max-lines -- one project that somebody has serves all refusals */
/** What `firerank init` refuses before it writes anything. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, expect, test, vi } from "vitest";
import { plan, projectOf, read, writeAll } from "../testing/project.ts";
import { enterpriseExpiries, enterpriseIndexes } from "./enterprise-indexes.ts";
import { parameterFiles } from "./database.ts";
import { askFor, chosenValues } from "./chosen.ts";
import { askDirectWrites } from "./direct-writes.ts";
import { initProject } from "./init.ts";
import { installTarball, isIgnored, npm, oldTarballs, shellArguments } from "./package.ts";
import { projectFolder } from "./project-folder.ts";
import { functionsOf, isTooOld, reexportOf } from "./their-functions.ts";

/** @returns all that was said */
async function init(project: string, prefix?: string, databaseId?: string): Promise<string> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  await initProject({ project, prefix, databaseId, yes: true, say, input: process.stdin });
  return said.join("\n");
}

/** What is said to one who is asked. */
const notesOf = (files: Record<string, string>, prefix?: string) =>
  plan(projectOf(files), { prefix, yes: false }).notes.join("\n");

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
/** A project whose own codebase exports Firerank's functions. */
const exporting = {
  "firebase.json": inFunctions,
  "functions/package.json": dependent,
  "functions/index.js": 'export * from "firerank";',
};
const inKit = {
  "firebase.json":
    '{"functions": [{"source": "ranks", "kit": "ranks", "instances": {"main": "function-kits/ranks/config-main"}}]}',
  "ranks/package.json": dependent,
  "ranks/index.js": 'export * from "firerank";',
};

test("functions of the same names are refused, and nothing is written", async () => {
  const project = projectOf({
    "firebase.json": inFunctions,
    "functions/index.js": "exports.submitScore = 1;",
  });
  await expect(init(project)).rejects.toThrow("functions of the same names as Firerank's: submitScore");
  expect(readdirSync(project)).toEqual(["firebase.json", "functions"]);
  expect(read(project, "firebase.json")).toBe(inFunctions);
});

test("a prefix is the way out, but only one that firebase-tools takes, and the one that is there", async () => {
  const other = '{"source": "functions", "prefix": "ranks"}';
  const project = projectOf({
    "firebase.json": `{"functions": [${other}]}`,
    "functions/index.js": "exports.submitScore = 1;",
  });
  await expect(init(project, "ranks")).rejects.toThrow("Firerank's: ranks-submitScore");
  await expect(init(project, "Ranks")).rejects.toThrow("--prefix Ranks: it takes");
  await expect(init(project, "ranks-")).rejects.toThrow("not ending with -");
  const own = '{"source": "firerank", "codebase": "firerank", "prefix": "a"}';
  await expect(init(projectOf({ "firebase.json": `{"functions": [${own}]}` }), "b")).rejects.toThrow(
    "with the prefix a",
  );
});

test("a codebase that exports Firerank's functions beside an old firebase-functions is refused", async () => {
  const project = projectOf({
    ...exporting,
    "functions/node_modules/firebase-functions/package.json": '{"version": "6.4.0"}',
  });
  expect(reexportOf(project, codebase)).toEqual({ sdk: "6.4.0" });
  await expect(init(project)).rejects.toThrow("npm install firebase-functions@latest");
});

test("a codebase with Firerank that would not load where it is deployed is named, with what to do", () => {
  const notes = (dependency: string, node: string, runtime = "") =>
    notesOf({
      "firebase.json": `{"functions": {"source": "functions"${runtime}}}`,
      "functions/package.json": JSON.stringify({
        dependencies: { firerank: dependency },
        engines: { node },
      }),
      "functions/index.js": 'export * from "firerank";',
    });
  const outside = "takes firerank from ../firerank.tgz, and a deploy uploads only what is in functions/";
  const old = "functions/ runs on Node 20, where Firerank does not load";
  expect(notes("file:../firerank.tgz", "24")).toContain(outside);
  expect(notes("file:firerank.tgz", "20")).toContain(old);
  expect(notes("../firerank.tgz", "24", ', "runtime": "nodejs20"')).toContain(
    `${outside}. Copy the file into`,
  );
  for (const well of [notes("file:firerank.tgz", "22"), notes("^0.1.0", "20", ', "runtime": "nodejs24"')])
    expect(well).not.toMatch(/uploads only|does not load/);
});

test("beside a kit with Firerank no codebase is added; a kit's functions are named after its instance", async () => {
  const kit = projectOf(inKit);
  expect(await init(kit)).toContain("The codebase in ranks/ has Firerank's functions already");
  expect(read(kit, "firestore.rules")).toContain("match /leaderboards/");
  expect(await init(kit)).toContain("Nothing to do");

  const theirs = {
    "firebase.json": '{"functions": {"source": "x", "kit": "x", "instances": {"main": "c"}}}',
    "x/index.js": "exports.submitScore = 1;",
  };
  await expect(init(projectOf(theirs), "kit-main")).rejects.toThrow("Firerank's: kit-main-submitScore");
});

test("the database that is asked for gets rules and indexes, and the functions are told", async () => {
  const project = projectOf({
    ...exporting,
    "firebase.json": '{"functions": {"source": "functions"}, "firestore": {"rules": "firestore.rules"}}',
    "firestore.rules": "mine",
    "functions/.env": "MINE=1",
  });
  expect(await init(project, undefined, "games")).toContain("The emulators apply no rules at all");
  const files = readdirSync(project);
  expect(files).toEqual(expect.arrayContaining(["firestore.games.rules", "firestore.games.indexes.json"]));
  expect(read(project, "functions/.env")).toBe(
    "MINE=1\nREGION=us-central1\nDATABASE=games\nENFORCE_APP_CHECK=true\nDIRECT_WRITES=true\nMAX_INSTANCES=20\nMEMORY_MIB=512\n",
  );
  expect(read(project, "firestore.rules")).toBe("mine");
  expect(await init(project)).toContain("Nothing to do");
  expect(await init(project, undefined, "games")).toContain("Nothing to do");
  await expect(init(project, undefined, "other")).rejects.toThrow(
    "functions/.env says DATABASE=games, and --database other was asked for.",
  );
});

test("DIRECT_WRITES is written where it is said, and never changed", async () => {
  const files = {
    ...exporting,
    "functions/.env": "MINE=1",
  };
  expect(notesOf(files)).toContain(
    "DIRECT_WRITES=false in the codebase's .env. Without it, each score saves a call",
  );
  const project = projectOf(files);
  const asked = (directWrites: string) => plan(project, { directWrites });
  const [env] = asked("false").changes.filter(({ path }) => path === "functions/.env");
  expect(env?.after).toMatch(/^MINE=1\n.*\nDIRECT_WRITES=false\n/s);
  expect(asked("false").asksDirectWrites).toBe(false);
  expect(() => asked("no")).toThrow("--direct-writes no: it takes true or false.");
  writeAll(project, { "functions/.env": env?.after ?? "" });
  expect(asked("false").changes.filter(({ path }) => path === "functions/.env")).toEqual([]);
  expect(() => asked("true")).toThrow("functions/.env says DIRECT_WRITES=false");
});

test.each([
  ["n\n", "false"],
  ["No\n", "false"],
  ["\n", "true"],
  ["y\n", "true"],
])("who is asked whether servers write directly, and answers %j, gets %s", async (answer, value) => {
  const input = new PassThrough();
  const asked = askDirectWrites(input);
  input.write(answer);
  expect(await asked).toBe(value);
});

test("where firebase.json names one database only, that is Firerank's", async () => {
  const firebaseJson = JSON.parse(inKit["firebase.json"]) as object;
  const only = { ...firebaseJson, firestore: { database: "games", rules: "mine.rules" } };
  const project = projectOf({ ...inKit, "firebase.json": JSON.stringify(only) });
  await init(project);
  expect(read(project, "function-kits/ranks/config-main/.env")).toContain("DATABASE=games\n");
  expect(read(project, "mine.rules")).toContain("match /leaderboards/");

  const several = { ...firebaseJson, firestore: [{ database: "games" }, { database: "shop" }] };
  const other = projectOf({ ...inKit, "firebase.json": JSON.stringify(several) });
  await expect(init(other)).rejects.toThrow(
    "firebase.json names the databases games, shop. Say which one is meant: firerank init --database games",
  );
  await expect(init(other, undefined, "Games")).rejects.toThrow("--database Games: it takes");
});

afterEach(() => void vi.restoreAllMocks());

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
  [
    { REGION: "", ENFORCE_APP_CHECK: "" },
    { REGION: "us-central1", ENFORCE_APP_CHECK: "true" },
  ],
  [
    { REGION: " europe-west3 ", ENFORCE_APP_CHECK: "false" },
    { REGION: "europe-west3", ENFORCE_APP_CHECK: "false" },
  ],
])("of the answers %j these count: %j", async (answers, counted) => {
  const { input, asked } = terminal(answers);
  expect(await askFor(["REGION", "ENFORCE_APP_CHECK"], input)).toEqual(counted);
  expect(asked).toEqual(["REGION", "ENFORCE_APP_CHECK"]);
});

test.each([
  ["REGION", "eur3"],
  ["ENFORCE_APP_CHECK", "yes"],
] as const)("%s does not take %s, and nothing is written", async (name, answer) => {
  const project = projectOf(exporting);
  const { input } = terminal({ REGION: "", ENFORCE_APP_CHECK: "", [name]: answer });
  const run = initProject({ project, yes: false, say: () => undefined, input });
  await expect(run).rejects.toThrow(`${name} does not take "${answer}". Nothing was written.`);
  expect(readdirSync(project)).toEqual(["firebase.json", "functions"]);
});

test("on a terminal each parameter is asked for once, and its answer written; a second time nothing is asked", async () => {
  const project = projectOf(exporting);
  const answers = {
    REGION: "europe-west3",
    ENFORCE_APP_CHECK: "false",
    DIRECT_WRITES: "n",
    "Write this?": "y",
  };
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

test("a .firebaserc that is not understood is told before anything is written", async () => {
  const project = projectOf({
    ...exporting,
    ".firebaserc": "{",
  });
  await expect(init(project)).rejects.toThrow(".firebaserc is no JSON");
  expect(readdirSync(project)).toEqual([".firebaserc", "firebase.json", "functions"]);
});

test("rules that cannot be merged are refused, and nothing is written", async () => {
  const project = projectOf({ "firestore.rules": "service cloud.firestore {\n}\n" });
  await expect(init(project)).rejects.toThrow("is of version 1");
  expect(readdirSync(project)).toEqual(["firestore.rules"]);
});

test("functions that nobody can be asked for are a note, and refused where nobody reads it", async () => {
  const typescript = {
    "firebase.json": inFunctions,
    "functions/package.json": '{"main": "lib/index.js"}',
    "functions/src/index.ts": 'export * from "./scores";',
    "functions/src/scores.ts": "export const submitScore = 1;",
  };
  const project = projectOf(typescript);
  await expect(init(project)).rejects.toThrow(
    "The functions of functions/ could not be asked for their names.",
  );
  await expect(init(project)).rejects.toThrow("add --prefix, or --names-checked");
  expect(readdirSync(project)).toEqual(["firebase.json", "functions"]);

  const remote = {
    "firebase.json":
      '{"functions": [{"codebase": "far", "remoteSource": {"repository": "https://example.com/far"}}]}',
  };
  await expect(init(projectOf(remote))).rejects.toThrow("far, of another repository");

  for (const files of [typescript, remote]) {
    expect(notesOf(files)).toContain("npx firebase functions:list");
    expect(notesOf(files, "ranks")).not.toContain("functions:list");
  }
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
  expect(functionsOf(project, codebase)).toEqual({
    names: ["mine", "newest"],
    isCertain: false,
    isStale: true,
  });
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

test("a codebase that was added stays without being refused, whatever the others are", async () => {
  const own = '{"source": "firerank", "codebase": "firerank"}';
  const project = projectOf({
    "firebase.json": `{"functions": [${own}, {"source": "python"}]}`,
    "firerank/package.json": '{"name": "firerank"}',
  });
  expect(await init(project)).toContain("The functions of python/ could not be asked for their names.");
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

  const { "firerank/index.js": _, ...fresh } = files;
  expect(notesOf(fresh)).toContain("nothing there exports it, so Firerank gets a codebase of its own");
});

test("a prefix is refused where the codebase that exports Firerank has another", async () => {
  await expect(init(projectOf(exporting), "ranks")).rejects.toThrow(
    "functions/ exports Firerank's functions itself",
  );
  await expect(init(projectOf(inKit), "ranks")).rejects.toThrow("a kit, whose names begin with kit-main");
});

test("new files of rules and indexes are not to be deployed before they have what the console has", async () => {
  const project = projectOf(exporting);
  const said = await init(project);
  expect(said).toContain(
    "DEPLOYING REPLACES WHAT THE CONSOLE HAS. firestore.rules and firestore.indexes.json",
  );
  expect(said).toContain("nam5");
  expect(said).toContain("npx firebase deploy --only functions\n");
  expect(said).not.toContain("functions,firestore");

  const rules = read(project, "firestore.rules");
  const indexes = read(project, "firestore.indexes.json");
  const known = await init(
    projectOf({ ...exporting, "firestore.rules": rules, "firestore.indexes.json": indexes }),
  );
  expect(known).not.toContain("CONSOLE");
  expect(known).toContain("npx firebase deploy --only functions,firestore\n");
  const half = await init(
    projectOf({ ...exporting, "firestore.rules": rules, "firestore.indexes.json": " " }),
  );
  expect(half).toContain("DEPLOYING REPLACES WHAT THE CONSOLE HAS. firestore.indexes.json is new");
});

test("rules that let clients read everything, or write it, are a note", async () => {
  const saidOf = (way: string) =>
    init(
      projectOf({
        ...exporting,
        "firestore.rules": `rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n    match /{any=**} { allow ${way}: if true; }\n  }\n}\n`,
      }),
    );
  const line = (way: string) =>
    `firestore.rules lets clients ${way} documents of Firerank, by the match in line 4`;
  const reads = await saidOf("read");
  expect(reads).toContain(line("read"));
  expect(reads).not.toContain("forge");
  const writes = await saidOf("write");
  expect(writes).toContain(line("write"));
  expect(writes).toContain("players can forge scores");
});

test("an upgrade leaves no tarball of another version, but what is theirs stays", () => {
  const project = projectOf({
    "package.json": '{"devDependencies": {"firerank": "file:firerank/firerank-0.1.0.tgz"}}',
    "firerank/firerank-0.1.0.tgz": "",
    "firerank/firerank-0.2.0-rc.1.tgz": "",
    "firerank/firerank-0.2.0.tgz": "",
    "firerank/firerank-client-0.1.0.tgz": "",
    "firerank/notes.tgz": "",
  });
  expect(oldTarballs(project, "firerank", "firerank-0.2.0.tgz")).toEqual([
    "firerank/firerank-0.2.0-rc.1.tgz",
  ]);
  expect(oldTarballs(project, "firerank-2", "firerank-0.2.0.tgz")).toEqual([]);
});

test("an upgrade leaves a tarball that another codebase depends on", () => {
  const project = projectOf({
    "functions/package.json": '{"dependencies": {"firerank": "file:../firerank/firerank-0.1.0.tgz"}}',
    "firerank/package.json": '{"dependencies": {"firerank": "file:firerank-0.0.9.tgz"}}',
    "firerank/firerank-0.0.9.tgz": "",
    "firerank/firerank-0.1.0.tgz": "",
    "firerank/firerank-0.2.0.tgz": "",
  });
  const old = oldTarballs(project, "firerank", "firerank-0.2.0.tgz", ["functions"]);
  expect(old).toEqual(["firerank/firerank-0.0.9.tgz"]);
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

test("a deploy without a terminal is asked for nothing: each parameter has a value in .env, with the functions' default", async () => {
  const project = projectOf({ ...exporting, "functions/.env": "MEMORY_MIB=1024" });
  await init(project);
  const text = read(project, "functions/.env");
  const values: unknown = Object.fromEntries(
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("=")),
  );
  expect(values).toEqual({ ...chosenValues({}, "(default)", "true"), MEMORY_MIB: "1024" });
  expect(await init(project)).toContain("Nothing to do");
});

test("what says it in .env.<project> is not said again in .env", async () => {
  const project = projectOf({ ...exporting, "functions/.env.prod": "REGION=europe-west1\n" });
  const said = await init(project);
  expect(read(project, "functions/.env")).not.toContain("REGION");
  expect(said).not.toContain("REGION=us-central1");
});

test("what was chosen for the owner is said, with where to change it", async () => {
  const project = projectOf(exporting);
  const said = await init(project);
  expect(said).toContain("functions/.env");
  expect(said).toContain("REGION=us-central1");
  expect(said).toContain("ENFORCE_APP_CHECK=true");
  expect(() => plan(project, { directWrites: "false" })).toThrow("functions/.env says DIRECT_WRITES=true");
});

test("a new codebase installs itself before a deploy, and git keeps what a clone of it needs", () => {
  const project = projectOf({ "firebase.json": "{}", ".gitignore": ".env\n*.tgz\n" });
  spawnSync("git", ["init", "--quiet"], { cwd: project });
  const { changes } = plan(project);
  const after = new Map(changes.map((one) => [one.path, one.after]));
  const { functions } = JSON.parse(after.get("firebase.json") ?? "") as {
    functions: { predeploy: string[] }[];
  };
  expect(functions[0]?.predeploy).toEqual([
    'npm --prefix "$RESOURCE_DIR" ci --no-workspaces --no-audit --no-fund',
  ]);
  mkdirSync(join(project, "firerank"));
  for (const path of ["firerank/.env", "firerank/firerank-0.1.0.tgz"])
    expect(isIgnored(project, path)).toBe(true);
  writeAll(project, { "firerank/.gitignore": after.get("firerank/.gitignore") ?? "" });
  const ignored = [
    ".env",
    "firerank-0.1.0.tgz",
    "package-lock.json",
    "node_modules/a.js",
    ".env.local",
  ].filter((name) => isIgnored(project, `firerank/${name}`));
  expect(ignored).toEqual(["node_modules/a.js", ".env.local"]);
});

test("a codebase that an older init has added gets the same", () => {
  const own = '{"source": "firerank", "codebase": "firerank"}';
  const files = {
    "firerank/package.json": '{"name": "firerank-codebase"}',
    "firerank/.env": "REGION=europe-west1\n",
  };
  const configOf = (functions: string) =>
    plan(projectOf({ "firebase.json": `{"functions": ${functions}}`, ...files })).changes.find(
      ({ path }) => path === "firebase.json",
    )?.after;
  expect(configOf(`[${own}]`)).toContain("npm --prefix");
  expect(configOf(own)).toContain("npm --prefix");
  const theirs = own.replace("}", ', "predeploy": []}');
  expect(configOf(theirs)).not.toContain("npm --prefix");
});

test("a .env of their own codebase that git leaves out is noticed", async () => {
  const project = projectOf({ ...exporting, ".gitignore": ".env\n" });
  spawnSync("git", ["init", "--quiet"], { cwd: project });
  expect(await init(project)).toContain("git ignores functions/.env");
});

test("the database of .env.local is that of the emulators alone", () => {
  const project = projectOf({ "firerank/.env.local": "DATABASE=scratch", "firerank/.env.prod": "A=1" });
  expect(parameterFiles(project, "firerank").map(({ path }) => path)).toEqual(["firerank/.env.prod"]);
});

test("the project is that of the nearest firebase.json upwards", () => {
  const project = projectOf({ "firebase.json": "{}", "web/src/a.js": "" });
  expect(projectFolder(join(project, "web", "src"))).toBe(project);
  expect(projectFolder(project)).toBe(project);
  const none = projectOf({ "web/a.js": "" });
  expect(projectFolder(join(none, "web"))).toBe(join(none, "web"));
});

test("an Enterprise database gets its own indexes, a second init changes nothing, and another edition is refused", async () => {
  const project = projectOf({
    ...exporting,
    "firestore.rules":
      "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n    match /events/{id} { allow read: if true; }\n  }\n}\n",
    "functions/node_modules/firebase-functions/package.json": '{"version": "7.4.0"}',
  });
  const said: string[] = [];
  const run = (edition?: string) =>
    initProject({ project, edition, yes: true, say: (line) => void said.push(line), input: process.stdin });
  await run("enterprise");
  const json = (name: string) => JSON.parse(read(project, name)) as Record<string, unknown>;
  expect(json("firebase.json")).toMatchObject({
    firestore: { edition: "enterprise", indexes: "firestore.indexes.json" },
    emulators: { firestore: { edition: "enterprise" } },
  });
  const usual = { order: "descending", ties: "first" } as const;
  expect(json("firestore.indexes.json")).toEqual({
    indexes: enterpriseIndexes([usual]),
    fieldOverrides: enterpriseExpiries,
  });
  const notes = said.join("\n");
  expect(notes).toContain("npx --no-install firerank indexes");
  expect(notes).toContain("Your collection events has the name of one of Firerank's");
  await run();
  expect(said.at(-1)).toContain("Nothing to do");
  await expect(run("standard")).rejects.toThrow("of enterprise edition");
});

test("the names of their functions are found in their text, where they cannot be asked", () => {
  const project = projectOf({
    "functions/package.json": '{"main": "lib/index.js"}',
    "functions/src/index.ts":
      'export const a = 1;\nexport { b, c as d } from "./b";\nexport async function e() {}\nconst f = 2;\n',
  });
  expect(functionsOf(project, codebase)).toEqual({
    names: ["a", "e", "b", "d"],
    isCertain: false,
    isStale: false,
  });
  expect(functionsOf(project, { ...codebase, prefix: "mine" }).names).toContain("mine-a");
});

test.each([
  ["6.4.0", true],
  ["7.3.9", true],
  ["7.4.0", false],
  ["8.0.0", false],
])("firebase-functions %s is too old: %s", (version, tooOld) => {
  expect(isTooOld(version)).toBe(tooOld);
});
