import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { projectOf } from "../testing/project.ts";
import { writeFiles } from "./write-files.ts";

test("one that cannot be written takes away nested folders that were made, and is named", () => {
  const project = projectOf({ b: "a file in place of a folder" });
  const files = ["made/a.json", "made/in/c.json", "other/e.json", "b/d.json"].map((path) => ({ path, after: "" }));
  expect(() => writeFiles(project, files)).toThrow(/b" needs a folder where there is a file. Nothing was written/);
  expect(readdirSync(project)).toEqual(["b"]);
});
