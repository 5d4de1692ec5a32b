/**
 * The audit: does a season meet the invariants of ARCHITECTURE.md, or does it need a repair?
 *
 * A cheap audit compares totals, and misses errors that cancel out. In a season of up to 250,000 players it also counts
 * documents that lists do not find, as a server has written a bare score and no event of it came. A full audit reads
 * every player, at the same read time as the pages and shards, and compares score by score and player by player.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type DocumentSnapshot,
  type Firestore,
  type QueryDocumentSnapshot,
  Timestamp,
} from "../../documents/firestore.ts";
import { type Counted, countedIn, shouldCount } from "../../documents/mark.ts";
import {
  playerPath,
  playersPath,
  type SeasonKey,
  standingsSummaryPath,
  topPath,
} from "../../documents/paths.ts";
import { teamsAt } from "../../documents/pages-at.ts";
import { markedScore } from "../../documents/queries.ts";
import { scoreIfRanked } from "../../documents/ranked-score.ts";
import { asOf } from "../../documents/reads.ts";
import type { AuditFindings, AuditResult } from "../../documents/repair-record.ts";
import { readSeason } from "../../documents/season.ts";
import {
  type OrderedPlayer,
  type Standings,
  type StandingsSummary,
  storedStandings,
} from "../../documents/standings.ts";
import { storedTop } from "../../documents/top.ts";
import { comparePlayers } from "../../model/compare-players.ts";
import { segmentNames } from "../../model/definition.ts";
import { auditExamplesMax, countedAtOnceMax, slotAheadMsMax } from "../../model/limits.ts";
import { bestPossible } from "../../model/score.ts";
import { fieldToMark } from "../../model/segments.ts";
import { isNothing } from "../../ranking/left-out.ts";
import { createMarkFold, mergeRanked, type Ranked } from "../../ranking/ranked.ts";
import { allPlayers } from "../../ranking/rows.ts";
import { teamSegments } from "../../ranking/totals.ts";
import type { Board } from "../../seasons/read-board.ts";
import { indexOfStandings } from "../../standings/lookup.ts";
import { addUpStandings, readPublished } from "../../standings/publish-standings.ts";
import { checkRanking, checkTeams } from "./check-pages.ts";
import { counterOf, sumOf } from "./count-stretches.ts";
import { readAll, readSeasonState, seasonNotFound, type SeasonState } from "./season-state.ts";
import type { Services } from "../../world/services.ts";

interface AuditOptions {
  /** A difference younger than this may come from an event on its way; tests without a clock pass 0. */
  inFlightMs?: number;
  /** The most documents of one count; tests take few. */
  countedMax?: number;
  onProgress?: (done: number) => Promise<void>;
  /** Called with each player whom a full audit reads. */
  onPlayer?: (player: QueryDocumentSnapshot) => void;
}

/**
 * Audits a season.
 *
 * Cost: 1 read for the season, the pages, the shards, and 3 for each 1,000 players; 2 more if some are hidden or banned,
 * or for each 1,000 of these. As many more if the totals differ. Above 250,000 players it is 2 for each 1,000, and each
 * of these counts is split into parts of about 125,000, each rounded up (count-stretches.ts). A
 * full audit also reads every player, and needs as much memory as the fold of as many different scores.
 * @returns the findings for the audit's record.
 * @throws `season_not_found`; Firestore's error if the audit takes longer than the hour that Firestore keeps.
 */
