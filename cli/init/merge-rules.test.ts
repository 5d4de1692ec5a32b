import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as paths from "../../functions/src/documents/paths.ts";
import { triedPaths } from "../doctor/rules-tried.ts";
import { compareRules, mergeRules, ownCollections } from "./merge-rules.ts";

const ours = readFileSync(join(import.meta.dirname, "..", "..", "firestore.rules"), "utf8");
const head = "rules_version = '2';\n";
const service = (body: string) =>
  `${head}service cloud.firestore {\n  match /databases/{db}/documents {\n${body}  }\n}\n`;

/** What is left of a merged file without Firerank's block: it must be what was there. */
const without = (text: string) =>
  text.replace(/\r?\n[^\n]*\/\/ firerank:begin[\s\S]*\/\/ firerank:end\r?\n/, "");

describe("a file of theirs", () => {
  test.each([
    ["with functions of the same names", service("    function isAdmin() { return true; }\n")],
    ["with nested matches", service("    match /a/{b} { match /c/{d} { allow read; } }\n")],
    ["with braces in comments", service("// } } {\n    /* } match /leaderboards/{x} { */\n    // it's\n")],
    ["with braces in strings", service("    match /a/{b} { allow read: if b != '}' && b != \"//\"; }\n")],
    ["on one line", `${head}service cloud.firestore { match /databases/{d}/documents { } }`],
    ["without a newline at its end", service("").trimEnd()],
    ["with Windows' line ends", service("    match /a/{b} { allow read; }\n").replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\uFEFF${service("")}`],
    ["of two services", `${service("")}service firebase.storage {\n  match /b/{bucket}/o { }\n}\n`],
    ["with other leaderboards", service("match /g/{h}/leaderboards/{x} { allow read; }\n")],
    ["with leaderboards inside", service("match /i/{j} { match /leaderboards/{x} { allow read; } }\n")],
  ])("%s stays as it is, and is merged once", (_what, theirs) => {
    const { text } = mergeRules(theirs, ours);
    expect(without(text)).toBe(theirs);
    expect(text).toContain("match /leaderboards/{leaderboard}");
    expect(text.replaceAll("\r\n", "").includes("\n")).toBe(!theirs.includes("\r\n"));
    expect(mergeRules(text, ours).text).toBe(text);
    const blank = text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|'[^'\n]*'|"[^"\n]*"/g, "");
    expect(blank.split("{").length).toBe(blank.split("}").length);
  });

  test("keeps its own isAdmin, as the block has functions of other names", () => {
    const { text } = mergeRules(service("    function isAdmin() { return true; }\n"), ours);
    expect(text.match(/\bisAdmin\(/g)).toHaveLength(1);
    expect(text).toContain("function firerankIsAdmin()");
  });

  test("an older block is replaced where it is", () => {
    const merged = mergeRules(service(""), ours).text;
    const older = merged.replace("allow list: if firerankIsAdmin();", "allow list: if false;");
    expect(older).not.toBe(merged);
    expect(mergeRules(older, ours).text).toBe(merged);
  });
});

test.each([undefined, "", "\n \n", "\uFEFF"])("where there is none, as %j, it is written", (theirs) => {
  const { text, isNew } = mergeRules(theirs, ours);
  expect(isNew).toBe(true);
  expect(text.startsWith("rules_version = '2';\n\nservice cloud.firestore {\n")).toBe(true);
  expect(mergeRules(text, ours)).toMatchObject({ text, isNew: false });
});

test.each([
  ["version 1", "rules_version = '1';\nservice cloud.firestore {\n}\n", "is of version 1"],
  ["no version", "service cloud.firestore {\n}\n", "is of version 1"],
  ["a version in a comment", "// rules_version = '2';\nservice cloud.firestore {\n}\n", "is of version 1"],
  ["another service", `${head}service firebase.storage {\n}\n`, "no `service cloud.firestore"],
  ["a brace too few", `${head}service cloud.firestore {\n  match /a/{b} {\n}\n`, "without its"],
  ["rules for leaderboards", service("    match /leaderboards/{x} { allow read; }\n"), "in line 4"],
  ["rules for one leaderboard", service("\nmatch /leaderboards/{x}/a/{b} { allow read; }\n"), "in line 5"],
  ["half of the marks", service("    // firerank:end\n"), "not one pair"],
])("%s is refused with what to do", (_what, theirs, message) => {
  expect(() => mergeRules(theirs, ours)).toThrow(message);
  expect(() => mergeRules(theirs, ours)).toThrow("run the command again");
});

test.each([
  ["spaces in a wildcard", "@ match /{document = **} { allow write; } }"],
  ["a space behind a slash", "@ match / {document=**} { allow write; } }"],
  ["no space before it", "match/databases/{database}/documents { match/{document=**} { allow write; } }"],
  ["a wildcard above the documents", "match /databases/{database}/{document=**} { allow write; }"],
  ["a wildcard above all", "match /{document=**} { allow write; }"],
  ["a wildcard in a wildcard", "@ match /{a}/{b} { match /{all=**} { allow write; } } }"],
  ["a path that nobody knows", "@ match /{document: path} { allow write; } }"],
  [
    "a match behind one that nobody knows",
    "@ match /a:b { allow read: if false; } match /{all=**} { allow write; } match /users/{u} { allow read: if false; } }",
  ],
])("rules that are open by %s are named", (_what, body) => {
  const root = body.replace("@", "match /databases/{database}/documents {");
  const { open, text } = mergeRules(`${head}service cloud.firestore {\n${root}\n}\n`, ours);
  expect([open, compareRules(text, ours).open]).toEqual([[3], [3]]);
});

test.each([
  ["/{document=**} { allow read, write: if true; }", true, true],
  ["/{a}/{b} {\n      allow create;\n    }", true, false],
  ["/{document=**} { allow read, write: if false; }", false, false],
  ["/{document=**} { allow read: if true; }", false, true],
  ["/{document=**} { allow write: if true; }", true, false],
  ["/a/{b=**} { allow write; }", false, false],
  // Without a semicolon.
  ["/{document=**} { allow write: if true }", true, false],
  ["/{document=**} {\n allow read: if false;\n allow write\n }", true, false],
  ["/{document=**} { allow read: if true allow write: if false }", false, true],
  ["/{document=**} { allow list: if request.auth != null }", false, true],
  ["/{a}/{b=**} { allow get; }", false, true],
  ["/{path=**}/players/{p} { allow read; }", false, true],
  ["/{path=**}/baselines/{b}/{page=**} { allow read; }", false, true],
  ["/{path=**}/private_groups/{g} { allow read; }", false, true],
  ["/{path=**}/private_groups/{g} { allow write: if request.auth != null; }", true, false],
  ["/{path=**}/group_codes/{c} { allow read; }", false, true],
  ["/leaderboard_roles/{r} { allow write; }", true, false],
  ["/{path=**}/photos/{p} { allow read; }", false, false],
  ["/photos/{p} { allow read; }", false, false],
])("match %s lets clients write documents of Firerank: %s; read: %s", (match, writes, reads) => {
  const { text, open, openReads } = mergeRules(service(`    match ${match}\n`), ours);
  expect([open, openReads]).toEqual([writes ? [4] : [], reads ? [4] : []]);
  expect(mergeRules(text, ours)).toMatchObject({ open, openReads });
});

test("the look at rules knows all collections of Firerank, and doctor tries them", () => {
  // A board's id and a season's key in one.
  const key = Object.assign(new String("level"), { leaderboard: "level", season: "all_time" });
  const collectionsIn = (all: readonly string[]) =>
    all.flatMap((path) => path.split("/").filter((_, i) => i % 2 === 0));
  const pathOf = (one: unknown): unknown =>
    typeof one === "function" ? (one as (...parts: unknown[]) => unknown)(key, "1", 1) : one;
  const makers = Object.entries(paths).filter(
    ([name]) => /(Path|Collection)$/.test(name) && !/^is|OfPath$/.test(name),
  );
  const stored = new Set(collectionsIn(makers.map(([, one]) => String(pathOf(one)))));
  expect(stored.size).toBeGreaterThan(20);
  expect(ownCollections).toEqual(stored);
  expect(new Set(collectionsIn(triedPaths))).toEqual(stored);
});

test("their collections are named, and not Firerank's", () => {
  const theirs = service("    match /players/{a}/top/{b} { match /inner/{c} { allow read; } }\n");
  for (const text of [theirs, mergeRules(theirs, ours).text])
    expect([...mergeRules(text, ours).collections]).toEqual(["players", "top", "inner"]);
});

describe("rules in force, compared with Firerank's", () => {
  const merged = (body: string) => mergeRules(service(body), ours).text;

  test.each([
    ["by hand", ours],
    ["by init", merged("")],
    ["with other comments and whitespace", merged("").replaceAll("\n", "\n  // mine\n\t")],
  ])("are the same %s", (_, text) => {
    expect(compareRules(text, ours)).toMatchObject({ part: "same", open: [], openReads: [] });
  });

  test.each([
    ["'public'", "'secret'"],
    ["readsAtMost(100)", "readsAtMost(1000)"],
    ["if isAdmin()", "if true"],
  ])("differ with %s as %s", (from, to) => {
    expect(compareRules(ours.replaceAll(from, to), ours).part).toBe("differs");
  });

  test("are open by another match for leaderboards beside them", () => {
    const more = "    match /leaderboards/{all=**} { allow write: if request.auth != null; }\n";
    const text = merged("").replace("documents {\n", `documents {\n${more}`);
    expect(compareRules(text, ours)).toMatchObject({ part: "same", open: [4], openReads: [] });
  });

  test("are open by reads of everything, and not by Firerank's own when these differ", () => {
    expect(compareRules(merged("    match /{all=**} { allow read; }\n"), ours).openReads).toEqual([4]);
    const changed = ours.replaceAll("'public'", "'secret'");
    expect(compareRules(changed, ours)).toMatchObject({ part: "differs", open: [], openReads: [] });
  });
});
