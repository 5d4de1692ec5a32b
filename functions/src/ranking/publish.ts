/**
 * Publishing: one atomic commit with its guards.
 *
 * The top is also renewed between runs, as often as every two seconds, and a run over many pages takes longer. So the
 * top has a guard of its own. A run that was overtaken only by a refresh reads the top again and nothing else.
 */
import { writeEvents } from "../documents/event.ts";
import { FieldValue, type Firestore, type Transaction, type Writer } from "../documents/firestore.ts";
import { pagePath, runPath, seasonPath, segmentPagePath, shardPath, topPath } from "../documents/paths.ts";
import type { Board } from "../seasons/board.ts";
import { commitTop } from "../top/keep-live.ts";
import { type FoundTop, readTopIfChanged, writeTop } from "../top/document.ts";
import { isBeaten } from "../world/retryable.ts";
import type { Generation, Publication, Replaced } from "./publication.ts";
import type { Snapshot } from "./read.ts";
import type { Services } from "../world/services.ts";

/** How often one attempt reads the top again because a refresh was first. Refreshes are a second apart or more. */
export const topOvertakenMax = 8;

/**
 * Publishes what a run has folded, with the top that it found, or a newer one if refreshes renew the top meanwhile.
 *
 * Cost: the publication's writes and deletes; each time that the commit fails 1 read, and where the top was renewed its
 * players and 1 for each 1,000 of these.
 * @param plan makes the publication with a top; `overtaken` counts the tops before.
 * @returns what was published.
 * @throws the error of the commit, unless the top's guard failed.
 */
export async function publish(
  services: Services,
  board: Board,
  snapshot: Snapshot,
  plan: (top: FoundTop, overtaken: number) => Publication,
): Promise<Publication> {
  let { top } = snapshot;
  for (let overtaken = 0; ; overtaken++) {
    const publication = plan(top, overtaken);
    const { document } = top;
    const change = () => ({ document, top: publication.top });
    try {
      await commitTop(services, board, change, () => commit(services, publication, snapshot, document));
      return publication;
    } catch (error) {
      if (!isBeaten(error) || overtaken === topOvertakenMax) throw error;
      const newer = await readTopIfChanged(services.db, board, top);
      if (newer === undefined) throw error;
      top = newer;
    }
  }
}

/** Writes a publication in one commit, if page 0 is unchanged, or still missing. The relations in limits.ts make it fit. */
async function commit(
  { db, newId }: Services,
  publication: Publication,
  { firstPage, shards }: Snapshot,
  found: FoundTop["document"],
): Promise<void> {
  const { key, pages, record, takenBack } = publication;
  const batch = db.batch();
  const [first, ...others] = pages;
  const ref = db.doc(pagePath(key, 0));
  if (firstPage === undefined) batch.create(ref, { ...first });
  else batch.update(ref, { ...absent, ...first }, { lastUpdateTime: firstPage.updateTime });
  for (let page = pages.length; page < (firstPage?.pages ?? 0); page++)
    batch.delete(db.doc(pagePath(key, page)));
  for (let page = publication.segmentPages.length; page < (firstPage?.segmentPages ?? 0); page++)
    batch.delete(db.doc(segmentPagePath(key, page)));
  for (const { path, updateTime } of shards) batch.delete(db.doc(path), { lastUpdateTime: updateTime });
  for (const fields of takenBack)
    batch.create(db.doc(shardPath(key, newId(), fields.slot_ends_at.toMillis())), fields);
  writeGeneration(db, batch, { ...publication, pages: others }, found);
  batch.set(db.doc(runPath(key, newId())), record);
  await batch.commit();
}

/** The fields that a page may not have. */
const optional = [
  ...(["lows", "checks", "shards_from", "baselines", "remade_at"] as const),
  ...(["segment_pages", "left_out"] as const),
  ...(["owed", "owed_players", "owed_above", "pending_above"] as const),
];
const absent = Object.fromEntries(optional.map((field) => [field, FieldValue.delete()]));

/** Adds pages, top, events and season to a commit, which fails if the top has changed since it was found. */
function writeGeneration(
  db: Firestore,
  writer: Writer,
  { key, pages, segmentPages, top, events, season }: Generation,
  found: FoundTop["document"],
): void {
  for (const page of pages) writer.set(db.doc(pagePath(key, page.page)), page);
  for (const page of segmentPages) writer.set(db.doc(segmentPagePath(key, page.page)), page);
  writeTop(writer, db.doc(topPath(key)), top, found);
  writeEvents(db, writer, events);
  writer.update(db.doc(seasonPath(key)), season);
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
): void {
  // Another publication may have written more pages since they were read.
  const later = [
    ...Array.from({ length: Number(first.get("pages") ?? 0) }, (_, n) => pagePath(next.key, n)),
    ...Array.from({ length: Number(first.get("segment_pages") ?? 0) }, (_, n) =>
      segmentPagePath(next.key, n),
    ),
  ];
  const old = new Set([...found.map(({ ref }) => ref.path), ...later]);
  for (const { page } of next.pages) old.delete(pagePath(next.key, page));
  for (const { page } of next.segmentPages) old.delete(segmentPagePath(next.key, page));
  for (const path of old) transaction.delete(db.doc(path));
  writeGeneration(db, transaction, next, document);
}
