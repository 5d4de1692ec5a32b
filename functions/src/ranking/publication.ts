/** A publication: given what a run read, all that it will write. Pure. */
import { isDeepStrictEqual } from "node:util";
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { teamsNamed } from "../documents/pages-at.ts";
import type { Page } from "../documents/page.ts";
import type { Teams } from "../documents/teams.ts";
import type { Top } from "../documents/top.ts";
import { topPath } from "../documents/paths.ts";
import { finished, type RankingRecord } from "../documents/ranking-record.ts";
import { runNumbersOf, recentNumbersMax, runInNumbers } from "../documents/recent-runs.ts";
import { rowBoundMax } from "../model/limits.ts";
import { zoneProblem } from "../model/calendar.ts";
import { defined } from "../model/defined.ts";
import { beginOf, dateAt, nextMidnight } from "../model/midnights.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import { isOfTemplate } from "../model/template.ts";
import type { Board, OpenedBoard } from "../seasons/read-board.ts";
import { dozing } from "../seasons/dormancy.ts";
import { countsNoMore } from "../seasons/open-now.ts";
import { buildTop } from "../top/build-top.ts";
import type { FoundTop } from "../top/document.ts";
import { eventsOfTop } from "../top/tell-top.ts";
import { addBills } from "../world/meter.ts";
import type { Midnights } from "./baselines.ts";
import { playersLeftOut } from "./left-out.ts";
import { packPages, packSegments } from "./pack-pages.ts";
import { type PendingChanges, mergeRanked, needsNoMerge } from "./ranked.ts";
import { isExact, type Rows } from "./rows.ts";
import { shardDocuments } from "./shards.ts";
import { wideRows } from "./split.ts";
import { teamsIn } from "./teams.ts";
import { teamSegments } from "./totals.ts";
import type { FirstPage, OfRun, Publication, Snapshot } from "./state.ts";

/** A generation that is not a run's: a ranking that was made anew, by a repair or from final standings. */
export type Replacement = Omit<Publication, OfRun | "top"> & { top: Top };

/** What decides about a generation, whoever makes it. */
type RankedBoard = Pick<Board, "key" | "definition" | "season">;

/** @param started the record of the generation so far, with what its attempts have been billed. */
export function planPublication(
  board: RankedBoard,
  snapshot: Snapshot,
  started: RankingRecord,
  nowMs: number,
): Publication {
  const next = planGeneration(board, snapshot, nowMs);
  const { top } = snapshot;
  const shown = top.listed ? planTop(board, top, next.season.ranking) : { top: undefined, events: [] };
  const planned = { ...next, ...shown };
  const reversals = snapshot.taken.reversed.flatMap((changes) => shardDocuments(changes, -1));
  const others = shown.events.length + reversals.length + next.teams.size;
  const whole = finished(recordOf(board, snapshot, planned, { started, others, nowMs }), nowMs);
  const { record, recentRuns, takenOver } = planRecord(board, snapshot, whole);
  const dozes = snapshot.mayDoze ? dozing(nowMs) : {};
  const season = { ...next.season, ...dozes, ...(recentRuns && { recent_runs: recentRuns }) };
  return { ...planned, season, reversals, record, takenOver, scores: scoresOf(board, snapshot) };
}

/**
 * The changed scores of a run, for the day of the last of them. The season in memory may be a minute old, so it only says
 * which days are over.
 */
function scoresOf({ definition, season }: RankedBoard, { taken }: Snapshot): Publication["scores"] {
  const isKnown = zoneProblem(definition.time_zone) === undefined;
  const calendar = isKnown ? definition : { ...definition, time_zone: "UTC" };
  const { marks: changed, newestSlotEndMs } = taken.sums;
  const lastMs = newestSlotEndMs - 1;
  const yesterday = dateAt(beginOf("day", lastMs, calendar) - 1, calendar);
  const over = Object.keys(season?.scores_by_day ?? {}).filter((day) => day < yesterday);
  return { day: dateAt(lastMs, calendar), changed, over };
}

/** The documents that a publication with a record writes besides its pages and shards: top, season and run record. */
export const publicationExtraWrites = 3;

