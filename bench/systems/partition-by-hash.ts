/**
 * Players spread over parts by a hash of their ids. Every question goes to all parts, and their answers are put
 * together: a rank is the sum of the parts' counts.
 *
 * The parts are those of a Redis cluster: of 16,384 slots, a player is in CRC16(id) modulo 16,384, and each part has as
 * many slots. With a month in the name of each part, they are the partitions of a DynamoDB or Cassandra table.
 */
import slotOf from "cluster-key-slot";
import type { CollectionReference, Transaction } from "../../functions/src/documents/firestore.ts";
import { bill } from "../contest/bill.ts";
import type { Entry, Truth } from "../contest/truth.ts";
import { storeBill } from "./player-bills.ts";
import { createPlayerOrder, idsFalling } from "./player-order.ts";
import type { Bills, Opened, Place, System } from "./system.ts";

const slots = 16_384;

export function partOf(player: string, parts: number): number {
  return Math.floor((slotOf(player) * parts) / slots);
}

/**
 * An update is that of the player's own document. A rank costs a read, and in each part one for each 1,000 players above,
 * at least one. The top and a page cost in each part a read for each player from the first to their end; players around
 * one cost a read, and in each part as many as are asked for.
 */
export const partitionByHash: System = {
  id: "partition-by-hash",
  name: "Ten parts by hash, scatter and gather",
  layout: "Players, in ten collections by a hash of the id.",
  source:
    "“Real-time Gaming Leaderboard” in A. Xu and S. Lam, “System Design Interview”, volume 2: hash partition, by the slots of https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/. It finds no simple rank; here count() makes one",
  rank: "exact",
  keeps: "latest",
  cannot: { run: "nothing is left to do" },
  load: { kind: "own document" },
  open: (place) => Promise.resolve(open(place, 10, (part) => `parts/${part}/players`)),
  bills: (start) => bills(start, 10),
};

const monthParts = 4;

/** Its boards end with the month; a player's first score of a month is a new one. */
export const partitionByMonth: System = {
  ...partitionByHash,
  id: "partition-by-month",
  name: "Partitions by month and hash, as on DynamoDB or Cassandra",
  layout: "Players, in four collections for each month by a hash of the id: game#2100-01#p3.",
  source:
    "the same chapter, NoSQL, and https://www.dynamodbguide.com/leaderboard-write-sharding/. They find no simple rank either",
  open: (place) =>
    Promise.resolve(
      open(place, monthParts, (part) => `months/game#${monthOf(place.now())}#p${part}/players`),
    ),
  bills: (start) => bills(start, monthParts),
};

/** For example `2100-01`, in UTC. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

function open({ db }: Place, parts: number, path: (part: number) => string): Opened {
  const all = Array.from({ length: parts }, (_, part) => part);
  const playersIn = (part: number) => db.collection(path(part));
  const ask = <Result>(work: (transaction: Transaction) => Promise<Result>) =>
    db.runTransaction(work, { readOnly: true });
  const gather = (transaction: Transaction, direction: "asc" | "desc", limit: number, after?: Entry) =>
    firstOf(transaction, all.map(playersIn), { direction, limit, after });
  const page = (from: number, size: number) =>
    ask(async (transaction) => (await gather(transaction, "desc", from + size)).slice(from));
  const documentOf = (player: string) => playersIn(partOf(player, parts)).doc(player);
  const scoreIn = async (transaction: Transaction, player: string) =>
    (await transaction.get(documentOf(player))).get("score") as number | undefined;
  return {
    async submit({ player, score }) {
      await db.runTransaction(async (transaction) => {
        if ((await scoreIn(transaction, player)) !== score) transaction.set(documentOf(player), { score });
      });
      return undefined;
    },
    rank: (player) =>
      ask(async (transaction) => {
        const score = await scoreIn(transaction, player);
        if (score === undefined) return null;
        const counts = await Promise.all(
          all.map((part) => transaction.get(playersIn(part).where("score", ">", score).count())),
        );
        return counts.reduce((sum, count) => sum + count.data().count, 1);
      }),
    top: (count) => page(0, count),
    around: (player, before, after) =>
      ask(async (transaction) => {
        const score = await scoreIn(transaction, player);
        if (score === undefined) return [];
        const own = { player, score };
        const better = await gather(transaction, "asc", before, own);
        return [...better.reverse(), own, ...(await gather(transaction, "desc", after, own))];
      }),
    page,
  };
}

/** The first players of all parts in an order, of which each part finds its own. */
async function firstOf(
  transaction: Transaction,
  parts: CollectionReference[],
  { direction, limit, after }: { direction: "asc" | "desc"; limit: number; after: Entry | undefined },
): Promise<Entry[]> {
  const found = await Promise.all(
    parts.map(async (players) => {
      const ordered = players.orderBy("score", direction).orderBy("__name__", direction);
      const from = after === undefined ? ordered : ordered.startAfter(after.score, after.player);
      const { docs } = await transaction.get(from.limit(limit));
      return docs.map((player) => ({ player: player.id, score: player.get("score") as number }));
    }),
  );
  const rising = direction === "asc" ? 1 : -1;
  return found
    .flat()
    .sort((a, b) => rising * (a.score - b.score || (a.player < b.player ? -1 : 1)))
    .slice(0, limit);
}

/**
 * It remembers who is in which part. On a board whose players it does not know, each part has its share of those above
 * and below.
 */
function bills(start: Truth, parts: number): Bills {
  const orders = Array.from({ length: parts }, () => createPlayerOrder(idsFalling));
  const isKnown = start.players === 0;
  const each = (readsOf: (order: (typeof orders)[number]) => number) =>
    orders.reduce((sum, order) => sum + Math.max(1, readsOf(order)), 0);
  const share = (players: number) => Math.ceil(players / parts);
  const page = ({ players }: Truth, from: number, size: number) =>
    bill({ reads: each((order) => Math.min(from + size, isKnown ? order.size : share(players))) });
  return {
    update(_, change) {
      orders[partOf(change.player, parts)]?.set(change);
      return storeBill(change);
    },
    rank: (truth, score) =>
      bill({
        reads:
          1 + each((order) => Math.ceil((isKnown ? order.above(score) : truth.above(score) / parts) / 1_000)),
      }),
    top: (truth, count) => page(truth, 0, count),
    page,
    around(truth, index, before, after, player = "") {
      const own = isKnown ? orders[partOf(player, parts)]?.placeOf(player) : undefined;
      const others = truth.players - 1;
      const betterIn = (order: (typeof orders)[number]) =>
        own === undefined ? share(index) : order.before(own);
      const worseIn = (order: (typeof orders)[number]) =>
        own === undefined
          ? share(others - index)
          : order.size - order.before(own) - (order.placeOf(player) === undefined ? 0 : 1);
      const better = each((order) => Math.min(before, betterIn(order)));
      return bill({ reads: 1 + better + each((order) => Math.min(after, worseIn(order))) });
    },
  };
}
