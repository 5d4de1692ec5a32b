import { expect, test } from "vitest";
import { documentIdProblem, documentIdBytesMax, numberInId } from "./document-id.ts";

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

test("ids that Firestore gives to documents of Datastore are accepted: a 64-bit number but 0, written in one way", () => {
  for (const number of ["7", "-3", "10", "9223372036854775807", "-9223372036854775808"]) {
    expect(numberInId(`__id${number}__`)).toBe(number);
    expect(documentIdProblem(`__id${number}__`)).toBeUndefined();
  }
  const others = ["", "0", "-0", "00", "07", "+1", "-", "1.5", " 1", "1e3", "0x10", "abc", "7__x", "7\n"];
  for (const number of [...others, "10000000000000000000"]) {
    expect([number, numberInId(`__id${number}__`)]).toEqual([number, undefined]);
    expect(documentIdProblem(`__id${number}__`)).toMatch("__…__");
  }
  for (const number of ["9223372036854775808", "-9223372036854775809"])
    expect(numberInId(`__id${number}__`)).toBeUndefined();
  for (const id of ["__id7_", "_id7__", "__ID7__", " __id7__"]) expect(numberInId(id)).toBeUndefined();
});
