/** Every number here comes from https://firebase.google.com/docs/firestore/storage-size, or from its rules. */
import { expect, test } from "vitest";
import { FieldValue, Firestore } from "@google-cloud/firestore";
import { GeoPoint, Timestamp } from "../documents/firestore.ts";
import { depthOf, documentSize, fieldsSize, nameSize, valueSize } from "./document-size.ts";

const task = { type: "Personal", done: false, priority: 1, description: "Learn Cloud Firestore" };

test("the name of the documentation's document is 6 + 5 + 6 + 11 + 16 = 44 bytes", () => {
  expect(nameSize("users/jeff/tasks/my_task_id")).toBe(44);
});

test("the fields of the documentation's document have 14 + 6 + 17 + 34 bytes, and all of it 147", () => {
  expect(fieldsSize(task)).toBe(71);
  expect(documentSize("users/jeff/tasks/my_task_id", task)).toBe(147);
});

test.each([
  ["null", null, 1],
  ["a boolean", true, 1],
  ["an integer", 7, 8],
  ["a fraction", 0.5, 8],
  ["a text, its bytes in UTF-8 and one more", "é€👑", 2 + 3 + 4 + 1],
  ["bytes", new Uint8Array(10), 10],
  ["a timestamp", Timestamp.fromMillis(0), 8],
  ["an array, the sum of its values", [1, "ab", null], 8 + 3 + 1],
  ["a map with an undefined field, which is not stored", { a: undefined }, 32],
  ["a map, like a document: names and values of its fields, and 32", { a: 1, bc: "x" }, 2 + 8 + 3 + 2 + 32],
  ["maps in an array", [{ a: true }, { a: [false] }], 3 + 32 + 3 + 32],
])("the value of a field: %s", (_what, value, size) => {
  expect(valueSize(value)).toBe(size);
});

test("a reference has its document's name, and a place 16 bytes", () => {
  const path = `clans/${"c".repeat(200)}`;
  expect(valueSize(new Firestore({ projectId: "p" }).doc(path))).toBe(nameSize(path));
  expect(valueSize(new GeoPoint(1, 2))).toBe(16);
});

test("a vector has at least 8 bytes for each of its numbers", () => {
  expect(valueSize(FieldValue.vector(Array.from({ length: 1_536 }, () => 0.5)))).toBeGreaterThanOrEqual(
    8 * 1_536,
  );
});

test.each([
  [7, 0],
  ["text", 0],
  [null, 0],
  [undefined, 0],
  [Timestamp.fromMillis(0), 0],
  [FieldValue.vector([1]), 0],
  [{}, 1],
  [[], 1],
  [{ a: 1, b: [1, { c: {} }], d: {} }, 4],
])("levels of maps and lists: %j", (value, levels) => {
  expect(depthOf(value)).toBe(levels);
});