/** @param others documents that the commit writes beside pages, top, season and record. */
function recordOf(
  board: RankedBoard,
  { ranked, taken, firstPage, top, unusable }: Snapshot,
  {
    season,
    segmentPages: pagesOfSegments,
    teamsGone,
    top: shown,
  }: Pick<Publication, "season" | "segmentPages" | "teamsGone" | "top">,
  { started, others, nowMs }: { started: RankingRecord; others: number; nowMs: number },
): RankingRecord {
  const { generation, players, rows, exact, pages } = season.ranking;
  const segmentPages = pagesOfSegments.length;
  const before = firstPage ?? { pages: 0, segmentPages: 0 };
  const pagesDeleted = Math.max(0, before.pages - pages) + Math.max(0, before.segmentPages - segmentPages);
  const shardsDeleted = taken.deleted.length;
  const leftOut = playersLeftOut(ranked.leftOut);
  return {
    ...started,
    outcome: "published",
    lag_ms: lagOf(taken.sums.newestSlotEndMs, intervalMs(board.definition.ranking_interval_minutes), nowMs),
    read: { pages: before.pages + before.segmentPages, shards: shardsDeleted, top: top.listed?.length ?? 0 },
    wrote: {
      pages,
      segment_pages: segmentPages,
      pages_deleted: pagesDeleted,
      shards_deleted: shardsDeleted,
      top: shown?.entries.length ?? 0,
    },
    found: {
      changed_players: taken.sums.marks,
      changes: taken.sums.changes,
      owed_rows: ranked.rows.scores.length - rows,
      wide_players: playersInWideRows(ranked.rows),
      unusable_scores: unusable,
      segments: ranked.segments.size,
      ...(leftOut && { left_out: leftOut }),
      unreadable_changes: taken.sums.unreadable,
    },
    generation,
    players,
    rows,
    exact,
    // The commit also says what the run was billed, so the bill of the commit is known before it is sent.
    billed: addBills(started.billed, {
      writes: pages + segmentPages + publicationExtraWrites + others,
      deletes: pagesDeleted + shardsDeleted + teamsGone.length,
    }),
  };
}

/**
 * Where a run is told of: in numbers in the season's document, if they say all of it and have room; otherwise in a record,
 * which takes over the numbers of the runs before it.
 *
 * The season in memory may be a minute old. The numbers change only with a publication, so a season in memory of the
 * generation that is published has the present ones. Otherwise the run leaves a record, and the numbers alone.
 * @param planned the run with its record.
 */
function planRecord(
  { key, season }: RankedBoard,
  { generation }: Snapshot,
  planned: RankingRecord,
): Pick<Publication, "record" | "takenOver"> & { recentRuns?: number[] } {
  if (season?.ranking.generation !== generation) return { record: planned, takenOver: [] };
  const { recent_runs: before = [] } = season;
  const record = { ...planned, billed: addBills(planned.billed, { writes: -1 }) };
  const numbers = runNumbersOf(record);
  const isAll = numbers !== undefined && isDeepStrictEqual(runInNumbers(key, numbers), record);
  if (isAll && before.length < recentNumbersMax)
    return { record, takenOver: undefined, recentRuns: [...before, ...numbers] };
  return { record: planned, takenOver: before, ...(before.length > 0 && { recentRuns: [] }) };
}

function playersInWideRows(rows: Rows): number {
  const wide = wideRows(rows, rowBoundMax);
  return wide.reduce((sum, row) => sum + (rows.players[row] ?? 0), 0);
}

/** How long ago the newest change was due: at the end of the interval of its slot. */
function lagOf(newestSlotEndMs: number, lengthMs: number, nowMs: number): number | null {
  return newestSlotEndMs === 0 ? null : Math.max(0, nowMs - intervalEnd(newestSlotEndMs - 1, lengthMs));
}

/**
 * Plans the generation that follows all that were found, of a ranking that was made anew: by a repair, or from final
 * standings.
 * @param remade the ranking, when everything was read, and what had not been folded then.
 * @param replaced what the season had published: the documents of the pages, valid or not, and page 0 by itself.
 */
export function planReplacement(
  board: RankedBoard & Pick<OpenedBoard, "season">,
  remade: Pick<Snapshot, "ranked" | "readAt" | "asOf" | "unusable"> & {
    pending: PendingChanges;
    remadeAt?: Timestamp;
  },
  replaced: { pages: readonly DocumentSnapshot[]; first: DocumentSnapshot; top: FoundTop },
  nowMs: number,
): Replacement {
  const { ranked, pending, remadeAt } = remade;
  const { pages, first, top } = replaced;
  const found = [first, ...pages].map((page): unknown => page.get("generation"));
  const generations = found.filter((generation) => Number.isSafeInteger(generation)) as number[];
  const generation = Math.max(board.season.ranking.generation, ...generations);
  const next = {
    ...remade,
    ranked: mergeRanked(ranked),
    pending: needsNoMerge(ranked) ? undefined : pending,
    generation,
    firstPage: { teams: teamsNamed(first) },
    shardsFrom: null,
    midnights: { kept: [], remadeAt },
  };
  const planned = planGeneration(board, next, nowMs);
  return { ...planned, ...planTop(board, top, planned.season.ranking) };
}

/** What a generation is made of, besides its top. */
type Contents = Omit<Snapshot, "firstPage" | "top" | "taken" | "midnights" | "mayDoze"> & {
  firstPage: Pick<FirstPage, "teams"> | undefined;
  midnights: Pick<Midnights, "kept" | "remadeAt">;
};

