/** Single documents: what is read back, guards and times. */
import { expect } from "vitest";
import { FieldValue, GeoPoint, Timestamp } from "../../../functions/src/documents/firestore.ts";
import { asItIs, at, type Cases, failure, fill, type Stage, timesOf } from "./case.ts";

/** One value of each kind that Firerank stores. */
const values = {
  nothing: null,
  yes: true,
  numbers: [-42, 0, -0, 0.1, 1e21, 5e-324, Infinity, -Infinity, NaN, 2 ** 53 - 1, 2 ** 60, -(2 ** 63)],
  text: "naïve 🏆 \u0000 “quoted”",
  empty: "",
  time: new Timestamp(1_700_000_000, 123_456_000),
  list: [1, "two", null, { three: 3 }],
  map: { inner: { deep: [1, 2] }, "with.dot": 1, "-1.5": 2 },
  emptyMap: {},
  emptyList: [],
};

/** Lists and maps in one another, so many levels, and a value in the innermost. */
function nested(levels: number, value: unknown): unknown {
  return levels === 0
    ? value
    : levels % 2 === 0
      ? [nested(levels - 1, value)]
      : { a: nested(levels - 1, value) };
}

/** Checks that the rest of a document of a mebibyte has room for a value of so many bytes, and for no byte more. */
async function expectSize(stage: Stage, value: unknown, bytes: number): Promise<void> {
  const name = stage.path.split("/").reduce((sum, id) => sum + id.length + 1, 16) + "a".length + 1;
  const rest = 1_048_576 - 32 - name - 3 * 2 - bytes - 1_000_000;
  const filled = (pad: number) => ({ v: value, w: Buffer.alloc(1_000_000), x: Buffer.alloc(pad) });
  expect(await failure(() => at(stage).set(filled(rest)))).toBe("no");
  expect(await failure(() => at(stage).set(filled(rest + 1)))).toBe("invalidArgument");
}

