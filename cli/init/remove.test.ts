import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plan, projectOf, read, writeAll } from "../testing/project.ts";
import type { InitOptions } from "./init.ts";
import { removeFromProject } from "./remove.ts";
import { undoFile } from "./undo.ts";

/** What `init` writes, but for the package, which would have to be packed and installed. */
function adopt(project: string, more: Partial<InitOptions> = {}): void {
  const { changes } = plan(project, { namesChecked: true, ...more });
  writeAll(project, Object.fromEntries(changes.map(({ path, after }) => [path, after])));
  if (existsSync(join(project, "firerank")))
    writeAll(project, {
      "firerank/package.json": '{"name": "firerank-codebase"}',
      "firerank/index.js": 'export * from "firerank";\n',
      "firerank/firerank-0.1.0.tgz": "",
    });
}

async function remove(project: string, more: { yes?: boolean; diff?: boolean } = {}): Promise<string> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  await removeFromProject({ project, yes: true, say, input: process.stdin, ...more });
  return said.join("\n");
}

const theirs = {
  "firebase.json":
    '{\n  // Mine.\n  "functions": [{ "source": "functions", "predeploy": [] }],\n  "firestore": { "rules": "firestore.rules", "indexes": "firestore.indexes.json" },\n' +
    '  "emulators": { "auth": { "port": 1 }, "firestore": { "port": 2 }, "functions": { "port": 3 }, "tasks": { "port": 4 } }\n}\n',
  "firestore.rules":
    "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n    match /photos/{p} { allow read; }\n  }\n}\n",
  "firestore.indexes.json":
    '{"indexes": [{"collectionGroup": "photos", "queryScope": "COLLECTION", "fields": [{"fieldPath": "by", "order": "ASCENDING"}]}],\n' +
    ' "fieldOverrides": [{"collectionGroup": "photos", "fieldPath": "at", "indexes": []}]}\n',
};

test("what init has added is gone, to the letter, and what was theirs stays", async () => {
  const project = projectOf({ ...theirs, "functions/package.json": '{"name": "theirs"}' });
  adopt(project);
  expect(read(project, "firestore.rules")).toContain("firerank:begin");
  const said = await remove(project, { diff: true });
  for (const [path, text] of Object.entries(theirs)) expect(read(project, path), path).toBe(text);
  expect(readdirSync(project).toSorted()).toEqual([...Object.keys(theirs), "functions"].toSorted());
  expect(said).toContain("-  // firerank:begin");
  expect(said).toContain("Removes firerank/");
  expect(await remove(project)).toContain("Nothing to do");
});

test.each([
  ["(default)", "recursive\n"],
  ["games", "recursive --database games\n"],
])("what is left to remove is said by its commands, of the database %s", async (databaseId, end) => {
  const project = projectOf({ "functions/package.json": "{}" });
  adopt(project, { databaseId });
  const said = await remove(project);
  expect(said).toContain(
    `in this order:\n  npx firebase functions:delete firerank\n  npx firebase firestore:delete leaderboards --${end}`,
  );
});

test.each([
  ["nothing at all", {}],
  ["no emulators, no rules", { "firebase.json": '{"hosting": {"public": "."}}' }],
  ["tabs, and no line end at the end", { "firebase.json": '{\n\t"functions": { "source": "functions" }\n}' }],
  ["Windows' line ends", { "firebase.json": '{\r\n  "emulators": { "auth": {"port":1} }\r\n}\r\n' }],
  ["a byte order mark", { "firebase.json": '\uFEFF{ "firestore": {"rules": "firestore.rules"} }' }],
  [
    "comments",
    { "firebase.json": '{\n  // mine\n  "functions": { // this too\n    "source": "functions", },\n}\n' },
  ],
])("of a project with %s each byte comes back, and what was not there goes", async (_, files) => {
  const project = projectOf({ ...files, "functions/package.json": "{}" });
  adopt(project);
  expect(readdirSync(project)).toContain("firestore.rules");
  await remove(project);
  expect(readdirSync(project).toSorted()).toEqual([...Object.keys(files), "functions"].toSorted());
  for (const [path, text] of Object.entries(files)) expect(read(project, path)).toBe(text);
});

/** As an owner does who changes the database of Firerank, and runs `init` again. */
function move(project: string, databaseId: string): void {
  const env = read(project, "firerank/.env").replace(/DATABASE=.*/, `DATABASE=${databaseId}`);
  writeAll(project, { "firerank/.env": env });
  adopt(project);
}

