/** The documents of ranking trees and of their queues, and the worker that empties a queue into its tree. */
import type { CollectionReference, Firestore, Transaction } from "../../functions/src/documents/firestore.ts";
import { FieldPath, FieldValue } from "../../functions/src/documents/firestore.ts";
import { hashOf } from "../../functions/src/model/hash.ts";
import { changesInTree, shapeFor } from "./ranking-tree.ts";
import { scoreMax } from "./system.ts";

export const shape = shapeFor(100, scoreMax + 1);

export interface Forest {
  trees: number;
  /** Queues of all trees. */
  queues: number;
  /** Updates that a worker applies in one transaction, at most. */
  batch: number;
}

/** What a queue holds: a change of a player's score. */
export interface Update {
  before: number | null;
  after: number;
}

/** A player's updates always go into the same queue. */
export function queueNumberOf({ queues }: Forest, player: string): number {
  return hashOf(player) % queues;
}

export function queueOf(db: Firestore, forest: Forest, player: string): CollectionReference {
  return collectionOf(db, queueNumberOf(forest, player));
}

function collectionOf(db: Firestore, queue: number): CollectionReference {
  return db.collection(`queue_${queue}`);
}

/** The queues of a tree. */
export function queuesOf({ trees, queues }: Forest, tree: number): number[] {
  return Array.from({ length: queues }, (_, queue) => queue).filter((queue) => queue % trees === tree);
}

/** Counts changes in a tree: a write for each node that differs afterwards. */
export function writeNodes(db: Firestore, transaction: Transaction, tree: number, changes: Update[]): void {
  for (const [node, children] of changesInTree(shape, changes)) {
    const players = Object.fromEntries(
      [...children].map(([child, by]) => [String(child), FieldValue.increment(by)]),
    );
    transaction.set(db.doc(`nodes/${tree}-${node}`), { players }, { merge: true });
  }
}

/** Applies what is in the queues of a tree, one queue after the other. */
export async function drain(db: Firestore, forest: Forest, tree: number): Promise<void> {
  for (const queue of queuesOf(forest, tree)) {
    let applied: number;
    do {
      applied = await applyBatch(db, forest, tree, queue);
    } while (applied === forest.batch);
  }
}

/**
 * Applies the oldest updates of a queue and deletes them, in one transaction, so that none is applied twice: a read and
 * a delete for each, and a write for each node that changes.
 */
function applyBatch(db: Firestore, { batch }: Forest, tree: number, queue: number): Promise<number> {
  const oldest = collectionOf(db, queue).orderBy(FieldPath.documentId()).limit(batch);
  return db.runTransaction(async (transaction) => {
    const { docs } = await transaction.get(oldest);
    writeNodes(
      db,
      transaction,
      tree,
      docs.map((document) => document.data() as Update),
    );
    for (const { ref } of docs) transaction.delete(ref);
    return docs.length;
  });
}
