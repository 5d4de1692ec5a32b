/**
 * The work after a closing. It publishes what a revision owes, deletes what no call reads any more, and deletes seasons
 * that the board does not keep.
 *
 * Nothing is deleted while an instance may remember the season as closing and count a change in it. A season to be
 * deleted gets a tombstone first: from then on it is as if it did not exist. Its contents go once no instance remembers
 * it from before, the shards last; the tombstone itself goes after another wait in which nothing came back.
 */
import { type Query, Timestamp } from "../../documents/firestore.ts";
import { idsIn, inChunks } from "../../documents/reads.ts";
import {
  baselinesPath,
  closingNotesPath,
  closingRangesPath,
  eventsPath,
  groupCodesPath,
  groupsPath,
  newBoardsCollection,
  definitionPath,
  pagesPath,
  rankingPagesPath,
  playersPath,
  privateGroupsPath,
  playerStatusesPath,
  receiptsPath,
  repairNotePath,
  runsPath,
  type SeasonKey,
  seasonPath,
  seasonsPath,
  segmentPagesPath,
  shardsPath,
  standingsCollection,
  standingsSummaryPath,
  topPath,
} from "../../documents/paths.ts";
import { byId, seasonsOfTemplate } from "../../documents/queries.ts";
import {
  hasUnpublishedRevision,
  newSeason,
  type Season,
  readSeason,
  readSeasonIfValid,
} from "../../documents/season.ts";
import { numbersOf } from "../../documents/standings.ts";
import { documentsPerReadMax, endPauseMs, progressEveryMs } from "../../model/limits.ts";
import { definitionId, isOfTemplate } from "../../model/template.ts";
import { endGroupsOf } from "../../groups/end.ts";
import { settleLeague } from "../../league/settle.ts";
import { changeSeason, boardCacheOf } from "../../seasons/board.ts";
import { type OpenedBoard, withSeason } from "../../seasons/read-board.ts";
import { publishStandings } from "../../standings/publish-standings.ts";
import { clearsAtMs, setEndDue } from "../../standings/end-due.ts";
import { readSummary } from "../../standings/summary.ts";
import { Overtaken, unlessOvertaken } from "../progress.ts";
import { type ClosingProgress, type EndStep, type StepOutcome, takeUp } from "./take-up.ts";
import type { Services } from "../../world/services.ts";

/**
 * Continues with what a closed season still needs. Cost: of a publication that is owed; once, 1 read and 1 delete for
 * each shard document, receipt, range and page of a copied ranking, 1 read for each copy, and 1 read a season of the span.
 */
export async function clearSeason(step: EndStep): Promise<StepOutcome> {
  const { services, key, season } = step;
  const { now, log, endWaitMs } = services;
  const board = withSeason(await boardCacheOf(services).load(key), season);
  if (season.cleared_at !== null || now() < clearsAtMs(season, endWaitMs)) {
    if (hasUnpublishedRevision(season)) await publishStandings(services, board);
    await setEndDue(services, key);
    return "done";
  }
  const progress = await takeUp(step);
  return progress.attempt(step.options, async () => {
    if (hasUnpublishedRevision(season)) await publishStandings(services, board, () => progress.report({}));
    // Where settling was cut off or failed before the season was closed, it goes on here; a step that fails is repeated.
    if (!(await settleLeague(services, board, step.isOver))) return "more";
    if (!(await endGroupsOf(services, board, step.isOver))) return "more";
    if (!(await deleteLeftovers(step, progress))) return "more";
    await retireSeasons(services, board);
    await setEndDue(services, key, (transaction) => {
      progress.write(transaction, { phase: "ended", outcome: "done" });
    });
    log.info("cleared a closed season", { ...key });
    return "done";
  });
}

