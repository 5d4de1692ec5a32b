import { Firestore, GeoPoint, FieldValue, Timestamp } from "./firestore.ts";
import { expect, test } from "vitest";
import { plainJson } from "./plain-json.ts";

test("whatever Firestore stores becomes JSON that can be read", () => {
  const db = new Firestore({ projectId: "demo-plain" });
  const stored = {
    text: "Ann",
    nothing: null,
    yes: true,
    numbers: [1, -0.5, NaN, Infinity, -Infinity],
    at: new Timestamp(1_700_000_000, 5_000_000),
    place: new GeoPoint(48.2, 16.4),
    friend: db.doc("users/bob"),
    bytes: Buffer.from("hi"),
    vector: FieldValue.vector([1, NaN]),
    nested: { list: [{ at: new Timestamp(0, 0) }], empty: {}, "a.b": 1 },
    big: 2n ** 60n,
  };
  const plain = plainJson(stored);
  expect(JSON.parse(JSON.stringify(plain))).toEqual(plain);
  expect(plain).toEqual({
    text: "Ann",
    nothing: null,
    yes: true,
    numbers: [1, -0.5, "NaN", "Infinity", "-Infinity"],
    at: "2023-11-14T22:13:20.005Z",
    place: { latitude: 48.2, longitude: 16.4 },
    friend: "users/bob",
    bytes: "aGk=",
    vector: [1, "NaN"],
    nested: { list: [{ at: "1970-01-01T00:00:00.000Z" }], empty: {}, "a.b": 1 },
    big: "1152921504606846976",
  });
});
