/** Turns a player's document into a record that {@link readRecord} can read. Pure. */
import { type Metadata, readPlayer } from "../../functions/src/documents/player.ts";
import { type PlayerStatus, playerStatuses } from "../../functions/src/model/player-status.ts";
import { unpackColumns } from "../../functions/src/model/columns.ts";
import { defined } from "../../functions/src/model/defined.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { exactTime } from "../../functions/src/model/instant.ts";
import {
  segmentsIn,
  segmentText,
  type SegmentValues,
  segmentValues,
} from "../../functions/src/model/segments.ts";
import { spreadsheetText } from "../../functions/src/model/spreadsheet-text.ts";
import { profileFields, scoreHeadings } from "./csv.ts";

export interface RecordValue {
  player: string;
  score?: number;
  columns?: Record<string, number>;
  display_name?: string | undefined;
  segments?: SegmentValues | undefined;
  metadata?: Metadata | undefined;
  achieved_at?: string | undefined;
  attempts: number;
  status: PlayerStatus;
}

/** The record of a player's document, with values of the board's segments; undefined if the board could not rank its score, or its status is none. */
export function recordOf(
  { order, columns: wanted, segments: list = [] }: Definition,
  player: string,
  data: Record<string, unknown>,
): RecordValue | undefined {
  const { score, display_name, metadata, achieved_at: achieved, attempts, status } = readPlayer(data);
  const isStatus = data["status"] === undefined || playerStatuses.some((known) => known === data["status"]);
  if (score === undefined || !isStatus) return undefined;
  const columns = wanted === undefined ? undefined : unpackColumns(order, wanted, score);
  if (wanted !== undefined && columns === undefined) return undefined;
  const value = columns === undefined ? { score } : { columns };
  const achieved_at = achieved && exactTime(achieved);
  const own = Object.entries(segmentValues(segmentsIn(data["segments"])));
  const known = own.filter(([name]) => list.some((one) => one.name === name));
  const segments = known.length === 0 ? undefined : Object.fromEntries(known);
  return defined({ player, ...value, display_name, segments, metadata, achieved_at, attempts, status });
}

export function headerOf(definition: Definition): string[] {
  return ["player", ...scoreHeadings(definition), ...profileFields(definition)];
}

/** The cells of a record, in the order of {@link headerOf}; `readCsv` gives texts back as they are here. */
export function cellsOf({ columns: wanted, segments: list }: Definition, record: RecordValue): string[] {
  const { player, score, columns = {}, display_name: name, metadata, achieved_at: achieved } = record;
  const segments = Object.entries(record.segments ?? {}).map(([one, value]) => segmentText(one, value));
  const values = wanted === undefined ? [score] : wanted.map((column) => columns[column.name]);
  return [
    spreadsheetText(player),
    ...values.map(String),
    spreadsheetText(name ?? ""),
    ...(list === undefined ? [] : [segments.join(" ")]),
    metadata === undefined ? "" : JSON.stringify(metadata),
    achieved ?? "",
    String(record.attempts),
    record.status,
  ];
}