/** Deletes what counted, and standings that were begun as of another time. @returns whether all are gone. */
async function deleteLeftovers(
  { services, key, options, isOver }: EndStep,
  progress: ClosingProgress,
): Promise<boolean> {
  const { db } = services;
  let { done } = progress.record().progress;
  const mayGoOn = async (count: number) => {
    done += count;
    await progress.report({ progress: { done, total: done } });
    return !isOver();
  };
  const counting = [
    ...(await baselinesOf(services, key)),
    { path: shardsPath(key) },
    { path: receiptsPath(key) },
    { path: closingRangesPath(key) },
  ];
  if (!(await deleteAll(services, counting, mayGoOn, options.documentsPerRead))) return false;
  if (progress.record().pass === 0) return true;
  const { summary } = await readSummary(db, key, db);
  if (summary === undefined) {
    // A step that was held up may find a season that is being deleted by now.
    const isClosed = (await db.doc(seasonPath(key)).get()).get("status") === "closed";
    throw isClosed ? new Error(`${standingsSummaryPath(key)} is missing`) : new Overtaken();
  }
  const own = new Set(numbersOf(summary));
  const isWanted = (id: string) => /^\d/.test(id) && !own.has(Number.parseInt(id));
  const others = { path: standingsCollection(key), isWanted };
  return deleteAll(services, [others], mayGoOn, options.documentsPerRead);
}

/**
 * Retires the closed seasons of a span of the calendar beyond the newest ones that the board keeps. A damaged one stays,
 * and one that has just closed goes when it is cleared itself. All are read, and not counted: of two steps side by side that
 * went by a number, each would retire a season for it.
 * Cost: 1 read a season of the span; 1 read and 1 write for each that goes.
 */
async function retireSeasons(
  services: Services,
  { key: { leaderboard }, definition, season: { span } }: OpenedBoard,
): Promise<void> {
  const { keep_seasons: keep } = definition;
  if (keep === undefined || span === "custom" || span === "all_time") return;
  const { db, log, now, endWaitMs } = services;
  const closed: { id: string; closesMs: number; clearsMs: number }[] = [];
  const range = { after: `${span}-`, until: `${span}-\uffff` };
  const ofSpan = byId(db, seasonsPath(leaderboard), documentsPerReadMax, range);
  for await (const docs of inChunks(ofSpan, documentsPerReadMax))
    for (const document of docs) {
      const { data: season, error } = readSeasonIfValid(document.data());
      if (error !== undefined)
        log.warn("a season is damaged", { leaderboard, season: document.id, problems: error.issues });
      // A week that is not settled stays until it is: its outcomes are nowhere else.
      if (season?.status !== "closed" || season.span !== span || season.league === "open") continue;
      const closesMs = season.closes_at?.toMillis() ?? 0;
      closed.push({ id: document.id, closesMs, clearsMs: clearsAtMs(season, endWaitMs) });
    }
  for (const { id, clearsMs } of closed.sort((a, b) => b.closesMs - a.closesMs).slice(keep))
    if (clearsMs <= now()) await retireSeason(services, { leaderboard, season: id });
}

/** Puts a tombstone on a closed season, which the steps of its end then delete. Cost: 1 read, 1 write. */
async function retireSeason(services: Services, key: SeasonKey): Promise<void> {
  const { now, log, endWaitMs } = services;
  const retired = await changeSeason(services, key, ({ status }) => {
    const dueAt = Timestamp.fromMillis(now() + endWaitMs);
    return status === "closed" ? { status: "deleting", next_run_at: null, end_due_at: dueAt } : undefined;
  });
  if (retired !== undefined) log.info("a season is being deleted", { ...key });
}

/** The document of a season whose board is being deleted, whatever it was. Pure. */
export function tombstone(
  nowMs: number,
  endWaitMs: number,
  kept: Pick<Partial<Season>, "template" | "league"> = {},
): Season {
  const at = Timestamp.fromMillis(nowMs);
  const times = { opens_at: at, closes_at: at, interval_ms: 60_000, next_run_at: null };
  const season = { ...newSeason({ span: "custom", ...times }), ...kept };
  const dueAt = Timestamp.fromMillis(nowMs + endWaitMs);
  return { ...season, status: "deleting", end_due_at: dueAt, board_deleted: true };
}

