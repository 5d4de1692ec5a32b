/** What tests and owners use of Firestore beyond what the functions use. */
import { expect } from "vitest";
import {
  AggregateField,
  type DocumentReference,
  FieldPath,
  type Query,
} from "../../../functions/src/documents/firestore.ts";
import { at, type Cases, failure, fill, idsOf, type Stage } from "./case.ts";

const all = ({ db, path }: Stage) => db.collection(path);
const paths = async (query: Query) => (await query.get()).docs.map(({ ref }) => ref.path);

export const library: Cases = {
  "a reference comes back as it was written": async (stage) => {
    await at(stage).set({ ref: at(stage, "b") });
    expect(((await at(stage).get()).get("ref") as DocumentReference).isEqual(at(stage, "b"))).toBe(true);
  },

  "a document of more than a mebibyte is refused": async (stage) => {
    const failed = await failure(() => at(stage).set({ x: "x".repeat(1_048_000), y: "y".repeat(1_000) }));
    expect(failed).toBe("invalidArgument");
    expect((await at(stage).get()).exists).toBe(false);
    await at(stage).set({ x: "x".repeat(1_048_000) });
  },

  "a field may have any name": async (stage) => {
    const odd = new FieldPath("a.b", "c`d\\e");
    await at(stage).set({ "a.b": { other: 1 } });
    await at(stage).update(odd, 2);
    await at(stage, "b").set({ "a.b": { "c`d\\e": 1 } });
    expect((await at(stage).get()).data()).toEqual({ "a.b": { other: 1, "c`d\\e": 2 } });
    expect((await at(stage).get()).get(odd)).toBe(2);
    expect(await idsOf(all(stage).orderBy(odd))).toEqual(["b", "a"]);
    expect(await idsOf(all(stage).where(odd, ">", 1))).toEqual(["a"]);
    const [sent] = (await all(stage).where(odd, "==", 2).select(odd).get()).docs;
    expect(sent?.data()).toEqual({ "a.b": { "c`d\\e": 2 } });
  },

  "one of several values": async (stage) => {
    await fill(stage, { a: { x: 1 }, b: { x: 2 }, c: { x: "1" }, d: { x: 3 } });
    expect(await idsOf(all(stage).where("x", "in", [3, 1, "2"]))).toEqual(["a", "d"]);
  },

  "a sum with a count beside it, of those that have its field": async (stage) => {
    await fill(stage, { a: { x: 1.5 }, b: { x: 2 }, c: { x: "3" }, d: { y: 1 } });
    const asked = all(stage).aggregate({ sum: AggregateField.sum("x"), count: AggregateField.count() });
    expect((await asked.get()).data()).toEqual({ sum: 3.5, count: 3 });
  },

  "a group without a name has the documents of all collections": async (stage) => {
    const { db } = stage;
    await fill(stage, { a: { x: 1 } });
    const deep = db.doc(`${stage.path}/a/below/b`);
    await deep.set({ x: 1 });
    const found = await paths(db.collectionGroup("").select());
    expect(found.filter((path) => path.startsWith(stage.path))).toEqual([at(stage).path, deep.path]);
  },

  "a document tells the collections below it, and a database those at its root": async (stage) => {
    const { db, name } = stage;
    await db.doc(`${stage.path}/a/two/x`).set({});
    await db.doc(`${stage.path}/a/one/x/deeper/y`).set({});
    await db.doc(`${stage.path}/b/three/x`).set({});
    const ids = (await at(stage).listCollections()).map(({ id }) => id);
    expect(ids).toEqual(["one", "two"]);
    expect((await db.listCollections()).map(({ id }) => id)).toContain(name);
    await db.doc(`${stage.path}/a/two/x`).delete();
    expect((await at(stage).listCollections()).map(({ id }) => id)).toEqual(["one"]);
  },

  "a write that no document can take fails with all others that a bulk writer sends with it": async (
    stage,
  ) => {
    const writer = stage.db.bulkWriter({ throttling: false });
    const failed = [
      failure(() => writer.set(at(stage), { x: 1 })),
      failure(() => writer.set(at(stage, "b"), { __x__: 1 })),
    ];
    await writer.close();
    expect(await Promise.all(failed)).toEqual(["invalidArgument", "invalidArgument"]);
    expect((await at(stage).get()).exists).toBe(false);
  },

  "a bulk writer writes each document by itself": async (stage) => {
    await fill(stage, { there: { x: 1 } });
    const writer = stage.db.bulkWriter({ throttling: false });
    const failed = failure(() => writer.create(at(stage, "there"), { x: 2 }));
    const written = Array.from({ length: 50 }, (_, i) => writer.set(at(stage, `n${i}`), { x: i }));
    const deleted = writer.delete(at(stage, "none"));
    await writer.close();
    const [first] = await Promise.all([...written, deleted]);
    expect(await failed).toBe("alreadyExists");
    expect((await all(stage).count().get()).data().count).toBe(51);
    expect((await at(stage, "n0").get()).updateTime).toEqual(first.writeTime);
  },
};
