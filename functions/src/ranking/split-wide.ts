/** Reads merged rows that have become too wide again: the players in them, or how many of the players have one score. */
import type { Firestore, Transaction } from "../documents/firestore.ts";
import type { RankingKey } from "../documents/paths.ts";
import { markedScore, marksBetween } from "../documents/queries.ts";
import { endsOf, inChunks } from "../documents/reads.ts";
import { doubleAt, nextKey, ordinalOf } from "../model/keys.ts";
import {
  documentsPerReadMax,
  partsPerDivision,
  readConcurrencyMax,
  rowBoundMax,
  rowsMax,
  splitReadsMax,
} from "../model/limits.ts";
import { type Order, scoreOfKey, sortKey } from "../model/score.ts";
import { inPool } from "../world/pool.ts";
import { createFold, type Fold } from "./fold.ts";
import { mergeRows } from "./merge.ts";
import { noRows, type Rows } from "./rows.ts";
import { exactRowsIn, splitRows, wideRows } from "./split.ts";

/** Where the marks of a ranking's players are read. */
export interface MarkSource {
  db: Firestore;
  transaction: Transaction;
  key: RankingKey;
  order: Order;
}

/** The sort keys from `from` on, up to `until`, which is not included; and how many players have these scores. */
interface ScoreRange {
  from: number;
  until: number;
  players: number;
}

/**
 * Rows in which merged ones that have become too wide are split: see split.ts. The best come first, as many as can be
 * read; the rest waits for the next run.
 *
 * Cost: 1 read for each player of these rows, at most 250,000. In a row of more, crowds of one score are counted: see
 * {@link withoutCrowds}. Memory: about 16 bytes for each player, and some documents a row.
 */
export async function splitWide(marks: MarkSource, rows: Rows, pending: Rows): Promise<Rows> {
  const chosen = wideRows(rows, rowBoundMax);
  const split = await withRowsSplit(marks, rows, chosen, pending, { left: splitReadsMax });
  return split === rows ? rows : mergeRows(split, rowsMax);
}

/** How many players may still be read. */
export interface ReadsLeft {
  left: number;
}

/**
 * Rows in which some merged ones are replaced by exact ones, as far as their players may be read, and are those that the
 * rows count; the same rows where none is. Cost and memory: as {@link splitWide}.
 * @param chosen the indexes of the merged rows. @param pending changes that are in the marks, and not in the rows.
 */
export async function withRowsSplit(
  marks: MarkSource,
  rows: Rows,
  chosen: readonly number[],
  pending: Rows,
  reads: ReadsLeft,
): Promise<Rows> {
  const { order } = marks;
  const affordable: { row: number; ranges: readonly ScoreRange[] }[] = [];
  for (const row of chosen) {
    const whole = {
      from: sortKey(order, rows.scores[row] ?? NaN),
      until: nextKey(sortKey(order, rows.lows[row] ?? NaN)),
      players: rows.players[row] ?? NaN,
    };
    const ranges = whole.players > splitReadsMax ? await withoutCrowds(marks, whole, reads.left) : [whole];
    const needed = readsOf(ranges);
    if (needed > reads.left) continue;
    reads.left -= needed;
    affordable.push({ row, ranges });
  }
  const found = await inPool(affordable, readConcurrencyMax, async ({ row, ranges }) => {
    const held = createFold(order, noRows);
    for (const range of ranges) await addPlayers(marks, range, held);
    return { row, exact: exactRowsIn(order, rows, row, held.finish(), pending) };
  });
  const split = found.flatMap(({ row, exact }) => (exact === undefined ? [] : [{ row, exact }]));
  if (split.length === 0) return rows;
  const splitAt = split.map(({ row }) => row);
  const exactRows = split.map(({ exact }) => exact);
  return splitRows(order, rows, splitAt, exactRows);
}

/** How many players have to be read: in a range of one score none, as counting them is enough. */
function readsOf(ranges: readonly ScoreRange[]): number {
  return ranges.reduce((sum, range) => sum + (isOneScore(range) ? 0 : range.players), 0);
}

const isOneScore = ({ from, until }: ScoreRange) => nextKey(from) === until;

/** Adds the players of a range. A range of one score costs nothing more, as its players were counted. */
async function addPlayers(marks: MarkSource, range: ScoreRange, held: Fold): Promise<void> {
  if (isOneScore(range)) {
    held.add(scoreOfKey(marks.order, range.from), range.players);
    return;
  }
  const query = marksIn(marks, range).select(markedScore);
  for await (const chunk of inChunks(query, documentsPerReadMax, (some) => marks.transaction.get(some)))
    for (const player of chunk) held.add(player.get(markedScore) as number, 1);
}

const marksIn = ({ db, key, order }: MarkSource, { from, until }: Pick<ScoreRange, "from" | "until">) =>
  marksBetween(db, key, order, scoreOfKey(order, from), scoreOfKey(order, until));

/** How often a row is divided. At most 13 levels are above one score. */
const divisionsMax = 200;

/**
 * A range in parts, so that no more than `readsMax` players are left besides those who crowd at one score: the widest
 * part is divided by counts until it is one score, or everything is narrow enough. Without crowds that big, it ends where
 * further divisions cannot help or cost more than reading, and more are left.
 *
 * Cost: 1 read for each 1,000 players on each level, two to four as a rule, and up to 34 a division.
 */
async function withoutCrowds(marks: MarkSource, range: ScoreRange, readsMax: number): Promise<ScoreRange[]> {
  const parts = [range];
  for (let divisions = divisionsMax; divisions > 0; divisions--) {
    const wide = parts.filter((part) => !isOneScore(part)).sort((a, b) => b.players - a.players);
    const [widest] = wide;
    const tooMany = readsOf(wide) - readsMax;
    if (widest === undefined || tooMany <= 0) break;
    if (widest.players <= partsPerDivision || widest.players * divisions < tooMany) break;
    parts.splice(parts.indexOf(widest), 1, ...(await divided(marks, widest)));
  }
  return parts;
}

/** The parts of a range that have players, between its best and its worst score. */
async function divided(marks: MarkSource, range: ScoreRange): Promise<ScoreRange[]> {
  const query = marksIn(marks, range).select(markedScore);
  const ends = await endsOf(query, (some) => marks.transaction.get(some));
  const keys = ends.map((player) => sortKey(marks.order, player.get(markedScore) as number));
  if (keys.length === 0) return [];
  const from = Math.min(...keys);
  const until = nextKey(Math.max(...keys));
  const cuts = [from, ...cutsBetween(from, until), until];
  const parts = cuts.slice(1).map((end, i) => ({ from: cuts[i] ?? NaN, until: end }));
  const counted = await inPool(parts, readConcurrencyMax, async (part) => {
    const count = await marks.transaction.get(marksIn(marks, part).count());
    return { ...part, players: count.data().count };
  });
  return counted.filter(({ players }) => players > 0);
}

/** Keys strictly between two, in equal steps of their places among all doubles. */
function cutsBetween(from: number, until: number): number[] {
  const first = ordinalOf(from);
  const all = ordinalOf(until) - first;
  const places = Array.from(
    { length: partsPerDivision - 1 },
    (_, i) => first + (all * BigInt(i + 1)) / BigInt(partsPerDivision),
  );
  return [...new Set(places)].filter((place) => place > first).map(doubleAt);
}
