/**
 * Publishing: one atomic commit with its guards.
 *
 * The top is also renewed between runs, as often as every two seconds, and a run over many pages takes longer. So the
 * top has a guard of its own. A run that was overtaken only by a refresh reads the top again and nothing else (run.ts).
 */
import { writeEvents } from "../documents/event.ts";
import {
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  type Transaction,
  type Writer,
} from "../documents/firestore.ts";
import type { Page } from "../documents/page.ts";
import {
  pagePath,
  runPath,
  seasonPath,
  segmentPagePath,
  shardPath,
  teamsPath,
  topPath,
} from "../documents/paths.ts";
import { type FoundTop, writeTop } from "../top/document.ts";
import type { Services } from "../world/services.ts";
import type { Replacement } from "./publication.ts";
import type { OfRun, Publication, Snapshot } from "./state.ts";

/**
 * Publishes what a run has planned, in one commit. It fails if page 0, the top or a shard document that it deletes has
 * changed since the snapshot. The relations in limits.ts make it fit.
 */
export async function commit(
  { db, newId }: Services,
  { firstPage, taken, top }: Snapshot,
  publication: Publication,
): Promise<void> {
  const { key, pages, segmentPages, record, takenOver, scores, reversals } = publication;
  const batch = db.batch();
  const [first, ...others] = pages;
  const ref = db.doc(pagePath(key, 0));
  if (firstPage === undefined) batch.create(ref, { ...first });
  else batch.update(ref, { ...absent, ...first }, { lastUpdateTime: firstPage.updateTime });
  for (let page = pages.length; page < (firstPage?.pages ?? 0); page++)
    batch.delete(db.doc(pagePath(key, page)));
  for (let page = segmentPages.length; page < (firstPage?.segmentPages ?? 0); page++)
    batch.delete(db.doc(segmentPagePath(key, page)));
  for (const { path, updateTime } of taken.deleted)
    batch.delete(db.doc(path), { lastUpdateTime: updateTime });
  for (const fields of reversals)
    batch.create(db.doc(shardPath(key, newId(), fields.slot_ends_at.toMillis())), fields);
  const season = { ...publication.season, ...addedScores(scores) };
  writeGeneration(db, batch, { ...publication, pages: others, season }, top.document);
  const runs = takenOver !== undefined && takenOver.length > 0 ? { recent_runs: takenOver } : {};
  if (takenOver !== undefined) batch.set(db.doc(runPath(key, newId())), { ...record, ...runs });
  await batch.commit();
}

/** The fields of a season to which scores are added, and those of days that are over. */
function addedScores({ day, changed, over }: Publication["scores"]): Record<string, FieldValue> {
  if (changed === 0) return {};
  const days: [day: string, value: FieldValue][] = over.map((old) => [old, FieldValue.delete()]);
  days.push([day, FieldValue.increment(changed)]);
  return Object.fromEntries(days.map(([name, value]) => [`scores_by_day.${name}`, value]));
}

/** The fields that a page may not have: page 0 is updated, so what it has no more must be deleted. */
const optionalFields = [
  "lows",
  "checks",
  "shards_from",
  "baselines",
  "remade_at",
  "segment_pages",
  "teams",
  "left_out",
  "owed",
  "owed_players",
  "owed_above",
  "pending_above",
] as const satisfies (keyof Page)[];
const absent = Object.fromEntries(optionalFields.map((field) => [field, FieldValue.delete()]));

/** Adds pages, top, events and season to a commit, which fails where the top has changed since it was found. */
function writeGeneration(
  db: Firestore,
  writer: Writer,
  { key, pages, segmentPages, teams, teamsGone, top, events, season }: Omit<Publication, OfRun>,
  found: FoundTop["document"],
): void {
  for (const page of pages) writer.set(db.doc(pagePath(key, page.page)), page);
  for (const page of segmentPages) writer.set(db.doc(segmentPagePath(key, page.page)), page);
  for (const [segment, document] of teams) writer.set(db.doc(teamsPath(key, segment)), document);
  for (const segment of teamsGone) writer.delete(db.doc(teamsPath(key, segment)));
  const { generation, players } = season.ranking;
  writeTop(writer, db.doc(topPath(key)), top ?? { generation, players }, found);
  writeEvents(db, writer, events);
  writer.update(db.doc(seasonPath(key)), season);
}

/**
 * Adds a generation that replaces a ranking to the transaction that has read its page 0. Every other document among the
 * pages is deleted. The commit fails if page 0 or the top has changed since they were found.
 * @param replaced all documents of the pages, valid or not, those of segments too; page 0 as the transaction found it.
 */
export function writeReplacement(
  db: Firestore,
  transaction: Transaction,
  next: Replacement,
  replaced: { pages: readonly DocumentSnapshot[]; first: DocumentSnapshot; top: FoundTop },
): void {
  const { key } = next;
  const { pages, first, top } = replaced;
  const old = new Set(pages.map(({ ref }) => ref.path));
  // Another publication may have written more pages since they were read.
  for (let page = 0; page < Number(first.get("pages") ?? 0); page++) old.add(pagePath(key, page));
  for (let page = 0; page < Number(first.get("segment_pages") ?? 0); page++)
    old.add(segmentPagePath(key, page));
  for (const { page } of next.pages) old.delete(pagePath(key, page));
  for (const { page } of next.segmentPages) old.delete(segmentPagePath(key, page));
  for (const path of old) transaction.delete(db.doc(path));
  writeGeneration(db, transaction, next, top.document);
}
