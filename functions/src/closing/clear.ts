/**
 * The work after a closing. The pages must agree with the standings, whatever came between. Then the index entries and
 * shards are deleted, as nothing reads them any more, and older seasons of the span that are no longer kept are
 * retired.
 *
 * Nothing is deleted while an instance may remember the season as closing and index a change in it.
 */
import { Timestamp } from "../documents/firestore.ts";
import {
  indexEntriesPath,
  indexEntryPath,
  runPath,
  type SeasonKey,
  seasonPath,
  shardsPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import type { Bill } from "../documents/ranking-record.ts";
import { isRevisionOwed, type Season, readSeason } from "../documents/season.ts";
import { storedStandingsSummary } from "../documents/standings.ts";
import { checkClosed } from "../repair/check-closed.ts";
import { standingsInOrder } from "../repair/read-standings.ts";
import type { OpenedBoard } from "../seasons/board.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { renewTop } from "../top/renew.ts";
import { deleteCollection, deleteDocuments } from "./delete-documents.ts";
import { retireSeasons } from "./keep.ts";
import { type ClosingProgress, type EndOptions, fieldsOf, type StepOutcome, takeUp } from "./progress.ts";
import { publishStandings, type Shown } from "./publish-standings.ts";

/**
 * Continues with what a closed season still needs: its publication after a revision, and its clearing.
 *
 * Cost: the check of pages and standings (1 read a page and for each 1,000 players), and where they differ
 * their publication, otherwise the top of a revised one; once, 1 delete a player, 1 read for each 1,000, and 1
 * read a season of the span.
 */
export async function clearSeason(
  services: TopServices,
  key: SeasonKey,
  season: Season,
  spent: () => Bill,
  options: EndOptions,
): Promise<StepOutcome> {
  const { now, log, endWaitMs } = services;
  const board = await services.boards.load(key);
  const clearsMs = (season.closed_at?.toMillis() ?? 0) + endWaitMs;
  if (season.cleared_at !== null || now() < clearsMs) {
    await restEnd(services, key, await publishIfBehind(services, { ...board, season }));
    return "done";
  }
  const progress = await takeUp(services, key, season, spent);
  const shown = await publishIfBehind(services, { ...board, season }, () => progress.tell({}));
  if (!(await deleteIndex(services, key, progress, options))) return "more";
  await retireSeasons(services, { ...board, season });
  await restEnd(services, key, shown, progress);
  log.info("cleared a closed season", { ...key });
  return "done";
}

async function publishIfBehind(
  services: TopServices,
  board: OpenedBoard,
  onProgress?: () => Promise<void>,
): Promise<Shown> {
  if (isRevisionOwed(board.season)) return publishStandings(services, board, onProgress);
  const { problems, revisions, generation } = await checkClosed(services, board, onProgress);
  if (problems.length === 0) {
    // A player who was taken out and one who came back may cancel out in the pages, but the top shows both.
    if (revisions > 0) await renewTop(services, board);
    return { generation, revisions };
  }
  services.log.warn("the pages of a closed season disagreed with its standings and are published again", {
    ...board.key,
    problems,
  });
  return publishStandings(services, board, onProgress);
}

/**
 * Sets when the end of a closed season is due again: never, if it is cleared and its last revision is published. If
 * another step has published since, perhaps an older revision, a further step compares.
 * Cost: 2 reads, 1 write.
 * @param cleared the record of the closing, if the season is cleared now: the closing is then done.
 */
export async function restEnd(
  { db, now, boards, endWaitMs }: TopServices,
  key: SeasonKey,
  { generation, revisions }: Shown,
  cleared?: ClosingProgress,
): Promise<void> {
  const ref = db.doc(seasonPath(key));
  await db.runTransaction(async (transaction) => {
    const [found, summary] = await transaction.getAll(ref, db.doc(standingsSummaryPath(key)));
    const season = found?.exists === true ? readSeason(found.data()) : undefined;
    if (season?.status !== "closed") return;
    const isShown = season.ranking.generation === generation;
    const isLast = storedStandingsSummary.parse(summary?.data()).revisions === revisions;
    const clearedAt = cleared === undefined ? season.cleared_at : Timestamp.fromMillis(now());
    const clearsAt = Timestamp.fromMillis((season.closed_at?.toMillis() ?? 0) + endWaitMs);
    const dueAt = clearedAt === null ? clearsAt : null;
    transaction.update(ref, {
      cleared_at: clearedAt,
      ...(isShown && revisions > 0 ? { published_revisions: revisions } : {}),
      end_due_at: isShown && isLast ? dueAt : Timestamp.fromMillis(now()),
      next_run_at: null,
    });
    if (cleared === undefined) return;
    const { record, updateTime } = cleared.next({ phase: "ended", outcome: "done" });
    transaction.update(db.doc(runPath(key, record.run)), fieldsOf(record), { lastUpdateTime: updateTime });
  });
  boards.forget(key.leaderboard);
}

/**
 * Deletes index entries and shards. The standings name most entries, so these need not be read.
 * @returns whether all are gone.
 */
async function deleteIndex(
  services: TopServices,
  key: SeasonKey,
  progress: ClosingProgress,
  { budgetMs = Infinity, documentsPerRead }: EndOptions,
): Promise<boolean> {
  const { db, now } = services;
  const startedMs = now();
  const isTime = () => now() - startedMs >= budgetMs;
  const { cleared, players } = progress.record();
  let done = progress.record().progress.done;
  const told = async (count: number) => {
    done += count;
    await progress.tell({ progress: { done, total: Math.max(done, players ?? 0) } });
    return !isTime();
  };
  // A season of the source `count` has none, and after a killed step most are already deleted.
  const isEmpty = (await byId(db, indexEntriesPath(key), 1).get()).empty;
  let documents = cleared;
  if (!isEmpty) {
    for await (const chunk of standingsInOrder(services, key, { from: cleared, fields: ["players"] })) {
      for (const document of chunk) {
        const ids = document.get("players") as string[];
        await deleteDocuments(
          services,
          ids.map((id) => db.doc(indexEntryPath(key, id))),
        );
        documents += 1;
        await progress.tell({ cleared: documents });
        if (await told(ids.length)) continue;
        await progress.save({ cleared: documents });
        return false;
      }
    }
  }
  for (const path of [indexEntriesPath(key), shardsPath(key)])
    if (!(await deleteCollection(services, path, told, documentsPerRead))) return false;
  return true;
}
