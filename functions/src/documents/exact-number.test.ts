import { expect, test } from "vitest";
import { ExactNumber, integerOf, withDoubles } from "./exact-number.ts";
import { type DocumentSnapshot, Firestore } from "./firestore.ts";
import { playerData } from "./player.ts";

const db = new Firestore({ projectId: "demo-exact" });

/** A document as the client library makes it of an answer. */
function found(fields: Record<string, object>): DocumentSnapshot {
  const library = db as unknown as {
    snapshot_(document: object, readTime: object, encoding: "protobufJS"): DocumentSnapshot;
  };
  const name = "projects/demo-exact/databases/(default)/documents/players/ann";
  const time = { seconds: 1, nanos: 0 };
  return library.snapshot_({ name, fields, createTime: time, updateTime: time }, time, "protobufJS");
}

test("an integer that a number can stand for is a number, any other is kept as it is", () => {
  for (const [stored, number] of [
    ["7", 7],
    ["-9007199254740991", -9007199254740991],
    [0, 0],
  ] as const)
    expect(integerOf(stored)).toBe(number);
  for (const stored of ["9007199254740992", "76561198012345679", "-9223372036854775808"]) {
    expect(integerOf(stored)).toEqual(new ExactNumber({ integerValue: stored }));
    expect(JSON.stringify({ stored: integerOf(stored) })).toBe(`{"stored":"${stored}"}`);
  }
  expect(JSON.stringify(new ExactNumber({ doubleValue: 850 }))).toBe("850");
});

test("the client library reads large integers so, and what is not Firerank's keeps its doubles", () => {
  const large = { integerValue: "76561198012345679" };
  const whole = { doubleValue: 850 };
  const rest = { mapValue: { fields: { a: whole, b: { doubleValue: 0.5 }, c: { integerValue: "1" } } } };
  const document = found({
    score: whole,
    steam_id: large,
    ratio: whole,
    minus: { doubleValue: -0 },
    metadata: { mapValue: { fields: { list: { arrayValue: { values: [whole, large, rest] } } } } },
    empty: { mapValue: {} },
    none: { arrayValue: {} },
  });
  expect(document.get("steam_id")).toEqual(new ExactNumber(large));
  expect(document.get("ratio")).toBe(850);
  expect(playerData(document)).toEqual({
    score: 850,
    steam_id: new ExactNumber(large),
    ratio: new ExactNumber(whole),
    minus: -0,
    metadata: {
      list: [new ExactNumber(whole), new ExactNumber(large), { a: new ExactNumber(whole), b: 0.5, c: 1 }],
    },
    empty: {},
    none: [],
  });
});

test("the client library writes it as it was, at any depth", () => {
  const value = { ids: [integerOf("76561198012345679")], ratio: withDoubles(850, { doubleValue: 850 }) };
  const { _serializer: serializer } = db as unknown as {
    _serializer: { encodeFields(fields: object): unknown };
  };
  expect(serializer.encodeFields(value)).toEqual({
    ids: { arrayValue: { values: [{ integerValue: "76561198012345679" }] } },
    ratio: { doubleValue: 850 },
  });
  expect(() => db.batch().set(db.doc("players/ann"), value)).not.toThrow();
});
