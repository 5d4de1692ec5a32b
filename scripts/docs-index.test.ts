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

test("what only a critic reads comes last in the index", () => {
  const [before = "", last = ""] = textOf("docs/README.md").split("**To doubt it.**");
  const critics = ["benchmark.md", "load-model.md", "rank-error.md", "serve.md", "simulation.md"];
  expect(linked(last).toSorted()).toEqual(critics);
  expect(linked(before).filter((page) => critics.includes(page))).toEqual([]);
});

test("README says when not to use Firerank before it compares, and what to read at its end", () => {
  const headings = Array.from(textOf("README.md").matchAll(/^## (.+)$/gm), ([, heading]) => heading);
  const after = headings.indexOf("How it compares");
  expect(headings.indexOf("When not to use it")).toBe(after - 1);
  expect(headings.at(-1)).toBe("Read on");
});