export async function findDrift(
  services: Services,
  { key, definition }: Board,
  full: boolean,
  { inFlightMs = 60_000, countedMax = countedAtOnceMax, ...asked }: AuditOptions = {},
): Promise<AuditResult> {
  const { db } = services;
  const state = await readSeasonState(services, key, definition.order);
  const { at, season } = state;
  const { generation } = season.ranking;
  const checked = checkRanking(definition.order, state.pages, state.segmentPages, generation);
  const { ranked } = checked;
  const { rows } = ranked;
  /** Counts the marks with a score, and the players who should have one: also documents that lists do not find. */
  const countsAt = async (time: Timestamp) => {
    const count = counterOf(db, { key, definition }, time, rows, { most: countedMax });
    const [marks, listed] = await Promise.all([count.numbered(markedScore), count.listed().then(sumOf)]);
    // On the Enterprise edition this count reads each document.
    const scored = marks <= countedMax ? await count.numbered("score") : 0;
    const others = scored - listed - season.ranking.unusable_scores;
    if (others <= 0) return { marks, players: listed };
    const [hidden, banned] = await Promise.all([count.listed("hidden"), count.listed("banned")]);
    return { marks, players: listed + Math.max(0, others - sumOf(hidden) - sumOf(banned)) };
  };
  const counts = await countsAt(at);
  const [inRows, inShards] = [allPlayers(rows), allPlayers(state.pending.rows)];
  const inIndex = inRows + inShards;
  const isRight = inIndex === counts.marks && counts.marks === counts.players;
  // The event of a direct write may be on its way for a minute. In a season younger than that, any number may be
  // right.
  const earlier = Timestamp.fromMillis(at.toMillis() - inFlightMs);
  let before: typeof counts | undefined = counts;
  if (!isRight && inFlightMs > 0) before = state.createTime > earlier ? undefined : await countsAt(earlier);
  const isAhead = state.sums.newestSlotEndMs > services.databaseMs(at) + slotAheadMsMax;
  const teams = checkTeams(definition, await teamsAt(db, key, at, state.pages), ranked, generation);
  const ahead = isAhead ? ["changes lie in a slot of the future"] : [];
  const problems = [...ahead, ...checked.problems, ...teams];
  const behind = lasting(counts.marks, [counts.players, before?.players]);
  const findings: AuditFindings = {
    row_players: inRows,
    shard_players: inShards,
    counted: counts.marks,
    players: counts.players,
    pages: problems.slice(0, auditExamplesMax),
    foreign: state.foreign.slice(0, auditExamplesMax),
    conservation: { difference: lasting(inIndex, [counts.marks, before?.marks]), scores: null, examples: [] },
    convergence: { difference: behind, players: null, in_flight: null, examples: [] },
  };
  if (full) await auditInFull(db, { key, definition, ranked, state, inFlightMs }, findings, asked);
  const { pages, conservation, convergence } = findings;
  const wrong = [conservation.difference, conservation.scores, convergence.difference, convergence.players];
  const repair = pages.length > 0 || wrong.some((count) => (count ?? 0) !== 0) ? "repair" : "none";
  return { found: findings, repair, read_at: at, generation };
}

/** How far a number is from the range between two other numbers; 0 if one of the two is unknown. Pure. */
export function lasting(number: number, [now, before]: readonly [number, number | undefined]): number {
  if (before === undefined) return 0;
  const nearest = Math.min(Math.max(number, Math.min(now, before)), Math.max(now, before));
  return number - nearest;
}

type Convergence = AuditFindings["convergence"];

interface FullAudit extends Pick<Board, "key" | "definition"> {
  ranked: Ranked;
  state: SeasonState;
  inFlightMs: number;
}