export const documents: Cases = {
  "a write is answered with the time that its document then has, also where it changed nothing": async (
    stage,
  ) => {
    const [a, b] = [at(stage), stage.db.doc(`${stage.path}/b`)];
    const created = await a.create({ x: 1 });
    expect((await a.get()).updateTime).toEqual(created.writeTime);
    const same = await a.set({ x: 1 });
    expect(same.writeTime).toEqual(created.writeTime);
    const updated = await a.update({ x: 2 }, { lastUpdateTime: same.writeTime });
    expect((await a.get()).updateTime).toEqual(updated.writeTime);
    const batch = stage.db.batch();
    batch.update(a, { x: 2 });
    batch.set(b, { x: 1 });
    const [first, second] = await batch.commit();
    expect([(await a.get()).updateTime, (await b.get()).updateTime]).toEqual([
      first?.writeTime,
      second?.writeTime,
    ]);
    await a.delete({ lastUpdateTime: updated.writeTime });
  },

  "values come back as they were written": async (stage) => {
    await at(stage).set(values);
    const found = await at(stage).get();
    expect(found.exists).toBe(true);
    expect(found.data()).toStrictEqual(values);
  },

  "times are kept to the microsecond, what is finer is cut off, and dates become times": async (stage) => {
    await at(stage).set({
      finer: new Timestamp(5, 1_999),
      finest: new Timestamp(5, 999_999_999),
      before1970: new Timestamp(-5, 1_999),
      date: new Date(1_234),
    });
    const found = (await at(stage).get()).data() as Record<string, Timestamp>;
    expect(found["finer"]).toEqual(new Timestamp(5, 1_000));
    expect(found["finest"]).toEqual(new Timestamp(5, 999_999_000));
    expect(found["before1970"]).toEqual(new Timestamp(-5, 1_000));
    expect(found["date"]).toEqual(Timestamp.fromMillis(1_234));
  },

  "a guard by update time fails for a deleted document": async (stage) => {
    await at(stage).set({ score: 1 });
    const guard = await asItIs(at(stage));
    await at(stage).delete();
    expect(await failure(() => at(stage).update({ score: 2 }, guard))).toBe("failedPrecondition");
    expect(await failure(() => at(stage).delete(guard))).toBe("failedPrecondition");
    await at(stage).set({ score: 1 });
    expect(await failure(() => at(stage).delete(guard))).toBe("failedPrecondition");
  },

  "a guard by an update time that is finer than a microsecond is an invalid argument": async (stage) => {
    await at(stage).set({ score: 1 });
    const { seconds, nanoseconds } = (await timesOf(at(stage))).updateTime;
    const guard = { lastUpdateTime: new Timestamp(seconds, nanoseconds + 1) };
    expect(await failure(() => at(stage).update({ score: 2 }, guard))).toBe("invalidArgument");
  },

  "the update time changes with each change, and the creation time with each new life": async (stage) => {
    await at(stage).create({ score: 1 });
    const first = await timesOf(at(stage));
    expect(first.updateTime).toEqual(first.createTime);
    await at(stage).update({ score: 2 });
    const second = await timesOf(at(stage));
    expect(second.createTime).toEqual(first.createTime);
    expect(second.updateTime > first.updateTime).toBe(true);
    await at(stage).delete();
    await at(stage).delete();
    await at(stage).create({ score: 2 });
    const again = await timesOf(at(stage));
    expect(again.createTime > second.updateTime).toBe(true);
    expect(again.updateTime).toEqual(again.createTime);
  },

  "a write that changes nothing leaves the update time as it was": async (stage) => {
    await at(stage).set({ score: 1, map: { a: 1, b: 2 } });
    const before = await timesOf(at(stage));
    await at(stage).set({ map: { b: 2, a: 1 }, score: 1 });
    await at(stage).set({ score: 1 }, { merge: true });
    await at(stage).update({ score: 1 });
    expect(await timesOf(at(stage))).toEqual(before);
    const twice = stage.db.batch();
    twice.set(at(stage), { score: 2 });
    twice.set(at(stage), { score: 1, map: { a: 1, b: 2 } });
    await twice.commit();
    expect(await timesOf(at(stage))).toEqual(before);
  },

  "zero instead of minus zero is a change": async (stage) => {
    await at(stage).set({ score: -0 });
    const before = await timesOf(at(stage));
    await at(stage).set({ score: 0 });
    expect((await timesOf(at(stage))).updateTime > before.updateTime).toBe(true);
  },

  "ids and names of fields that Firestore keeps for itself are invalid arguments": async (stage) => {
    const { db, path } = stage;
    const expectRefused = async (id: string) => {
      expect([id, await failure(() => at(stage, id).set({ x: 1 }))]).toEqual([id, "invalidArgument"]);
      expect([id, await failure(() => at(stage, id).get())]).toEqual([id, "invalidArgument"]);
      expect([id, await failure(() => at(stage, id).delete())]).toEqual([id, "invalidArgument"]);
    };
    const reserved = ["__x__", "__id__", "__id0__", "__id07__", "__id+7__", "__id9223372036854775808__"];
    // At once, as the library takes seconds to believe the emulator.
    await Promise.all([".", "..", ...reserved].map(expectRefused));
    expect(await failure(() => at(stage).set({ ref: at(stage, "__x__") }))).toBe("invalidArgument");
    expect(await failure(() => db.doc(`${path}/a/__x__/b`).set({}))).toBe("invalidArgument");
    expect(await failure(() => at(stage).set({ __x__: 1 }))).toBe("invalidArgument");
    expect(await failure(() => at(stage).set({ map: { __x__: 1 } }))).toBe("invalidArgument");
    expect(await failure(() => db.collection(path).where("__x__", "==", 1).get())).toBe("invalidArgument");
    for (const id of ["_", "__", "__a", "a__", "__id7_", "__id7__"])
      expect([id, await failure(() => at(stage, id).set({ __: 1 }))]).toEqual([id, "no"]);
  },

  "an id has at most 1500 bytes": async (stage) => {
    expect(await failure(() => at(stage, "x".repeat(1_500)).set({}))).toBe("no");
    expect(await failure(() => at(stage, "x".repeat(1_501)).set({}))).toBe("invalidArgument");
    expect(await failure(() => at(stage, "é".repeat(751)).set({}))).toBe("invalidArgument");
  },

  "a list or a vector inside a list is an invalid argument, and one in a map inside a list is not": async (
    stage,
  ) => {
    for (const inner of [[1], FieldValue.vector([1])]) {
      expect(await failure(() => at(stage).set({ list: [inner] }))).toBe("invalidArgument");
      expect(await failure(() => at(stage).set({ map: { list: [{ x: 1 }, inner] } }))).toBe(
        "invalidArgument",
      );
      expect(await failure(() => at(stage).set({ list: [{ inner }] }))).toBe("no");
    }
  },

  "maps and lists are at most 20 levels deep, an empty map too; an empty list, a vector or a reference is no level":
    async (stage) => {
      const set = (levels: number, value: unknown) =>
        failure(() => at(stage).set({ x: nested(levels, value) }));
      expect(await set(20, 1)).toBe("no");
      expect(await set(20, {})).toBe("invalidArgument");
      expect(await set(19, {})).toBe("no");
      expect(await set(19, [])).toBe("no");
      expect(await set(20, [])).toBe("no");
      expect(await set(20, FieldValue.vector([1]))).toBe("no");
      expect(await set(20, at(stage, "b"))).toBe("no");
      // The library itself sends no more.
      expect(await set(21, 1)).toBe("refused");
    },

  "vectors come back as they were written, and an empty one is an invalid argument": async (stage) => {
    const vector = FieldValue.vector([0.5, -1, 2]);
    await at(stage).set({ vector, list: [{ vector }] });
    const found = (await at(stage).get()).data();
    expect(found).toEqual({ vector, list: [{ vector }] });
    const { updateTime } = await timesOf(at(stage));
    await at(stage).update({ vector: FieldValue.vector([0.5, -1, 2]) });
    expect((await timesOf(at(stage))).updateTime).toEqual(updateTime);
    await at(stage).update({ vector: FieldValue.vector([0.5, -1, 3]) });
    expect((await timesOf(at(stage))).updateTime > updateTime).toBe(true);
    expect(await failure(() => at(stage).set({ vector: FieldValue.vector([]) }))).toBe("invalidArgument");
  },

  "a number takes 8 bytes, a place 16, a reference its document's name, bytes their length, a vector 8 a number":
    async (stage) => {
      await expectSize(stage, 7, 8);
      await expectSize(stage, new Timestamp(7, 0), 8);
      await expectSize(stage, new GeoPoint(1, 2), 16);
      await expectSize(stage, stage.db.doc(`clans/${"c".repeat(200)}`), 6 + 201 + 16);
      await expectSize(stage, Buffer.alloc(100), 100);
      await expectSize(stage, FieldValue.vector(Array<number>(1_536).fill(0.5)), 8 * 1_536);
      await expectSize(stage, [7, "é"], 8 + 3);
    },

  "read times never go back, and are not before what is read": async (stage) => {
    let last = new Timestamp(0, 0);
    for (let score = 0; score < 5; score++) {
      await at(stage).set({ score });
      const { updateTime } = await timesOf(at(stage));
      const [one, other] = await stage.db.getAll(at(stage), at(stage, "b"));
      const { readTime: queried } = await stage.db.collection(stage.path).get();
      for (const readTime of [one?.readTime, other?.readTime, queried]) {
        if (readTime === undefined) throw new Error("no read time");
        expect(readTime >= updateTime).toBe(true);
        expect(readTime >= last).toBe(true);
      }
      last = queried;
    }
  },

  "a field mask sends these fields alone, and the times all the same": async (stage) => {
    await at(stage).set({ score: 1, name: "ann", map: { a: 1, b: 2 }, list: [1] });
    const whole = await at(stage).get();
    const fieldMask = ["score", "map.b", "missing", "list.none", "map.a.deeper"];
    const [found, missing] = await stage.db.getAll(at(stage), at(stage, "b"), { fieldMask });
    expect(found?.data()).toEqual({ score: 1, map: { b: 2 } });
    expect(found?.updateTime).toEqual(whole.updateTime);
    expect(missing?.exists).toBe(false);
    const [none] = await stage.db.getAll(at(stage), { fieldMask: ["missing"] });
    expect([none?.exists, none?.data()]).toEqual([true, {}]);
  },

  "a list of a collection's documents has those that are missing while something lies below them": async (
    stage,
  ) => {
    const collection = stage.db.collection(stage.path);
    expect(await collection.listDocuments()).toEqual([]);
    await fill(stage, { d: { score: 1 }, a: { score: 2 }, c: { score: 3 } });
    await stage.db.doc(`${stage.path}/b/scores/x`).set({ score: 1 });
    await stage.db.doc(`${stage.path}/c/scores/x`).set({ score: 1 });
    await stage.db.doc(`${stage.path}/e/scores/x/deeper/y`).set({ score: 1 });
    await at(stage, "c").delete();
    await at(stage, "d").delete();
    const ids = async () => (await collection.listDocuments()).map(({ id }) => id);
    expect(await ids()).toEqual(["a", "b", "c", "e"]);
    await stage.db.doc(`${stage.path}/b/scores/x`).delete();
    expect(await ids()).toEqual(["a", "c", "e"]);
  },
};
