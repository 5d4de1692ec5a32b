/** Lets others write between the reading and the commit of a run. */
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
  let isBusy = false;
  db.batch = () => {
    const batch = makeBatch();
    const commit = batch.commit.bind(batch);
    batch.commit = async () => {
      if (!isBusy) {
        isBusy = true;
        await meter.measure(meddle).finally(() => (isBusy = false));
      }
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