function planGeneration(
  { key, definition, season }: RankedBoard,
  { ranked, pending, unusable, readAt, asOf, shardsFrom, ...before }: Contents,
  nowMs: number,
): Omit<Replacement, "top" | "events"> {
  const { order } = definition;
  const generation = before.generation + 1;
  const { kept, remadeAt } = before.midnights;
  const intervalEndsMs = intervalEnd(nowMs, intervalMs(definition.ranking_interval_minutes));
  const nextPublishAt = Timestamp.fromMillis(Math.min(intervalEndsMs, dayEndsMs(definition, nowMs)));
  const isClosed = season !== undefined && countsNoMore(season);
  const ofEnd = isClosed ? { final: defined({ tiers: definition.tiers }) } : {};
  const common = { generation, unusable_scores: unusable, as_of: asOf, next_publish_at: nextPublishAt };
  const about = {
    ...common,
    read_at: readAt,
    ...(shardsFrom && { shards_from: shardsFrom }),
    ...(kept.length > 0 && { baselines: kept }),
    ...(remadeAt && remadeAt > asOf && { remade_at: remadeAt }),
    ...(ranked.leftOut.size > 0 && { left_out: Object.fromEntries(ranked.leftOut) }),
  };
  // Nobody writes to a template's boards when it is saved: each takes a changed interval over with its next run.
  const interval = isOfTemplate(key.leaderboard)
    ? { interval_ms: intervalMs(definition.ranking_interval_minutes) }
    : {};
  const { ofFirst, ...ofSegments } = planSegments(definition, { ranked, pending, about }, before.firstPage);
  const [first, ...others] = packPages(order, ranked.rows, about, pending?.rows);
  if (first === undefined) throw new Error("a ranking has at least one page");
  // Every publication guards the first page, so it alone says these.
  const pages = [{ ...first, ...ofFirst }, ...others].map((page) => ({ ...page, ...ofEnd }));
  const { players, rows } = first;
  const leftOut = playersLeftOut(ranked.leftOut);
  const ranking = {
    ...common,
    players,
    rows,
    pages: pages.length,
    exact: isExact(ranked.rows),
    published_at: Timestamp.fromMillis(nowMs),
    shards_from: shardsFrom,
    ...(leftOut && { left_out: leftOut }),
  };
  return {
    key,
    pages,
    ...ofSegments,
    season: { ranking, next_run_at: isClosed ? null : nextPublishAt, dormant_at: null, ...interval },
  };
}

/**
 * The pages of segments, and the documents of teams; and what page 0 says of them. While the total of a team is not known,
 * the document of its segment stays as it was: its `generation` says of when it is.
 */
function planSegments(
  definition: Board["definition"],
  {
    ranked,
    pending,
    about,
  }: Pick<Contents, "ranked" | "pending"> & { about: Parameters<typeof packSegments>[2] },
  before: Contents["firstPage"],
): Pick<Replacement, "segmentPages" | "teams" | "teamsGone"> & { ofFirst: Partial<Page> } {
  const { order, segments = [] } = definition;
  const { totals } = ranked;
  const hasSegments = definition.segments !== undefined || ranked.segments.size > 0;
  const segmentPages = hasSegments
    ? packSegments(order, ranked.segments, about, pending?.segments, totals)
    : [];
  const { generation, as_of } = about;
  const teams = new Map<string, Teams>();
  for (const { name, teams: settings } of segments) {
    const entries = settings && teamsIn(order, { name, teams: settings }, ranked);
    if (settings !== undefined && entries !== undefined)
      teams.set(name, { teams: settings, generation, as_of, entries });
  }
  const names = teamSegments(definition);
  const namedBefore = before?.teams ?? [];
  const stay = namedBefore.filter((name) => names.has(name) && !teams.has(name));
  const there = [...teams.keys(), ...stay];
  return {
    segmentPages,
    teams,
    teamsGone: namedBefore.filter((name) => !names.has(name)),
    ofFirst: {
      ...(hasSegments && { segment_pages: segmentPages.length }),
      ...(there.length > 0 && { teams: there }),
    },
  };
}

/** The top of a generation, and what it tells of. */
function planTop(
  { key, definition, season }: RankedBoard,
  { listed, readAt, document }: FoundTop,
  { generation, players }: Pick<Top, "generation" | "players">,
): Pick<Replacement, "top" | "events"> {
  const built = buildTop(topPath(key), definition, listed, { generation, as_of: readAt, players });
  const top = season !== undefined && countsNoMore(season) ? { ...built, final: true as const } : built;
  return { top, events: eventsOfTop({ key, definition, season }, document, top, generation === 1) };
}

/** What a day has brought is published when it ends, so that movement has something to compare with. */
function dayEndsMs(definition: Board["definition"], nowMs: number): number {
  const hasDays = definition.movement && zoneProblem(definition.time_zone) === undefined;
  return hasDays ? nextMidnight(nowMs, definition) : Infinity;
}
