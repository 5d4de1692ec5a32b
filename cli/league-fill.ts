/**
 * `firerank league-fill`: on the emulators, invented members in a board's league, so that groups and zones are there to look
 * at. They play by the functions' own code; only where they stood before is invented too, so that each tier has members.
 */
import { commitPlayers } from "../functions/src/counting/commit-players.ts";
import { Timestamp } from "../functions/src/documents/firestore.ts";
import { leagueSeatIn, readGroup } from "../functions/src/documents/group.ts";
import {
  groupsPath,
  playerPath,
  playerStatusPath,
  type SeasonKey,
} from "../functions/src/documents/paths.ts";
import { isInTime } from "../functions/src/league/ask.ts";
import { seatWaiting } from "../functions/src/league/seat-waiting.ts";
import type { Definition } from "../functions/src/model/definition.ts";
import type { League } from "../functions/src/model/league.ts";
import { documentsPerCommitMax } from "../functions/src/model/limits.ts";
import { submitScoresSpec } from "../functions/src/operations/submit-scores.ts";
import { boardCacheOf, isOpened } from "../functions/src/seasons/board.ts";
import { currentSeasons } from "../functions/src/seasons/current.ts";
import type { OpenedBoard } from "../functions/src/seasons/read-board.ts";
import type { Services } from "../functions/src/world/services.ts";
import { call } from "./call.ts";
import { CliError } from "./cli-error.ts";
import { count, createProgress, type ProgressStream } from "./progress.ts";

export interface Filled {
  season: string;
  /** Whether the seats are given: not before the week before is settled. */
  isSeated: boolean;
  /** Whether first scores of other players still get a seat this week. */
  isInTime: boolean;
  /** The tiers, the lowest first, with all of their groups and members. */
  tiers: { name: string; groups: number; members: number }[];
}

/** Where a fill looks and writes, and how much. */
interface FillAsked {
  leaderboard: string;
  players: number;
  /** From 0 up to, but not including, 1. */
  random: () => number;
  stream: ProgressStream;
}

/**
 * Adds invented players with random scores to the present week of a board's league, as many to each tier, and gives them
 * seats. Each call adds other players.
 *
 * Cost: for each player 4 reads and 4 writes, and its share of commits and groups; 1 read for each group of the week.
 * @throws CliError for a board that has no league, or that refuses the scores
 */
export async function fillLeague(services: Services, asked: FillAsked): Promise<Filled> {
  const { leaderboard, players, stream } = asked;
  const { definition } = await boardCacheOf(services).loadDefinition(leaderboard);
  const { league } = definition;
  const week = (await currentSeasons(services, leaderboard)).find(({ span }) => span === league?.span);
  if (league === undefined || week === undefined)
    throw new CliError(
      `"${leaderboard}" has no league. Give its definition one: docs/league.md has an example.`,
    );
  const progress = createProgress(stream, "filling", players, "players");
  for (let from = 0; from < players; from += documentsPerCommitMax) {
    const size = Math.min(documentsPerCommitMax, players - from);
    const invented = Array.from({ length: size }, (_, i) => invent(asked.random, definition, from + i));
    await playWeek(services, week.key, league, invented);
    progress.update(from + size);
  }
  progress.stop();
  const board = await openedBoard(services, week.key);
  const isSeated = await seatWaiting(services, week.key);
  const inTime = isInTime(board, services.now());
  return {
    season: week.key.season,
    isSeated,
    isInTime: inTime,
    tiers: await tiersOf(services, board, league),
  };
}

interface Invented {
  player: string;
  display_name: string;
  /** The number of the tier, 0-based, or higher: they take turns. */
  turn: number;
  score?: number;
  columns?: Record<string, number>;
}

const names = [
  "Ada",
  "Ben",
  "Cleo",
  "Dan",
  "Eve",
  "Finn",
  "Gus",
  "Hana",
  "Ida",
  "Jon",
  "Kim",
  "Lea",
  "Max",
  "Nia",
];

