/** The invariants of ARCHITECTURE.md, checked the slow and obvious way on what the database holds. */
import { expect } from "vitest";
import type { DocumentSnapshot, QuerySnapshot } from "../../functions/src/documents/firestore.ts";
import { readPage } from "../../functions/src/documents/page.ts";
import {
  pagesPath,
  playersPath,
  type SeasonKey,
  shardsPath,
  topPath,
} from "../../functions/src/documents/paths.ts";
import type { World } from "./world.ts";

/** Conservation: the rows of the pages plus the pending shards are the histogram of the marks. */
export async function expectConserved({ db }: Pick<World, "db">, key: SeasonKey): Promise<void> {
  // At one read time: others may write meanwhile, even a killed process whose commit is still on its way.
  const [pages, shards, players] = await db.runTransaction(
    (transaction) =>
      Promise.all([
        transaction.get(db.collection(pagesPath(key))),
        transaction.get(db.collection(shardsPath(key))),
        transaction.get(db.collection(playersPath(key))),
      ]),
    { readOnly: true },
  );
  const counted = new Map<number, number>();
  const add = (score: number, players: number) => counted.set(score, (counted.get(score) ?? 0) + players);
  for (const { score, players } of rowsOf(pages)) add(score, players);
  // Rows that are negative for now: a correction that is to come.
  for (const page of pages.docs)
    for (const { score, players } of readPage(page.data()).owed ?? []) add(score, players);
  for (const shard of shards.docs) {
    const counts = (shard.get("player_count") ?? {}) as Record<string, number>;
    // A key is a mark: the score, and behind it the segments.
    for (const [mark, players] of Object.entries(counts)) add(Number(mark.split(" ")[0]), players);
  }
  const histogram = new Map<number, number>();
  for (const player of players.docs) {
    const score = markOf(player);
    if (score !== null) histogram.set(score, (histogram.get(score) ?? 0) + 1);
  }
  expect(sorted([...counted].filter(([, players]) => players !== 0))).toEqual(sorted([...histogram]));
}

/** Convergence: the marks are the scores of the active players. */
export async function expectConverged({ db }: Pick<World, "db">, key: SeasonKey): Promise<void> {
  const { docs } = await db.collection(playersPath(key)).get();
  const marked = docs.flatMap((player) => (markOf(player) === null ? [] : [[player.id, markOf(player)]]));
  expect(Object.fromEntries(marked)).toEqual(Object.fromEntries(await activeScores({ db }, key)));
}

/** The score that a player's mark counts; null for none. */
function markOf(player: DocumentSnapshot): number | null {
  return (player.get("counted.score") as number | null | undefined) ?? null;
}

/** At rest, after a run that included the open slot: pages and top equal a sort of all active players. */
export async function expectRanked(
  { db }: Pick<World, "db">,
  key: SeasonKey,
  order: "descending" | "ascending" = "descending",
): Promise<void> {
  const players = await activeScores({ db }, key);
  const scores = players.map(([, score]) => score).sort((a, b) => (order === "descending" ? b - a : a - b));
  const expected = [...new Set(scores)].map((score) => ({
    score,
    players: scores.filter((other) => other === score).length,
    above: scores.indexOf(score),
  }));
  expect(await publishedRows(db, key)).toEqual(expected);
  const top = await db.doc(topPath(key)).get();
  const entries = top.get("entries") as { player: string; score: number; rank: number }[];
  expect(entries.map(({ score }) => score)).toEqual(scores.slice(0, entries.length));
  for (const { score, rank } of entries) expect(rank).toBe(1 + scores.indexOf(score));
}

/** A published row. */
export interface Row {
  score: number;
  players: number;
  above: number;
}

/** Every row of the pages, whole and of one generation; fails if they are not. */
export async function publishedRows(db: World["db"], key: SeasonKey): Promise<Row[]> {
  return rowsOf(await db.collection(pagesPath(key)).get());
}

function rowsOf(documents: QuerySnapshot): Row[] {
  const pages = documents.docs.map((document) => readPage(document.data()));
  pages.sort((a, b) => a.page - b.page);
  expect(pages.map(({ page }) => page)).toEqual(pages.map((_, i) => i));
  expect(new Set(pages.map(({ generation }) => generation)).size).toBeLessThanOrEqual(1);
  for (const { pages: count } of pages) expect(count).toBe(pages.length);
  return pages.flatMap(({ scores, players_above: above, players_until: until }) =>
    scores.map((score, i) => ({
      score,
      players: (above[i + 1] ?? until) - (above[i] ?? NaN),
      above: above[i] ?? NaN,
    })),
  );
}

async function activeScores({ db }: Pick<World, "db">, key: SeasonKey): Promise<[string, number][]> {
  const players = await db.collection(playersPath(key)).get();
  return players.docs
    .filter(
      (player) => (player.get("status") ?? "active") === "active" && Number.isFinite(player.get("score")),
    )
    .map((player) => [player.id, player.get("score") as number]);
}

function sorted(pairs: [number, number][]): [number, number][] {
  return pairs.sort(([a], [b]) => a - b);
}
