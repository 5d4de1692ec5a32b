/** Closing seasons: created at once, closed step by step, and compared with a full sort of their players. */
import type { z } from "zod";
import { expect } from "vitest";
import { stepEnd } from "../../functions/src/jobs/closing/end.ts";
import { type ClosingRecord, closingRecord } from "../../functions/src/documents/closing-record.ts";
import { Timestamp } from "../../functions/src/documents/firestore.ts";
import {
  playerPath,
  runPath,
  seasonPath,
  type SeasonKey,
  standingsCollection,
  standingsSummaryPath,
} from "../../functions/src/documents/paths.ts";
import { type Season, readSeason } from "../../functions/src/documents/season.ts";
import { storedStandings, storedStandingsSummary } from "../../functions/src/documents/standings.ts";
import { countPlayers } from "../../functions/src/counting/count-players.ts";
import { playersPerCountMax } from "../../functions/src/model/limits.ts";
import type { definitionSchema } from "../../functions/src/model/definition.ts";
import type { Services } from "../../functions/src/world/services.ts";
import { listedPlayers } from "../../simulate/checks/at-rest.ts";
import { checkShown } from "../../simulate/checks/rankings.ts";
import { checkStandings, documentsIn, type Line } from "../../simulate/checks/recount.ts";
import type { Documents } from "../../simulate/memory/store.ts";
import { contentsOf } from "./oracle.ts";
import { begunSeason } from "./season.ts";
import { admin, callOn, createBoard, type World } from "./world.ts";
import { boardCacheOf } from "../../functions/src/seasons/board.ts";

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
  await nextMillisecond(world, key);
  return key;
}

/**
 * Waits for the database's next millisecond. A season's end is a `serverTimestamp`, which is cut to whole milliseconds: a
 * document written in the same one would look like one that a server has changed since, and cost reads.
 */
async function nextMillisecond({ db }: Pick<World, "db">, key: SeasonKey): Promise<void> {
  const timeMs = async () => (await db.doc(seasonPath(key)).get()).readTime.toMillis();
  const begunMs = await timeMs();
  while ((await timeMs()) === begunMs);
}

/** The document of a season that closes now. */
export async function openEnding(
  { db, services }: World,
  key: SeasonKey,
  begun: Partial<Season> = {},
): Promise<void> {
  const now = Timestamp.fromMillis(services.now());
  const opened = Timestamp.fromMillis(services.now() - 3_600_000);
  const season = begunSeason({ span: "custom", opens_at: opened, closes_at: now, next_run_at: now });
  await db.doc(seasonPath(key)).set({ ...season, ...begun });
  boardCacheOf(services).forget(key.leaderboard);
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

/** Ends a season now, which by its calendar does not go on, and closes it. */
export async function closeNow(world: World, key: SeasonKey): Promise<void> {
  const now = Timestamp.fromMillis(world.services.now());
  await world.db.doc(seasonPath(key)).update({ closes_at: now, end_due_at: now });
  await endSeason(world, key, { until: closed });
}

/** Hides players, as an admin does by another instance: what this one remembers stays as it was. */
export async function hidePlayers(world: World, key: SeasonKey, ...players: string[]): Promise<void> {
  const { leaderboard } = key;
  const other = world.anotherInstance();
  for (const player of players)
    await callOn(other, "setPlayerStatus", { leaderboard, player, status: "hidden" }, admin);
}

export const closed = ({ status }: Season) => status === "closed";

/** Everybody who is ranked, in the total order, by the simulation's plain sort. */
export async function sortedPlayers(world: Pick<World, "db">, key: SeasonKey): Promise<Line[]> {
  const { documents, definition } = await contentsOf(world, key);
  return listedPlayers(documents, key, definition);
}

/**
 * Standings, summary, pages and top of a closed season are what a plain sort of its players gives.
 * @param ties that the season closed with, if its board has others now.
 */
export async function expectFinal(
  world: World,
  key: SeasonKey,
  { ties }: { ties?: "first" | "last" } = {},
): Promise<void> {
  const { documents, definition } = await contentsOf(world, key);
  const table = listedPlayers(documents, key, { ...definition, ...(ties && { ties }) });
  checkStandings(documents, key, table);
  expectMetadata(documents, key);
  checkShown(documents, key, definition, table);
  const ranking = { players: table.length };
  expect(await seasonOf(world, key)).toMatchObject({ status: "closed", next_run_at: null, ranking });
}

/** The standings have their players' metadata beside them, and nothing else is there. */
function expectMetadata(documents: Documents, key: SeasonKey): void {
  const standings = documentsIn(documents, key);
  const beside = standings.flatMap(({ path, data }) => {
    const { players, has_metadata: has } = storedStandings.parse(data);
    const ofPlayers = players.map((player) => documents.get(playerPath(key, player))?.data["metadata"]);
    const metadata = documents.get(`${path}-metadata`);
    const texts = metadata?.data["metadata"] as string[] | undefined;
    expect(has).toBe(texts !== undefined);
    expect(texts?.map((text) => (text === "" ? undefined : (JSON.parse(text) as unknown))) ?? []).toEqual(
      texts === undefined ? ofPlayers.filter((one) => one !== undefined) : ofPlayers,
    );
    return metadata ?? [];
  });
  const { parts } = storedStandingsSummary.parse(documents.get(standingsSummaryPath(key))?.data);
  const all = documents.list(standingsCollection(key));
  expect(all).toHaveLength(parts + standings.length + beside.length);
}