/** A player nobody is. Scores are whole, within the board's limits, by default from 0 to 1,000. */
function invent(random: () => number, { columns, ...limits }: Definition, turn: number): Invented {
  const between = (from: number, to: number) => Math.round(from + random() * (to - from));
  const number = turn + 1;
  const player = `invented-${Math.floor(random() * 36 ** 8).toString(36)}-${number}`;
  const known = { player, display_name: `${names[turn % names.length] ?? ""} ${number}`, turn };
  if (columns !== undefined) {
    const values = columns.map(({ name, min, max }) => [name, between(min, max)] as const);
    return { ...known, columns: Object.fromEntries(values) };
  }
  const { min_score: least, max_score: most } = limits;
  const from = least ?? Math.min(0, (most ?? 1_000) - 1_000);
  const score = between(from, most ?? from + 1_000);
  return { ...known, score: Math.min(most ?? Infinity, Math.max(least ?? -Infinity, score)) };
}

/** Lets invented players stand in the tiers by turns, play, and wait for seats, however late in the week it is. */
async function playWeek(
  services: Services,
  key: SeasonKey,
  { tiers }: League,
  invented: readonly Invented[],
): Promise<void> {
  const { db } = services;
  const { leaderboard } = key;
  const board = await boardCacheOf(services).load(key);
  const opensAt = isOpened(board) ? board.season.opens_at : Timestamp.fromMillis(services.now());
  const batch = db.batch();
  for (const { player, turn } of invented) {
    const step = turn % tiers.length;
    const standing = { league: { tier: tiers[step]?.id, step, until: opensAt } };
    batch.set(db.doc(playerStatusPath(leaderboard, player)), standing, { merge: true });
  }
  await batch.commit();
  const submissions = invented.map(({ turn: _, ...submission }) => submission);
  const { results } = await call(submitScoresSpec, services, { leaderboard, submissions });
  const refused = results.find((result) => "error" in result);
  if (refused !== undefined)
    throw new CliError(`"${leaderboard}" takes no invented score: ${refused.error.message}`);
  await commitPlayers(services, [await openedBoard(services, key)], async (players) => {
    const refs = invented.map(({ player }) => db.doc(playerPath(key, player)));
    for (const document of await players.getAll(...refs))
      if (leagueSeatIn(document.data()) === undefined)
        players.writeUncounted(document, { league_seat: { waits: true } });
  });
}

async function openedBoard(services: Services, key: SeasonKey): Promise<OpenedBoard> {
  const board = await boardCacheOf(services).load(key);
  if (!isOpened(board)) throw new CliError(`The season ${key.season} was not opened.`);
  return board;
}

async function tiersOf({ db }: Services, { key }: OpenedBoard, { tiers }: League): Promise<Filled["tiers"]> {
  const { docs } = await db.collection(groupsPath(key)).get();
  const groups = docs.flatMap((document) => readGroup(document) ?? []);
  return tiers.map(({ id, name }) => {
    const own = groups.filter(({ league }) => league?.tier === id);
    return { name, groups: own.length, members: own.reduce((sum, { seated }) => sum + seated, 0) };
  });
}

/** What a fill did, for people. Pure. */
export function filledSummary(leaderboard: string, { season, isSeated, isInTime, tiers }: Filled): string {
  const lines = tiers.map(
    ({ name, groups, members }) =>
      `  ${name.padEnd(12)} ${count(groups, "group")}, ${count(members, "member")}`,
  );
  return [
    `"${leaderboard}" in ${season}, the lowest tier first:`,
    ...lines,
    ...(isSeated
      ? []
      : ["They wait for their seats until the week before is settled, some minutes after its end."]),
    ...(isInTime
      ? []
      : [
          "Other players get no seat any more this week. To play along now, save the whole league again, with `joins_until_hours: 168`.",
        ]),
  ].join("\n");
}
