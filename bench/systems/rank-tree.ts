/**
 * The ranking tree (ranking-tree.ts) with 100 children, each node in a document: for scores from 0 to 9,999 that is the
 * root and one node below. The library that it comes from finds the score at an index too, so pages need not skip the
 * players before them.
 *
 * That library reads the nodes that it changes. Firestore can increment fields unread, so here an update only writes
 * them: 1 to 3 nodes.
 *
 * A document carries about one commit a second, so the root limits the plain tree. With job aggregation, an update
 * only adds a document to a queue, and a worker applies hundreds of them in one transaction. More queues take more
 * updates in and let the worker apply more at once; several trees, each with a queue and a worker of its own, multiply
 * the root, and a rank is summed over them.
 */
import type { Firestore } from "../../functions/src/documents/firestore.ts";
import { isChange } from "./player-bills.ts";
import { bestPlayers, playersAround, playersFrom, scoreOf, storeScore } from "./players.ts";
import { plainBills, queueBills } from "./rank-tree-bills.ts";
import { drain, type Forest, queueOf, shape, writeNodes } from "./rank-tree-worker.ts";
import { changesInTree, type Counts, pathTo, playersAbove, scoreAt, sumOfCounts } from "./ranking-tree.ts";
import type { Opened, Place, System } from "./system.ts";

const article =
  "Google's “Fast and Reliable Ranking in Datastore” (2013, https://cloud.google.com/datastore/docs/articles/fast-and-reliable-ranking-in-datastore); its numbers are known from notes on it";

/** Each update changes the tree. */
export const rankTree: System = {
  id: "rank-tree",
  name: "Ranking tree",
  layout:
    "A document for each player, and a tree of documents that count the players of 100 ranges of scores each.",
  source: `the Google Code Jam ranking library (2009), in ${article}`,
  rank: "exact",
  keeps: "latest",
  cannot: { run: "nothing is left to do" },
  load: {
    kind: "documents",
    commits: (change) => (isChange(change) ? [[...changesInTree(shape, [change]).keys()]] : []),
  },
  open: openPlain,
  bills: plainBills,
};

/** One worker applies up to 600 updates in a transaction: the article's 500 to 600, for 200 updates a second. */
export const rankTreeAggregated = queueSystem(
  {
    id: "rank-tree-aggregated",
    name: "Ranking tree, job aggregation",
    source: `Applibot's job aggregation, in ${article}`,
  },
  { trees: 1, queues: 1, batch: 600 },
  "200",
);

/** One worker takes up to 1,000 updates from each of 10 queues in turn: the article's 300 updates a second. */
export const rankTreeQueues = queueSystem(
  {
    id: "rank-tree-queues",
    name: "Ranking tree, 10 queues",
    source: `Applibot's queue sharding, in ${article}`,
  },
  { trees: 1, queues: 10, batch: 1_000 },
  "300",
);

/** Three trees, each with its queue and its worker. */
export const rankTreeSharded = queueSystem(
  { id: "rank-tree-sharded", name: "3 ranking trees, summed", source: `sharded trees, in ${article}` },
  { trees: 3, queues: 3, batch: 600 },
  "200 for one tree, and proposes several without a number, so three times as many",
);

/** @param measured updates a second, by the article. */
function queueSystem(
  names: Pick<System, "id" | "name" | "source">,
  forest: Forest,
  measured: string,
): System {
  const { trees, queues, batch } = forest;
  return {
    ...names,
    layout:
      `A document for each player, and ${trees === 1 ? "a tree" : `${trees} trees`} of documents that count the ` +
      `players of 100 ranges of scores each; ${queues === 1 ? "a queue" : `${queues} queues`} with a document for ` +
      "each update that is not counted yet.",
    rank: "exact at the last run",
    keeps: "latest",
    cannot: {},
    load: { kind: "queue", workers: trees, batch },
    // In the article, updates are in the tree within a few seconds.
    runSeconds: 5,
    asOfRun: ["page"],
    limit: `The model takes a batch for one commit. Applibot's worker also leased tasks and deleted them, each by a call of its own: the article names ${measured} updates a second.`,
    lag: "While more updates come than the workers take, ranks get older and older.",
    open: (place) => openQueued(place, forest),
    bills: (start) => queueBills(start, forest),
  };
}

async function openPlain({ db }: Place): Promise<Opened> {
  return {
    ...treeQuestions(db, 1),
    async submit(submission) {
      await storeScore(db, submission, "latest", (transaction, change) => {
        writeNodes(db, transaction, 0, [change]);
      });
      return undefined;
    },
  };
}

async function openQueued(place: Place, forest: Forest): Promise<Opened> {
  const { db, meter } = place;
  return {
    ...treeQuestions(db, forest.trees),
    async submit(submission) {
      await storeScore(db, submission, "latest", (transaction, { player, before, after }) => {
        // In the order of time, so that the worker takes the oldest first. The rest only tells them apart.
        const id = `${String(place.now()).padStart(15, "0")}-${player}-${place.random().toString(36).slice(2)}`;
        transaction.create(queueOf(db, forest, player).doc(id), { before, after });
      });
      return undefined;
    },
    async run() {
      await Promise.all(
        Array.from({ length: forest.trees }, (_, tree) => {
          meter.invoked();
          return drain(db, forest, tree);
        }),
      );
    },
  };
}

/** What is asked of the tree: 2 reads for each tree. */
function treeQuestions(db: Firestore, trees: number): Omit<Opened, "submit"> {
  async function countsOf(...nodes: string[]): Promise<Map<string, Counts>> {
    const inTrees = nodes.flatMap((node) =>
      Array.from({ length: trees }, (_, tree) => ({ node, document: db.doc(`nodes/${tree}-${node}`) })),
    );
    const found = await db.getAll(...inTrees.map(({ document }) => document));
    return new Map(
      nodes.map((node) => {
        const ofNode = found.filter((_, i) => inTrees[i]?.node === node);
        return [
          node,
          sumOfCounts(ofNode.map((document) => (document.get("players") as Counts | undefined) ?? {})),
        ];
      }),
    );
  }

  return {
    async rank(player) {
      const score = await scoreOf(db, player);
      if (score === undefined) return null;
      const path = pathTo(shape, score);
      const counts = await countsOf(...path.map(({ node }) => node));
      return 1 + playersAbove(path, (node) => counts.get(node) ?? {});
    },
    top: (count) => bestPlayers(db, count),
    around: (player, before, after) => playersAround(db, player, before, after),
    async page(from, size) {
      const found = await scoreAt(shape, from, async (node) => (await countsOf(node)).get(node) ?? {});
      return found === undefined ? [] : playersFrom(db, found.score, found.index, size);
    },
  };
}
