/** Turns a player's document into a record that {@link readRecord} can read. Pure. */
import { type Metadata, readPlayer } from "../../functions/src/documents/player.ts";
import { type PlayerStatus, playerStatuses } from "../../functions/src/model/player-status.ts";
import { unpackColumns } from "../../functions/src/model/columns.ts";
import { defined } from "../../functions/src/model/defined.ts";
import type { Definition } from "../../functions/src/model/definition.ts";
import { exactTime } from "../../functions/src/model/instant.ts";
import { spreadsheetText } from "../../functions/src/model/spreadsheet-text.ts";
import { columnHeading, profileFields } from "./csv.ts";

export interface RecordValue {
  player: string;
  score?: number;
  columns?: Record<string, number>;
  display_name?: string | undefined;
  metadata?: Metadata | undefined;
  achieved_at?: string | undefined;
  attempts: number;
  status: PlayerStatus;
}

/** The record of a player's document; undefined if the board could not rank its score, or its status is none. */
export function recordOf(
  { order, columns: wanted }: Definition,
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
  return defined({ player, ...value, display_name, metadata, achieved_at, attempts, status });
}

export function headerOf({ columns }: Definition): string[] {
  return ["player", ...(columns?.map(({ name }) => columnHeading(name)) ?? ["score"]), ...profileFields];
}

/** The cells of a record, in the order of {@link headerOf}; `readCsv` gives texts back as they are here. */
export function cellsOf({ columns: wanted }: Definition, record: RecordValue): string[] {
  const { player, score, columns = {}, display_name: name, metadata, achieved_at: achieved } = record;
  const values = wanted === undefined ? [score] : wanted.map((column) => columns[column.name]);
  return [
    spreadsheetText(player),
    ...values.map(String),
    spreadsheetText(name ?? ""),
    metadata === undefined ? "" : JSON.stringify(metadata),
    achieved ?? "",
    String(record.attempts),
    record.status,
  ];
}
