/** Transactions: what they see, what happens if others write, and what remains when they fail. */
import { expect } from "vitest";
import { FieldValue, Timestamp, type Transaction } from "../../../functions/src/documents/firestore.ts";
import { at, type Case, type Cases, failure, fill, type Stage, timesOf } from "./case.ts";

const readOnly = { readOnly: true } as const;

/** Adds one to a count by reading it first. */
async function addOne(stage: Stage): Promise<void> {
  await stage.db.runTransaction(
    async (transaction) => {
      const found = await transaction.get(at(stage));
      transaction.set(at(stage), { count: ((found.get("count") ?? 0) as number) + 1 });
    },
    { maxAttempts: 30 },
  );
}

/**
 * A case in which another writer writes between a transaction's read and its commit. Firestore may let either be first:
 * a writer that meets the reader's lock waits, or the reader has to start again. The result must fit one of the two.
 * @param read what the transaction reads: a number that the other writer increases.
 * @param meddle what the other writer does.
 */
function overtaken(
  read: (transaction: Transaction, stage: Stage) => Promise<number>,
  meddle: (transaction: Transaction, stage: Stage) => void,
): Case {
  return async (stage) => {
    await fill(stage, { a: { x: 1 } });
    const sum = at(notesOf(stage), "sum");
    let attempts = 0;
    let other: Promise<unknown> = Promise.resolve();
    const seen: number[] = [];
    await stage.db.runTransaction(async (transaction) => {
      attempts += 1;
      const x = await read(transaction, stage);
      seen.push(x);
      if (attempts === 1)
        other = stage.db.runTransaction((its) => {
          meddle(its, stage);
          return Promise.resolve();
        });
      transaction.set(sum, { x });
    });
    await other;
    expect((await sum.get()).get("x")).toBe(seen.at(-1));
    const now = await stage.db.runTransaction((transaction) => read(transaction, stage));
    const [mine, others] = await Promise.all([timesOf(sum), timesOf(at(notesOf(stage), "meddled"))]);
    const isFirst = mine.updateTime < others.updateTime;
    expect(seen.at(-1)).toBe(isFirst ? seen[0] : now);
    expect(now).toBeGreaterThan(seen[0] ?? Infinity);
  };
}

/** Another collection, for notes of transactions that others do not read. */
const notesOf = (stage: Stage): Stage => ({ ...stage, path: `${stage.path}-notes` });

const meddling = (id: string) => (transaction: Transaction, stage: Stage) => {
  transaction.set(at(stage, id), { x: 1, more: true });
  transaction.set(at(notesOf(stage), "meddled"), { x: 1 });
};

const contention = {
  "of transactions that read and write the same document none is lost": async (stage) => {
    await Promise.all(Array.from({ length: 5 }, () => addOne(stage)));
    expect((await at(stage).get()).get("count")).toBe(5);
  },

  "a document that changes after it was read is read again": overtaken(
    async (transaction, stage) => ((await transaction.get(at(stage))).get("more") === true ? 2 : 1),
    meddling("a"),
  ),

  "so is one that comes to be after it was missed": overtaken(
    async (transaction, stage) =>
      (await transaction.getAll(at(stage), at(stage, "b"))).filter(({ exists }) => exists).length,
    meddling("b"),
  ),

  "so is what a query found, where it finds one more": overtaken(
    async (transaction, stage) =>
      (await transaction.get(stage.db.collection(stage.path).where("x", ">=", 1))).size,
    meddling("b"),
  ),
} satisfies Cases;

