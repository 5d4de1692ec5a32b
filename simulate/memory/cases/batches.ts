/** Writes that are committed together. */
import { expect } from "vitest";
import { FieldValue, Timestamp, type WriteBatch } from "../../../functions/src/documents/firestore.ts";
import { asItIs, at, type Cases, failure, fill, type Stage, timesOf } from "./case.ts";

/** A batch of one write that is fine, and one that fails. */
function failing(stage: Stage, fail: (batch: WriteBatch) => void): () => Promise<unknown> {
  const batch = stage.db.batch();
  batch.set(at(stage, "fine"), { score: 1 });
  fail(batch);
  batch.delete(at(stage, "there"));
  return () => batch.commit();
}

export const batches: Cases = {
  "a batch of nothing is committed": async (stage) => {
    expect(await failure(() => stage.db.batch().commit())).toBe("no");
  },

  "where one write fails, none is done": async (stage) => {
    await fill(stage, { there: { score: 1 }, changed: { score: 1 } });
    const old = await asItIs(at(stage, "changed"));
    await at(stage, "changed").set({ score: 2 });
    const failures = {
      create: failing(stage, (batch) => batch.create(at(stage, "there"), {})),
      update: failing(stage, (batch) => batch.update(at(stage, "none"), { score: 1 })),
      delete: failing(stage, (batch) => batch.delete(at(stage, "none"), { exists: true })),
      updateOld: failing(stage, (batch) => batch.update(at(stage, "changed"), { score: 3 }, old)),
      deleteOld: failing(stage, (batch) => batch.delete(at(stage, "changed"), old)),
    };
    expect(await failure(failures.create)).toBe("alreadyExists");
    expect(await failure(failures.update)).toBe("notFound");
    expect(await failure(failures.delete)).toBe("notFound");
    expect(await failure(failures.updateOld)).toBe("failedPrecondition");
    expect(await failure(failures.deleteOld)).toBe("failedPrecondition");
    expect((await at(stage, "fine").get()).exists).toBe(false);
    expect((await at(stage, "there").get()).data()).toEqual({ score: 1 });
    expect((await at(stage, "changed").get()).data()).toEqual({ score: 2 });
  },

  "each write sees what those before it made": async (stage) => {
    await fill(stage, { b: { old: 1 } });
    const batch = stage.db.batch();
    batch.create(at(stage), { score: 1 });
    batch.update(at(stage), { name: "ann" });
    batch.delete(at(stage, "b"));
    batch.create(at(stage, "b"), { second: 1 });
    batch.set(at(stage, "c"), { score: 1 });
    batch.delete(at(stage, "c"), { exists: true });
    await batch.commit();
    expect((await at(stage).get()).data()).toEqual({ score: 1, name: "ann" });
    expect((await at(stage, "b").get()).data()).toEqual({ second: 1 });
    expect((await at(stage, "c").get()).exists).toBe(false);
  },

  "a batch whose own writes break a guard of another is an invalid argument": async (stage) => {
    await fill(stage, { b: { score: 1 } });
    const twice = stage.db.batch();
    twice.create(at(stage), {});
    twice.create(at(stage), {});
    expect(await failure(() => twice.commit())).toBe("invalidArgument");
    const gone = stage.db.batch();
    gone.delete(at(stage, "b"));
    gone.update(at(stage, "b"), { score: 2 });
    expect(await failure(() => gone.commit())).toBe("invalidArgument");
    const goneTwice = stage.db.batch();
    goneTwice.delete(at(stage, "b"));
    goneTwice.delete(at(stage, "b"), { exists: true });
    expect(await failure(() => goneTwice.commit())).toBe("invalidArgument");
    const missing = stage.db.batch();
    missing.update(at(stage), { score: 1 });
    missing.create(at(stage), { score: 2 });
    expect(await failure(() => missing.commit())).toBe("invalidArgument");
    expect((await at(stage).get()).exists).toBe(false);
    expect((await at(stage, "b").get()).exists).toBe(true);
  },

  "a document that is deleted and written again in one commit is another, also with the same content": async (
    stage,
  ) => {
    const { db } = stage;
    await fill(stage, { a: { score: 1 } });
    const rewrites = {
      create: (batch: WriteBatch) => batch.create(at(stage), { score: 1 }),
      set: (batch: WriteBatch) => batch.set(at(stage), { score: 1 }),
      merge: (batch: WriteBatch) => batch.set(at(stage), { score: 1 }, { merge: true }),
    };
    for (const rewrite of Object.values(rewrites)) {
      const before = await timesOf(at(stage));
      const batch = db.batch();
      batch.delete(at(stage));
      rewrite(batch);
      const [, written] = await batch.commit();
      const { createTime, updateTime } = await timesOf(at(stage));
      expect(createTime > before.updateTime).toBe(true);
      expect(updateTime).toEqual(createTime);
      expect(written?.writeTime).toEqual(updateTime);
    }
  },

  "a version is wanted by the first write of a document, or by none; then others may follow": async (
    stage,
  ) => {
    const guarded = async (write: (batch: WriteBatch, guard: Awaited<ReturnType<typeof asItIs>>) => void) => {
      await at(stage).set({ score: 1 });
      const guard = await asItIs(at(stage));
      const batch = stage.db.batch();
      write(batch, guard);
      return failure(() => batch.commit());
    };
    const last = await guarded((batch, guard) => {
      batch.set(at(stage), { score: 1 });
      batch.update(at(stage), { score: 2 }, guard);
    });
    expect(last).toBe("invalidArgument");
    const both = await guarded((batch, guard) => {
      batch.update(at(stage), { score: 2 }, guard);
      batch.update(at(stage), { score: 3 }, guard);
      batch.set(at(stage), { other: 1 }, { merge: true });
    });
    expect(both).toBe("no");
    expect((await at(stage).get()).data()).toEqual({ score: 3, other: 1 });
    const again = await guarded((batch, guard) => {
      batch.delete(at(stage), guard);
      batch.create(at(stage), { score: 4 });
    });
    expect(again).toBe("no");
    const other = await guarded((batch, guard) => {
      batch.update(at(stage), { score: 5 }, guard);
      batch.delete(at(stage), { lastUpdateTime: new Timestamp(5, 0) });
    });
    expect(other).toBe("invalidArgument");
    expect((await at(stage).get()).data()).toEqual({ score: 1 });
  },

  "a guarded write and one without a guard change a document together": async (stage) => {
    await fill(stage, { a: { score: 1, pages: 2 } });
    const batch = stage.db.batch();
    batch.update(at(stage), { pages: FieldValue.delete(), score: 2 }, await asItIs(at(stage)));
    batch.set(at(stage), { writes: FieldValue.increment(1) }, { merge: true });
    await batch.commit();
    expect((await at(stage).get()).data()).toEqual({ score: 2, writes: 1 });
  },
};
