/**
 * SKILL.md and llms.txt, the page for those who arrive with a coding agent: what it says is held against the schemas, the
 * command line and the limits, and both packages have it. scripts/docs.test.ts compiles its TypeScript.
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { createProgram } from "../../cli/program.ts";
import { errorCodes } from "../../functions/src/model/errors.ts";
import * as limits from "../../functions/src/model/limits.ts";
import * as specs from "../../functions/src/operations/specs.ts";
import * as params from "../../functions/src/transports/params.ts";
import { codeBlocks } from "../support/markdown.ts";
import { root } from "../../scripts/project.ts";

const page = "functions/SKILL.md";
const text = readFileSync(join(root, page), "utf8");
const [, frontMatter = "", body = ""] = /^---\n(.*?)\n---\n\n(.*)$/s.exec(text) ?? [];

test("it says to agents what it is and when to use it", () => {
  const fields = Object.fromEntries(
    frontMatter
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
  );
  const skill = z.strictObject({ name: z.literal("firerank"), description: z.string().min(40).max(1_024) });
  expect(skill.parse(fields).description).toContain("Use it to");
});

test("llms.txt is the page without the front matter", async () => {
  expect(body).toMatch(/^# Firerank\n\n> /);
  await expect(body).toMatchFileSnapshot(join(root, "functions", "llms.txt"));
});

/** A block ` ```json request getRank `, with the schema that the function parses it by. */
const requests = codeBlocks(page)
  .filter(({ language }) => language === "json")
  .map(({ where, words: [word, name = ""], code }) => {
    const request = Object.entries(specs).find(([call]) => call === name)?.[1].request;
    if (word !== "request" || request === undefined) throw new Error(`${where}: there is no call ${name}`);
    return { name, schema: request, code };
  });

test.each(requests)("the request to $name is one that it takes", ({ schema, code }) => {
  const request = JSON.parse(code) as object;
  expect(schema.safeParse(request).error).toBeUndefined();
  expect(schema.safeParse({ ...request, unknown: 1 }).success).toBe(false);
});

test("every call is on the page", () => {
  for (const name of Object.keys(specs)) expect(body).toMatch(new RegExp(`\\b${name}\\b`));
});

const pages = globSync(["*.md", "docs/*.md", "functions/*.md"], { cwd: root });

test.each(pages)("each command of the command line in %s is one, with options that it has", (name) => {
  const shown = Array.from(
    readFileSync(join(root, name), "utf8").matchAll(
      /^npx --no-install firerank ([a-z].*)$|`npx --no-install firerank ([a-z][^`]*)`/gm,
    ),
    ([, line, inText = ""]) => (line ?? inText).split(" "),
  );
  const known = createProgram().commands;
  for (const [word = "", ...rest] of shown) {
    const command = known.find((one) => one.name() === word);
    expect(command, word).toBeDefined();
    for (const option of rest.filter((one) => one.startsWith("--")))
      expect(
        command?.options.map(({ long }) => long),
        word,
      ).toContain(option);
  }
});

test("errors, parameters and limits are those of the code", () => {
  const errors = body.slice(body.indexOf("## Errors"), body.indexOf("## Limits"));
  for (const code of errorCodes) expect(errors).toContain(`\`${code}\``);
  const many = (number: number) => number.toLocaleString("en");
  const said = [
    `Up to ${many(limits.rowsMax)} different scores`,
    `at most ${limits.pageLimitMax} players`,
    `\`getAround\` ${limits.aroundMax} on each side`,
    `\`getPlayers\` ${limits.friendsMax}`,
    `the top ${many(limits.topSizeMax)}`,
    `\`metadata\` is at most ${limits.metadataBytesMax / 1_024} KB`,
    `\`display_name\` ${limits.displayNameCharactersMax} characters`,
    `up to ${limits.submissionsPerCallMax} at a time`,
    `at most ${limits.segmentsMax} segments, and ${many(limits.valuesRankedMax)} values`,
    `\`${params.enforceAppCheck.name}=false\``,
    `\`${params.region.name}\``,
    `\`${params.database.name}\``,
  ];
  for (const phrase of said) expect(body).toContain(phrase);
});

test("both packages have the page", () => {
  const clone = mkdtempSync(join(tmpdir(), "firerank-guide-"));
  try {
    for (const name of ["LICENSE", "client/package.json", "client/pack.mjs", "client/README.md"])
      cpSync(join(root, name), join(clone, name));
    symlinkSync(join(root, "functions"), join(clone, "functions"), "dir");
    const client = join(clone, "client");
    execFileSync(process.execPath, [join(client, "pack.mjs"), "before"]);
    expect(packedFiles(client)).toEqual(expect.arrayContaining(["LICENSE", "SKILL.md", "llms.txt"]));
    execFileSync(process.execPath, [join(client, "pack.mjs"), "after"]);
    expect(packedFiles(client)).toEqual(["README.md", "package.json"]);
  } finally {
    rmSync(clone, { recursive: true });
  }
  expect(packedFiles(join(root, "functions"))).toEqual(expect.arrayContaining(["SKILL.md", "llms.txt"]));
});

/** What npm would pack, without what it runs before: that compiles, and the page needs nothing of it. */
function packedFiles(folder: string): string[] {
  const stdout = execFileSync("npm", ["pack", "--json", "--dry-run", "--ignore-scripts"], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("["))) as { files: { path: string }[] }[];
  return (packed?.files ?? []).map(({ path }) => path);
}
