/** The audit of a closed season: do its pages, top, standings and players still agree? */
import { isDeepStrictEqual } from "node:util";
import { asOf } from "../../documents/reads.ts";
import { type Firestore, Timestamp } from "../../documents/firestore.ts";
import {
  pagesPath,
  playerPath,
  type SeasonKey,
  seasonPath,
  standingsSummaryPath,
  topPath,
} from "../../documents/paths.ts";
import { byId } from "../../documents/queries.ts";
import { scoreIfRanked } from "../../documents/ranked-score.ts";
import type { AuditFindings, AuditResult } from "../../documents/repair-record.ts";
import { readSeason } from "../../documents/season.ts";
import {
  comparePlaces,
  numbersOf,
  type PlaceInOrder,
  type Standings,
  type StandingsSummary,
  storedStandings,
} from "../../documents/standings.ts";
import { storedTop } from "../../documents/top.ts";
import { auditExamplesMax, writesPerCommitMax } from "../../model/limits.ts";
import type { Order } from "../../model/score.ts";
import { createFold } from "../../ranking/fold.ts";
import { unpackPages } from "../../ranking/pack-pages.ts";
import type { Rows } from "../../ranking/rows.ts";
import type { Board } from "../../seasons/board.ts";
import { standingsInOrder, readSummary } from "../../standings/summary.ts";
import type { World } from "../../world/world.ts";
import { checkPages } from "./check-pages.ts";
import { counterOf, sumOf } from "./count-stretches.ts";
import { seasonNotFound } from "./season-state.ts";

/**
 * Compares the standings of a closed season with its pages and top, and with the number of players who should be in
 * them. In full it compares each player with the document, which a trusted server may have changed since.
 *
 * Cost: 3 reads, 1 a page, and 2 for each 1,000 players; in full 1 read a player more. Memory: as the fold's.
 * @param onProgress called with the number of players checked so far.
 * @returns the findings, with the standings in place of the marks. They ask for no repair, as pages are published
 * again.
 * @throws `season_not_found`, also while the season is being deleted
 */
export async function auditClosed(
  { db }: World,
  { key, definition }: Pick<Board, "key" | "definition">,
  full: boolean,
  onProgress?: (players: number) => Promise<void>,
): Promise<AuditResult> {
  const { order, top_size: topSize } = definition;
  const { at, generation, docs, summary, listed } = await readPublished(db, key);
  const { pages, problems } = checkPages(order, docs, generation);
  const rows = unpackPages(order, pages);
  const check = createCheck(order, summary, rows);
  const compared: AuditFindings["convergence"] = {
    difference: 0,
    players: full ? 0 : null,
    in_flight: full ? 0 : null,
    examples: [],
  };
  const best: string[] = [];
  for await (const chunk of standingsInOrder(db, key, numbersOf(summary), at)) {
    for (const { id, exists } of chunk)
      if (!exists) problems.push(`document ${id} of the standings is missing`);
    const read = chunk.flatMap((one) => (one.exists ? [storedStandings.parse(one.data())] : []));
    for (const standings of read) {
      check.add(standings);
      if (best.length < topSize) best.push(...standings.players);
    }
    if (full) await Promise.all(read.map((standings) => compare(db, key, at, standings, compared)));
    await onProgress?.(check.players());
  }
  const [shown, inPages] = [check.players(), pages[0]?.players ?? 0];
  if (shown !== summary.players)
    problems.push(`the summary has ${summary.players} players, the standings ${shown}`);
  problems.push(...check.finish());
  if (pages.some(({ owed }) => owed !== undefined)) problems.push("the pages owe players");
  if (inPages !== shown) problems.push(`the pages have ${inPages} players, the standings ${shown}`);
  if (!isDeepStrictEqual(listed, best.slice(0, topSize)))
    problems.push("the top does not show the best players of the standings");
  const count = sumOf(await counterOf(db, { key, definition }, at, rows).listed());
  const findings: AuditFindings = {
    row_players: inPages,
    shard_players: 0,
    counted: summary.players,
    players: count,
    pages: problems.slice(0, auditExamplesMax),
    conservation: { difference: inPages - summary.players, scores: null, examples: [] },
    convergence: { ...compared, difference: summary.players - count },
  };
  return { found: findings, repair: "none", read_at: at, generation };
}

/** What a closed season shows, as of one time. */
async function readPublished(db: Firestore, key: SeasonKey) {
  const found = await db.doc(seasonPath(key)).get();
  const season = found.exists ? readSeason(found.data()) : undefined;
  if (season === undefined || season.status === "deleting") throw seasonNotFound(key);
  const at = found.readTime;
  return asOf(db, at, async (transaction) => {
    const { docs } = await transaction.get(byId(db, pagesPath(key), writesPerCommitMax));
    const { summary } = await readSummary(db, key, transaction);
    if (summary === undefined) throw new Error(`${standingsSummaryPath(key)} is missing`);
    const top = await transaction.get(db.doc(topPath(key)));
    const listed = storedTop.safeParse(top.data()).data?.entries.map(({ player }) => player);
    return { at, generation: season.ranking.generation, docs, summary, listed };
  });
}

/** Compares standings with pages, document by document: their order, and the players of each row. No text has an id. */
function createCheck(order: Order, { ties }: Pick<StandingsSummary, "ties">, rows: Rows) {
  const problems: string[] = [];
  const fold = createFold(order, rows);
  let last: PlaceInOrder | undefined;
  let position = 0;
  return {
    players: () => position,
    add({ players, scores, achieved_at: times }: Standings) {
      if (players.length !== scores.length || players.length !== times.length)
        problems.push("a document of the standings has lists of different lengths");
      players.forEach((player, i) => {
        const place = { player, score: scores[i] ?? NaN, achievedAt: times[i] } as PlaceInOrder;
        position += 1;
        if (
          last !== undefined &&
          !(comparePlaces(order, ties, last, place) < 0) &&
          problems.length < auditExamplesMax
        )
          problems.push(`the standings are out of order at position ${position}`);
        last = place;
        fold.add(place.score, -1);
      });
    },
    finish(): string[] {
      const expected = new Map(Array.from(rows.scores, (score, row) => [score, rows.players[row] ?? 0]));
      const { scores, players } = fold.finish();
      scores.forEach((score, row) => {
        const [count, missing] = [expected.get(score), players[row] ?? 0];
        if (missing === 0 || problems.length >= auditExamplesMax) return;
        if (count === undefined)
          problems.push(`the standings have a player with ${score}, the pages have none`);
        else problems.push(`the row of ${score} has ${count} players, the standings have ${count - missing}`);
      });
      return problems;
    },
  };
}

/** Adds the players of standings whose documents have another score or time, another status, or are gone. */
async function compare(
  db: Firestore,
  key: SeasonKey,
  at: Timestamp,
  { players, scores, achieved_at: times }: Standings,
  compared: AuditFindings["convergence"],
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
    if (compared.examples.length < auditExamplesMax)
      compared.examples.push({
        counted: String(scores[i]),
        should_be: score === undefined ? "nothing" : String(score),
      });
  }
}