/**
 * What a season of a board that is being deleted takes along of what is beside the seasons: one of them does, the first
 * of those that are left, unless the board was saved again meanwhile. A board of a template cannot be opened again
 * before; the last season of a template that is deleted takes along what that has. Cost: 2 reads, or 3 for a board of a
 * template.
 */
async function besideOfLast({ db }: Services, key: SeasonKey): Promise<Deleted[]> {
  const { leaderboard } = key;
  const isFirstOf = async (seasons: Query) =>
    (await seasons.limit(1).select().get()).docs[0]?.ref.path === seasonPath(key);
  const isDefined = async () => (await db.doc(definitionPath(leaderboard)).get()).exists;
  const isLastOfBoard = await isFirstOf(byId(db, seasonsPath(leaderboard), 1));
  if (!isOfTemplate(leaderboard))
    return isLastOfBoard && !(await isDefined()) ? besideSeasons(leaderboard, false) : [];
  const template = definitionId(leaderboard);
  const isLastOfTemplate = !(await isDefined()) && (await isFirstOf(seasonsOfTemplate(db, template)));
  return [
    ...(isLastOfBoard ? besideSeasons(leaderboard, false) : []),
    ...(isLastOfTemplate ? besideSeasons(template, true) : []),
  ];
}

/** What a board has beside its definition and its seasons, or a template beside its definition and its boards. */
function besideSeasons(leaderboard: string, isTemplate: boolean): Deleted[] {
  const events = { path: eventsPath(leaderboard) };
  // Statuses of players are the template's, and stay when one of its boards goes.
  if (isOfTemplate(leaderboard)) return [events];
  const others = isTemplate ? { path: newBoardsCollection(leaderboard) } : events;
  const groups = isTemplate
    ? []
    : [{ path: privateGroupsPath(leaderboard) }, { path: groupCodesPath(leaderboard) }];
  return [{ path: playerStatusesPath(leaderboard) }, others, ...groups];
}

/**
 * Deletes what a board, or a template, has beside its definition and its seasons. Cost: 1 read and 1 delete a document,
 * at least 4 reads; 2 for a template, and 1 for a board of one.
 * @returns how many documents there were.
 */
export async function deleteBesideSeasons(
  services: Services,
  leaderboard: string,
  isTemplate: boolean,
): Promise<number> {
  let deleted = 0;
  await deleteAll(services, besideSeasons(leaderboard, isTemplate), (count) => {
    deleted += count;
    return Promise.resolve(true);
  });
  return deleted;
}

/**
 * Continues the deletion of a season that has its tombstone. Cost: 1 read and 1 delete a document; up to 16 reads and 2
 * writes a step, 1 read for each copy of a ranking, and 1 write in ten seconds; at the end 1 delete.
 * @throws Overtaken where another step does it, or it is not due.
 */
export async function deleteSeason({ services, key, options, isOver }: EndStep): Promise<StepOutcome> {
  const held = await holdTombstone(services, key);
  let deleted = 0;
  const mayGoOn = async (count: number) => {
    deleted += count;
    await held.goesOn();
    return !isOver();
  };
  const collections: Deleted[] = [
    { path: standingsCollection(key) },
    { path: pagesPath(key) },
    { path: segmentPagesPath(key) },
    ...(await baselinesOf(services, key)),
    { path: collectionOf(topPath(key)) },
    { path: runsPath(key) },
    ...(held.hasGroups ? [{ path: groupsPath(key) }] : []),
    { path: closingNotesPath(key) },
    { path: closingRangesPath(key) },
    { path: collectionOf(repairNotePath(key)) },
    { path: playersPath(key) },
    { path: receiptsPath(key) },
    { path: shardsPath(key) },
  ];
  if (held.isOfBoard) collections.push(...(await besideOfLast(services, key)));
  if (!(await deleteAll(services, collections, mayGoOn, options.documentsPerRead))) {
    await held.dueIn(0);
    return "more";
  }
  if (deleted > 0) {
    // Events of the deleted players are still on their way, and each looks for the tombstone.
    await held.dueIn(services.endWaitMs);
    return "done";
  }
  await held.remove();
  boardCacheOf(services).forgetSeason(key);
  services.log.info("deleted a season", { ...key });
  return "done";
}

