/** A publication: given what a run read, all that it will write. Pure. */
import { Timestamp } from "../documents/firestore.ts";
import type { PlacedEvent } from "../documents/event.ts";
import type { Page } from "../documents/page.ts";
import { type SeasonKey, topPath } from "../documents/paths.ts";
import { type Bill, finished, type RankingRecord } from "../documents/ranking-record.ts";
import type { ShardFields } from "../documents/shard.ts";
import type { RankingSummary, Season } from "../documents/season.ts";
import type { Top } from "../documents/top.ts";
import { publicationExtraWrites } from "../model/limits.ts";
import { initialShards, nextShards } from "../model/shard.ts";
import { intervalEnd, intervalMs } from "../model/slot.ts";
import type { Board } from "../seasons/board.ts";
import { isEnded } from "../seasons/open-now.ts";
import { buildTop } from "../top/build-top.ts";
import { eventsOfTop } from "../top/tell-top.ts";
import { packPages } from "./pack-pages.ts";
import type { Snapshot } from "./read.ts";
import { isExact } from "./rows.ts";
import { addBills } from "../world/meter.ts";
import { shardDocuments, takenBack as takenBackOf } from "./shard-documents.ts";
import { compareSources } from "./sources.ts";

/** The next generation, ready to be written. */
export interface Publication {
  key: SeasonKey;
  pages: Page[];
  top: Top;
  /** The events of the new top. */
  events: PlacedEvent[];
  /** The fields of the season that change. */
  season: Pick<Season, "ranking" | "next_run_at" | "dormant_at" | "shards">;
  record: RankingRecord;
  /** Documents that reverse what was folded of shard documents that stay; see run.ts. */
  takenBack: { slotEndMs: number; fields: ShardFields }[];
}

/** What a publication needs in addition to what was read. */
export interface PublicationFacts {
  asOf: Timestamp;
  /** See the season's field of this name. */
  shardsFrom: Timestamp | null;
  nowMs: number;
  /** Writes a second to the shards, in the busiest slot that this run has folded so far. */
  peakWritesPerSecond: number;
  /** This run's bill so far. */
  spent: Bill;
}

/** Plans the next generation. */
export function planPublication(
  { key, definition, season }: Pick<Board, "key" | "definition" | "season">,
  snapshot: Snapshot,
  facts: PublicationFacts,
  started: RankingRecord,
): Publication {
  const { asOf, nowMs } = facts;
  const generation = snapshot.generation + 1;
  const lengthMs = intervalMs(definition.ranking_interval_minutes);
  const nextPublishAt = Timestamp.fromMillis(intervalEnd(nowMs, lengthMs));
  const hasEnded = season !== undefined && isEnded(season);
  const pages = packPages(
    definition.order,
    snapshot.rows,
    {
      generation,
      source: definition.source,
      unusable_scores: snapshot.sums.unusable,
      as_of: asOf,
      read_at: snapshot.readAt,
      next_publish_at: nextPublishAt,
      ...shardsFromIn(facts),
      ...(hasEnded ? { final: true } : {}),
    },
    snapshot.pending,
  );
  const ranking = summaryOf(pages, snapshot, facts, nextPublishAt);
  const { top, events } = topOf({ key, definition, season }, snapshot, ranking);
  const before = season?.shards ?? initialShards(definition.expected_writes_per_second);
  // A part of a backlog shows only a part of the load.
  const shards = snapshot.more ? before : nextShards(before, facts.peakWritesPerSecond);
  const takenBack = snapshot.taken.flatMap((changes) =>
    shardDocuments(takenBackOf(changes)).map((fields) => ({ slotEndMs: changes.slotEndMs, fields })),
  );
  const planned = { pages, top, events, shards, ranking, takenBack, lagMs: lagOf(snapshot, lengthMs, nowMs) };
  return {
    key,
    pages,
    top,
    events,
    season: {
      ranking,
      next_run_at: hasEnded ? null : nextPublishAt,
      dormant_at: null,
      shards,
    },
    takenBack,
    record: finished(recordOf(started, snapshot, planned, facts), nowMs),
  };
}

/** The top with its ranks, and its events. */
function topOf(
  board: Pick<Board, "key" | "definition" | "season">,
  { generation, top: found }: Snapshot,
  { players }: RankingSummary,
): Pick<Publication, "top" | "events"> {
  const { key, definition } = board;
  const top = buildTop(topPath(key), definition, found.listed, {
    generation: generation + 1,
    as_of: found.readAt,
    players,
  });
  return { top, events: eventsOfTop(board, found.document, top, generation === 0) };
}

/** A page has this field only where the value is known. */
function shardsFromIn({ shardsFrom }: PublicationFacts): { shards_from?: Timestamp } {
  return shardsFrom === null ? {} : { shards_from: shardsFrom };
}

/** The ranking as the season's document shows it. */
function summaryOf(
  pages: readonly Page[],
  { generation, rows, sums }: Snapshot,
  { asOf, shardsFrom, nowMs }: PublicationFacts,
  nextPublishAt: Timestamp,
): RankingSummary {
  const [first] = pages;
  return {
    generation: generation + 1,
    players: first?.players ?? 0,
    rows: first?.rows ?? 0,
    pages: pages.length,
    exact: isExact(rows),
    unusable_scores: sums.unusable,
    as_of: asOf,
    published_at: Timestamp.fromMillis(nowMs),
    next_publish_at: nextPublishAt,
    shards_from: shardsFrom,
  };
}

interface Planned extends Pick<Publication, "pages" | "top" | "events" | "takenBack"> {
  shards: number;
  ranking: RankingSummary;
  lagMs: number | null;
}

/** How long ago the newest change was due: at the end of the interval of its slot. */
function lagOf({ sums }: Snapshot, lengthMs: number, nowMs: number): number | null {
  const { newestSlotEndMs } = sums;
  return newestSlotEndMs === 0 ? null : Math.max(0, nowMs - intervalEnd(newestSlotEndMs - 1, lengthMs));
}

function recordOf(
  started: RankingRecord,
  { sums, shards: folded, firstPage, rows, top: { listed } }: Snapshot,
  { pages, top, events, shards, ranking, takenBack, lagMs }: Planned,
  { peakWritesPerSecond, spent }: PublicationFacts,
): RankingRecord {
  const pagesDeleted = Math.max(0, (firstPage?.pages ?? 0) - pages.length);
  // The record is part of the commit, so the bill of the commit is known before it is sent.
  const billed = addBills(spent, {
    writes: pages.length + publicationExtraWrites + events.length + takenBack.length,
    deletes: pagesDeleted + folded.length,
  });
  const measured = { billed, players: ranking.players, rows: ranking.rows, pages: pages.length };
  return {
    ...started,
    outcome: "published",
    generation: ranking.generation,
    read: { pages: firstPage?.pages ?? 0, shards: folded.length, top: listed.length },
    wrote: {
      pages: pages.length,
      pages_deleted: pagesDeleted,
      shards_deleted: folded.length,
      top: top.entries.length,
    },
    found: {
      shard_writes: sums.writes,
      index_retries: sums.retries,
      peak_writes_per_second: peakWritesPerSecond,
      changes: sums.changes,
      owed_rows: rows.scores.length - ranking.rows,
      unusable_scores: sums.unusable,
      unreadable_changes: sums.unreadable,
    },
    players: ranking.players,
    rows: ranking.rows,
    exact: ranking.exact,
    shards,
    lag_ms: lagMs,
    billed,
    sources: compareSources({
      ...measured,
      source: pages[0]?.source ?? "index",
      top: listed.length,
      changes: sums.writes,
    }),
  };
}
