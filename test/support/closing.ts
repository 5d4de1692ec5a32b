/** Closing seasons: created at once, closed step by step, and compared with a full sort of their players. */
import type { z } from "zod";
import { expect } from "vitest";
import { stepEnd } from "../../functions/src/jobs/closing/end.ts";
import { type ClosingRecord, closingRecord } from "../../functions/src/documents/closing-record.ts";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  playerPath,
  playersPath,
  runPath,
  seasonPath,
  type SeasonKey,
  standingsCollection,
  topPath,
} from "../../functions/src/documents/paths.ts";
import { newSeason, type Season, readSeason } from "../../functions/src/documents/season.ts";
import {
  numbersOf,
  storedStandings,
  storedStandingsSummary,
} from "../../functions/src/documents/standings.ts";
import { countPlayers } from "../../functions/src/counting/count-players.ts";
import { sortFinalists } from "./standings.ts";
import { playersPerCountMax } from "../../functions/src/model/limits.ts";
import { isScore } from "../../functions/src/model/score.ts";
import type { definitionSchema } from "../../functions/src/model/definition.ts";
import type { Services } from "../../functions/src/operations/services.ts";
import { readSummary } from "../../functions/src/standings/summary.ts";
import { publishedRows } from "./oracle.ts";
import { createBoard, type World } from "./world.ts";

type Definition = z.input<ReturnType<typeof definitionSchema>>;
type Fields = Record<string, unknown>;

/** Opens a season that closes now, with these players, and counts them. */
export async function createEnding(
  world: World,
  leaderboard: string,
  players: Record<string, Fields>,
  {
    season = "cup",
    definition = {},
    begun = {},
  }: { season?: string; definition?: Definition; begun?: Partial<Season> } = {},
): Promise<SeasonKey> {
  await createBoard(world, leaderboard, definition);
  const key = { leaderboard, season };
  await openEnding(world, key, begun);
  await writePlayers(world, key, players);
  await countAll(world.services, key, Object.keys(players));
  return key;
}

/** The document of a season that closes now. */
export async function openEnding(
  { db, services }: World,
  key: SeasonKey,
  begun: Partial<Season> = {},
): Promise<void> {
  const now = Timestamp.fromMillis(services.now());
  const season = newSeason({
    span: "custom",
    opens_at: Timestamp.fromMillis(services.now() - 3_600_000),
    closes_at: now,
    interval_ms: 300_000,
    next_run_at: now,
  });
  await db.doc(seasonPath(key)).set({ ...season, end_due_at: now, ...begun });
  services.boards.forget(key.leaderboard);
}

/** Writes players' documents as they are given; a number is a score. */
export async function writePlayers(
  { db }: World,
  key: SeasonKey,
  players: Record<string, Fields>,
): Promise<void> {
  const writer = db.bulkWriter({ throttling: false });
  for (const [id, fields] of Object.entries(players)) void writer.set(db.doc(playerPath(key, id)), fields);
  await writer.close();
}

export async function countAll(
  services: Services,
  key: SeasonKey,
  players: readonly string[],
): Promise<void> {
  for (let i = 0; i < players.length; i += playersPerCountMax)
    await countPlayers(services, key, players.slice(i, i + playersPerCountMax));
}

/** A player's document; `i` gives ties in scores and times. */
export function playerFields(score: number, i: number, more: Fields = {}): Fields {
  return {
    score,
    achieved_at: Timestamp.fromMillis(Date.parse("2026-01-01") + (i % 7) * 1_000),
    status: "active",
    attempts: 1,
    ...more,
  };
}

/** Players with ties, hidden and banned ones, unusable scores, names and metadata. */
export function crowd(size: number): Record<string, Record<string, unknown>> {
  return Object.fromEntries(
    Array.from({ length: size }, (_, i) => {
      const score = i % 3 === 0 ? 500 : (i * 7919) % 900;
      const more = {
        ...(i % 4 === 0 ? { display_name: `Player ${i} ✓` } : {}),
        ...(i % 1_000 < 5 ? { metadata: { country: "PT", level: i } } : {}),
        ...(i % 50 === 7 ? { status: "hidden" } : {}),
        ...(i % 50 === 9 ? { status: "banned" } : {}),
        ...(i % 100 === 11 ? { score: "many" } : {}),
        ...(i % 100 === 13 ? { score: NaN } : {}),
      };
      return [`p${i}`, playerFields(score, i, more)];
    }),
  );
}

export async function seasonOf({ db }: Pick<World, "db">, key: SeasonKey): Promise<Season> {
  return readSeason((await db.doc(seasonPath(key)).get()).data());
}

/** The record of the closing that a season names. @throws if there is none */
export async function recordOf(world: Pick<World, "db">, key: SeasonKey): Promise<ClosingRecord> {
  const { closing_run: run } = await seasonOf(world, key);
  return closingRecord.parse((await world.db.doc(runPath(key, run ?? "")).get()).data());
}

/** The phase of a closing, once there is one. */
export async function phaseOf(world: Pick<World, "db">, key: SeasonKey): Promise<string | undefined> {
  const { closing_run: run } = await seasonOf(world, key);
  return run === null ? undefined : (await recordOf(world, key)).phase;
}