async function auditInFull(
  db: Firestore,
  { key, definition, ranked, state, inFlightMs }: FullAudit,
  findings: AuditFindings,
  { onProgress, onPlayer }: Pick<AuditOptions, "onProgress" | "onPlayer">,
): Promise<void> {
  const fold = createMarkFold(definition.order, ranked);
  fold.addChanges(state.pending, 1);
  const youngMs = state.at.toMillis() - inFlightMs;
  const convergence = { ...findings.convergence, players: 0, in_flight: 0 };
  let done = 0;
  await readAll(db, {
    at: state.at,
    path: playersPath(key),
    async use(part) {
      for (const player of part) {
        onPlayer?.(player);
        const counted = countedIn(player.data());
        const mark = fieldToMark(counted ?? "");
        if (mark !== undefined) fold.add(mark, -1);
        const wanted = shouldCount(player.data(), definition);
        if (counted === wanted) continue;
        if (player.updateTime.toMillis() > youngMs) convergence.in_flight += 1;
        else addWrong(convergence, counted, wanted);
      }
      done += part.length;
      await onProgress?.(done);
    },
  });
  findings.convergence = convergence;
  // Incomplete rows cannot be compared with anything; the pages' own problems say enough.
  if (findings.pages.length > 0) return;
  const drift = fold.finish({ names: segmentNames(definition), teams: teamSegments(definition) });
  const wrong = wrongRows(drift);
  // A direct write whose event is on its way may have changed the counts of two scores, also in each segment.
  const mayDiffer = 2 * (1 + (definition.segments?.length ?? 0)) * convergence.in_flight;
  findings.conservation.scores = Math.max(0, wrong.length - mayDiffer);
  findings.conservation.examples = wrong.slice(0, auditExamplesMax);
  // Nothing is left of a total after each of its scores was subtracted. That of the best players is not such a sum.
  if (convergence.in_flight > 0) return;
  const wrongTotals = [...drift.totals].filter(
    ([segment, { most, sum }]) => most === Infinity && sum.units !== 0n && ranked.totals.has(segment),
  );
  findings.pages = wrongTotals
    .slice(0, auditExamplesMax)
    .map(([segment]) => `the total of ${segment} does not fit the scores of its players`);
}

/**
 * What a full audit found wrong: all rows that have players after everything was subtracted, and sums of unranked
 * values that are not 0.
 */
function wrongRows({ rows, segments, leftOut }: Ranked): AuditFindings["conservation"]["examples"] {
  const left = [...leftOut].flatMap(([segment, sum]) =>
    isNothing(sum)
      ? []
      : [
          {
            segment,
            score: bestPossible("descending"),
            low: bestPossible("ascending"),
            too_many: sum.players,
          },
        ],
  );
  const wrong = [[undefined, rows] as const, ...segments].flatMap(([segment, { scores, lows, players }]) =>
    Array.from(players, (count, row) => ({
      ...(segment === undefined ? {} : { segment }),
      score: scores[row] ?? NaN,
      low: lows[row] ?? NaN,
      too_many: count,
    })).filter(({ too_many: count }) => count !== 0),
  );
  return [...wrong, ...left];
}

function addWrong(found: Convergence, counted: Counted, wanted: Counted): void {
  found.players = (found.players ?? 0) + 1;
  if (found.examples.length < auditExamplesMax)
    found.examples.push({ counted: describeCounted(counted), should_be: describeCounted(wanted) });
}

function describeCounted(counted: Counted): string {
  return counted === "unusable" ? "an unusable score" : (counted ?? "nothing");
}

/**
 * Compares the standings of a closed season with its pages and top, and with the number of players who should be in the
 * standings. A full audit compares each player with the player's document, which a trusted server may have changed
 * since.
 *
 * Cost: 4 reads, 1 a page, and 2 for each 1,000 players; a full audit costs 1 read a player more. Memory: as the
 * fold's.
 * @param onProgress called with the number of players checked so far.
 * @returns the findings, with the standings in place of the marks. The findings ask for no repair, as wrong pages are
 * published again.
 * @throws `season_not_found`, also while the season is being deleted
 */