test.each([[["games"]], [["games", "(default)"]]])(
  "of a project whose database was changed to %j each byte comes back",
  async (moves) => {
    const rules = { "firebase.json": '{"firestore": {"rules": "firestore.rules"}}' };
    const files = { ...rules, "firestore.rules": theirs["firestore.rules"] };
    const project = projectOf(files);
    adopt(project);
    for (const databaseId of moves) move(project, databaseId);
    expect(readdirSync(project)).toContain("firestore.games.rules");
    await remove(project);
    expect(readdirSync(project).toSorted()).toEqual(Object.keys(files).toSorted());
    for (const [path, text] of Object.entries(files)) expect(read(project, path)).toBe(text);
  },
);

test("without patches, Firerank goes out of the rules and indexes of every database", async () => {
  const project = projectOf(theirs);
  adopt(project);
  move(project, "games");
  rmSync(join(project, "firerank", undoFile));
  await remove(project);
  for (const name of ["firestore", "firestore.games"]) {
    expect(read(project, `${name}.rules`), name).not.toContain("leaderboards");
    expect(read(project, `${name}.indexes.json`), name).not.toContain("players");
  }
  expect(read(project, "firestore.rules")).toBe(theirs["firestore.rules"]);
});

test("a rule of theirs that came later stays, and so does all else that they changed", async () => {
  const project = projectOf(theirs);
  adopt(project);
  const later = "rules_version = '2';\n// Later.\n";
  const rules = read(project, "firestore.rules").replace("rules_version = '2';\n", later);
  writeAll(project, { "firestore.rules": rules });
  await remove(project);
  expect(read(project, "firestore.rules")).toBe(
    theirs["firestore.rules"].replace("rules_version = '2';\n", later),
  );
});

test("the difference is shown first, and nothing is written without a yes", async () => {
  const project = projectOf(theirs);
  adopt(project);
  const before = read(project, "firestore.rules");
  await expect(remove(project, { yes: false })).rejects.toThrow("Nothing was written.");
  expect(read(project, "firestore.rules")).toBe(before);
  expect(existsSync(join(project, "firerank"))).toBe(true);
});

const exporting = {
  "functions/package.json": '{"dependencies": {"firerank": "file:firerank.tgz"}}',
  "functions/index.js": 'export * from "firerank";',
};
const copied = {
  "firebase.json": '{"functions": [{"source": "firerank", "codebase": "firerank"}]}',
  "firerank/package.json": '{"name": "firerank"}',
};
test.each([
  ["that exports Firerank is named", exporting, exporting, "functions/ exports Firerank's functions"],
  ["that init did not make stays", copied, copied, "firerank/ stays"],
  ["with code of theirs stays", {}, { "firerank/index.js": "export const mine = 1;\n" }, "firerank/ stays"],
])("a folder %s", async (_, before, after, says) => {
  const project = projectOf({ ...theirs, ...before });
  adopt(project);
  writeAll(project, after);
  expect(await remove(project)).toContain(says);
  for (const path of Object.keys(after))
    if (path !== "firebase.json") expect(existsSync(join(project, path))).toBe(true);
  expect(read(project, "firebase.json")).not.toContain("codebase");
});

test("an index that differs from Firerank's stays, as somebody changed it", async () => {
  const project = projectOf(theirs);
  adopt(project);
  const text = read(project, "firestore.indexes.json");
  const file = JSON.parse(text) as { fieldOverrides: { fieldPath: string; indexes: object[] }[] };
  const one = file.fieldOverrides.find(({ fieldPath }) => fieldPath === "achieved_at") ?? expect.fail();
  one.indexes.push({ order: "ASCENDING", queryScope: "COLLECTION" });
  writeAll(project, { "firestore.indexes.json": JSON.stringify(file) });
  await remove(project);
  const left = JSON.parse(read(project, "firestore.indexes.json")) as typeof file;
  expect(left.fieldOverrides.map(({ fieldPath }) => fieldPath)).toEqual(["at", "achieved_at"]);
});

test("the indexes of the Enterprise edition go as well", async () => {
  const project = projectOf(theirs);
  adopt(project, { edition: "enterprise" });
  await remove(project);
  expect(JSON.parse(read(project, "firestore.indexes.json"))).toEqual(
    JSON.parse(theirs["firestore.indexes.json"]),
  );
});
