/** What the client is billed by the meter, and that no emulator says. */
import { expect, test } from "vitest";
import { AggregateField, FieldPath, FieldValue } from "../../../functions/src/documents/firestore.ts";
import { eachWorld, type World } from "../../support/world.ts";

const world = eachWorld();
const things = ({ db }: World) => db.collection("things");

/** In a collection of four documents, `1` to `4`. */
test.each<
  [what: string, work: (world: World) => Promise<unknown>, reads: number, writes?: number, deletes?: number]
>([
  ["a document written", (w) => things(w).doc("5").set({ n: 5 }), 0, 1],
  [
    "and changed",
    (w) =>
      things(w)
        .doc("1")
        .update({ n: FieldValue.increment(1) }),
    0,
    1,
  ],
  ["and deleted", (w) => things(w).doc("1").delete(), 0, 0, 1],
  ["a document looked up", (w) => things(w).doc("1").get(), 1],
  ["two, of which one is missing", (w) => w.db.getAll(things(w).doc("1"), things(w).doc("missing")), 2],
  ["a query, for each document", (w) => things(w).get(), 4],
  ["a query that finds none", (w) => things(w).where("n", ">", 4).get(), 1],
  // Its index entries too.
  ["a range with another order", (w) => things(w).where("n", ">", 0).orderBy("n").orderBy("m").get(), 5],
  ["a filter for an element", (w) => below(w).where("all", "array-contains", "1").get(), 1],
  ["a filter for values", (w) => below(w).where("n", "in", [1, 9]).get(), 1],
  ["documents skipped by an offset, and one returned", (w) => things(w).offset(3).get(), 4],
  ["and with a limit", (w) => things(w).offset(1).limit(2).get(), 3],
  ["a count of up to a thousand", (w) => things(w).count().get(), 1],
  ["a sum with a count, not what they add up to", (w) => things(w).aggregate(added).get(), 1],
  [
    "a transaction",
    (w) =>
      w.db.runTransaction(async (transaction) => {
        await transaction.get(things(w).doc("1"));
        transaction.set(things(w).doc("1"), { n: 1 });
        transaction.delete(things(w).doc("2"));
      }),
    1,
    1,
    1,
  ],
  [
    "a refused commit",
    (w) => expect(things(w).doc("1").create({ n: 1 })).rejects.toThrow(/ALREADY_EXISTS|already exists/i),
    0,
  ],
])("%s is billed", async (_what, work, reads, writes = 0, deletes = 0) => {
  for (const n of [1, 2, 3, 4])
    await things(world)
      .doc(String(n))
      .set({ n, m: n, many: 10_000, all: [String(n)] });
  expect(await world.bill(() => work(world))).toEqual({ reads, writes, deletes });
});

const below = (w: World) => things(w).where(FieldPath.documentId(), "<", "9");
const added = { sum: AggregateField.sum("many"), count: AggregateField.count() };
