import { expect, test } from "vitest";
import { Timestamp } from "../documents/firestore.ts";
import { changedPlayer, versionOf } from "./changed-player.ts";

const there = (id: string) => ({ exists: true, ref: { id } });
const gone = (id: string) => ({ exists: false, ref: { id } });
/** The id as it is read from the header. */
const garbled = Buffer.from("Jürgen 玩家").toString("latin1");

test("the id is the document's own where the parameters garble it, whether it was created, changed or deleted", () => {
  const own = there("Jürgen 玩家");
  const lost = gone(garbled);
  expect(changedPlayer({ before: lost, after: own }, garbled)).toBe("Jürgen 玩家");
  expect(changedPlayer({ before: own, after: own }, garbled)).toBe("Jürgen 玩家");
  expect(changedPlayer({ before: own, after: lost }, garbled)).toBe("Jürgen 玩家");
});

test("an event without a document has the id of its parameters", () => {
  expect(changedPlayer(undefined, "ann")).toBe("ann");
  expect(changedPlayer({ before: gone("x"), after: gone("x") }, "ann")).toBe("ann");
});

test("a version has the document's contents and times, and there is none where the document was not", () => {
  const [updateTime, createTime] = [Timestamp.fromMillis(2), Timestamp.fromMillis(1)];
  const known = { ...there("ann"), data: () => ({ score: 7 }) };
  const snapshot = { ...known, updateTime, createTime };
  expect(versionOf(snapshot)).toEqual({ data: { score: 7 }, updateTime, createTime });
  expect(versionOf({ ...snapshot, data: () => undefined })?.data).toEqual({});
  const incomplete = [
    { ...known, updateTime },
    { ...known, createTime },
  ];
  for (const none of [undefined, { ...snapshot, exists: false }, ...incomplete])
    expect(versionOf(none)).toBeUndefined();
});
