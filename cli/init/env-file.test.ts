import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEnv } from "./env-file.ts";

interface FirebaseTools {
  loadUserEnvs: (of: Record<string, string>) => Record<string, string>;
  parse: (file: string) => { envs: Record<string, string>; errors: string[] };
  parseStrict: (file: string) => Record<string, string>;
}
const { loadUserEnvs, parse, parseStrict } = createRequire(import.meta.url)(
  "firebase-tools/lib/functions/env.js",
) as FirebaseTools;

const valuesIn = (file: string) =>
  Object.fromEntries(readEnv(file).set.map(({ name, value }) => [name, value]));

function isTaken(file: string): boolean {
  try {
    parseStrict(file);
    return true;
  } catch {
    return false;
  }
}

/** Pieces of which people, and programs, make a file `.env`. */
const pieces = fc.constantFrom(
  ...[
    "REGION",
    "DATABASE",
    "region",
    "A.B",
    "1A",
    "export ",
    "export",
    "=",
    "=",
    ":",
    " ",
    "\t",
    "#",
    "'",
    '"',
  ],
  ...["`", "\\", "\\n", "\\'", '\\"', "- ", "true", "it's", "\n", "\n", "\r\n", "\r", "\uFEFF", ";"],
);

test("a file is read as the Firebase CLI reads it, whatever is in it", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 25 }), (some) => {
      const file = some.join("");
      const { envs } = parse(file);
      const taken = Object.entries(envs).filter(([name]) => /^[A-Z_][A-Z0-9_]*$/.test(name));
      expect(valuesIn(file)).toEqual(Object.fromEntries(taken));
      expect(readEnv(file).unread.length === 0).toBe(isTaken(file));
    }),
    { numRuns: 20_000 },
  );
});

describe("a line that the Firebase CLI does not take is found, with its number and its name:", () => {
  test.each([
    ["ENFORCE_APP_CHECK: TRUE", "ENFORCE_APP_CHECK"],
    ["ENFORCE_APP_CHECK", "ENFORCE_APP_CHECK"],
    ["- REGION=us-central1", "REGION"],
    ["export REGION us-central1", "REGION"],
    ["max-instances=20", "max-instances"],
    ["region=us-central1", "region"],
    ["= 3", undefined],
    ["// REGION=us-central1", undefined],
  ])("%s", (line, name) => {
    const file = `# mine\r\n\r\nMEMORY_MIB=512\r\nNOTE="two\nlines"\n${line}\nDATABASE=games\n`;
    expect(isTaken(file)).toBe(false);
    expect(readEnv(file).unread).toEqual([expect.objectContaining({ line: 6, ...(name && { name }) })]);
    expect(readEnv(file).set.map((one) => [one.name, one.line])).toEqual([
      ["MEMORY_MIB", 3],
      ["NOTE", 4],
      ["DATABASE", 7],
    ]);
  });
});

test.each([
  ["export REGION=us-central1", { REGION: "us-central1" }],
  ["REGION = us-central1 # near", { REGION: "us-central1" }],
  ["REGION='us-central1", { REGION: "'us-central1" }],
  ['REGION="us-central1" yes', { REGION: '"us-central1" yes' }],
  ["REGION=a\nREGION=b", { REGION: "b" }],
])("%j is taken as it is", (file, values) => {
  expect(isTaken(file)).toBe(true);
  expect(valuesIn(file)).toEqual(values);
  expect(readEnv(file).unread).toEqual([]);
});

test("the Firebase CLI refuses files for a project's id and for its alias together, as doctor says", () => {
  const folder = mkdtempSync(join(tmpdir(), "firerank-"));
  for (const of of ["my-game", "default"]) writeFileSync(join(folder, `.env.${of}`), "");
  const load = () =>
    loadUserEnvs({
      functionsSource: folder,
      projectDir: folder,
      projectId: "my-game",
      projectAlias: "default",
    });
  expect(load).toThrow(/Can't have both dotenv files/);
  rmSync(join(folder, ".env.default"));
  expect(load()).toEqual({});
});
