/** CSV with a header line (RFC 4180, UTF-8): read into the same values as JSON, and written from them. */
import { Readable, pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import type { Definition } from "../../functions/src/model/definition.ts";
import { segmentText, type SegmentValues, segmentValues } from "../../functions/src/model/segments.ts";
import { spreadsheetText, textOfSpreadsheet } from "../../functions/src/model/spreadsheet-text.ts";
import { CliError } from "../cli-error.ts";
import { type FoundRecord, insteadOfFinalTable, recordCharactersMax } from "./found-record.ts";

/**
 * What a CSV that may be imported again has in quotes beside what RFC 4180 asks for: {@link readCsv} takes cells without
 * quotes without the white space round them, and takes `\r` alone for the end of a line too.
 */
export const quotedToo = /^\s|\s$|\r/;

/**
 * How the text of a cell is read and written. Numbers, times and JSON stay texts, which the schema reads: a JSON file may have
 * them as texts too.
 */
interface Kind {
  read: (text: string) => unknown;
  write: (value: unknown) => string;
}

const text: Kind = { read: textOfSpreadsheet, write: (value) => spreadsheetText(String(value)) };
const asWritten = (cell: string) => cell;
const number: Kind = { read: asWritten, write: String };
const json: Kind = { read: asWritten, write: JSON.stringify };
/** `country=AT platform=ios` */
const segmentList: Kind = {
  read: (cell) => segmentsOfCell(cell) ?? cell,
  write: (values) =>
    Object.entries(values as SegmentValues)
      .map(([name, value]) => segmentText(name, value))
      .join(" "),
};

/** A field of a board's records. */
interface Field extends Kind {
  heading: string;
  path: readonly [string] | readonly ["columns", string];
  isNeeded: boolean;
}

/**
 * In the order of a file; a column of the board has its name, unless another field has that name.
 * @param namesBoards whether each record names its board, one of a template.
 */
function fieldsOf({ columns, segments }: Definition, namesBoards: boolean): Field[] {
  const own = (name: string, kind: Kind, isNeeded = false): Field => ({
    ...kind,
    heading: name,
    path: [name],
    isNeeded,
  });
  const player = own("player", text, true);
  const others = [
    own("display_name", text),
    ...(segments === undefined ? [] : [own("segments", segmentList)]),
    own("metadata", json),
    own("achieved_at", text),
    own("attempts", number),
    own("status", text),
  ];
  const board = namesBoards ? [own("leaderboard", text, true)] : [];
  const taken = [...board, player, ...others].map(({ heading }) => heading);
  const scores = columns?.map(({ name }): Field => {
    const heading = taken.includes(name) ? `columns.${name}` : name;
    return { ...number, heading, path: ["columns", name], isNeeded: true };
  });
  return [...board, player, ...(scores ?? [own("score", number, true)]), ...others];
}

/** The header of a board's CSV, and the cells of a record; {@link readCsv} gives texts back as they are here. */
export function csvOf(definition: Definition) {
  const fields = fieldsOf(definition, false);
  const valueIn = (value: unknown, name: string) => (value as Record<string, unknown> | undefined)?.[name];
  return {
    header: fields.map(({ heading }) => heading),
    cells: (record: object) =>
      fields.map(({ path, write }) => {
        const value = path.reduce<unknown>(valueIn, record);
        return value === undefined ? "" : write(value);
      }),
  };
}

/**
 * Records of a CSV. A line with more or fewer cells than the header is a record with a problem.
 * @throws CliError if the header lacks a required field or has an unknown one; and at a misplaced quote, as it is then
 * unclear where the next line begins.
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  definition: Definition,
  namesBoards: boolean,
): AsyncGenerator<FoundRecord> {
  const fields = fieldsOf(definition, namesBoards);
  const { firstLine, whole } = await peek(text);
  // Before the parser, which fails at the quotes of such a header.
  refuseOtherSeparator(firstLine, fields);
  let cells: Field[] | undefined;
  for await (const { record, line } of parsed(whole)) {
    if (cells === undefined) {
      cells = cellsOf(record, fields);
      continue;
    }
    const place = `line ${line}`;
    if (record.length === cells.length) yield { place, value: valueOf(cells, record) };
    else yield { place, problem: `has ${record.length} cells, the header ${cells.length}` };
  }
  if (cells === undefined) throw new CliError(`The file has no header line; it needs ${wanted(fields)}.`);
}

/** The first line with a text in it, as far as the first piece of the text has it, and the text from its beginning. */
async function peek(text: AsyncIterable<string>) {
  const pieces = text[Symbol.asyncIterator]();
  const { value: first = "" } = (await pieces.next()) as IteratorResult<string, undefined>;
  const whole = async function* () {
    yield first;
    yield* { [Symbol.asyncIterator]: () => pieces };
  };
  return { firstLine: first.trimStart().split(/[\r\n]/, 1)[0] ?? "", whole: whole() };
}

/** The records of a CSV, each with the line where it begins. Lines of empty cells are left out, which spreadsheets write. */
async function* parsed(text: AsyncIterable<string>): AsyncGenerator<{ record: string[]; line: number }> {
  const begun = new WeakMap<string[], number>();
  let brokenInTwo = 0;
  let readUpTo = 0;
  const parser = parse({
    bom: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    // But not within quotes: a space behind a comma is no part of an id.
    trim: true,
    max_record_size: recordCharactersMax,
    // It is called at once: when the parser fails, the loop below does not get what was read just before.
    on_record(record, { lines }) {
      // The parser gives the line where a record ends, and counts a two-character line break in a cell twice.
      brokenInTwo += countOf(/\r\n/g, record);
      readUpTo = lines - brokenInTwo;
      begun.set(record, readUpTo - countOf(/\r\n|\n|\r/g, record));
      return record;
    },
  });
  pipeline(Readable.from(text), parser, () => undefined); // its error reaches the loop below too
  try {
    for await (const record of parser as AsyncIterable<string[]>)
      if (record.some((cell) => cell !== "")) yield { record, line: begun.get(record) ?? readUpTo };
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    // The parser names the line where it gave up: a quote that opens far above it may be what is wrong.
    throw new CliError(
      `The file is not a CSV: ${cause.message}. Up to line ${readUpTo} it was read: look for a quote behind that. ` +
        "The lines after such a quote cannot be separated, so they cannot be skipped.",
      { cause },
    );
  }
}

function cellsOf(header: readonly string[], fields: readonly Field[]): Field[] {
  const names = header.map((name) => name.trim());
  const cells = names.flatMap(
    (name) => fields.find(({ heading, path }) => heading === name || path.join(".") === name) ?? [],
  );
  const found = new Set(cells);
  const isKnown = (name: string) =>
    cells.some(({ heading, path }) => [heading, path.join(".")].includes(name));
  const unknown = names.filter((name) => !isKnown(name));
  const missing = fields.filter((one) => one.isNeeded && !found.has(one)).map(({ heading }) => heading);
  const problems = [
    ...(unknown.length > 0 ? [`names ${quoted(unknown)}, which is not known`] : []),
    ...(missing.length > 0 ? [`lacks ${quoted(missing)}`] : []),
    ...(found.size < cells.length ? ["names a column twice"] : []),
  ];
  if (problems.length === 0) return cells;
  // Whatever the board's columns are called: a file of players begins with "player".
  const isFinal = names[0] === "position" && names[1] === "rank";
  const advice = isFinal
    ? ` This is a final table: ${insteadOfFinalTable}.`
    : names[0] === ""
      ? noRowNumbers
      : "";
  throw new CliError(`The header line ${problems.join(", and ")}. It needs ${wanted(fields)}.${advice}`);
}

const noRowNumbers =
  " The column without a name may have the numbers of the rows: write the file without them, with index=False in pandas, " +
  "or row.names=FALSE in R.";

/** Spreadsheets of many countries save a "CSV" with semicolons, and R writes spaces where nothing else is said. */
function refuseOtherSeparator(line: string, fields: readonly Field[]): void {
  const hasPlayers = (separator: string) =>
    line.split(separator).some((name) => name.trim().replace(/^"(.*)"$/, "$1") === "player");
  for (const [separator, plural] of [
    [";", "semicolons"],
    ["\t", "tabs"],
    ["|", "bars"],
    [" ", "spaces"],
  ] as const) {
    const isAlone = separator !== " " && !line.includes(",") && line.includes(separator);
    if (!isAlone && (hasPlayers(",") || !hasPlayers(separator))) continue;
    throw new CliError(
      `The header line has its cells separated by ${plural}, but this command needs commas: ` +
        `save the file with commas, and decimal points in its scores. It needs ${wanted(fields)}.`,
    );
  }
}

function wanted(fields: readonly Field[]): string {
  const named = (isNeeded: boolean) =>
    fields.flatMap((one) => (one.isNeeded === isNeeded ? one.heading : []));
  return `${named(true).join(", ")} and may have ${named(false).join(", ")}`;
}

/** Names as in `"a", "b" and 7 more`: a file of one long line would fill the screen. */
function quoted(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map((name) => `"${name.slice(0, 60)}"`);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}

/** As many as a board can have of columns. */
const namesShown = 8;

/** An empty cell is a missing field. */
function valueOf(cells: readonly Field[], record: readonly string[]): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  const columns: Record<string, unknown> = {};
  cells.forEach(({ path: [field, column], read }, i) => {
    const cell = record[i] ?? "";
    if (cell === "") return;
    if (column === undefined) value[field] = read(cell);
    else columns[column] = read(cell);
  });
  return Object.keys(columns).length === 0 ? value : { ...value, columns };
}

/** The values in `country=AT platform=ios`; undefined where it is not of that form, or names a segment twice. */
function segmentsOfCell(text: string): SegmentValues | undefined {
  const texts = text.trim().split(/\s+/);
  const values = segmentValues(texts);
  const isClear = texts.every((one) => one.split("=").length === 2);
  return isClear && Object.keys(values).length === texts.length ? values : undefined;
}

function countOf(pattern: RegExp, record: readonly string[]): number {
  return record.reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0);
}
