/**
 * The ranking tree (ranking-tree.ts) with 100 children, each node in a document: for scores from 0 to 9,999 that is the
 * root and one node below. The library that it comes from finds the score at an index too, so pages need not skip the
 * players before them.
 *
 * That library reads the nodes that it changes. Firestore can increment fields unread, so here an update only writes
 * them: 1 to 3 nodes.
 *
 * A document carries about one commit a second, so the root limits the plain tree. With job aggregation, an update only
 * adds a document to a queue, and a worker applies hundreds of them in one transaction.
 */
import {
  FieldPath,
  FieldValue,
  type Firestore,
  type Transaction,
} from "../../functions/src/documents/firestore.ts";
import { bill, sumOf } from "../contest/bill.ts";
import type { Change, Truth } from "../contest/truth.ts";
import {
  bestPlayers,
  billPlayers,
  entriesOf,
  isChange,
  openPlayers,
  type Way,
  type WayBills,
} from "./players.ts";
import { changesInTree, type Counts, levels, pathTo, playersAbove, scoreAt } from "./ranking-tree.ts";
import type { Bills, System } from "./system.ts";

const article =
  "Google's “Fast and Reliable Ranking in Datastore” (2013, https://cloud.google.com/datastore/docs/articles/fast-and-reliable-ranking-in-datastore); its numbers are known from notes on it";

/** What a queue holds. */
type Update = Pick<Change, "before" | "after">;

/** Each update changes the tree. */
export const rankTree: System = {
  id: "rank-tree",
  name: "Ranking tree",
  layout:
    "A document for each player, and a tree of documents that count the players of 100 ranges of scores each.",
  source: `the Google Code Jam ranking library (2009), in ${article}`,
  rank: "exact",
  updatesPerSecondMax: (change) => (isChange(change) ? [[...changesInTree([change]).keys()]] : []),
  open: ({ db }) =>
    openPlayers(db, {
      ...questionsTo(db),
      count(transaction, change) {
        writeNodes(db, transaction, [change]);
      },
    }),
  bills: () =>
    billPlayers({
      ...questionBills((truth) => truth),
      count: (change) => ({ writes: changesInTree([change]).size }),
    }),
};

/** Updates that a worker applies in one transaction, at most: the article's 500 to 600, for 200 updates a second. */
const batch = 600;

export const rankTreeAggregated: System = {
  id: "rank-tree-aggregated",
  name: "Ranking tree, job aggregation",
  layout:
    "A document for each player, and a tree of documents that count the players of 100 ranges of scores each; a queue with a document for each update that is not counted yet.",
  source: `Applibot's job aggregation, in ${article}`,
  rank: "exact at the last run",
  // There is one worker.
  updatesPerSecondMax: batch,
  // In the article, updates are in the tree within a few seconds.
  runSeconds: 5,
  asOfRun: ["page"],
  limit:
    "The model takes a batch for one commit. Applibot's worker also leased tasks and deleted them, each by a call of its own: the article names 200 updates a second. While more come than the worker takes, ranks get older and older.",
  open({ db, meter, now, random }) {
    return openPlayers(db, {
      ...questionsTo(db),
      count(transaction, { player, before, after }) {
        // In the order of time, so that the worker takes the oldest first. The rest only tells them apart.
        const id = `${String(now()).padStart(15, "0")}-${player}-${random().toString(36).slice(2)}`;
        transaction.create(db.doc(`queue/${id}`), { before, after });
      },
      async run() {
        meter.invoked();
        while ((await applyBatch(db)) === batch);
      },
    });
  },
  bills,
};

/** Counts changes in the tree: a write for each node that differs afterwards. */
function writeNodes(db: Firestore, transaction: Transaction, changes: readonly Update[]): void {
  for (const [node, children] of changesInTree(changes)) {
    const counts = [...children].map(([child, by]) => [String(child), FieldValue.increment(by)]);
    transaction.set(
      db.doc(`nodes/${node}`),
      { players: Object.fromEntries(counts) as object },
      { merge: true },
    );
  }
}

/**
 * Applies the oldest updates of the queue and deletes them, in one transaction, so that none is applied twice: a read and
 * a delete for each, and a write for each node that changes.
 */
function applyBatch(db: Firestore): Promise<number> {
  const oldest = db.collection("queue").orderBy(FieldPath.documentId()).limit(batch);
  return db.runTransaction(async (transaction) => {
    const { docs } = await transaction.get(oldest);
    const updates = docs.map((document) => document.data() as Update);
    writeNodes(db, transaction, updates);
    for (const { ref } of docs) transaction.delete(ref);
    return docs.length;
  });
}

/** What is asked of the tree: 2 reads. */
function questionsTo(db: Firestore): Pick<Way, "rank" | "page"> {
  async function countsOf(nodes: readonly string[]): Promise<Counts[]> {
    const found = await db.getAll(...nodes.map((node) => db.doc(`nodes/${node}`)));
    return found.map((document) => (document.get("players") as Counts | undefined) ?? {});
  }
  return {
    async rank(score) {
      const path = pathTo(score);
      const nodes = path.map(({ node }) => node);
      const counts = await countsOf(nodes);
      return 1 + playersAbove(path, (node) => counts[nodes.indexOf(node)] ?? {});
    },
    async page(from, size) {
      const found = await scoreAt(from, async (node) => (await countsOf([node]))[0] ?? {});
      if (found === undefined) return [];
      return entriesOf(bestPlayers(db).where("score", "<=", found.score).offset(found.index).limit(size));
    },
  };
}

/** @param counted the players that the tree has, of those there are. */
function questionBills(counted: (truth: Truth) => Truth): Pick<Required<WayBills>, "rank" | "page"> {
  return {
    rank: () => bill({ reads: 1 + levels }),
    page(truth, from, size) {
      const tree = counted(truth);
      // Beyond the last player, the root says so.
      if (from >= tree.players) return bill({ reads: 1 });
      const score = tree.scoreAt(from);
      const skipped = from - tree.above(score);
      const found = Math.max(0, Math.min(size, truth.players - truth.above(score) - skipped));
      return bill({ reads: levels + Math.max(1, skipped + found) });
    },
  };
}

function bills(start: Truth): Bills {
  let counted = start;
  let waiting: Change[] = [];
  return billPlayers({
    ...questionBills(() => counted),
    count(change) {
      waiting.push(change);
      return { writes: 1 };
    },
    run(truth) {
      counted = truth;
      const updates = waiting;
      waiting = [];
      // The worker goes on until it finds less than a whole batch.
      const batches = Array.from({ length: Math.floor(updates.length / batch) + 1 }, (_, i) =>
        updates.slice(i * batch, (i + 1) * batch),
      );
      const bills = batches.map((applied) => ({
        reads: Math.max(1, applied.length),
        writes: changesInTree(applied).size,
        deletes: applied.length,
      }));
      return sumOf({ invocations: 1 }, ...bills);
    },
  });
}
