/** Lets others write between the reading and the commit of a run. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { World } from "./world.ts";

/**
 * Runs `meddle` between the reading and the commit of each run from now on, but for commits that it makes itself. It
 * represents another process, so the run is not billed for it.
 * @returns a function that ends this.
 */
export function beforeEachCommit(
  { db, services: { meter } }: World,
  meddle: () => Promise<unknown>,
): () => void {
  const makeBatch = db.batch.bind(db);
  const meddling = new AsyncLocalStorage<true>();
  db.batch = () => {
    const batch = makeBatch();
    const commit = batch.commit.bind(batch);
    batch.commit = async () => {
      if (meddling.getStore() === undefined) await meter.measure(() => meddling.run(true, meddle));
      return commit();
    };
    return batch;
  };
  return () => {
    db.batch = makeBatch;
  };
}

/** Runs `meddle` once, between the next run's reading and its commit, as {@link beforeEachCommit}. */
export function beforeNextCommit(world: World, meddle: () => Promise<unknown>): void {
  const stop = beforeEachCommit(world, () => {
    stop();
    return meddle();
  });
}
