/** What `firerank init` refuses before it writes anything. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { initProject } from "./init.ts";
import { ownFunctions } from "./package.ts";
import { functionsOf, isTooOld, reexportOf } from "./their-functions.ts";

function projectOf(files: Record<string, string>): string {
  const project = mkdtempSync(join(tmpdir(), "firerank-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return project;
}

const init = (project: string, prefix?: string) =>
  initProject({ project, prefix, yes: true, say: () => undefined, input: process.stdin });

const codebase = { source: "functions", codebase: "default", prefix: undefined };

test("functions of the same names are refused, and nothing is written", async () => {
  const [first = ""] = ownFunctions();
  const config = '{"functions": {"source": "functions"}}';
  const project = projectOf({ "firebase.json": config, "functions/index.js": `exports.${first} = 1;` });
  await expect(init(project)).rejects.toThrow(`functions of the same names as Firerank's: ${first}`);
  expect(readdirSync(project)).toEqual(["firebase.json", "functions"]);
  expect(readFileSync(join(project, "firebase.json"), "utf8")).toBe(config);
});

test("a prefix is the way out, but only one that firebase-tools takes, and the one that is there", async () => {
  const [first = ""] = ownFunctions();
  const other = '{"source": "functions", "prefix": "ranks"}';
  const project = projectOf({
    "firebase.json": `{"functions": [${other}]}`,
    "functions/index.js": `exports.${first} = 1;`,
  });
  await expect(init(project, "ranks")).rejects.toThrow(`Firerank's: ranks-${first}`);
  await expect(init(project, "Ranks")).rejects.toThrow("--prefix Ranks: it takes");
  await expect(init(project, "ranks-")).rejects.toThrow("not ending with -");
  const own = '{"source": "firerank", "codebase": "firerank", "prefix": "a"}';
  await expect(init(projectOf({ "firebase.json": `{"functions": [${own}]}` }), "b")).rejects.toThrow(
    "with the prefix a",
  );
});

test("a codebase that exports Firerank's functions beside an old firebase-functions is refused", async () => {
  const project = projectOf({
    "firebase.json": '{"functions": {"source": "functions"}}',
    "functions/package.json": '{"dependencies": {"firerank": "file:../firerank.tgz"}}',
    "functions/node_modules/firebase-functions/package.json": '{"version": "6.4.0"}',
  });
  expect(reexportOf(project, codebase)).toEqual({ sdk: "6.4.0" });
  await expect(init(project)).rejects.toThrow("npm install firebase-functions@latest");
});

test("rules that cannot be merged are refused, and nothing is written", async () => {
  const project = projectOf({ "firestore.rules": "service cloud.firestore {\n}\n" });
  await expect(init(project)).rejects.toThrow("is of version 1");
  expect(readdirSync(project)).toEqual(["firestore.rules"]);
});

test("the names of their functions are found in their text, where they cannot be asked", () => {
  const project = projectOf({
    "functions/package.json": '{"main": "lib/index.js"}',
    "functions/src/index.ts":
      'export const a = 1;\nexport { b, c as d } from "./b";\nexport async function e() {}\nconst f = 2;\n',
  });
  expect(functionsOf(project, codebase)).toEqual({ names: ["a", "e", "b", "d"], isCertain: false });
  expect(functionsOf(project, { ...codebase, prefix: "mine" }).names).toContain("mine-a");
});

test("Firerank's own functions are known", () => {
  expect(ownFunctions()).toEqual(expect.arrayContaining(["submitScore", "rankSeasons", "indexPlayer"]));
});

test.each([
  ["6.4.0", true],
  ["7.3.9", true],
  ["7.4.0", false],
  ["8.0.0", false],
])("firebase-functions %s is too old: %s", (version, tooOld) => {
  expect(isTooOld(version)).toBe(tooOld);
});
