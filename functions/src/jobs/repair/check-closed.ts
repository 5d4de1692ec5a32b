/** The audit of a closed season: do its pages, top, standings and players still agree? */
import { isDeepStrictEqual } from "node:util";
import { asOf } from "../../documents/reads.ts";
import { type DocumentSnapshot, type Firestore, Timestamp } from "../../documents/firestore.ts";
import { playerPath, type SeasonKey, standingsSummaryPath, topPath } from "../../documents/paths.ts";
import { scoreIfRanked } from "../../documents/ranked-score.ts";
import type { AuditFindings, AuditResult } from "../../documents/repair-record.ts";
import { readSeason } from "../../documents/season.ts";
import {
  comparePlaces,
  type PlaceInOrder,
  type Standings,
  type StandingsSummary,
  storedStandings,
} from "../../documents/standings.ts";
import { storedTop } from "../../documents/top.ts";
import { auditExamplesMax, rowsMax } from "../../model/limits.ts";
import type { Order } from "../../model/score.ts";
import { mergeRows } from "../../ranking/merge.ts";
import type { Rows } from "../../ranking/rows.ts";
import type { Board } from "../../seasons/board.ts";
import type { World } from "../../world/world.ts";
import { addUpStandings, readPublished } from "../closing/publish-standings.ts";
import { checkPages } from "./check-pages.ts";
import { indexOfStandings } from "../../standings/lookup.ts";
import { counterOf, sumOf } from "./count-stretches.ts";
import { seasonNotFound } from "./season-state.ts";

/**
 * Compares the standings of a closed season with its pages and top, and with the number of players who should be in
 * them. In full it compares each player with the document, which a trusted server may have changed since.
 *
 * Cost: 4 reads, 1 a page, and 2 for each 1,000 players; in full 1 read a player more. Memory: as the fold's.
 * @param onProgress called with the number of players checked so far.
 * @returns the findings, with the standings in place of the marks. They ask for no repair, as pages are published
 * again.
 * @throws `season_not_found`, also while the season is being deleted
 */
export async function auditClosed(
  services: Pick<World, "db">,
  { key, definition }: Pick<Board, "key" | "definition">,
  full: boolean,
  onProgress?: (players: number) => Promise<void>,
): Promise<AuditResult> {
  const { db } = services;
  const { readAt, pages: docs, summary, generation } = await publishedOf(services, key);
  const { pages, rows, problems } = checkPages(definition.order, docs, generation);
  const none = full ? 0 : null;
  const compared: Compared = { difference: 0, players: none, in_flight: none, examples: [] };
  const best: string[] = [];
  const isInOrder = createOrderCheck(definition.order, summary);
  const use = async (document: DocumentSnapshot) => {
    if (!document.exists) return;
    const standings = storedStandings.parse(document.data());
    if (!isInOrder(standings)) problems.push(`document ${document.id} of the standings is not in order`);
    if (best.length < definition.top_size) best.push(...standings.players);
    if (full) await compare(db, key, readAt, standings, compared);
  };
  const what = { ranges: summary.ranges, readAt };
  const shown = await addUpStandings(services, { key, definition }, what, { use, onProgress });
  problems.push(...differences(shown, summary, rows));
  if (!isDeepStrictEqual(await listedAt(db, key, readAt), best.slice(0, definition.top_size)))
    problems.push("the top does not show the best players of the standings");
  const count = sumOf(await counterOf(db, { key, definition }, readAt, rows).listed());
  const inPages = pages[0]?.players ?? 0;
  const findings: AuditFindings = {
    row_players: inPages,
    shard_players: 0,
    counted: summary.players,
    players: count,
    pages: problems.slice(0, auditExamplesMax),
    conservation: { difference: inPages - summary.players, scores: null, examples: [] },
    convergence: { ...compared, difference: summary.players - count },
  };
  return { found: findings, repair: "none", read_at: readAt, generation };
}

type Compared = AuditFindings["convergence"];

async function publishedOf(services: Pick<World, "db">, key: SeasonKey) {
  const { season, summary, ...published } = await readPublished(services, key);
  if (!season.exists || season.get("status") === "deleting") throw seasonNotFound(key);
  if (summary === undefined) throw new Error(`${standingsSummaryPath(key)} is missing`);
  return { ...published, summary, generation: readSeason(season.data()).ranking.generation };
}

/** How the sums of the standings differ from their summary, and from the rows of the pages. Pure. */
function differences(
  { sums, missing, rows: shown }: Awaited<ReturnType<typeof addUpStandings>>,
  summary: StandingsSummary,
  rows: Rows,
): string[] {
  // Of an emptied document a summary keeps what it had, which nobody reads.
  const isSummed =
    sums.players === summary.players &&
    isDeepStrictEqual(indexOfStandings({ ...summary, ...sums }), indexOfStandings(summary));
  const problems = missing.map((path) => `${path} is missing`);
  if (!isSummed) problems.push("the summary has other sums than the standings");
  if (!isDeepStrictEqual(rows, mergeRows(shown, rowsMax)))
    problems.push("the pages have other rows than the standings");
  return problems;
}

/** A function that says of each document, in turn, whether its players are in order and behind those before. */
function createOrderCheck(order: Order, { ties }: Pick<StandingsSummary, "ties">) {
  let last: PlaceInOrder | undefined;
  return ({ players, scores, achieved_at: times }: Standings): boolean => {
    let isRight = players.length === scores.length && players.length === times.length;
    for (const [i, player] of players.entries()) {
      const place = { player, score: scores[i], achievedAt: times[i] } as PlaceInOrder;
      isRight &&= last === undefined || comparePlaces(order, ties, last, place) < 0;
      last = place;
    }
    return isRight;
  };
}

/** The players whom the top shows; undefined if it is none. */
async function listedAt(db: Firestore, key: SeasonKey, at: Timestamp): Promise<string[] | undefined> {
  const top = await asOf(db, at, (transaction) => transaction.get(db.doc(topPath(key))));
  return storedTop.safeParse(top.data()).data?.entries.map(({ player }) => player);
}

/** Adds the players of standings whose documents have another score or time, another status, or are gone. */
async function compare(
  db: Firestore,
  key: SeasonKey,
  at: Timestamp,
  { players, scores, achieved_at: times }: Standings,
  compared: Compared,
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
    compared.players = (compared.players ?? 0) + 1;
    const example = {
      counted: String(scores[i]),
      should_be: score === undefined ? "nothing" : String(score),
    };
    if (compared.examples.length < auditExamplesMax) compared.examples.push(example);
  }
}