/** Copies of rankings for movement. Cost: 1 read each, at least 1. */
async function baselinesOf({ db }: Services, key: SeasonKey): Promise<Deleted[]> {
  const copies = await idsIn(db, baselinesPath(key));
  return copies.map((copy) => ({ path: rankingPagesPath({ ...key, baseline: Number(copy) }) }));
}

const collectionOf = (document: string) => document.replace(/\/[^/]+$/, "");

/** The tombstone, held by one step: each write requires that it is as this step left it. */
async function holdTombstone({ db, now }: Services, key: SeasonKey) {
  const ref = db.doc(seasonPath(key));
  const found = await ref.get();
  if (found.updateTime === undefined) throw new Overtaken();
  const { status, end_due_at: due, board_deleted: isOfBoard = false, league } = readSeason(found.data());
  if (status !== "deleting" || (due?.toMillis() ?? 0) > now()) throw new Overtaken();
  let { updateTime } = found;
  let toldMs = now();
  async function dueIn(ms: number): Promise<void> {
    toldMs = now();
    const change = { end_due_at: Timestamp.fromMillis(toldMs + ms) };
    const { writeTime } = await unlessOvertaken(ref.update(change, { lastUpdateTime: updateTime }));
    updateTime = writeTime;
  }
  await dueIn(endPauseMs);
  return {
    isOfBoard,
    hasGroups: league !== undefined,
    dueIn,
    /** Tells the schedule that the step goes on, if that was long ago. */
    goesOn: async () => (now() - toldMs >= progressEveryMs ? dueIn(endPauseMs) : undefined),
    remove: () => unlessOvertaken(ref.delete({ lastUpdateTime: updateTime })),
  };
}

interface Deleted {
  path: string;
  /** Which documents go, by their ids; all by default. */
  isWanted?: (id: string) => boolean;
}

/**
 * Deletes collections' documents until none are left or the time is over. It reads on after what it has deleted, which a
 * query from the beginning would have to get past. Each document is a commit of its own: many at once may be too large,
 * with up to a megabyte each, or the index entries of a thousand players. Cost: 1 read and 1 delete a document, at least 1
 * read a collection.
 * @param mayGoOn asked after each chunk, with the number of documents that were deleted.
 * @returns whether all are gone.
 */
async function deleteAll(
  { db }: Services,
  collections: readonly Deleted[],
  mayGoOn: (deleted: number) => Promise<boolean>,
  documentsPerRead = documentsPerReadMax,
): Promise<boolean> {
  for (const { path, isWanted } of collections) {
    const all = byId(db, path, documentsPerRead).select();
    for await (const docs of inChunks(all, documentsPerRead)) {
      const wanted = docs.filter(({ id }) => isWanted?.(id) !== false);
      const writer = db.bulkWriter({ throttling: false });
      // The step fails, and is repeated.
      writer.onWriteError(() => false);
      const deletions = wanted.map(({ ref }) => writer.delete(ref));
      // All have ended before one fails, so that none arrives when the step is over.
      await Promise.allSettled([...deletions, writer.close()]);
      await Promise.all(deletions);
      // What stays is read again each time, so no step ends on the way through it.
      const goesOn = wanted.length === 0 || (await mayGoOn(wanted.length));
      if (!goesOn && docs.length === documentsPerRead) return false;
    }
  }
  return true;
}
