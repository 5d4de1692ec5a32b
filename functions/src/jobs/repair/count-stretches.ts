/**
 * Counts any number of a season's players, or of marks, as of one time. Firestore ends a count after a minute, or about
 * three million documents, so the total order is cut into stretches that are counted one by one. The published rows say
 * where to cut. The rows may be old or wrong, which is what an audit has to find out. So a stretch with too many
 * documents is cut in two again, between its first and its last document.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type Firestore,
  type Query,
  type QueryDocumentSnapshot,
  Timestamp,
} from "../../documents/firestore.ts";
import { pagesPath } from "../../documents/paths.ts";
import { byId, type ListKey, listedPlayers, type ListSection, numbered } from "../../documents/queries.ts";
import type { Season } from "../../documents/season.ts";
import { compareIds } from "../../model/id-order.ts";
import { doubleAt, ordinalOf } from "../../model/keys.ts";
import { countedAtOnceMax, readConcurrencyMax, writesPerCommitMax } from "../../model/limits.ts";
import type { PlayerStatus } from "../../model/player-status.ts";
import { inPool } from "../../world/pool.ts";
import { allPlayers, noRows, type Rows } from "../../ranking/rows.ts";
import type { Board } from "../../seasons/read-board.ts";
import { checkPages } from "./check-pages.ts";
import { middleOf } from "./id-ranges.ts";
import { asOf, endsOf, getAt } from "../../documents/reads.ts";

/** A stretch with the number of its documents. */
export interface CountedStretch extends Stretch {
  count: number;
}

/** A season, and the order of its players. */
export interface CountedBoard {
  key: Board["key"];
  definition: Pick<Board["definition"], "order" | "ties">;
}

/**
 * Counts a season's players in several ways, as of one time.
 *
 * Cost: 1 read for each 1,000 documents, and at least 1 for each stretch. Up to 250,000 documents are one stretch; more
 * are about one stretch for each 125,000. If the rows are wrong, up to 2 reads more, and 250, for each further cut.
 * @param rows roughly where players are; a guess, or none.
 * @param options `most`: the most documents of one count. `onCount`: called after each count, as all together may take
 * minutes.
 */
export function counterOf(
  db: Firestore,
  { key, definition }: CountedBoard,
  at: Timestamp,
  rows: Rows,
  { most = countedAtOnceMax, onCount }: { most?: number; onCount?: () => Promise<void> } = {},
) {
  /** Stops once the total exceeds `enough`; unsplit stretches then report `most + 1`. */
  async function inStretches(
    query: (stretch: Stretch) => Query,
    fields: readonly string[],
    guess: Rows,
    enough = Infinity,
  ): Promise<CountedStretch[]> {
    const count = async (part: Stretch | CountedStretch) => {
      if ("count" in part) return part;
      const some = query(part)
        .limit(most + 1)
        .count();
      const counted = await asOf(db, at, (transaction) => transaction.get(some));
      await onCount?.();
      return { ...part, count: counted.data().count };
    };
    const cut = async (part: CountedStretch) =>
      part.count > most
        ? halvesOf(await endsOf(query(part), (end) => getAt(db, at, end)), fields, part)
        : [part];
    let parts = await inPool(stretchesOf(guess, most), readConcurrencyMax, count);
    while (sumOf(parts) <= enough && parts.some((part) => part.count > most))
      parts = await inPool((await inPool(parts, readConcurrencyMax, cut)).flat(), readConcurrencyMax, count);
    return parts;
  }
  return {
    /** Counts the players of a status whom lists find and can show, in stretches of the total order. */
    listed(status: PlayerStatus = "active") {
      const query = (stretch: Stretch) =>
        listedPlayers(db, key, definition, { ...stretch, status, timed: true });
      return inStretches(query, ["score", "achieved_at"], rows);
    },
    /** Counts the documents with a number in a field. If there are more than `enough`, the count is a lower bound. */
    async numbered(field: Parameters<typeof numbered>[2], enough?: number) {
      const ascending = definition.order === "ascending" ? rows : upsideDown(rows);
      const query = (stretch: Stretch) => numbered(db, key, field, stretch);
      return sumOf(await inStretches(query, [field], ascending, enough));
    },
  };
}

