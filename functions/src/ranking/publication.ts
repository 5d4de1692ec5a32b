/** A publication: given what a run read, all that it will write. Pure. */
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import type { PlacedEvent } from "../documents/event.ts";
import type { Page } from "../documents/page.ts";
import type { SegmentPage } from "../documents/segment-page.ts";
import { type SeasonKey, topPath } from "../documents/paths.ts";
import { type Bill, finished, type RankingRecord } from "../documents/ranking-record.ts";
import type { ShardFields } from "../documents/shard.ts";
import type { Season } from "../documents/season.ts";
import type { Top } from "../documents/top.ts";
import { rowBoundMax } from "../model/limits.ts";
import { zoneProblem } from "../model/calendar.ts";
import { nextMidnight } from "../model/midnights.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import type { Board, OpenedBoard } from "../seasons/board.ts";
import { isEnded } from "../seasons/open-now.ts";
import { buildTop } from "../top/build-top.ts";
import { eventsOfTop } from "../top/tell-top.ts";
import type { Midnights } from "./baselines.ts";
import { playersLeftOut } from "./left-out.ts";
import { packPages, packSegments } from "./pack-pages.ts";
import { type Changes, mergeRanked, needsNoMerge } from "./ranked.ts";
import type { Snapshot } from "./read.ts";
import { isExact } from "./rows.ts";
import { addBills } from "../world/meter.ts";
import type { FoundTop } from "../top/document.ts";
import { noSums, shardDocuments } from "./shards.ts";
import { wideRows } from "./split.ts";

export interface Generation {
  key: SeasonKey;
  pages: Page[];
  segmentPages: SegmentPage[];
  top: Top;
  events: PlacedEvent[];
  season: Pick<Season, "ranking"> & Partial<Season>;
}

export interface Publication extends Generation {
  record: RankingRecord;
  /** Documents that reverse what was folded of shard documents that stay; see run.ts. */
  takenBack: ShardFields[];
}

/** What a generation needs in addition to what was read; `shardsFrom` is the season's field of this name. */
interface PublicationFacts {
  asOf: Timestamp;
  shardsFrom: Timestamp | null;
  nowMs: number;
}

export function planPublication(
  board: Pick<Board, "key" | "definition" | "season">,
  snapshot: Snapshot,
  { spent, ...facts }: PublicationFacts & { spent: Bill },
  started: RankingRecord,
): Publication {
  const next = planGeneration(board, snapshot, facts);
  const takenBack = snapshot.taken.flatMap((changes) => shardDocuments(changes, -1));
  const { sums, shards: folded, firstPage, top } = snapshot;
  const { rows: all, segments, leftOut } = snapshot.ranked;
  const left = playersLeftOut(leftOut);
  const { generation, players, rows, exact, pages } = next.season.ranking;
  const { pages: pagesBefore = 0, segmentPages: segmentPagesBefore = 0 } = firstPage ?? {};
  const segmentPages = next.segmentPages.length;
  const pagesDeleted = Math.max(0, pagesBefore - pages) + Math.max(0, segmentPagesBefore - segmentPages);
  const record: RankingRecord = {
    ...started,
    outcome: "published",
    lag_ms: lagOf(sums.newestSlotEndMs, intervalMs(board.definition.ranking_interval_minutes), facts.nowMs),
    read: { pages: pagesBefore + segmentPagesBefore, shards: folded.length, top: top.listed.length },
    wrote: {
      pages,
      segment_pages: segmentPages,
      pages_deleted: pagesDeleted,
      shards_deleted: folded.length,
      top: next.top.entries.length,
    },
    found: {
      changed_players: sums.marks,
      changes: sums.changes,
      owed_rows: all.scores.length - rows,
      wide_players: wideRows(all, rowBoundMax).reduce((sum, row) => sum + (all.players[row] ?? 0), 0),
      unusable_scores: sums.unusable,
      segments: segments.size,
      ...(left && { left_out: left }),
      unreadable_changes: sums.unreadable,
    },
    generation,
    players,
    rows,
    exact,
    // The record is part of the commit, so the bill of the commit is known before it is sent.
    billed: addBills(spent, {
      writes: pages + segmentPages + publicationExtraWrites + next.events.length + takenBack.length,
      deletes: pagesDeleted + folded.length,
    }),
  };
  return { ...next, takenBack, record: finished(record, facts.nowMs) };
}

/** Documents that a publication writes besides its pages and shards: top, season and run record. */
export const publicationExtraWrites = 3;

/** What a generation is made of. */
interface Found extends Pick<Snapshot, "readAt" | "ranked" | "pending" | "generation" | "top" | "sums"> {
  midnights: Partial<Midnights> | undefined;
}

