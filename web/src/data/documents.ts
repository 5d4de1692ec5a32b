/** Stored documents for views, parsed by the functions' own schemas. */
import type { DocumentData } from "firebase/firestore";
import { z } from "zod";
import {
  type ClosingRecord,
  closingRecord,
  revisionRecord,
  type RevisionRecord,
} from "../../../functions/src/documents/closing-record.ts";
import { seasonOfPath, type SeasonKey, seasonPath } from "../../../functions/src/documents/paths.ts";
import { type Group, storedGroup } from "../../../functions/src/documents/group.ts";
import { leagueStandingIn } from "../../../functions/src/documents/league-standing.ts";
import { type PrivateGroup, storedPrivateGroup } from "../../../functions/src/documents/private-group.ts";
import { storedPlayerStatus } from "../../../functions/src/documents/player.ts";
import { rankingRecord } from "../../../functions/src/documents/ranking-record.ts";
import { runsToldBy, type RunTold } from "../../../functions/src/documents/recent-runs.ts";
import {
  storedRepairRecord,
  type RepairRecord,
  type RunRecord,
} from "../../../functions/src/documents/repair-record.ts";
import { readSeason as readStoredSeason, type Season } from "../../../functions/src/documents/season.ts";
import { storedSegmentPage } from "../../../functions/src/documents/segment-page.ts";
import { readTeams as readStoredTeams } from "../../../functions/src/documents/teams.ts";
import { readTop as readStoredTop } from "../../../functions/src/documents/top.ts";
import {
  type Definition,
  readDefinition as readStoredDefinition,
} from "../../../functions/src/model/definition.ts";
import { runKeepDays } from "../../../functions/src/model/limits.ts";
import { readSavedDefinition as readStoredSavedDefinition } from "../../../functions/src/model/season-definition.ts";
import type { Found } from "./firestore-json.ts";

/** A board of a list; without a definition if the stored one cannot be read, or another release wrote it. */
export interface Board {
  id: string;
  definition: Definition | undefined;
}

export function readBoard({ id, data }: Found): Board {
  return { id, definition: ifReadable(() => readStoredDefinition(data)) };
}

/** Reads a document; undefined where there is none. @throws if it cannot be read */
const ifThere =
  <Read>(read: (data: DocumentData) => Read) =>
  (data: DocumentData | undefined): Read | undefined =>
    data === undefined ? undefined : read(data);

export const readDefinition = ifThere(readStoredDefinition);
export const readSavedDefinition = ifThere(readStoredSavedDefinition);
export const readSeason = ifThere(readStoredSeason);
export const readClosing = ifThere((data) => closingRecord.parse(data));
export const readTop = ifThere(readStoredTop);
/** The status that a board keeps for a player, with its reason. */
export const readKeptStatus = ifThere((data) => storedPlayerStatus.parse(data));
/** The same, and where the player stands in a league, if that is known. */
export const readKept = ifThere((data) => {
  const isKnown = data["league"] !== undefined;
  return { ...storedPlayerStatus.parse(data), ...(isKnown && { standing: leagueStandingIn(data) }) };
});

export interface ListedGroup {
  id: string;
  group: Group | undefined;
}

/** A group of a league; without what is in it if it cannot be read. */
export function readListedGroup({ id, data }: Found): ListedGroup {
  return { id, group: storedGroup.safeParse(data).data };
}

export interface ListedPrivateGroup {
  id: string;
  group: PrivateGroup | undefined;
}

/** A private group; without what is in it if it cannot be read. */
export function readListedPrivateGroup({ id, data }: Found): ListedPrivateGroup {
  return { id, group: storedPrivateGroup.safeParse(data).data };
}

export const readTeams = ifThere(readStoredTeams);

export interface ListedSeason {
  id: string;
  season: Season | undefined;
}

export function readListedSeason({ id, data }: Found): ListedSeason {
  return { id, season: ifReadable(() => readStoredSeason(data)) };
}

/** A board of a template, as one of its seasons, which is missing if it cannot be read. */
export interface BoardOfTemplate extends Pick<ListedSeason, "season"> {
  id: string;
  seasonId: string;
}

export function readBoardOfTemplate({ path, data }: Found): BoardOfTemplate {
  const { leaderboard, season } = seasonOfPath(path);
  return { id: leaderboard, seasonId: season, season: ifReadable(() => readStoredSeason(data)) };
}

/** The segments on a page of theirs, each with its players, and the players of values that are not ranked, by segment. */
export interface SegmentsOn {
  id: string;
  players: [segment: string, players: number][];
  leftOut: Record<string, number>;
}

export function readSegmentsOn({ id, data }: Found): SegmentsOn {
  const { parts, left_out: sums = {} } = storedSegmentPage.parse(data);
  const left = Object.entries(sums).flatMap(([name, { players }]) =>
    players === 0 ? [] : [[name, players]],
  );
  return {
    id,
    players: parts.map(({ segment, players }) => [segment, players]),
    leftOut: Object.fromEntries(left) as Record<string, number>,
  };
}

/** Any document of `runs`. */
const historyRecord = z.union([rankingRecord, closingRecord, revisionRecord, storedRepairRecord]);
export type HistoryRecord = RunRecord | ClosingRecord | RevisionRecord;

/** Whether a record is of an audit or a repair. */
export function isRepair(record: HistoryRecord): record is RepairRecord {
  return record.kind === "audit" || record.kind === "repair";
}

/** A run with the id of its record; `unreadable` if another release wrote something that this one does not know. */
export interface Run {
  id: string;
  key: SeasonKey;
  record: HistoryRecord | undefined;
}

/** The records that can be read. */
export function recordsOf(runs: readonly Run[]): HistoryRecord[] {
  return runs.flatMap(({ record }) => record ?? []);
}

export function readRun({ id, path, data }: Found): Run {
  return parsed({ id, key: seasonOfPath(path), data });
}

const parsed = ({ data, ...run }: RunTold): Run => ({ ...run, record: historyRecord.safeParse(data).data });

interface Listed {
  /** Records, the last first. */
  records: readonly Found[];
  /** Whether there are older records that are not listed. */
  hasMore: boolean;
  /** The season's document; undefined where runs of other kinds are listed than rankings. */
  season: Season | undefined;
}

/**
 * The runs of a season, the last first, also those that have no record of their own. With older records to come, what is
 * older than those listed comes with them, so that there is no gap.
 */
export function readRuns(key: SeasonKey, { records, hasMore, season }: Listed, nowMs: number): Run[] {
  const ofSeason = season === undefined ? [] : [{ path: seasonPath(key), data: season }];
  const told = runsToldBy([...ofSeason, ...records], nowMs - runKeepDays * 86_400_000);
  // Numbers that a record has just taken over may be in both documents for a moment.
  const runs = new Map(told.map((run) => [run.id, parsed(run)]));
  const last = hasMore ? records.at(-1) : undefined;
  const all = [...runs.values()];
  return last === undefined ? all : all.slice(0, all.findIndex(({ id }) => id === last.id) + 1);
}

function ifReadable<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
