/**
 * The audit: does a season meet the invariants of ARCHITECTURE.md, or does it need a repair?
 *
 * The cheap one compares totals, and misses errors that cancel out. The full one reads every player, at the same read time
 * as the pages and shards, and compares score by score and player by player.
 */
import { type Firestore, Timestamp } from "../../documents/firestore.ts";
import { type Counted, countedIn, shouldCount } from "../../documents/mark.ts";
import { playersPath } from "../../documents/paths.ts";
import { markedScore } from "../../documents/queries.ts";
import type { AuditFindings, AuditResult } from "../../documents/repair-record.ts";
import { auditExamplesMax, countedAtOnceMax, slotAheadMsMax } from "../../model/limits.ts";
import { addRows, createFold } from "../../ranking/fold.ts";
import { allPlayers, type Rows } from "../../ranking/rows.ts";
import type { Board } from "../../seasons/board.ts";
import type { World } from "../../world/world.ts";
import { checkPages } from "./check-pages.ts";
import { counterOf, sumOf } from "./count-stretches.ts";
import { readAll, readSeasonState, type SeasonState } from "./season-state.ts";

interface AuditOptions {
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
 * Cost: 1 read for the season, the pages, the shards, and 2 for each 1,000 players (2 more if the totals differ). Above
 * 250,000 players each of these counts is split into parts of about 125,000, each rounded up (count-stretches.ts). A full
 * audit also reads every player. Memory of a full audit: as the fold's, for as many different scores.
 * @returns the findings for the audit's record.
 * @throws `season_not_found`; Firestore's error if it takes longer than the hour that Firestore keeps.
 */
export async function findDrift(
  services: World,
  { key, definition }: Board,
  full: boolean,
  { inFlightMs = 60_000, countedMax = countedAtOnceMax, onProgress }: AuditOptions = {},
): Promise<AuditResult> {
  const { db } = services;
  const state = await readSeasonState(services, key, definition.order);
  const { at, season } = state;
  const checked = checkPages(definition.order, state.pages, season.ranking.generation);
  const { rows } = checked;
  /** Marks with a score, and players whom lists find. */
  const countsAt = async (time: Timestamp) => {
    const count = counterOf(db, { key, definition }, time, rows, { most: countedMax });
    const [marks, players] = await Promise.all([count.numbered(markedScore), count.listed().then(sumOf)]);
    return { marks, players };
  };
  const counts = await countsAt(at);
  const [inRows, inShards] = [allPlayers(rows), allPlayers(state.pending)];
  const inIndex = inRows + inShards;
  const isRight = inIndex === counts.marks && counts.marks === counts.players;
  // What foreign writes have changed in the last minute may be on its way. In a younger season any number may be right.
  const earlier = Timestamp.fromMillis(at.toMillis() - inFlightMs);
  let before: typeof counts | undefined = counts;
  if (!isRight && inFlightMs > 0) before = state.createTime > earlier ? undefined : await countsAt(earlier);
  const isAhead = state.sums.newestSlotEndMs > services.databaseMs(at) + slotAheadMsMax;
  const problems = [...(isAhead ? ["changes lie in a slot of the future"] : []), ...checked.problems];
  const behind = lasting(counts.marks, [counts.players, before?.players]);
  const findings: AuditFindings = {
    row_players: inRows,
    shard_players: inShards,
    counted: counts.marks,
    players: counts.players,
    pages: problems.slice(0, auditExamplesMax),
    conservation: { difference: lasting(inIndex, [counts.marks, before?.marks]), scores: null, examples: [] },
    convergence: { difference: behind, players: null, in_flight: null, examples: [] },
  };
  if (full) await auditInFull(db, { key, definition, rows, state, inFlightMs }, findings, onProgress);
  return { found: findings, repair: repairFor(findings), read_at: at, generation: season.ranking.generation };
}

/** Whether a repair has to mend what an audit found. Pure. */
function repairFor({ pages, conservation, convergence }: AuditFindings): AuditResult["repair"] {
  const isBroken = pages.length > 0 || conservation.difference !== 0 || (conservation.scores ?? 0) > 0;
  const isBehind = convergence.difference !== 0 || (convergence.players ?? 0) > 0;
  return isBroken || isBehind ? "repair" : "none";
}

/** How far a number is from all between two others; not at all where one of these is unknown. Pure. */
export function lasting(number: number, [now, before]: readonly [number, number | undefined]): number {
  if (before === undefined) return 0;
  const nearest = Math.min(Math.max(number, Math.min(now, before)), Math.max(now, before));
  return number - nearest;
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
  addRows(fold, state.pending, 1);
  const youngMs = state.at.toMillis() - inFlightMs;
  const convergence = { ...findings.convergence, players: 0, in_flight: 0 };
  let done = 0;
  await readAll(db, {
    at: state.at,
    path: playersPath(key),
    async use(part) {
      for (const player of part) {
        const counted = countedIn(player.data());
        if (typeof counted === "number") fold.add(counted, -1);
        const wanted = shouldCount(player.data());
        if (counted === wanted) continue;
        if (player.updateTime.toMillis() > youngMs) convergence.in_flight += 1;
        else {
          convergence.players += 1;
          if (convergence.examples.length < auditExamplesMax)
            convergence.examples.push({ counted: describe(counted), should_be: describe(wanted) });
        }
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
  // A foreign write that is on its way may have changed two scores.
  findings.conservation.scores = Math.max(0, wrong.length - 2 * convergence.in_flight);
  findings.conservation.examples = wrong.slice(0, auditExamplesMax).map((row) => ({
    score: drift.scores[row] ?? NaN,
    low: drift.lows[row] ?? NaN,
    too_many: drift.players[row] ?? NaN,
  }));
}

function describe(counted: Counted): string {
  if (counted === undefined) return "nothing";
  return counted === "unusable" ? "an unusable score" : String(counted);
}