/** What a day has brought is published when it ends, so that movement has something to compare with. */
function dayEndsMs(definition: Board["definition"], nowMs: number): number {
  const hasDays = definition.movement && zoneProblem(definition.time_zone) === undefined;
  return hasDays ? nextMidnight(nowMs, definition) : Infinity;
}

// eslint-disable-next-line max-lines-per-function -- one list of what is written
function planGeneration(
  { key, definition, season }: Pick<Board, "key" | "definition" | "season">,
  found: Found,
  { asOf, shardsFrom, nowMs }: PublicationFacts,
): Generation {
  const generation = found.generation + 1;
  const intervalEndsMs = intervalEnd(nowMs, intervalMs(definition.ranking_interval_minutes));
  const nextPublishAt = Timestamp.fromMillis(Math.min(intervalEndsMs, dayEndsMs(definition, nowMs)));
  const hasEnded = season !== undefined && isEnded(season);
  const final = hasEnded ? { final: true as const } : {};
  const { order } = definition;
  const { readAt, ranked, pending, sums, midnights: { kept = [], remadeAt } = {} } = found;
  const { unusable } = sums;
  const common = { generation, unusable_scores: unusable, as_of: asOf, next_publish_at: nextPublishAt };
  const about = {
    ...common,
    read_at: readAt,
    ...(shardsFrom && { shards_from: shardsFrom }),
    ...(kept.length > 0 && { baselines: kept }),
    ...(remadeAt && remadeAt > asOf && { remade_at: remadeAt }),
    ...(ranked.leftOut.size > 0 && { left_out: Object.fromEntries(ranked.leftOut) }),
  };
  const hasSegments = definition.segments !== undefined || ranked.segments.size > 0;
  const segmentPages = hasSegments ? packSegments(order, ranked.segments, about, pending?.segments) : [];
  const [first, ...others] = packPages(order, ranked.rows, about, pending?.rows);
  if (first === undefined) throw new Error("a ranking has at least one page");
  // Every publication guards the first page, so it alone says these.
  const ofFirst = { ...(hasSegments && { segment_pages: segmentPages.length }), ...final };
  const pages = [{ ...first, ...ofFirst }, ...others];
  const { players, rows } = first;
  const left = playersLeftOut(ranked.leftOut);
  const ranking = {
    ...common,
    players,
    rows,
    pages: pages.length,
    exact: isExact(ranked.rows),
    published_at: Timestamp.fromMillis(nowMs),
    shards_from: shardsFrom,
    ...(left && { left_out: left }),
  };
  const ofTop = { generation, as_of: found.top.readAt, players };
  const top = { ...buildTop(topPath(key), definition, found.top.listed, ofTop), ...final };
  return {
    key,
    pages,
    segmentPages,
    top,
    events: eventsOfTop({ key, definition, season }, found.top.document, top, generation === 1),
    season: { ranking, next_run_at: hasEnded ? null : nextPublishAt, dormant_at: null },
  };
}

/** How long ago the newest change was due: at the end of the interval of its slot. */
function lagOf(newestSlotEndMs: number, lengthMs: number, nowMs: number): number | null {
  return newestSlotEndMs === 0 ? null : Math.max(0, nowMs - intervalEnd(newestSlotEndMs - 1, lengthMs));
}

/** What a season had published: the documents of `scores_ranking`, valid or not. */
export interface Replaced {
  /** Those of segments too. */
  pages: readonly DocumentSnapshot[];
  /** Page 0 as the commit's transaction found it. */
  first: DocumentSnapshot;
  top: FoundTop;
}

/**
 * Plans the generation that follows all that were found, of a ranking that was made anew: by a repair, or from final
 * standings. @param remade its rows; when everything was read, and what had not been folded then.
 */
export function planReplacement(
  board: Pick<OpenedBoard, "key" | "definition" | "season">,
  remade: Pick<Snapshot, "ranked" | "readAt"> & {
    pending: Changes;
    asOf: Timestamp;
    unusable: number;
    remadeAt?: Timestamp;
  },
  { pages, first, top }: Replaced,
  nowMs: number,
): Generation {
  const { readAt, asOf, unusable, remadeAt } = remade;
  const seen = [first, ...pages].map((page): unknown => page.get("generation")).filter(Number.isSafeInteger);
  const generation = Math.max(board.season.ranking.generation, ...(seen as number[]));
  const pending = needsNoMerge(remade.ranked) ? undefined : remade.pending;
  const ranked = mergeRanked(remade.ranked);
  const sums = { ...noSums(), unusable };
  const midnights = board.definition.movement ? { remadeAt } : undefined;
  const found = { readAt, ranked, pending, generation, top, sums, midnights };
  return planGeneration(board, found, { asOf, shardsFrom: null, nowMs });
}
