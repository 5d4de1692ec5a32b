import { expect, test } from "vitest";
import { AggregateField, FieldPath, FieldValue } from "../../../functions/src/documents/firestore.ts";
import { createWorld } from "../../support/world.ts";

const { db, meter } = createWorld();
const things = db.collection("things");
const nothing = { reads: 0, writes: 0, deletes: 0 };
const bill = async (work: () => Promise<unknown>) => (await meter.measure(work)).bill;

test("a document written, changed and deleted is two writes and a delete", async () => {
  expect(await bill(() => things.doc("a").set({ n: 1 }))).toEqual({ ...nothing, writes: 1 });
  expect(await bill(() => things.doc("a").update({ n: FieldValue.increment(1) }))).toEqual({
    ...nothing,
    writes: 1,
  });
  expect(await bill(() => things.doc("a").delete())).toEqual({ ...nothing, deletes: 1 });
});

test("a document looked up is a read, found or not", async () => {
  await things.doc("b").set({ n: 1 });
  expect(await bill(() => things.doc("b").get())).toEqual({ ...nothing, reads: 1 });
  expect(await bill(() => db.getAll(things.doc("b"), things.doc("missing")))).toEqual({
    ...nothing,
    reads: 2,
  });
});

test("a query is a read for each document, and at least one", async () => {
  await Promise.all([1, 2, 3].map((n) => db.doc(`many/${n}`).set({ n })));
  expect(await bill(() => db.collection("many").get())).toEqual({ ...nothing, reads: 3 });
  expect(await bill(() => db.collection("many").where("n", ">", 3).get())).toEqual({ ...nothing, reads: 1 });
});

test("a range with another order costs its index entries too", async () => {
  await Promise.all([1, 2].map((n) => db.doc(`pairs/${n}`).set({ n, m: n })));
  const query = db.collection("pairs").where("n", ">", 0).orderBy("n").orderBy("m");
  expect(await bill(() => query.get())).toEqual({ ...nothing, reads: 3 });
});

test("a filter that names values bounds no index entries", async () => {
  await db.doc("named/a").set({ n: 1, all: ["x"] });
  const named = db.collection("named").where(FieldPath.documentId(), "<", "b");
  for (const query of [named.where("all", "array-contains", "x"), named.where("n", "in", [1, 2])])
    expect(await bill(() => query.get())).toEqual({ ...nothing, reads: 1 });
});

test("a document skipped by an offset is a read like one returned", async () => {
  await Promise.all([1, 2, 3, 4].map((n) => db.doc(`skipped/${n}`).set({ n })));
  expect(await bill(() => db.collection("skipped").offset(3).get())).toEqual({ ...nothing, reads: 4 });
  expect(await bill(() => db.collection("skipped").offset(1).limit(2).get())).toEqual({
    ...nothing,
    reads: 3,
  });
});

test("a count is one read up to a thousand entries", async () => {
  await Promise.all([1, 2, 3].map((n) => db.doc(`counted/${n}`).set({ n })));
  expect(await bill(() => db.collection("counted").count().get())).toEqual({ ...nothing, reads: 1 });
});

test("a sum with a count beside it is billed the entries, not what they add up to", async () => {
  await Promise.all([1, 2].map((n) => db.doc(`added/${n}`).set({ n: 10_000 })));
  const query = db
    .collection("added")
    .aggregate({ sum: AggregateField.sum("n"), count: AggregateField.count() });
  expect(await bill(() => query.get())).toEqual({ ...nothing, reads: 1 });
});

test("a transaction costs what it reads and writes, and a refused commit nothing", async () => {
  const done = await bill(() =>
    db.runTransaction(async (transaction) => {
      await transaction.get(things.doc("c"));
      transaction.set(things.doc("c"), { n: 1 });
      transaction.delete(things.doc("d"));
    }),
  );
  expect(done).toEqual({ reads: 1, writes: 1, deletes: 1 });
  const refused = await bill(() =>
    expect(things.doc("c").create({ n: 1 })).rejects.toThrow(/ALREADY_EXISTS|already exists/i),
  );
  expect(refused).toEqual(nothing);
});
