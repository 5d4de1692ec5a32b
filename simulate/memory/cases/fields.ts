/** The effect of writes on a document's fields. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { FieldPath, FieldValue, type Timestamp } from "../../../functions/src/documents/firestore.ts";
import { at, type Cases, timesOf, wireOf } from "./case.ts";

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
  "mergeFields writes these fields alone, each as a whole, by paths too, also of parts with dots": onto(
    (ref) =>
      ref.set(
        { score: 2, "a.b": 3, map: { a: 5, b: { c: 6, d: 7 } }, list: FieldValue.delete() },
        { mergeFields: [new FieldPath("a.b"), "map.b.c", "list"] },
      ),
    { score: 1, name: "ann", "a.b": 3, map: { a: 1, b: { c: 6 } } },
  ),
} satisfies Cases;

const update = {
  "update replaces each field that it names as a whole, and reaches into maps by a path with dots": onto(
    (ref) => ref.update({ list: { z: 1 }, added: 1, "map.b.c": 5, "map.n.m": 6, "score.x": 7 }),
    { ...before, list: { z: 1 }, added: 1, score: { x: 7 }, map: { a: 1, b: { c: 5 }, n: { m: 6 } } },
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
  "an increment keeps whole numbers whole to the 64th bit, and any double makes a double": async (stage) => {
    await at(stage).set({ int: 2 ** 53 - 1, most: 2 ** 53 - 1, half: 0.5, one: 1 });
    await at(stage).update({
      int: increment(2),
      half: increment(0.5),
      one: increment(-0),
      none: increment(-0),
      whole: increment(3),
    });
    // 1,024 times itself is 2^63.
    for (let i = 0; i < 1_025; i += 25) {
      const batch = stage.db.batch();
      for (let j = 0; j < 25; j++) batch.update(at(stage), { most: increment(2 ** 53 - 1) });
      await batch.commit();
    }
    expect(wireOf(await at(stage).get())).toEqual({
      int: { integerValue: "9007199254740993" },
      most: { integerValue: "9223372036854775807" },
      half: { doubleValue: 1 },
      one: { doubleValue: 1 },
      none: { doubleValue: -0 },
      whole: { integerValue: "3" },
    });
    const { updateTime } = await timesOf(at(stage));
    await at(stage).update({ most: increment(5) });
    expect((await timesOf(at(stage))).updateTime).toEqual(updateTime);
    await at(stage).update({ half: 1 });
    expect((await timesOf(at(stage))).updateTime > updateTime).toBe(true);
  },
  "the server's time is the whole millisecond in which the request came, before any wait for others": async (
    stage,
  ) => {
    await at(stage).set({ x: 1 });
    let written: Promise<unknown> = Promise.resolve();
    await stage.db.runTransaction(async (transaction) => {
      await transaction.get(at(stage));
      written = at(stage).set({ at: FieldValue.serverTimestamp() });
      await sleep(20);
      transaction.set(at(stage, "b"), { x: 1 });
    });
    await written;
    const found = await at(stage).get();
    const time = found.get("at") as Timestamp;
    expect(time.nanoseconds % 1_000_000).toBe(0);
    expect(time < (await timesOf(at(stage))).updateTime).toBe(true);
    expect(time < (await timesOf(at(stage, "b"))).updateTime).toBe(true);
  },
  "the server's time is the same in all documents of a commit, and before it": async (stage) => {
    const batch = stage.db.batch();
    batch.set(at(stage), { at: FieldValue.serverTimestamp(), map: { at: FieldValue.serverTimestamp() } });
    batch.set(at(stage, "b"), { at: FieldValue.serverTimestamp() });
    await batch.commit();
    const found = await at(stage).get();
    const time = found.get("at") as Timestamp;
    expect(found.get("map.at")).toEqual(time);
    expect((await at(stage, "b").get()).get("at")).toEqual(time);
    const { updateTime } = await timesOf(at(stage));
    expect(time.nanoseconds % 1_000_000).toBe(0);
    expect(time <= updateTime).toBe(true);
    expect(updateTime.toMillis() - time.toMillis()).toBeLessThan(1_000);
  },
} satisfies Cases;

export const fields: Cases = { ...set, ...update, ...transforms };
