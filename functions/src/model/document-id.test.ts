import { expect, test } from "vitest";
import { documentIdProblem, documentIdBytesMax } from "./document-id.ts";

/** The first and the last character of each length in UTF-8, with that length. */
test.each([
  ["\u0000", 1],
  ["\u007f", 1],
  ["\u0080", 2],
  ["\u07ff", 2],
  ["\u0800", 3],
  ["\uffff", 3],
  ["\u{10000}", 4],
  ["\u{10ffff}", 4],
])("an id of %j has at most 1,500 bytes, of which each is %i", (character, bytes) => {
  const most = documentIdBytesMax / bytes;
  expect(documentIdProblem(character.repeat(most))).toBeUndefined();
  expect(documentIdProblem(`${character.repeat(most)}a`)).toMatch("at most 1500 bytes");
});

test("ids that Firestore does not accept get a reason", () => {
  expect(documentIdProblem("")).toBe("must not be empty");
  expect(documentIdProblem("a/b")).toBe('must not contain "/"');
  for (const id of [".", "..", "__", "____", "__a__", "__\n__"])
    expect([id, documentIdProblem(id) !== undefined]).toEqual([id, id !== "__"]);
  for (const id of ["...", "a__b__", "__b__c", "_a_", " "])
    expect([id, documentIdProblem(id)]).toEqual([id, undefined]);
});
