import { chmodSync, lstatSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CliError } from "../cli-error.ts";
import { projectOf, read } from "../testing/project.ts";
import { initProject } from "./init.ts";
import { writeFiles } from "./write-files.ts";

const texts = (...paths: string[]) => paths.map((path) => ({ path, after: `new ${path}` }));

test("all files are written, in folders that are there or not, and nothing is left beside them", () => {
  const project = projectOf({ "a.json": "old" });
  writeFiles(project, texts("a.json", "made/in/b.json", "c.json"));
  expect(read(project, "a.json")).toBe("new a.json");
  expect(read(project, "made/in/b.json")).toBe("new made/in/b.json");
  expect(readdirSync(project).sort()).toEqual(["a.json", "c.json", "made"]);
  expect(readdirSync(join(project, "made/in"))).toEqual(["b.json"]);
});

test("a file keeps its rights, and a link leads where it led", () => {
  const project = projectOf({ "deploy.sh": "old", "shared/rules": "old" });
  chmodSync(join(project, "deploy.sh"), 0o750);
  symlinkSync(join("shared", "rules"), join(project, "rules"));
  writeFiles(project, texts("deploy.sh", "rules"));
  expect(statSync(join(project, "deploy.sh")).mode & 0o777).toBe(0o750);
  expect(lstatSync(join(project, "rules")).isSymbolicLink()).toBe(true);
  expect(read(project, "shared/rules")).toBe("new rules");
});

test("one that cannot be written leaves all as they were, and no folder that was made for them", () => {
  const project = projectOf({ "a.json": "old", b: "a file in place of a folder" });
  expect(() => writeFiles(project, texts("a.json", "made/c.json", "b/d.json"))).toThrow(
    new CliError(`"${join(project, "b")}" needs a folder where there is a file. Nothing was written.`),
  );
  expect(read(project, "a.json")).toBe("old");
  expect(readdirSync(project).sort()).toEqual(["a.json", "b"]);
});

test("a folder with the name of a file on its way stays", () => {
  const project = projectOf({ "a.json": "old", "b.json.firerank-new/c": "" });
  expect(() => writeFiles(project, texts("a.json", "b.json"))).toThrow("is a folder, and should be a file.");
  expect(readdirSync(project).sort()).toEqual(["a.json", "b.json.firerank-new"]);
  expect(read(project, "a.json")).toBe("old");
});

test("init that cannot write one of its files has changed none", async () => {
  const config = '{"functions": {"source": "functions"}, "firestore": {"indexes": "b/indexes.json"}}';
  const project = projectOf({
    "firebase.json": config,
    "functions/package.json": '{"dependencies": {"firerank": "file:../firerank.tgz"}}',
    "functions/index.js": 'export * from "firerank";',
    b: "a file in place of a folder",
  });
  const init = initProject({ project, yes: true, say: () => undefined, input: process.stdin });
  await expect(init).rejects.toThrow(`"${join(project, "b")}" needs a folder where there is a file.`);
  expect(read(project, "firebase.json")).toBe(config);
  expect(readdirSync(project).sort()).toEqual(["b", "firebase.json", "functions"]);
});

test("one that cannot be written takes away nested folders that were made, and is named", () => {
  const project = projectOf({ b: "a file in place of a folder" });
  const files = ["made/a.json", "made/in/c.json", "other/e.json", "b/d.json"].map((path) => ({
    path,
    after: "",
  }));
  expect(() => writeFiles(project, files)).toThrow(
    /b" needs a folder where there is a file. Nothing was written/,
  );
  expect(readdirSync(project)).toEqual(["b"]);
});
