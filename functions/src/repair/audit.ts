/**
 * The audit: does a season meet the invariants of ARCHITECTURE.md, and if not, which repair does it need?
 *
 * The cheap audit compares totals, which `count()` gives for little money; it misses errors that cancel out (one player
 * too many at one score, one too few at another). The full one reads every player and every index entry, at the same
 * read time as the pages and shards, and compares score by score and player by player.
 */
import { type Firestore, Timestamp } from "../documents/firestore.ts";
import type { Page } from "../documents/page.ts";
import { indexEntriesPath, playerPath, playersPath, type SeasonKey } from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import type { AuditFindings, AuditRecord, Repair } from "../documents/repair-record.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import { readIndexEntry } from "../documents/index-entry.ts";
import { planIndexing } from "../indexing/plan.ts";
import {
  auditExamplesMax,
  countedAtOnceMax,
  inFlightMs as inFlightDefault,
  readTimeKeptMs,
} from "../model/limits.ts";
import { isScore } from "../model/score.ts";
import { createFold } from "../ranking/fold.ts";
import { unpackPages } from "../ranking/pack-pages.ts";
import type { Rows } from "../ranking/rows.ts";
import type { Board } from "../seasons/board.ts";
import type { World } from "../world/world.ts";
import { checkPages } from "./check-pages.ts";
import { type SeasonCounter, counterOf } from "./count-stretches.ts";
import type { Joined } from "./join.ts";
import { readAll } from "./read-all.ts";
import { isLeft, readSeasonState, type SeasonState } from "./season-state.ts";

export interface AuditOptions {
  /** A difference younger than this counts as still in flight; tests without clocks pass 0. */
  inFlightMs?: number;
  /** Documents of one count; tests take few. */
  countedMax?: number;
  /** Called with the number of documents checked so far. */
  onProgress?: (done: number) => Promise<void>;
}

/**
 * Audits a season.
 *
 * Cost: 1 read for the season, the pages, the shards, and 1 for each 1,000 players and for each 1,000 index entries
 * (once more for the players if the totals differ). Above 250,000 players each of these counts is split into parts of
 * about 125,000, each rounded up (count-stretches.ts). A full audit also reads every player and every entry. A board of
 * the source `count` has no index: its pages are compared with the players at the time of the count, if that is less
 * than an hour ago, and a full audit adds nothing. An index that was left to counts asks for a full rebuild, whatever the
 * totals say. Memory of a full audit: as the fold's, for as many different scores.
 * @returns the findings for the audit's record.
 * @throws `season_not_found`; Firestore's error if it takes longer than the hour that Firestore keeps.
 */
export async function findDrift(
  services: World,
  { key, definition }: Board,
  full: boolean,
  { inFlightMs = inFlightDefault, countedMax = countedAtOnceMax, onProgress }: AuditOptions = {},
): Promise<Pick<AuditRecord, "found" | "repair" | "read_at" | "generation">> {
  const { db } = services;
  const state = await readSeasonState(services, key, definition.order);
  const { at, season } = state;
  const found = state.pages.map((page) => ({ id: page.id, data: page.data() }));
  const checked = checkPages(definition.order, found, season.ranking.generation);
  const rows = unpackPages(definition.order, checked.pages);
  const count = counterOf(db, { key, definition }, rows, countedMax);
  const players = await count.players(at);
  const isCounted = definition.source === "count";
  const entries = isCounted
    ? await playersWhenCounted(count, checked.pages[0], at, total(rows))
    : await count.entries(at);
  const shardPlayers = isCounted ? 0 : total(state.pending);
  const findings: AuditFindings = {
    row_players: total(rows),
    shard_players: shardPlayers,
    index_entries: entries,
    players,
    pages: checked.problems.slice(0, auditExamplesMax),
    conservation: { difference: total(rows) + shardPlayers - entries, scores: null, examples: [] },
    convergence: {
      difference: isCounted ? 0 : await lastingDifference(count, { ...state, inFlightMs, entries, players }),
      players: null,
      in_flight: null,
      examples: [],
    },
  };
  if (full && !isCounted) {
    const where = { key, definition, rows, state, inFlightMs };
    await auditInFull(db, where, findings, onProgress);
  }
  const needsIndexing = !isCounted && isLeft(state);
  if (needsIndexing)
    findings.pages.push("the index was left to counts for a time, and lacks changes of that time");
  return {
    found: findings,
    repair: needsIndexing ? "full_rebuild" : repairFor(findings),
    read_at: at,
    generation: season.ranking.generation,
  };
}

/** The repair that fixes what an audit found. Pure. */
export function repairFor({ pages, conservation, convergence }: AuditFindings): Repair {
  const isBroken = pages.length > 0 || conservation.difference !== 0 || (conservation.scores ?? 0) > 0;
  const isBehind = convergence.difference !== 0 || (convergence.players ?? 0) > 0;
  if (isBroken) return isBehind ? "full_rebuild" : "rebuild";
  return isBehind ? "sweep" : "none";
}

