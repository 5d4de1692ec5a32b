/** Checks that files named in comments exist. docs.test.ts checks those named in pages. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./project.ts";

const folders = "{bench,cli,client,demo,docs,examples,functions,scripts,simulate,test,web}";
const isOurs = (path: string) => !/(^|\/)(node_modules|lib|dist)\//.test(path);
const files = globSync([`${folders}/**/*.{ts,tsx,js,mjs,md}`, "*.{ts,js,md}"], { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .filter(isOurs);

/** Every suffix of a file's path, from its name to the whole path: comments use as much as is unique. */
const ends = new Set(
  files.flatMap((path) => {
    const parts = path.split("/");
    return parts.map((_part, index) => parts.slice(index).join("/"));
  }),
);

/** Names of TypeScript files in a text, except in imports and strings, which the compiler and tests check. */
function namesIn(text: string): string[] {
  const prose = text.replace(/^(import|export|\} from)\b.*$/gm, "");
  return [...prose.matchAll(/(?<![\w/."'$}-])(?:[\w-]+\/)*[\w-]+(?:\.test)?\.tsx?\b/g)].map(([name]) => name);
}

test("the names of files are found in comments, and not in imports", () => {
  const text =
    'import { a } from "./gone.ts";\n// as in scripts/project.ts, and (project.ts)\nread("lost.ts");';
  expect(namesIn(text)).toEqual(["scripts/project.ts", "project.ts"]);
});

test("every file that is named in a comment is there", () => {
  const lost = files
    .filter((path) => !path.endsWith(".md"))
    .flatMap((path) =>
      namesIn(readFileSync(join(root, path), "utf8"))
        .filter((name) => !ends.has(name))
        .map((name) => `${path} names ${name}`),
    );
  expect(lost).toEqual([]);
});
