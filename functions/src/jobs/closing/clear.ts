/**
 * The work after a closing: the publication that a revision owes, and once the deletion of what no call reads any more.
 * Nothing is deleted while an instance may remember the season as closing and count a change in it.
 */
import { Timestamp } from "../../documents/firestore.ts";
import {
  closingRangesPath,
  receiptsPath,
  runPath,
  type SeasonKey,
  seasonPath,
  shardsPath,
  standingsCollection,
  standingsSummaryPath,
} from "../../documents/paths.ts";
import type { Bill } from "../../documents/ranking-record.ts";
import { isRevisionOwed, type Season, readSeason } from "../../documents/season.ts";
import { numbersOf } from "../../documents/standings.ts";
import { shardsDeletedPerCommit, standingsDeletedPerCommit } from "../../model/limits.ts";
import { readSummary } from "../../standings/summary.ts";
import type { TopServices } from "../../top/gate-memory.ts";
import { deleteCollection } from "./delete-documents.ts";
import { clearsAtMs, retireSeasons } from "./keep.ts";
import { fieldsOf, Overtaken } from "../progress.ts";
import { publishStandings } from "./publish-standings.ts";
import { type ClosingProgress, type EndOptions, type StepOutcome, takeUp } from "./take-up.ts";

/**
 * Continues with what a closed season still needs. Cost: of a publication that is owed; once, 1 read and 1 delete for
 * each shard document, receipt and range, and 1 read a season of the span.
 */
export async function clearSeason(
  services: TopServices,
  key: SeasonKey,
  season: Season,
  spent: () => Bill,
  options: EndOptions,
): Promise<StepOutcome> {
  const { now, log, endWaitMs } = services;
  const board = { ...(await services.boards.load(key)), season };
  if (season.cleared_at !== null || now() < clearsAtMs(season, endWaitMs)) {
    if (isRevisionOwed(season)) await publishStandings(services, board);
    await restEnd(services, key);
    return "done";
  }
  const progress = await takeUp(services, key, season, spent);
  if (isRevisionOwed(season)) await publishStandings(services, board, () => progress.report({}));
  if (!(await deleteRest(services, key, progress, options))) return "more";
  await retireSeasons(services, board);
  await restEnd(services, key, progress);
  log.info("cleared a closed season", { ...key });
  return "done";
}

/**
 * Sets when the end of a closed season is due again: never, if it is cleared and its last revision is published.
 * Cost: 1 read, 1 write. @param cleared the record of the closing, if the season is cleared now.
 */
export async function restEnd(
  { db, now, boards, endWaitMs }: TopServices,
  key: SeasonKey,
  cleared?: ClosingProgress,
): Promise<void> {
  const ref = db.doc(seasonPath(key));
  await db.runTransaction(async (transaction) => {
    const found = await transaction.get(ref);
    const season = found.exists ? readSeason(found.data()) : undefined;
    if (season?.status !== "closed") return;
    const clearedAt = cleared === undefined ? season.cleared_at : Timestamp.fromMillis(now());
    const dueAt = clearedAt === null ? Timestamp.fromMillis(clearsAtMs(season, endWaitMs)) : null;
    transaction.update(ref, {
      cleared_at: clearedAt,
      end_due_at: isRevisionOwed(season) ? Timestamp.fromMillis(now()) : dueAt,
      next_run_at: null,
    });
    if (cleared === undefined) return;
    const { record, updateTime } = cleared.next({ phase: "ended", outcome: "done" });
    transaction.update(db.doc(runPath(key, record.run)), fieldsOf(record), { lastUpdateTime: updateTime });
  });
  boards.forget(key.leaderboard);
}

/** Deletes what counted, and standings that were begun as of another time. @returns whether all are gone. */
async function deleteRest(
  services: TopServices,
  key: SeasonKey,
  progress: ClosingProgress,
  { budgetMs = Infinity, documentsPerRead }: EndOptions,
): Promise<boolean> {
  const { db, now } = services;
  const startedMs = now();
  let { done } = progress.record().progress;
  const mayGoOn = async (count: number) => {
    done += count;
    await progress.report({ progress: { done, total: done } });
    return now() - startedMs < budgetMs;
  };
  const { pass } = progress.record();
  const options = { documentsPerRead };
  const shards = { ...options, perCommit: shardsDeletedPerCommit };
  if (!(await deleteCollection(services, shardsPath(key), mayGoOn, shards))) return false;
  for (const path of [receiptsPath(key), closingRangesPath(key)])
    if (!(await deleteCollection(services, path, mayGoOn, options))) return false;
  if (pass === 0) return true;
  const { summary } = await readSummary(db, key, db);
  if (summary === undefined) {
    // A step that was held up may find a season that is being deleted by now.
    const found = await db.doc(seasonPath(key)).get();
    throw found.get("status") === "closed"
      ? new Error(`${standingsSummaryPath(key)} is missing`)
      : new Overtaken();
  }
  const own = new Set(numbersOf(summary));
  const isOther = (id: string) => /^\d/.test(id) && !own.has(Number.parseInt(id));
  const standings = { ...options, perCommit: standingsDeletedPerCommit, isWanted: isOther };
  return deleteCollection(services, standingsCollection(key), mayGoOn, standings);
}