const readsAndWrites = {
  "a transaction's writes are one commit, and it does not see them before": async (stage) => {
    await fill(stage, { b: { score: 1 }, c: { score: 1 } });
    const told = await stage.db.runTransaction(async (transaction) => {
      const [a, b] = await transaction.getAll(at(stage), at(stage, "b"));
      const { size } = await transaction.get(stage.db.collection(stage.path));
      transaction.create(at(stage), { score: 1 });
      transaction.update(at(stage, "b"), { score: 2 });
      transaction.delete(at(stage, "c"));
      transaction.set(at(stage, "d"), { score: FieldValue.increment(4) }, { merge: true });
      transaction.set(at(stage, "d"), { name: "dan", no: 1 }, { mergeFields: ["name"] });
      return [a?.exists, b?.get("score") as unknown, size];
    });
    expect(told).toEqual([false, 1, 2]);
    const found = await stage.db.getAll(at(stage), at(stage, "b"), at(stage, "c"), at(stage, "d"));
    expect(found.map((each) => each.data())).toEqual([
      { score: 1 },
      { score: 2 },
      undefined,
      { score: 4, name: "dan" },
    ]);
    expect(found[3]?.updateTime).toEqual(found[0]?.updateTime);
  },

  "its read times lie between what it shows and what it commits": async (stage) => {
    await fill(stage, { a: { score: 1 } });
    const { updateTime: before } = await timesOf(at(stage));
    const read = await stage.db.runTransaction(async (transaction) => {
      const found = await transaction.getAll(at(stage), at(stage, "b"));
      transaction.set(at(stage), { score: 2 });
      return found.map(({ readTime }) => readTime);
    });
    const { updateTime: after } = await timesOf(at(stage));
    for (const readTime of read) {
      expect(readTime >= before).toBe(true);
      expect(readTime <= after).toBe(true);
    }
  },

  "it reads with a field mask, counts, and selects": async (stage) => {
    await fill(stage, { a: { x: 1, y: 1 }, b: { x: 2, y: 2 } });
    const read = async (transaction: Transaction) => {
      const [a] = await transaction.getAll(at(stage), { fieldMask: ["y"] });
      const all = stage.db.collection(stage.path);
      const { count } = (await transaction.get(all.where("x", ">", 1).count())).data();
      const { docs } = await transaction.get(all.orderBy("x").offset(1).limit(1).select("x"));
      return [a?.data(), count, docs.map((document) => document.data())];
    };
    expect(await stage.db.runTransaction(read)).toEqual([{ y: 1 }, 1, [{ x: 2 }]]);
    expect(await stage.db.runTransaction(read, readOnly)).toEqual([{ y: 1 }, 1, [{ x: 2 }]]);
  },
} satisfies Cases;

const moments = {
  "a read-only transaction sees one moment, whatever is written meanwhile": async (stage) => {
    await fill(stage, { a: { x: 1 }, b: { x: 1 } });
    const all = stage.db.collection(stage.path);
    const told = await stage.db.runTransaction(async (transaction) => {
      const first = await transaction.get(at(stage));
      await Promise.all([
        at(stage).update({ x: 2 }),
        at(stage, "b").delete(),
        at(stage, "c").set({ x: 1 }),
        at(stage, "d").set({ x: 1 }),
      ]);
      const [again, b, c] = await transaction.getAll(at(stage), at(stage, "b"), at(stage, "c"));
      const found = await transaction.get(all.where("x", "==", 1));
      const { count } = (await transaction.get(all.count())).data();
      const times = [first, again, b, c, found].map((each) => each?.readTime);
      expect(times.map((time) => time?.isEqual(first.readTime))).toEqual(times.map(() => true));
      return [again?.get("x") as unknown, b?.exists, c?.exists, found.size, count];
    }, readOnly);
    expect(told).toEqual([1, true, false, 2, 2]);
    expect((await all.get()).size).toBe(3);
  },

  "a read time in the future, before 1970 or finer than a microsecond is an invalid argument": async (
    stage,
  ) => {
    await fill(stage, { a: { x: 1 } });
    const { readTime } = await at(stage).get();
    const reading = (readTime: Timestamp) =>
      failure(() => stage.db.runTransaction((its) => its.get(at(stage)), { readOnly: true, readTime }));
    const { seconds, nanoseconds } = readTime;
    const wrong = [
      new Timestamp(seconds + 86_400, 0),
      new Timestamp(seconds, nanoseconds - (nanoseconds % 1_000) + 1),
      new Timestamp(-1, 0),
    ];
    // At once, as the library takes seconds to believe the emulator.
    expect(await Promise.all(wrong.map(reading))).toEqual(wrong.map(() => "invalidArgument"));
    expect(await reading(readTime)).toBe("no");
  },

  "a read time that was answered can be read again": async (stage) => {
    await fill(stage, { a: { x: 1 }, b: { x: 1 } });
    const { readTime, updateTime } = await at(stage).get();
    await at(stage).update({ x: 2 });
    await at(stage, "b").delete();
    await at(stage, "b").set({ x: 3 });
    await at(stage, "c").set({ x: 1 });
    const all = stage.db.collection(stage.path);
    const told = await stage.db.runTransaction(
      async (transaction) => {
        const found = await transaction.get(at(stage));
        expect(found.updateTime).toEqual(updateTime);
        expect(found.readTime).toEqual(readTime);
        const others = await transaction.getAll(at(stage, "b"), at(stage, "c"));
        const { docs, readTime: queried } = await transaction.get(all.orderBy("x"));
        expect(queried).toEqual(readTime);
        const { count } = (await transaction.get(all.where("x", "==", 1).count())).data();
        return [found.get("x") as unknown, others.map(({ exists }) => exists), docs.length, count];
      },
      { readOnly: true, readTime },
    );
    expect(told).toEqual([1, [true, false], 2, 2]);
  },
} satisfies Cases;

export const transactions: Cases = { ...contention, ...readsAndWrites, ...moments };
