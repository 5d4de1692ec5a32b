/** The publication of a rebuild: like a run's, but the pages to replace may be missing or invalid. */
import { writeEvents } from "../documents/event.ts";
import { type DocumentSnapshot, FieldValue, Timestamp } from "../documents/firestore.ts";
import { pagePath, seasonPath, topPath } from "../documents/paths.ts";
import { emptyRecord } from "../documents/ranking-record.ts";
import type { Season } from "../documents/season.ts";
import { publicationExtraWrites, rowsMax, writesPerCommitMax } from "../model/limits.ts";
import { mergeRows } from "../ranking/merge.ts";
import { planPublication, type Publication } from "../ranking/publication.ts";
import type { Rows } from "../ranking/rows.ts";
import type { Board } from "../seasons/board.ts";
import { commitTop } from "../top/ask-refresh.ts";
import { type FoundTop, gateOf, readTopPlayers, writeTop } from "../top/document.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { gateIn } from "../top/gate.ts";
import { noBill } from "../world/meter.ts";
import { tryAgain } from "../world/try-again.ts";
import type { SeasonState } from "./season-state.ts";

/** Thrown if another run published between the read time and the commit. */
export class PublishedMeanwhile extends Error {}

/** A text that changes with every publication of page 0, with the board's source, and when its season ends. */
export function guardOf(page: DocumentSnapshot | undefined): string {
  if (page?.exists !== true) return "missing";
  const readAt: unknown = page.get("read_at");
  const [time, left] = [readAt, page.get("left_to_counts_at") as unknown].map((value) =>
    value instanceof Timestamp ? value.valueOf() : "",
  );
  return `${String(page.get("generation"))} ${time} ${left}${page.get("final") === true ? " final" : ""}`;
}

/** The data that a rebuild has read. */
export interface RebuiltRows {
  rows: Rows;
  guard: string;
  unusable: number;
  /** Whether the index has everything again, that was left to counts (ranking/left-to-counts.ts). */
  isWhole?: boolean;
}

/**
 * Publishes rows as of the state's read time, with a top as of now, if the guard of page 0 is unchanged.
 *
 * Cost: 2 reads for page 0 and the top, and the top players (and 1 for each 1,000); where page 0 is missing 1 for the
 * season, which is then the guard; writes the pages, the top and the season; deletes every document that is not a page of
 * the new generation.
 * @param fields of the season that the same commit sets.
 * @throws PublishedMeanwhile
 */
export async function publishRebuild(
  services: TopServices,
  board: Board,
  state: SeasonState,
  result: RebuiltRows,
  fields: Partial<Season> = {},
): Promise<Publication> {
  return tryAgain(services, async () => {
    const { publication, ...found } = await prepare(services, board, state, result);
    const { top } = found;
    const changes = result.isWhole === true ? { ...fields, left_to_counts_at: FieldValue.delete() } : fields;
    const { lowest_score: lowest, lowest_at: lowestAt } = publication.top;
    const gates = { before: gateOf(top.document), after: gateIn(lowest, lowestAt) };
    await commitTop(services, board, gates, () =>
      commit(services, publication, state, { ...found, fields: changes }),
    );
    return publication;
  });
}

/** The documents that a publication replaces. */
interface Found {
  first: DocumentSnapshot;
  top: FoundTop;
  /** Where page 0 is missing: the season's update time. */
  seasonTime: Timestamp | undefined;
}

async function prepare(
  { db, now, slotMs }: TopServices,
  { key, definition }: Board,
  { at, season: seasonAt, pages, pending, sums }: SeasonState,
  { rows, guard, unusable, isWhole = false }: RebuiltRows,
): Promise<Found & { publication: Publication }> {
  const { left_to_counts_at: leftAt } = seasonAt;
  const { first, season, top } = await db.runTransaction(
    async (transaction) => {
      const page = await transaction.get(db.doc(pagePath(key, 0)));
      return {
        first: page,
        season: page.exists ? undefined : await transaction.get(db.doc(seasonPath(key))),
        top: await readTopPlayers(db, transaction, { key, definition, season: seasonAt }),
      };
    },
    { readOnly: true },
  );
  const leftNow: unknown = season === undefined ? leftAt : season.get("left_to_counts_at");
  const isLeftAgain = leftNow instanceof Timestamp && leftAt?.isEqual(leftNow) !== true;
  if (guardOf(first) !== guard || isLeftAgain) throw new PublishedMeanwhile("another run has published");
  const merged = mergeRows(rows, rowsMax);
  const seen = [seasonAt.ranking.generation, ...pages.map((page): unknown => page.get("generation"))];
  const generation = Math.max(...seen.filter((value): value is number => Number.isSafeInteger(value)));
  const snapshot = {
    readAt: at,
    rows: merged,
    pending: merged === rows ? undefined : pending,
    generation,
    firstPage: undefined,
    seasonTime: undefined,
    shards: [],
    taken: [],
    // As in one part of a backlog: what is folded here says nothing about the load.
    more: true,
    isOverfull: false,
    top,
    sums: { ...sums, unusable },
  };
  const oldestSlotEndMs = Math.min(...sums.writesOfSlot.keys());
  const asOf = Timestamp.fromMillis(Math.min(at.toMillis(), oldestSlotEndMs - slotMs));
  const facts = { asOf, shardsFrom: null, nowMs: now(), peakWritesPerSecond: 0, spent: noBill() };
  const board = { key, definition, season: seasonAt };
  // This record is not stored: a rebuild has its own.
  const publication = planPublication(board, snapshot, facts, emptyRecord(key, now()));
  const [page] = publication.pages;
  if (page !== undefined && leftAt !== undefined && !isWhole) page.left_to_counts_at = leftAt;
  return { first, top, seasonTime: season?.updateTime, publication };
}

async function commit(
  { db }: TopServices,
  { key, pages, top, events, season }: Publication,
  state: SeasonState,
  { first, top: { document }, seasonTime, fields }: Found & { fields: object },
): Promise<void> {
  const strays = state.pages.filter(({ id }) => !pages.some(({ page }) => String(page) === id));
  const writes = pages.length + strays.length + publicationExtraWrites + events.length;
  if (writes > writesPerCommitMax)
    throw new Error(
      `${strays.length} documents among the pages of ${seasonPath(key)} are not pages; delete them`,
    );
  const batch = db.batch();
  for (const page of pages) {
    const ref = db.doc(pagePath(key, page.page));
    if (page.page > 0) batch.set(ref, page);
    else if (first.updateTime === undefined) batch.create(ref, page);
    else {
      const old = Object.keys(first.data() ?? {}).map((field) => [field, FieldValue.delete()]);
      batch.update(ref, { ...Object.fromEntries(old), ...page }, { lastUpdateTime: first.updateTime });
    }
  }
  for (const { ref } of strays) batch.delete(ref);
  writeTop(batch, db.doc(topPath(key)), top, document);
  writeEvents(db, batch, events);
  const changes = { ...season, ...fields };
  if (seasonTime === undefined) batch.update(db.doc(seasonPath(key)), changes);
  else batch.update(db.doc(seasonPath(key)), changes, { lastUpdateTime: seasonTime });
  await batch.commit();
}
