/** Checks whether a closed season's pages, standings and players still agree. */
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import {
  pagesPath,
  playerPath,
  type SeasonKey,
  seasonPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import type { AuditFindings, AuditRecord } from "../documents/repair-record.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import { readSeason } from "../documents/season.ts";
import { type StandingsSummary, storedStandings, storedStandingsSummary } from "../documents/standings.ts";
import { auditExamplesMax, writesPerCommitMax } from "../model/limits.ts";
import type { Board } from "../seasons/board.ts";
import type { World } from "../world/world.ts";
import { unpackPages } from "../ranking/pack-pages.ts";
import type { Rows } from "../ranking/rows.ts";
import { checkPages } from "./check-pages.ts";
import { createStandingsCheck } from "./check-standings.ts";
import { counterOf } from "./count-stretches.ts";
import { getAt } from "./read-all.ts";
import { standingsInOrder } from "./read-standings.ts";
import { seasonNotFound } from "./season-state.ts";

type What = Pick<Board, "key" | "definition">;

/** The result of checking a closed season. */
export interface CheckedClosed {
  /** What is wrong, in words. */
  problems: string[];
  /** The checked revision of the standings, and its players. */
  revisions: number;
  players: number;
  /** The players in the pages, and the pages' generation. */
  pagePlayers: number;
  rows: Rows;
  generation: number;
  /** The time at which all this was read. */
  at: Timestamp;
}

/**
 * Compares the standings of a closed season with its pages. Cost: 2 reads, 1 read a page and for each 1,000 players.
 * @param onProgress called with the number of players checked so far.
 * @returns what is wrong, in words, and the checked revision.
 * @throws `season_not_found`, also while the season is being deleted
 */
export async function checkClosed(
  services: World,
  { key, definition }: What,
  onProgress?: (players: number) => Promise<void>,
): Promise<CheckedClosed> {
  const { db } = services;
  const found = await db.doc(seasonPath(key)).get();
  const season = found.exists ? readSeason(found.data()) : undefined;
  if (season === undefined || season.status === "deleting") throw seasonNotFound(key);
  const at = found.readTime;
  const pages = await getAt(db, at, byId(db, pagesPath(key), writesPerCommitMax));
  const { revisions, players, ties = definition.ties } = await summaryAt(services, key, at);
  const documents = pages.docs.map((page) => ({ id: page.id, data: page.data() }));
  const checked = checkPages(definition.order, documents, season.ranking.generation);
  const check = createStandingsCheck({ order: definition.order, ties }, checked.pages);
  let counted = 0;
  for await (const chunk of standingsInOrder(services, key, { at })) {
    for (const document of chunk) {
      const standings = storedStandings.parse(document.data());
      check.add(standings);
      counted += standings.players.length;
    }
    await onProgress?.(counted);
  }
  const sum = counted === players ? [] : [`the summary has ${players} players, the standings ${counted}`];
  return {
    problems: [...checked.problems, ...sum, ...check.finish()],
    revisions,
    players,
    pagePlayers: checked.pages[0]?.players ?? 0,
    rows: unpackPages(definition.order, checked.pages),
    generation: season.ranking.generation,
    at,
  };
}

/**
 * The audit of a closed season: compares its standings with its pages, and with the number of players who should be in
 * them.
 *
 * In full it compares each player of the standings with the document, which a trusted server may have changed since.
 *
 * Cost: as {@link checkClosed}, and 1 read for each 1,000 players; in full 1 read a player and 1 for each 1,000 more.
 * @returns the findings for the audit's record, with the standings in place of the index entries. They name no repair,
 * as pages are republished from the standings automatically.
 */
export async function auditClosed(
  services: World,
  what: What,
  full: boolean,
  onProgress?: (players: number) => Promise<void>,
): Promise<Pick<AuditRecord, "found" | "repair" | "read_at" | "generation">> {
  const { problems, players, pagePlayers, rows, generation, at } = await checkClosed(
    services,
    what,
    full ? undefined : onProgress,
  );
  const count = await counterOf(services.db, what, rows).players(at);
  const found: AuditFindings = {
    row_players: pagePlayers,
    shard_players: 0,
    index_entries: players,
    players: count,
    pages: problems.slice(0, auditExamplesMax),
    conservation: { difference: pagePlayers - players, scores: null, examples: [] },
    convergence: { difference: players - count, players: null, in_flight: null, examples: [] },
  };
  if (full)
    found.convergence = {
      ...found.convergence,
      ...(await comparePlayers(services, what.key, at, onProgress)),
    };
  return { found, repair: "none", read_at: at, generation };
}

/** Players of the standings whose documents have another score or time, another status, or are gone. */
async function comparePlayers(
  { db }: World,
  key: SeasonKey,
  at: Timestamp,
  onProgress?: (players: number) => Promise<void>,
): Promise<Pick<AuditFindings["convergence"], "players" | "in_flight" | "examples">> {
  const examples: AuditFindings["convergence"]["examples"] = [];
  let differing = 0;
  let done = 0;
  async function compare(document: DocumentSnapshot): Promise<void> {
    const { players, scores, achieved_at: times } = storedStandings.parse(document.data());
    if (players.length === 0) return;
    const refs = players.map((player) => db.doc(playerPath(key, player)));
    const fieldMask = ["score", "status", "achieved_at"];
    const found = await db.runTransaction((transaction) => transaction.getAll(...refs, { fieldMask }), {
      readOnly: true,
      readTime: at,
    });
    for (const [i, player] of found.entries()) {
      const score = scoreIfRanked(player.data());
      const achievedAt: unknown = player.get("achieved_at");
      const isSame = achievedAt instanceof Timestamp && times[i]?.isEqual(achievedAt) === true;
      if (score === scores[i] && isSame) continue;
      differing += 1;
      if (examples.length < auditExamplesMax)
        examples.push({
          indexed: String(scores[i]),
          should_be: score === undefined ? "nothing" : String(score),
        });
    }
    done += players.length;
  }
  for await (const chunk of standingsInOrder({ db }, key, { at })) {
    await Promise.all(chunk.map(compare));
    await onProgress?.(done);
  }
  return { players: differing, in_flight: 0, examples };
}

/** The summary of a season's standings at a given time. Cost: 1 read. */
export async function summaryAt(
  { db }: Pick<World, "db">,
  key: SeasonKey,
  readTime: Timestamp,
): Promise<StandingsSummary> {
  const ref = db.doc(standingsSummaryPath(key));
  const found = await db.runTransaction((transaction) => transaction.get(ref), { readOnly: true, readTime });
  return storedStandingsSummary.parse(found.data());
}
