/** The effect of writes on a document's fields. */
import { expect } from "vitest";
import { FieldPath, FieldValue, type Timestamp } from "../../../functions/src/documents/firestore.ts";
import { at, type Cases, timesOf } from "./case.ts";

const before = { score: 1, name: "ann", map: { a: 1, b: { c: 2 } }, list: [1, 2] };

/** A case that writes to a document with the content `before`, and checks the result. */
function onto(write: (reference: ReturnType<typeof at>) => Promise<unknown>, after: object): Cases[string] {
  return async (stage) => {
    await at(stage).set(before);
    await write(at(stage));
    expect((await at(stage).get()).data()).toStrictEqual(after);
  };
}

const set = {
  "set replaces the whole document": onto((ref) => ref.set({ map: { z: 1 } }), { map: { z: 1 } }),
  "merge leaves what it does not name, in maps too": onto(
    (ref) => ref.set({ score: 2, map: { b: { d: 3 } } }, { merge: true }),
    { ...before, score: 2, map: { a: 1, b: { c: 2, d: 3 } } },
  ),
  "merge replaces lists, what is no map by a map, and a map by an empty one": onto(
    (ref) => ref.set({ score: { a: 1 }, map: {}, list: [3] }, { merge: true }),
    { ...before, score: { a: 1 }, map: {}, list: [3] },
  ),
  "merge takes a dot in a name for part of the name": onto(
    (ref) => ref.set({ "map.a": 5, map: { "1.5": 6 } }, { merge: true }),
    { ...before, "map.a": 5, map: { ...before.map, "1.5": 6 } },
  ),
  "merge deletes, in maps too, and what is not there as well": onto(
    (ref) =>
      ref.set(
        { score: FieldValue.delete(), map: { b: { c: FieldValue.delete() } }, none: FieldValue.delete() },
        { merge: true },
      ),
    { name: "ann", map: { a: 1, b: {} }, list: [1, 2] },
  ),
  "merge creates what is not there": async (stage) => {
    await at(stage).set({ map: { a: 1 }, none: { deep: FieldValue.delete() } }, { merge: true });
    expect((await at(stage).get()).data()).toEqual({ map: { a: 1 } });
  },
  "mergeFields writes these fields alone, each as a whole": onto(
    (ref) => ref.set({ score: 2, name: "bob", map: { z: 1 } }, { mergeFields: ["score", "map"] }),
    { ...before, score: 2, map: { z: 1 } },
  ),
  "mergeFields reaches into maps by a path with dots": onto(
    (ref) => ref.set({ map: { a: 5, b: { c: 6, d: 7 } } }, { mergeFields: ["map.b.c"] }),
    { ...before, map: { a: 1, b: { c: 6 } } },
  ),
  "mergeFields takes a path whose parts have dots": onto(
    (ref) =>
      ref.set(
        { "a.b": 3, name: FieldValue.delete(), none: FieldValue.delete() },
        { mergeFields: ["a.b", "name", "none"].map((field) => new FieldPath(field)) },
      ),
    { score: 1, map: before.map, list: before.list, "a.b": 3 },
  ),
  "mergeFields creates what is not there": async (stage) => {
    await at(stage).set({ score: 1, metadata: FieldValue.delete() }, { mergeFields: ["score", "metadata"] });
    expect((await at(stage).get()).data()).toEqual({ score: 1 });
  },
} satisfies Cases;

const update = {
  "update replaces each field that it names as a whole": onto(
    (ref) => ref.update({ map: { z: 1 }, added: 1 }),
    {
      ...before,
      map: { z: 1 },
      added: 1,
    },
  ),
  "update reaches into maps by a path with dots": onto(
    (ref) => ref.update({ "map.b.c": 5, "map.n.m": 6, "score.x": 7 }),
    { ...before, score: { x: 7 }, map: { a: 1, b: { c: 5 }, n: { m: 6 } } },
  ),
  "update deletes, by a path with dots too": onto(
    (ref) =>
      ref.update({ score: FieldValue.delete(), "map.a": FieldValue.delete(), "none.x": FieldValue.delete() }),
    { name: "ann", map: { b: { c: 2 } }, list: [1, 2] },
  ),
} satisfies Cases;

const increment = (by: number) => FieldValue.increment(by);

const transforms = {
  "an increment adds to a number": onto((ref) => ref.update({ score: increment(2.5) }), {
    ...before,
    score: 3.5,
  }),
  "an increment begins at zero where there is nothing, null, a text or a map": async (stage) => {
    await at(stage).set({ nothing: null, text: "5", map: { a: 1 } });
    const add = { nothing: increment(1), text: increment(-2), map: increment(3), none: increment(0) };
    await at(stage).set(add, { merge: true });
    expect((await at(stage).get()).data()).toEqual({ nothing: 1, text: -2, map: 3, none: 0 });
  },
  "increments of keys in a map make a document that is not there, and add up": async (stage) => {
    const counts = { "1.5": increment(1), "-0.25": increment(-1), "1e21": increment(1), "7": increment(2) };
    const write = { slot: 1, writes: increment(1), player_count: counts };
    await at(stage).set(write, { merge: true });
    await at(stage).set(
      { ...write, player_count: { "1.5": increment(-1), "8": increment(1) } },
      { merge: true },
    );
    expect((await at(stage).get()).data()).toEqual({
      slot: 1,
      writes: 2,
      player_count: { "1.5": 0, "-0.25": -1, "1e21": 1, "7": 2, "8": 1 },
    });
  },
  "an increment in a plain set begins at zero, whatever was there": onto(
    (ref) => ref.set({ score: increment(5), map: { a: increment(1) } }),
    { score: 5, map: { a: 1 } },
  ),
  "an increment inside a map that replaces another begins at zero": onto(
    (ref) => ref.update({ map: { a: increment(1), z: 2 } }),
    { ...before, map: { a: 1, z: 2 } },
  ),
  "increments of one document in one commit add up": async (stage) => {
    const batch = stage.db.batch();
    for (let i = 1; i <= 3; i++) batch.set(at(stage), { count: increment(i), last: i }, { merge: true });
    await batch.commit();
    expect((await at(stage).get()).data()).toEqual({ count: 6, last: 3 });
  },
  "increments follow the rules of doubles": async (stage) => {
    await at(stage).set({ a: 0.1, b: NaN, c: Infinity, d: -1, e: 1e308 });
    await at(stage).update({
      a: increment(0.2),
      b: increment(1),
      c: increment(-Infinity),
      d: increment(1),
      e: increment(1e308),
    });
    expect((await at(stage).get()).data()).toEqual({ a: 0.1 + 0.2, b: NaN, c: NaN, d: 0, e: Infinity });
  },
  "the server's time is that of the commit": async (stage) => {
    const batch = stage.db.batch();
    batch.set(at(stage), { at: FieldValue.serverTimestamp(), map: { at: FieldValue.serverTimestamp() } });
    batch.set(at(stage, "b"), { at: FieldValue.serverTimestamp() });
    await batch.commit();
    const found = await at(stage).get();
    const time = found.get("at") as Timestamp;
    expect(found.get("map.at")).toEqual(time);
    expect((await at(stage, "b").get()).get("at")).toEqual(time);
    const { updateTime } = await timesOf(at(stage));
    expect(Math.abs(time.toMillis() - updateTime.toMillis())).toBeLessThan(1_000);
  },
} satisfies Cases;

export const fields: Cases = { ...set, ...update, ...transforms };
