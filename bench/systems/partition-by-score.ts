/**
 * Ten parts of equal ranges of scores, each with its players, and a document with the players of each part. The rank is
 * the one within the part, and the players of all higher parts.
 *
 * The source keeps each part in a Redis sorted set; here it is a collection of its own.
 */
import {
  type CollectionReference,
  FieldValue,
  type Firestore,
  type Query,
  type Transaction,
} from "../../functions/src/documents/firestore.ts";
import { bill } from "../contest/bill.ts";
import type { Entry, Truth } from "../contest/truth.ts";
import { isChange } from "./player-bills.ts";
import { createPlayerOrder, idsFalling } from "./player-order.ts";
import { playersOf, storeScore } from "./players.ts";
import { type Bills, type Opened, type Place, scoreMax, type System } from "./system.ts";

const parts = 10;
const width = (scoreMax + 1) / parts;
/** The parts, the best first. */
const falling = Array.from({ length: parts }, (_, i) => parts - 1 - i);

/**
 * An update costs a read and a write of the player, and a write in the part; between two parts or for a new player, also
 * one of the counts, and a delete in the part before. A rank costs 2 reads, and one for each 1,000 players above within
 * the part, at least one. Lists cost a read of the counts, one for each player, and those that a page skips within a part.
 */
export const partitionByScore: System = {
  id: "partition-by-score",
  name: "Ten parts by score",
  layout:
    "Players; the same in a collection for each tenth of the scores; a document with the players of each.",
  source:
    "“Real-time Gaming Leaderboard” in A. Xu and S. Lam, “System Design Interview”, volume 2: fixed partition. Its parts are Redis sorted sets, and its top comes from the highest part alone",
  limit:
    "The counts of all parts are in one document, which each player writes who comes or changes the part.",
  rank: "exact",
  keeps: "latest",
  cannot: { run: "nothing is left to do" },
  load: {
    kind: "documents",
    commits: ({ before, after }) => (before !== null && partOf(before) === partOf(after) ? [] : [["counts"]]),
  },
  open: (place) => Promise.resolve(open(place)),
  bills,
};

export function partOf(score: number): number {
  return Math.max(0, Math.min(parts - 1, Math.floor(score / width)));
}

function open({ db }: Place): Opened {
  const counts = db.doc("ranking/counts");
  const page = (from: number, size: number) =>
    db.runTransaction(async (transaction) => pageOf(await boardIn(db, transaction), from, size), reading);
  /** Asks about a player, at one moment. */
  const ask = <Result>(player: string, nobody: Result, work: (board: Board, own: Entry) => Promise<Result>) =>
    db.runTransaction(async (transaction) => {
      const score = (await transaction.get(playersOf(db).doc(player))).get("score") as number | undefined;
      return score === undefined ? nobody : work(await boardIn(db, transaction), { player, score });
    }, reading);
  return {
    async submit(submission) {
      await storeScore(db, submission, "latest", (transaction, { player, before, after }) => {
        const part = partOf(after);
        transaction.set(playersIn(db, part).doc(player), { score: after });
        if (before !== null && partOf(before) === part) return;
        const moved = { [part]: FieldValue.increment(1) };
        if (before !== null) {
          transaction.delete(playersIn(db, partOf(before)).doc(player));
          moved[partOf(before)] = FieldValue.increment(-1);
        }
        transaction.set(counts, { parts: moved }, { merge: true });
      });
      return undefined;
    },
    rank: (player) =>
      ask<number | null>(player, null, async ({ transaction, countOf }, { score }) => {
        const better = playersIn(db, partOf(score)).where("score", ">", score).count();
        const within = (await transaction.get(better)).data().count;
        return 1 + within + partsBeyond(score, "asc").reduce((sum, part) => sum + countOf(part), 0);
      }),
    top: (count) => page(0, count),
    around: (player, before, after) =>
      ask<Entry[]>(player, [], async (board, own) => {
        const better = await beside(board, own, "asc", before);
        return [...better.reverse(), own, ...(await beside(board, own, "desc", after))];
      }),
    page,
  };
}

const reading = { readOnly: true } as const;

/** The board at one moment. */
interface Board {
  db: Firestore;
  transaction: Transaction;
  /** Players of a part. */
  countOf: (part: number) => number;
}

