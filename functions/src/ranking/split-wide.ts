/** What a run reads of the merged rows that have become too wide: their players, or how many have one score. */
import type { Firestore, Transaction } from "../documents/firestore.ts";
import type { SeasonKey } from "../documents/paths.ts";
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

interface Marks {
  db: Firestore;
  transaction: Transaction;
  key: SeasonKey;
  order: Order;
}

/** Sort keys from one up to another, which is not included, and how many players have their scores. */
interface Stretch {
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
export async function splitWide(marks: Marks, rows: Rows, pending: Rows): Promise<Rows> {
  const { order } = marks;
  let left = splitReadsMax;
  const chosen: { row: number; stretches: readonly Stretch[] }[] = [];
  for (const row of wideRows(rows, rowBoundMax)) {
    const whole = {
      from: sortKey(order, rows.scores[row] ?? NaN),
      until: nextKey(sortKey(order, rows.lows[row] ?? NaN)),
      players: rows.players[row] ?? NaN,
    };
    const stretches = whole.players > splitReadsMax ? await withoutCrowds(marks, whole, left) : [whole];
    const reads = readsOf(stretches);
    if (reads > left) continue;
    left -= reads;
    chosen.push({ row, stretches });
  }
  if (chosen.length === 0) return rows;
  const found = await inPool(chosen, readConcurrencyMax, async ({ row, stretches }) => {
    const held = createFold(order, noRows);
    for (const stretch of stretches) await addPlayers(marks, stretch, held);
    return { row, exact: exactRowsIn(order, rows, row, held.finish(), pending) };
  });
  const sound = found.flatMap(({ row, exact }) => (exact === undefined ? [] : [{ row, exact }]));
  const rowsOfSound = sound.map(({ row }) => row);
  const exact = sound.map((one) => one.exact);
  return mergeRows(splitRows(order, rows, rowsOfSound, exact), rowsMax);
}

/** Players who are read, as they are not all at one score. */
function readsOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, stretch) => sum + (isOneScore(stretch) ? 0 : stretch.players), 0);
}

const isOneScore = ({ from, until }: Stretch) => nextKey(from) === until;

/** Adds the players of a stretch: those of one score, who were counted, cost nothing more. */
async function addPlayers(marks: Marks, stretch: Stretch, held: Fold): Promise<void> {
  if (isOneScore(stretch)) {
    held.add(scoreOfKey(marks.order, stretch.from), stretch.players);
    return;
  }
  const query = marksIn(marks, stretch).select(markedScore);
  for await (const chunk of inChunks(query, documentsPerReadMax, (some) => marks.transaction.get(some)))
    for (const player of chunk) held.add(player.get(markedScore) as number, 1);
}

const marksIn = ({ db, key, order }: Marks, { from, until }: Pick<Stretch, "from" | "until">) =>
  marksBetween(db, key, order, scoreOfKey(order, from), scoreOfKey(order, until));

/** How often a row is divided. At most 13 levels are above one score. */
const divisionsMax = 200;

/**
 * A stretch in parts, so that no more than `readsMax` players are left besides those who crowd at one score: the widest
 * part is divided by counts until it is one score, or everything is narrow enough. Without crowds that big, it ends where
 * further divisions cannot help or cost more than reading, and more are left.
 *
 * Cost: 1 read for each 1,000 players on each level, two to four as a rule, and up to 34 a division.
 */
async function withoutCrowds(marks: Marks, stretch: Stretch, readsMax: number): Promise<Stretch[]> {
  const parts = [stretch];
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

/** The parts of a stretch that have players, between its best and its worst score. */
async function divided(marks: Marks, stretch: Stretch): Promise<Stretch[]> {
  const query = marksIn(marks, stretch).select(markedScore);
  const ends = await endsOf(query, (some) => marks.transaction.get(some));
  const keys = ends.map((player) => sortKey(marks.order, player.get(markedScore) as number));
  if (keys.length === 0) return [];
  const [from, until] = [Math.min(...keys), nextKey(Math.max(...keys))];
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
