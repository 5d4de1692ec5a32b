/** Lets others write between the reading and the commit of a run or a repair. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { World } from "./world.ts";

/**
 * Runs `meddle` between the reading and the commit of each run and repair from now on, but of those that it makes itself.
 * It represents another process, so they are not billed for it.
 * @returns a function that ends this.
 */
export function beforeEachCommit(
  { db, services: { meter } }: World,
  meddle: () => Promise<unknown>,
): () => void {
  const [makeBatch, run] = [db.batch.bind(db), db.runTransaction.bind(db)];
  const meddling = new AsyncLocalStorage<true>();
  const meddleOnce = async () => {
    if (meddling.getStore() === undefined) await meter.measure(() => meddling.run(true, meddle));
  };
  db.batch = () => {
    const batch = makeBatch();
    const commit = batch.commit.bind(batch);
    batch.commit = async () => {
      await meddleOnce();
      return commit();
    };
    return batch;
  };
  // Of all transactions, only a repair's publication is tried once.
  db.runTransaction = async (work, options) => {
    if (options?.readOnly !== true && options?.maxAttempts === 1) await meddleOnce();
    return run(work, options);
  };
  return () => {
    db.batch = makeBatch;
    db.runTransaction = run;
  };
}

/** Runs `meddle` once, between the next run's reading and its commit, as {@link beforeEachCommit}. */
export function beforeNextCommit(world: World, meddle: () => Promise<unknown>): void {
  const stop = beforeEachCommit(world, () => {
    stop();
    return meddle();
  });
}
