/** Lets others write between the reading and the commit of a run. */
import { AsyncLocalStorage } from "node:async_hooks";
import { grpc } from "../../functions/src/world/retryable.ts";
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

/** What a commit wants to delete. */
export interface Deleting {
  documents: number;
}

/**
 * Refuses commits for their size, as Firestore does and no emulator, from now on.
 * @returns a function that ends this.
 */
export function refuseCommits({ db }: World, isTooBig: (deleting: Deleting) => boolean): () => void {
  const makeBatch = db.batch.bind(db);
  db.batch = () => {
    const batch = makeBatch();
    const deleting: Deleting = { documents: 0 };
    const remove = batch.delete.bind(batch);
    batch.delete = (...given) => {
      deleting.documents += 1;
      return remove(...given);
    };
    const commit = batch.commit.bind(batch);
    batch.commit = () => (isTooBig(deleting) ? Promise.reject(tooBig()) : commit());
    return batch;
  };
  return () => {
    db.batch = makeBatch;
  };
}

/** As the client library reports it. */
function tooBig(): Error {
  const text = "3 INVALID_ARGUMENT: Transaction too big. Decrease transaction size.";
  return Object.assign(new Error(text), { code: grpc.invalidArgument });
}
