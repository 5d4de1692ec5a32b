/**
 * Decides which seasons are kept, and deletes the others.
 *
 * The tombstone comes first: from then on the season is treated as if it did not exist, and nothing in it is changed.
 * Its contents are deleted once no instance remembers it from before, the shards last. Its own document, the tombstone,
 * goes only after another wait in which nothing came back.
 */
import { Timestamp } from "../../documents/firestore.ts";
import { inChunks } from "../../documents/reads.ts";
import {
  closingNotesPath,
  closingRangesPath,
  pagesPath,
  playersPath,
  receiptsPath,
  repairNotePath,
  runPath,
  type SeasonKey,
  seasonPath,
  seasonsPath,
  shardsPath,
  standingsCollection,
  topPath,
} from "../../documents/paths.ts";
import { byId } from "../../documents/queries.ts";
import { type Season, readSeason, readSeasonIfValid } from "../../documents/season.ts";
import {
  deletesPerCommit,
  documentsPerReadMax,
  endPauseMs,
  progressEveryMs,
  shardsDeletedPerCommit,
  standingsDeletedPerCommit,
} from "../../model/limits.ts";
import type { OpenedBoard } from "../../seasons/board.ts";
import type { TopServices } from "../../top/gate-memory.ts";
import { deleteCollection } from "./delete-documents.ts";
import { Overtaken, unlessOvertaken } from "../progress.ts";
import type { EndOptions, StepOutcome } from "./take-up.ts";

/** From when on a closed season may be cleared or deleted: no instance remembers it as closing, and counts in it. Pure. */
export function clearsAtMs({ closed_at: closedAt }: Pick<Season, "closed_at">, endWaitMs: number): number {
  return (closedAt?.toMillis() ?? 0) + endWaitMs;
}

/**
 * Retires the closed seasons of a span of the calendar beyond the newest ones that the board keeps. A damaged one stays,
 * and one that has just closed goes when it is cleared itself.
 * Cost: 1 read a season of the span; 1 read and 1 write for each that goes. @returns their ids.
 */
export async function retireSeasons(
  services: TopServices,
  { key: { leaderboard }, definition, season: { span } }: OpenedBoard,
): Promise<string[]> {
  const { keep_seasons: keep } = definition;
  if (keep === undefined || span === "custom" || span === "all_time") return [];
  const { db, log, now, endWaitMs } = services;
  const closed: { id: string; closesMs: number; clearsMs: number }[] = [];
  const range = { after: `${span}-`, until: `${span}-\uffff` };
  const ofSpan = byId(db, seasonsPath(leaderboard), documentsPerReadMax, range);
  for await (const docs of inChunks(ofSpan, documentsPerReadMax))
    for (const document of docs) {
      const { data: season, error } = readSeasonIfValid(document.data());
      if (error !== undefined)
        log.warn("a season is damaged", { leaderboard, season: document.id, problems: error.issues });
      if (season?.status !== "closed" || season.span !== span) continue;
      const closesMs = season.closes_at?.toMillis() ?? 0;
      closed.push({ id: document.id, closesMs, clearsMs: clearsAtMs(season, endWaitMs) });
    }
  const beyond = closed.sort((a, b) => b.closesMs - a.closesMs).slice(keep);
  const old = beyond.filter(({ clearsMs }) => clearsMs <= now());
  for (const { id } of old) await retireSeason(services, { leaderboard, season: id });
  return old.map(({ id }) => id);
}

/**
 * Puts a tombstone on a closed season, which the steps of its end then delete. Cost: 1 read, 1 write.
 * @returns whether it was closed.
 */
export async function retireSeason(
  { db, now, boards, log, endWaitMs }: TopServices,
  key: SeasonKey,
): Promise<boolean> {
  const ref = db.doc(seasonPath(key));
  const isRetired = await db.runTransaction(async (transaction) => {
    const found = await transaction.get(ref);
    if (!found.exists || readSeason(found.data()).status !== "closed") return false;
    const change: Partial<Season> = {
      status: "deleting",
      next_run_at: null,
      end_due_at: Timestamp.fromMillis(now() + endWaitMs),
    };
    transaction.update(ref, change);
    return true;
  });
  boards.forget(key.leaderboard);
  if (isRetired) log.info("a season is being deleted", { ...key });
  return isRetired;
}

/** Fewer, as metadata of a kilobyte may have 100 KB of index entries. */
const playersDeletedPerCommit = 50;

/**
 * Continues the deletion of a season that has its tombstone. Cost: 1 read and 1 delete a document; 1 write in ten
 * seconds, and 2 a step; at the end 10 reads and 1 delete.
 * @throws Overtaken where another step does it, or it is not due.
 */
export async function deleteSeason(
  services: TopServices,
  key: SeasonKey,
  { budgetMs = Infinity, documentsPerRead }: EndOptions,
): Promise<StepOutcome> {
  const { now, log, endWaitMs } = services;
  const startedMs = now();
  const tombstone = await holdTombstone(services, key);
  let deleted = 0;
  let toldMs = now();
  const mayGoOn = async (count: number) => {
    deleted += count;
    if (now() - toldMs >= progressEveryMs) {
      toldMs = now();
      await tombstone.dueIn(endPauseMs);
    }
    return now() - startedMs < budgetMs;
  };
  const collections: [path: string, perCommit?: number][] = [
    [standingsCollection(key), standingsDeletedPerCommit],
    [pagesPath(key)],
    [topPath(key).replace(/\/[^/]+$/, "")],
    [runPath(key, "any").replace(/\/[^/]+$/, "")],
    [closingNotesPath(key)],
    [closingRangesPath(key)],
    [repairNotePath(key).replace(/\/[^/]+$/, "")],
    [playersPath(key), playersDeletedPerCommit],
    [receiptsPath(key)],
    [shardsPath(key), shardsDeletedPerCommit],
  ];
  for (const [path, perCommit = deletesPerCommit] of collections)
    if (!(await deleteCollection(services, path, mayGoOn, { documentsPerRead, perCommit }))) {
      await tombstone.dueIn(0);
      return "more";
    }
  if (deleted > 0) {
    // Events of the deleted players are still on their way, and each looks for the tombstone.
    await tombstone.dueIn(endWaitMs);
    return "done";
  }
  await tombstone.remove();
  services.boards.forget(key.leaderboard);
  log.info("deleted a season", { ...key });
  return "done";
}

/** The tombstone, held by one step: each write requires that it is as this step left it. */
async function holdTombstone({ db, now }: TopServices, key: SeasonKey) {
  const ref = db.doc(seasonPath(key));
  const found = await ref.get();
  if (found.updateTime === undefined) throw new Overtaken();
  const { status, end_due_at: due } = readSeason(found.data());
  if (status !== "deleting" || (due?.toMillis() ?? 0) > now()) throw new Overtaken();
  let { updateTime } = found;
  async function dueIn(ms: number): Promise<void> {
    const change = { end_due_at: Timestamp.fromMillis(now() + ms) };
    const { writeTime } = await unlessOvertaken(ref.update(change, { lastUpdateTime: updateTime }));
    updateTime = writeTime;
  }
  await dueIn(endPauseMs);
  return { dueIn, remove: () => unlessOvertaken(ref.delete({ lastUpdateTime: updateTime })) };
}
