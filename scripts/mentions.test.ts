/** Files that comments and pages name are there. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./project.ts";

const folders = "{bench,cli,client,demo,docs,examples,functions,scripts,simulate,test,web}";
const files = globSync([`${folders}/**/*.*`, "*.*"], {
  cwd: root,
  exclude: (path) => /(^|\/)(node_modules|lib|dist)$/.test(path),
});

/** Every suffix of a file's path, from its name to the whole path: comments use as much as is unique. */
const ends = new Set(
  files.flatMap((path) => path.split("/").map((_part, index, parts) => parts.slice(index).join("/"))),
);

/** Names of TypeScript files in a text, except in imports and strings, which the compiler and tests check. */
function namesInComments(text: string): string[] {
  const prose = text.replace(/^(import|export|\} from)\b.*$/gm, "");
  return [...prose.matchAll(/(?<![\w/."'$}-])(?:[\w-]+\/)*[\w-]+(?:\.test)?\.tsx?\b/g)].map(([name]) => name);
}

function namesInPage(text: string): string[] {
  const quoted = text.matchAll(/`([\w-][\w./-]*\.(?:ts|tsx|mjs|rules|html))`/g);
  return Array.from(quoted, ([, name = ""]) => name);
}

test("the names of files are found in comments, and not in imports", () => {
  const text =
    'import { a } from "./gone.ts";\n// as in scripts/project.ts, and (project.ts)\nread("lost.ts");';
  expect(namesInComments(text)).toEqual(["scripts/project.ts", "project.ts"]);
});

test.each([
  ["comment", /\.(ts|tsx|js|mjs)$/, namesInComments],
  ["page", /^(docs\/|client\/|examples\/|functions\/src\/)?[^/]*\.md$/, namesInPage],
] as const)("every file that is named in a %s is there", (_where, kind, namesIn) => {
  const texts = files.filter((path) => kind.test(path));
  expect(texts.length).toBeGreaterThan(20);
  const lost = texts.flatMap((path) =>
    namesIn(readFileSync(join(root, path), "utf8"))
      .filter((name) => !ends.has(name))
      .map((name) => `${path} names ${name}`),
  );
  expect(lost).toEqual([]);
});
