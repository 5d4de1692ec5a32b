import { Firestore, GeoPoint, FieldValue, Timestamp } from "./firestore.ts";
import { integerOf } from "./exact-number.ts";
import { expect, test } from "vitest";
import { plainJson } from "./plain-json.ts";

const db = new Firestore({ projectId: "demo-plain" });

test.each<[stored: unknown, plain: unknown]>([
  ["Ann", "Ann"],
  [null, null],
  [true, true],
  [
    { a: NaN, b: Infinity, c: [-Infinity, -0.5] },
    { a: "NaN", b: "Infinity", c: ["-Infinity", -0.5] },
  ],
  [new Timestamp(1_700_000_000, 5_000_000), "2023-11-14T22:13:20.005Z"],
  [new Timestamp(1_700_000_000, 999_600_000), "2023-11-14T22:13:20.9996Z"],
  [new GeoPoint(48.2, 16.4), { latitude: 48.2, longitude: 16.4 }],
  [db.doc("users/bob"), "users/bob"],
  [Buffer.from("hi"), "aGk="],
  [FieldValue.vector([1, NaN]), [1, "NaN"]],
  [{ list: [{ at: new Timestamp(0, 0) }] }, { list: [{ at: "1970-01-01T00:00:00.000Z" }] }],
  [
    { empty: {}, "a.b": 1 },
    { empty: {}, "a.b": 1 },
  ],
  [integerOf("1152921504606846977"), "1152921504606846977"],
  [
    { gold: 1.5e21, gems: [2 ** 53, 2 ** 53 - 1] },
    { gold: "1.5e+21", gems: ["9007199254740992", 2 ** 53 - 1] },
  ],
  [{ id: [integerOf("-76561198012345678"), integerOf("7")] }, { id: ["-76561198012345678", 7] }],
])("what Firestore stores becomes JSON that can be read: %o", (stored, plain) => {
  expect(JSON.parse(JSON.stringify(plainJson({ stored })))).toEqual({ stored: plain });
});

test("what is plain already is not copied", () => {
  const metadata = { flag: "at", list: [1, { a: null }], map: { b: [] } };
  expect(plainJson(metadata)).toBe(metadata);
  const inner = { list: metadata.list, at: new Timestamp(0, 0) };
  expect(plainJson(inner)["list"]).toBe(metadata.list);
});
