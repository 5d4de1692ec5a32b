/** Samples of firebase.json in the docs, which people paste into a project that init has written. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/project.ts";
import { plan, projectOf, read, writeAll } from "../testing/project.ts";
import { configIn } from "./merge-firebase-json.ts";

test("samples that name Firerank's codebase name the folder that init makes", () => {
  const project = projectOf({});
  const { changes } = plan(project);
  writeAll(project, Object.fromEntries(changes.map(({ path, after }) => [path, after])));
  const folder = configIn(read(project, "firebase.json")).own?.source;
  const pages = ["docs/install.md", "examples/README.md"].map((path) =>
    readFileSync(join(root, path), "utf8"),
  );
  const named = [...pages.join("\n").matchAll(/"source": "([^"]*)",\s*"codebase": "firerank"/g)];
  expect(named.length).toBeGreaterThan(0);
  for (const [, source] of named) expect(source).toBe(folder);
});