/** Runs the closing steps that the schedule enqueues, until none is due; up to a maximum. */
export async function endSeason(
  world: World,
  key: SeasonKey,
  {
    until = () => false,
    step = (services) => stepEnd(services, { ...key, step: 0 }),
    stepsMax = 200,
  }: {
    until?: (season: Season) => boolean;
    step?: (services: Services, n: number) => Promise<unknown>;
    stepsMax?: number;
  } = {},
): Promise<number> {
  for (let n = 0; n < stepsMax; n++) {
    const found = await world.db.doc(seasonPath(key)).get();
    if (!found.exists) return n;
    const season = readSeason(found.data());
    if (until(season) || season.end_due_at === null) return n;
    const waitMs = season.end_due_at.toMillis() - world.services.now();
    if (waitMs > 0) world.advance(waitMs);
    await step(world.services, n);
  }
  throw new Error(`the season's end took more than ${stepsMax} steps`);
}

export const closed = ({ status }: Season) => status === "closed";

/** A player as a full sort has it. */
interface Sorted {
  player: string;
  score: number;
  achieved: Timestamp;
  name: string;
  metadata: unknown;
}

/** Everybody who is ranked, in the total order, by an independent sort. */
export async function sortedPlayers(
  { db }: Pick<World, "db">,
  key: SeasonKey,
  order: "descending" | "ascending" = "descending",
  ties: "first" | "last" = "first",
): Promise<Sorted[]> {
  const { docs } = await db.collection(playersPath(key)).get();
  const ranked = docs
    .filter((player) => player.get("status") === "active" && isScore(player.get("score")))
    .map((found) => {
      const [score, achieved] = [found.get("score") as number, found.get("achieved_at") as Timestamp];
      return { id: found.id, score, achievedMs: achieved.toMillis(), achieved, found };
    });
  return sortFinalists({ order, ties }, ranked).map(({ id, score, achieved, found }) => ({
    player: id,
    score,
    achieved,
    name: (found.get("display_name") as string | undefined) ?? "",
    metadata: found.get("metadata") as unknown,
  }));
}

/** Standings, summary, pages and top of a closed season are what an independent sort of its players gives. */
export async function expectFinal(
  world: World,
  key: SeasonKey,
  {
    order = "descending",
    ties = "first",
  }: { order?: "descending" | "ascending"; ties?: "first" | "last" } = {},
): Promise<void> {
  const { db } = world;
  const sorted = await sortedPlayers(world, key, order, ties);
  const { docs } = await db.collection(standingsCollection(key)).get();
  const data = new Map(docs.map((document) => [document.id, document.data()]));
  const { summary } = await readSummary(db, key, db);
  if (summary === undefined) throw new Error("there is no summary");
  const { parts } = storedStandingsSummary.parse(data.get("summary"));
  const found: Sorted[] = [];
  const seen = new Set(Array.from({ length: parts }, (_, i) => (i === 0 ? "summary" : `summary-${i}`)));
  const numbers = numbersOf(summary);
  for (const [i, count] of summary.counts.entries()) {
    const n = numbers[i] ?? NaN;
    const standings = storedStandings.parse(data.get(String(n)));
    const metadata = data.get(`${n}-metadata`)?.["metadata"] as string[] | undefined;
    seen.add(String(n));
    if (metadata !== undefined) seen.add(`${n}-metadata`);
    expect(standings.has_metadata).toBe(metadata !== undefined);
    expect(standings.players).toHaveLength(count);
    standings.players.forEach((player, i) => {
      const json = metadata?.[i] ?? "";
      found.push({
        player,
        score: standings.scores[i] ?? NaN,
        achieved: standings.achieved_at[i] ?? new Timestamp(0, 0),
        name: standings.display_names[i] ?? "",
        metadata: json === "" ? undefined : (JSON.parse(json) as unknown),
      });
    });
    if (count === 0) continue;
    const before = sorted.slice(0, found.length - count);
    const first = summary.first_scores[i];
    expect(sorted[before.length]?.score).toBe(first);
    expect(summary.ties_before[i]).toBe(before.filter(({ score }) => score === first).length);
    const better = before.filter(({ score }) => score !== first).map(({ score }) => score);
    expect(summary.dense_before[i]).toBe(new Set(better).size);
  }
  expect([...data.keys()].sort()).toEqual([...seen].sort());
  expect(found).toEqual(sorted);
  expect(summary.players).toBe(sorted.length);
  const scores = sorted.map(({ score }) => score);
  const rows = await publishedRows(db, key);
  // A merged row has a score that nobody need have.
  for (const { score, above } of rows) expect([-1, above]).toContain(scores.indexOf(score));
  expect(rows.reduce((sum, { players }) => sum + players, 0)).toBe(sorted.length);
  const season = await seasonOf(world, key);
  expect(season).toMatchObject({ status: "closed", next_run_at: null, ranking: { players: sorted.length } });
  const top = (await db.doc(topPath(key)).get()).get("entries") as { player: string }[] | undefined;
  const listed = top?.map(({ player }) => player) ?? [];
  expect(listed).toEqual(sorted.slice(0, listed.length).map(({ player }) => player));
}
