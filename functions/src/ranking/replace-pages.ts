/**
 * The publication of a ranking that was made anew, by a repair or from final standings: like a run's, but the pages to
 * replace may be missing or invalid.
 */
import type { DocumentSnapshot, Firestore, Timestamp, Transaction } from "../documents/firestore.ts";
import { pagePath } from "../documents/paths.ts";
import type { Season } from "../documents/season.ts";
import { rowsMax } from "../model/limits.ts";
import type { OpenedBoard } from "../seasons/board.ts";
import type { FoundTop } from "../top/document.ts";
import { mergeRows } from "./merge.ts";
import { type Generation, planGeneration } from "./publication.ts";
import { writeGeneration } from "./publish.ts";
import type { Rows } from "./rows.ts";
import { noSums } from "./shard-sums.ts";

/** What a season had published: the documents of `scores_ranking`, valid or not. */
export interface Replaced {
  pages: readonly DocumentSnapshot[];
  /** Page 0 as the commit's transaction found it. */
  first: DocumentSnapshot;
  top: FoundTop;
}

/** A ranking that was made anew. */
export interface Remade {
  rows: Rows;
  /** When everything was read, and what had not been folded then. */
  readAt: Timestamp;
  pending: Rows;
  asOf: Timestamp;
  unusable: number;
}

/** Plans the generation that follows all that were found. Pure. */
export function planReplacement(
  board: OpenedBoard,
  { rows, readAt, pending, asOf, unusable }: Remade,
  { pages, first, top }: Replaced,
  nowMs: number,
): Generation {
  const merged = mergeRows(rows, rowsMax);
  const seen = [first, ...pages].map((page): unknown => page.get("generation"));
  const generations = [board.season.ranking.generation, ...seen].filter((value): value is number =>
    Number.isSafeInteger(value),
  );
  const ranking = {
    readAt,
    rows: merged,
    pending: merged === rows ? undefined : pending,
    generation: Math.max(...generations),
    top,
    sums: { ...noSums(), unusable },
  };
  return planGeneration(board, ranking, { asOf, shardsFrom: null, nowMs });
}

/**
 * Adds the writes of a replacement to the transaction that has read page 0: the generation; and deletes every other
 * document among the pages. The commit fails if page 0 or the top has changed since they were found.
 */
export function writeReplacement(
  db: Firestore,
  transaction: Transaction,
  next: Generation,
  { pages: found, first, top: { document } }: Replaced,
  fields: Partial<Season>,
): void {
  // Another publication may have written more pages since they were read.
  const later = Array.from({ length: Number(first.get("pages") ?? 0) }, (_, n) => pagePath(next.key, n));
  const old = new Set([...found.map(({ ref }) => ref.path), ...later]);
  for (const { page } of next.pages) old.delete(pagePath(next.key, page));
  for (const path of old) transaction.delete(db.doc(path));
  writeGeneration(db, transaction, next, document, fields);
}