/**
 * The published rows of a season at a time, as a guess where its players are; no rows if one count can have all
 * players. Cost: 1 read a page if the season has more players than that.
 */
export async function rowsToCount(
  db: Firestore,
  { key, definition }: CountedBoard,
  { players, generation }: Pick<Season["ranking"], "players" | "generation">,
  at: Timestamp,
  most = countedAtOnceMax,
): Promise<Rows> {
  if (players <= most) return noRows;
  const { docs } = await getAt(db, at, byId(db, pagesPath(key), writesPerCommitMax));
  const { rows, problems } = checkPages(definition.order, docs, generation);
  // Stretches that are cut at scores out of order would overlap.
  return problems.length > 0 ? noRows : rows;
}

/** How many documents stretches have together. */
export function sumOf(stretches: readonly CountedStretch[]): number {
  return stretches.reduce((sum, { count }) => sum + count, 0);
}

function upsideDown({ scores, lows, players }: Rows): Rows {
  return { scores: lows.toReversed(), lows: scores.toReversed(), players: players.toReversed() };
}

/** A stretch of the total order; without ends, all of it. */
type Stretch = Pick<ListSection, "from" | "before">;

/**
 * Stretches with about half as many players as one count may have, so that they may grow; one stretch if one count can
 * have all players.
 */
export function stretchesOf(rows: Rows, most: number): Stretch[] {
  const { scores, players } = rows;
  const all = allPlayers(rows);
  const cuts: ListKey[] = [];
  let inStretch = 0;
  scores.forEach((score, row) => {
    const count = players[row] ?? 0;
    if (all > most && inStretch > 0 && inStretch + count > most / 2) {
      cuts.push([score]);
      inStretch = 0;
    }
    inStretch += count;
  });
  return [undefined, ...cuts].map((from, i) => ({
    ...(from && { from }),
    ...(cuts[i] && { before: cuts[i] }),
  }));
}

/** Both halves of a stretch with several documents, cut between its first and last document. Neither half is empty. */
function halvesOf(
  ends: readonly QueryDocumentSnapshot[],
  fields: readonly string[],
  { from, before }: Stretch,
): Stretch[] {
  const [first, last] = ends.map((found) => [...fields.map((field): unknown => found.get(field)), found.id]);
  if (first === undefined || last === undefined) throw new Error("a stretch with many documents has none");
  const middle = middleKey(first, last) as unknown as ListKey;
  return [
    { ...(from && { from }), before: middle },
    { from: middle, ...(before && { before }) },
  ];
}

/**
 * A list key after `first` and not after `last`, halfway in the first field in which the two differ. The last field is the
 * id. Pure.
 */
export function middleKey(first: readonly unknown[], last: readonly unknown[]): unknown[] {
  const at = first.findIndex((value, i) => value !== last[i] && !isDeepStrictEqual(value, last[i]));
  if (at === -1) throw new Error("no key is between a key and itself");
  const middle = at === first.length - 1 ? idBetween(first[at], last[at]) : valueBetween(first[at], last[at]);
  return [...last.slice(0, at), middle ?? last[at]];
}

/** The middle of two numbers or two times; undefined if nothing is in between, or for values of other types. */
function valueBetween(a: unknown, b: unknown): unknown {
  if (typeof a === "number" && typeof b === "number" && Number.isFinite(a) && Number.isFinite(b)) {
    const middle = doubleAt((ordinalOf(a) + ordinalOf(b)) / 2n);
    return middle === a ? undefined : middle;
  }
  if (!(a instanceof Timestamp) || !(b instanceof Timestamp)) return undefined;
  const [from, until] = [a.toMillis(), b.toMillis()].sort((x, y) => x - y) as [number, number];
  const middle = Math.floor((from + until) / 2);
  return middle > from ? Timestamp.fromMillis(middle) : undefined;
}

function idBetween(a: unknown, b: unknown): string | undefined {
  const [after, until] = [String(a), String(b)].sort(compareIds);
  return middleOf({ after, until });
}
