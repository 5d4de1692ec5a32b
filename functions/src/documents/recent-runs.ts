/**
 * Runs in numbers. A run of a small board leaves no record where nothing was unusual: three numbers in the season's
 * document, which the run writes anyway, say all that its record would say (field `recent_runs`). When the document is
 * full, the next run takes the numbers over into a record, in a field of the same name. So each run is told of once.
 *
 * Whoever lists runs gets them from {@link runsToldBy}. Pure.
 */
import { type Column, packColumns, unpackColumns } from "../model/columns.ts";
import { Timestamp } from "./firestore.ts";
import { isSeasonPath, type SeasonKey, seasonOfPath } from "./paths.ts";
import { emptyRecord, finished, type RankingRecord } from "./ranking-record.ts";

const order = "ascending";

/** What is packed into each of a run's numbers, as a score is of columns, and the highest value that has room. */
const packed = [
  columnsOf({ started_ms: 2 ** 42 - 1, duration_ms: 2 ** 11 - 1 }),
  columnsOf({ generation: 2 ** 24 - 1, lag_ms: 2 ** 17 - 1, shards: 2 ** 7 - 1, writes: 2 ** 5 - 1 }),
  columnsOf({
    players: 1_000,
    rows: 1_000,
    changed_players: 2 ** 9 - 1,
    changes: 2 ** 9 - 1,
    reads: 2 ** 8 - 1,
    segments: 2 ** 5 - 1,
    segment_pages: 2 ** 2 - 1,
  }),
];

function columnsOf(highest: Record<string, number>): Column[] {
  return Object.entries(highest).map(([name, max]) => ({ name, min: 0, max, order }));
}
/** How many numbers a season's document has: of seven runs. With the field's name they take 180 bytes. */
export const recentNumbersMax = 7 * packed.length;

/** A run in numbers; undefined where one of its numbers has no room. They may not say all of the run. */
export function runNumbersOf({ read, wrote, found, billed, ...run }: RankingRecord): number[] | undefined {
  const values = {
    started_ms: run.started_at.toMillis(),
    duration_ms: run.duration_ms,
    generation: run.generation ?? -1,
    lag_ms: run.lag_ms ?? -1,
    shards: read.shards,
    writes: billed.writes,
    players: run.players,
    rows: run.rows,
    changed_players: found.changed_players,
    changes: found.changes,
    reads: billed.reads,
    segments: found.segments,
    segment_pages: wrote.segment_pages,
  } as Record<string, number>;
  const hasRoom = packed.flat().every(({ name, max }) => {
    const value = values[name] ?? -1;
    return Number.isInteger(value) && value >= 0 && value <= max;
  });
  return hasRoom ? packed.map((columns) => packColumns(order, columns, values)) : undefined;
}

/** The record that a run would have left that is kept in numbers; undefined where these are not a run's. */
export function runInNumbers(key: SeasonKey, numbers: readonly number[]): RankingRecord | undefined {
  const values: Record<string, number> = {};
  for (const [at, columns] of packed.entries()) {
    const unpacked = unpackColumns(order, columns, numbers[at] ?? NaN);
    if (unpacked === undefined) return undefined;
    Object.assign(values, unpacked);
  }
  const of = (name: string) => values[name] ?? NaN;
  const begun = emptyRecord(key, of("started_ms"));
  const [shards, pages] = [of("shards"), 1 + of("segment_pages")];
  const run: RankingRecord = {
    ...begun,
    outcome: "published",
    generation: of("generation"),
    read: { ...begun.read, pages, shards },
    wrote: { ...begun.wrote, pages: 1, segment_pages: of("segment_pages"), shards_deleted: shards },
    found: {
      ...begun.found,
      changed_players: of("changed_players"),
      changes: of("changes"),
      segments: of("segments"),
    },
    players: of("players"),
    rows: of("rows"),
    lag_ms: of("lag_ms"),
    billed: { reads: of("reads"), writes: of("writes"), deletes: shards },
  };
  return finished(run, of("started_ms") + of("duration_ms"));
}

/** A document that tells of runs: a season's, or the record of a run. */
interface Telling {
  path: string;
  data: Record<string, unknown>;
}

/** A run, with the id of its record, or such as `generation-57`. */
export interface RunTold {
  id: string;
  key: SeasonKey;
  data: Record<string, unknown>;
}

/**
 * The runs that documents tell of, the last first: records, and the runs in numbers that began since a time, as records
 * would say them.
 */
export function runsToldBy(documents: readonly Telling[], sinceMs: number): RunTold[] {
  const told = documents.flatMap(({ path, data }) => {
    const key = seasonOfPath(path);
    const inNumbers = runsInNumbers(key, data["recent_runs"]).filter((run) => startMsOf(run) >= sinceMs);
    return isSeasonPath(path) ? inNumbers : [{ id: path.split("/").at(-1) ?? "", key, data }, ...inNumbers];
  });
  return told.sort((a, b) => startMsOf(b) - startMsOf(a));
}

function runsInNumbers(key: SeasonKey, numbers: unknown): RunTold[] {
  if (!Array.isArray(numbers)) return [];
  const runs: RunTold[] = [];
  for (let from = 0; from < numbers.length; from += packed.length) {
    const data = runInNumbers(key, numbers.slice(from, from + packed.length) as number[]);
    if (data !== undefined) runs.unshift({ id: `generation-${data.generation}`, key, data: { ...data } });
  }
  return runs;
}

function startMsOf({ data }: RunTold): number {
  const { started_at: startedAt } = data;
  return startedAt instanceof Timestamp ? startedAt.toMillis() : -Infinity;
}
