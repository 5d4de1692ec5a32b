/** The list of all docs, and the first page for each job. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./project.ts";

const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const linked = (text: string) =>
  Array.from(text.matchAll(/\]\((?:docs\/)?([\w-]+\.md)\)/g), ([, page]) => page ?? "");
const [ofJobs = ""] = textOf("docs/README.md").split("**To look up.**");

test("docs/README.md leads to every page of docs/", () => {
  const pages = globSync("docs/*.md", { cwd: root }).map((path) => basename(path));
  const others = pages.filter((page) => page !== "README.md");
  const found = new Set(linked(textOf("docs/README.md")));
  expect(others.filter((page) => !found.has(page))).toEqual([]);
});

test("there is a first page for each job, of at most 400 words, which leads on", () => {
  const first = linked(ofJobs);
  expect(first).toHaveLength(5);
  for (const page of first) {
    const text = textOf(`docs/${page}`);
    expect(text.split(/\s+/).length, page).toBeLessThanOrEqual(400);
    expect(linked(text.replaceAll(/#[\w-]*\)/g, ")")).length, page).toBeGreaterThan(3);
    expect(textOf("README.md")).toContain(`(docs/${page})`);
  }
});