async function boardIn(db: Firestore, transaction: Transaction): Promise<Board> {
  const counts = await transaction.get(db.doc("ranking/counts"));
  const stored = counts.get("parts") as Record<string, number> | undefined;
  return { db, transaction, countOf: (part) => stored?.[part] ?? 0 };
}

function playersIn(db: Firestore, part: number): CollectionReference {
  return db.collection(`parts/${part}/players`);
}

async function pageOf({ db, transaction, countOf }: Board, from: number, size: number): Promise<Entry[]> {
  const found: Entry[] = [];
  let skip = from;
  for (const part of falling) {
    const limit = Math.min(size - found.length, countOf(part) - skip);
    const ordered = playersIn(db, part).orderBy("score", "desc");
    if (limit > 0) found.push(...(await entriesOf(transaction, ordered.offset(skip).limit(limit))));
    skip = Math.max(0, skip - countOf(part));
  }
  return found;
}

/** The players next to one, in one direction: in the own part, then in those beyond. */
async function beside(
  { db, transaction, countOf }: Board,
  own: Entry,
  direction: "asc" | "desc",
  limit: number,
): Promise<Entry[]> {
  const ordered = (part: number) =>
    playersIn(db, part).orderBy("score", direction).orderBy("__name__", direction);
  const next = ordered(partOf(own.score)).startAfter(own.score, own.player);
  const found = await entriesOf(transaction, next.limit(limit));
  for (const part of partsBeyond(own.score, direction)) {
    const more = Math.min(limit - found.length, countOf(part));
    if (more > 0) found.push(...(await entriesOf(transaction, ordered(part).limit(more))));
  }
  return found;
}

/** The parts on one side of a score, the nearest first: above it with `asc`. */
function partsBeyond(score: number, direction: "asc" | "desc"): number[] {
  const own = partOf(score);
  return direction === "asc"
    ? falling.filter((part) => part > own).reverse()
    : falling.filter((part) => part < own);
}

async function entriesOf(transaction: Transaction, query: Query): Promise<Entry[]> {
  const found = await transaction.get(query);
  return found.docs.map((player) => ({ player: player.id, score: player.get("score") as number }));
}

/** It remembers who comes first among equals. */
function bills(start: Truth): Bills {
  const order = createPlayerOrder(idsFalling);
  const page = (truth: Truth, from: number, size: number) => {
    const end = Math.min(from + size, truth.players);
    const reads = falling.map((part) => {
      const [first, after] = [playersFrom(truth, part + 1), playersFrom(truth, part)];
      return Math.min(end, after) > Math.max(from, first) ? Math.min(end, after) - first : 0;
    });
    return bill({ reads: 1 + reads.reduce((sum, more) => sum + more, 0) });
  };
  return {
    update(_, change) {
      if (!isChange(change)) return bill({ reads: 1 });
      order.set(change);
      const isNew = change.before === null;
      const isMove = !isNew && partOf(change.before ?? 0) !== partOf(change.after);
      return bill({ reads: 1, writes: isNew || isMove ? 3 : 2, deletes: isMove ? 1 : 0 });
    },
    rank(truth, score) {
      const within = truth.above(score) - playersFrom(truth, partOf(score) + 1);
      return bill({ reads: 2 + Math.max(1, Math.ceil(within / 1_000)) });
    },
    top: (truth, count) => page(truth, 0, count),
    page,
    around(truth, index, before, after, player = "") {
      const place = start.players === 0 ? order.placeOf(player) : undefined;
      const at = place === undefined ? index : order.before(place);
      const part = partOf(truth.scoreAt(index));
      const better = Math.min(before, at);
      const worse = Math.min(after, truth.players - 1 - at);
      // A query that finds nobody in the own part costs a read.
      const isFirst = at === playersFrom(truth, part + 1);
      const isLast = at === playersFrom(truth, part) - 1;
      return bill({ reads: 2 + better + worse + (isFirst ? 1 : 0) + (isLast ? 1 : 0) });
    },
  };
}

/** Players in this part and in higher ones. */
function playersFrom(truth: Truth, part: number): number {
  if (part >= parts) return 0;
  return part <= 0 ? truth.players : truth.above(part * width) + truth.equals(part * width);
}