export async function auditClosed(
  services: Pick<Services, "db">,
  { key, definition }: Pick<Board, "key" | "definition">,
  full: boolean,
  onProgress?: (players: number) => Promise<void>,
): Promise<AuditResult> {
  const { db } = services;
  const { season, readAt, pages: docs, segmentPages, summary } = await readPublished(services, key);
  if (!season.exists || season.get("status") === "deleting") throw seasonNotFound(key);
  if (summary === undefined)
    throw new Error(`${standingsSummaryPath(key)} is missing. Restore this document from a backup.`);
  const { generation } = readSeason(season.data()).ranking;
  const { pages, ranked, problems } = checkRanking(definition.order, docs, segmentPages, generation);
  const none = full ? 0 : null;
  const compared: Convergence = { difference: 0, players: none, in_flight: none, examples: [] };
  const best: string[] = [];
  const isInOrder = createOrderCheck(definition);
  const use = async (document: DocumentSnapshot) => {
    if (!document.exists) return;
    const standings = storedStandings.parse(document.data());
    if (!isInOrder(standings)) problems.push(`document ${document.id} of the standings is not in order`);
    if (best.length < definition.top_size) best.push(...standings.players);
    if (full) await compareWithDocuments(db, key, readAt, standings, compared);
  };
  const rangesRead = { ranges: summary.ranges, readAt, segmentPages };
  const shown = await addUpStandings(services, { key, definition }, rangesRead, { use, onProgress });
  problems.push(...differences(shown, summary, ranked));
  const teams = await teamsAt(db, key, readAt, docs);
  problems.push(...checkTeams({ order: definition.order }, teams, ranked, generation));
  const top = await asOf(db, readAt, (transaction) => transaction.get(db.doc(topPath(key))));
  const listed = storedTop.safeParse(top.data()).data?.entries.map(({ player }) => player);
  if (!isDeepStrictEqual(listed, best.slice(0, definition.top_size)))
    problems.push("the top does not show the best players of the standings");
  const count = sumOf(await counterOf(db, { key, definition }, readAt, ranked.rows).listed());
  const inPages = pages[0]?.players ?? 0;
  const findings: AuditFindings = {
    row_players: inPages,
    shard_players: 0,
    counted: summary.players,
    players: count,
    pages: problems.slice(0, auditExamplesMax),
    foreign: [],
    conservation: { difference: inPages - summary.players, scores: null, examples: [] },
    convergence: { ...compared, difference: summary.players - count },
  };
  return { found: findings, repair: "none", read_at: readAt, generation };
}

/** How the sums of the standings differ from their summary, and from the rows of the pages. Pure. */
function differences(
  { sums, missing, ranked: shown }: Awaited<ReturnType<typeof addUpStandings>>,
  summary: StandingsSummary,
  ranked: Ranked,
): string[] {
  // For an emptied document the summary keeps the last sums, which nobody reads.
  const isSummed =
    sums.players === summary.players &&
    isDeepStrictEqual(indexOfStandings({ ...summary, ...sums }), indexOfStandings(summary));
  const problems = missing.map((path) => `${path} is missing`);
  if (!isSummed) problems.push("the summary has other sums than the standings");
  const rowsOf = ({ rows, segments }: Ranked) => [rows, segments];
  if (!isDeepStrictEqual(rowsOf(ranked), rowsOf(mergeRanked(shown))))
    problems.push("the pages have other rows than the standings");
  return problems;
}

/**
 * A function that gets the documents in turn, and says whether a document's players are in order and after all players
 * before.
 */
function createOrderCheck({ order, ties }: Pick<Board["definition"], "order" | "ties">) {
  let last: OrderedPlayer | undefined;
  return ({ players, scores, achieved_at: times }: Standings): boolean => {
    let isRight = players.length === scores.length && players.length === times.length;
    for (const [i, player] of players.entries()) {
      const place = { player, score: scores[i], achievedAt: times[i] } as OrderedPlayer;
      isRight &&= last === undefined || comparePlayers(order, ties, last, place) < 0;
      last = place;
    }
    return isRight;
  };
}

/**
 * Adds to the findings each player of the standings whose document has another score or time, is not active, or is
 * gone.
 */
async function compareWithDocuments(
  db: Firestore,
  key: SeasonKey,
  at: Timestamp,
  { players, scores, achieved_at: times }: Standings,
  compared: Convergence,
): Promise<void> {
  if (players.length === 0) return;
  const refs = players.map((player) => db.doc(playerPath(key, player)));
  const fieldMask = ["score", "status", "achieved_at"];
  const found = await asOf(db, at, (transaction) => transaction.getAll(...refs, { fieldMask }));
  for (const [i, player] of found.entries()) {
    const score = scoreIfRanked(player.data());
    const achievedAt: unknown = player.get("achieved_at");
    const isSame = achievedAt instanceof Timestamp && times[i]?.isEqual(achievedAt) === true;
    if (score === scores[i] && isSame) continue;
    addWrong(compared, scores[i]?.toString(), score?.toString());
  }
}