function total({ players }: Rows): number {
  return players.reduce((sum, count) => sum + count, 0);
}

/** The players at the time of the pages; if that time can no longer be read, the number in the pages. */
async function playersWhenCounted(
  count: SeasonCounter,
  first: Page | undefined,
  at: Timestamp,
  published: number,
): Promise<number> {
  if (first === undefined || at.toMillis() - first.read_at.toMillis() > readTimeKeptMs) return published;
  return count.players(first.read_at);
}

interface Counts extends Pick<SeasonState, "at" | "createTime"> {
  inFlightMs: number;
  entries: number;
  players: number;
}

/**
 * The difference between entries and players, without changes in flight: any number of entries between the players a
 * minute ago and those now is right. In a season younger than a minute any number is right.
 */
async function lastingDifference(
  count: SeasonCounter,
  { at, createTime, inFlightMs, entries, players }: Counts,
): Promise<number> {
  if (entries === players || inFlightMs === 0) return entries - players;
  const before = Timestamp.fromMillis(at.toMillis() - inFlightMs);
  if (createTime.valueOf() > before.valueOf()) return 0;
  const playersBefore = await count.players(before);
  const nearest = Math.min(
    Math.max(entries, Math.min(players, playersBefore)),
    Math.max(players, playersBefore),
  );
  return entries - nearest;
}

interface FullAudit extends Pick<Board, "key" | "definition"> {
  rows: Rows;
  state: SeasonState;
  inFlightMs: number;
}

/** Reads everything and completes the findings. */
async function auditInFull(
  db: Firestore,
  { key, definition, rows, state, inFlightMs }: FullAudit,
  findings: AuditFindings,
  onProgress: AuditOptions["onProgress"],
): Promise<void> {
  const fold = createFold(definition.order, rows);
  state.pending.scores.forEach((score, i) => {
    fold.add(score, state.pending.players[i] ?? 0);
  });
  const youngMs = state.at.toMillis() - inFlightMs;
  const convergence = { ...findings.convergence, players: 0, in_flight: 0 };
  let done = 0;
  await readAll(db, {
    at: state.at,
    queries: [playersPath(key), indexEntriesPath(key)].map(
      (path) => (limit, range) => byId(db, path, limit, range),
    ),
    async use(part) {
      const removed = await removedSince(db, key, part, youngMs, state.at);
      for (const joined of part) {
        const score: unknown = joined.documents[1]?.get("score");
        if (isScore(score)) fold.add(score, -1);
        compare(joined, (changedMs) => changedMs > youngMs || removed.has(joined.id), convergence);
      }
      done += part.length;
      await onProgress?.(done);
    },
  });
  findings.convergence = convergence;
  // Incomplete rows cannot be compared with anything; the pages' own problems say enough.
  if (findings.pages.length > 0) return;
  const drift = fold.finish();
  const wrong = [...drift.players.keys()].filter((row) => drift.players[row] !== 0);
  findings.conservation.scores = wrong.length;
  findings.conservation.examples = wrong.slice(0, auditExamplesMax).map((row) => ({
    score: drift.scores[row] ?? NaN,
    low: drift.lows[row] ?? NaN,
    too_many: drift.players[row] ?? NaN,
  }));
}

/** Players with an entry but no document who had a document a minute ago: a removed document has no update time. */
async function removedSince(
  db: Firestore,
  key: SeasonKey,
  part: readonly Joined[],
  youngMs: number,
  at: Timestamp,
): Promise<Set<string>> {
  const orphans = part.filter(({ documents: [player] }) => player === undefined);
  if (orphans.length === 0 || youngMs >= at.toMillis()) return new Set();
  const refs = orphans.map(({ id }) => db.doc(playerPath(key, id)));
  const readTime = Timestamp.fromMillis(youngMs);
  const found = await db.runTransaction((transaction) => transaction.getAll(...refs), {
    readOnly: true,
    readTime,
  });
  return new Set(found.filter(({ exists }) => exists).map(({ id }) => id));
}

/** Compares one player's document and index entry. */
function compare(
  { documents: [player, entry] }: Joined,
  isYoung: (changedMs: number) => boolean,
  found: AuditFindings["convergence"] & { players: number; in_flight: number },
): void {
  const ranked = rankedScoreOf(player?.data());
  let indexed: ReturnType<typeof readIndexEntry>;
  try {
    indexed = readIndexEntry(entry?.data());
    if (planIndexing(ranked, indexed) === undefined) return;
  } catch {
    indexed = { score: null, unusable: "an entry that cannot be read" };
  }
  if (isYoung((player ?? entry)?.updateTime.toMillis() ?? -Infinity)) {
    found.in_flight += 1;
    return;
  }
  found.players += 1;
  if (found.examples.length >= auditExamplesMax) return;
  found.examples.push({ indexed: describe(indexed), should_be: describe(ranked) });
}

function describe(value: { score?: number | null; unusable?: string } | undefined): string {
  if (value === undefined) return "nothing";
  return value.unusable === undefined ? String(value.score) : "an unusable score";
}
