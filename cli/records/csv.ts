/** Reads CSV with a header line (RFC 4180, UTF-8) into the same values as JSON. */
import { Readable, pipeline } from "node:stream";
import { CsvError, parse } from "csv-parse";
import type { Definition } from "../../functions/src/model/definition.ts";
import { type SegmentValues, segmentValues } from "../../functions/src/model/segments.ts";
import { textOfSpreadsheet } from "../../functions/src/model/spreadsheet-text.ts";
import { CliError } from "../cli-error.ts";
import { type FoundRecord, recordCharactersMax } from "./found-record.ts";

/** The fields of boards beside their scores or columns, as CSV headings, and how to read their text. */
const kinds = {
  display_name: "text",
  segments: "segments",
  metadata: "json",
  achieved_at: "text",
  attempts: "number",
  status: "text",
} as const;

/** Those of a board: `segments` only where it has some. */
export function profileFields({ segments }: Definition): (keyof typeof kinds)[] {
  const names = Object.keys(kinds) as (keyof typeof kinds)[];
  return names.filter((name) => name !== "segments" || segments !== undefined);
}

/**
 * Records of a CSV. A line with more or fewer cells than the header is a record with a problem.
 * @throws CliError if the header lacks a required field or has an unknown one; and at a misplaced quote, as it is then
 * unclear where the next line begins.
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  definition: Definition,
): AsyncGenerator<FoundRecord> {
  let cells: Cell[] | undefined;
  let brokenInTwo = 0;
  for await (const { record, info } of parsed(text)) {
    brokenInTwo += countOf(/\r\n/g, record);
    if (cells === undefined) {
      cells = cellsOf(record, definition);
      continue;
    }
    // The parser gives the line where a record ends, and counts a two-character line break in a cell twice.
    const place = `line ${info.lines - brokenInTwo - countOf(/\r\n|\n|\r/g, record)}`;
    if (record.length === cells.length) yield { place, value: valueOf(cells, record) };
    else yield { place, problem: `has ${record.length} cells, the header ${cells.length}` };
  }
  if (cells === undefined) throw new CliError(`The file has no header line; it needs ${wanted(definition)}.`);
}

async function* parsed(
  text: AsyncIterable<string>,
): AsyncGenerator<{ record: string[]; info: { lines: number } }> {
  const parser = parse({
    bom: true,
    info: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: recordCharactersMax,
  });
  pipeline(Readable.from(text), parser, () => undefined); // its error reaches the loop below too
  try {
    yield* parser as AsyncIterable<{ record: string[]; info: { lines: number } }>;
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    throw new CliError(
      `The file is not a CSV: ${cause.message}. The lines after it cannot be separated, so they cannot be skipped.`,
      { cause },
    );
  }
}

/** The headings of a board's columns, or of its score: a column has its name, unless another field has that name. */
export function scoreHeadings(definition: Definition): string[] {
  const taken: string[] = ["player", ...profileFields(definition)];
  return (
    definition.columns?.map(({ name }) => (taken.includes(name) ? `columns.${name}` : name)) ?? ["score"]
  );
}

/** The field of a cell, and how to read its text. */
interface Cell {
  path: [string] | ["columns", string];
  kind: "text" | "number" | "json" | "segments";
}

function cellsOf(header: readonly string[], definition: Definition): Cell[] {
  const known = new Map<string, Cell>([["player", { path: ["player"], kind: "text" }]]);
  for (const name of profileFields(definition)) known.set(name, { path: [name], kind: kinds[name] });
  const headings = scoreHeadings(definition);
  if (definition.columns === undefined) known.set("score", { path: ["score"], kind: "number" });
  for (const [i, { name }] of definition.columns?.entries() ?? []) {
    for (const heading of [headings[i] ?? name, `columns.${name}`])
      known.set(heading, { path: ["columns", name], kind: "number" });
  }
  const names = header.map((name) => name.trim());
  refuseOtherSeparator(names, definition);
  const unknown = names.filter((name) => !known.has(name));
  const missing = needed(definition).filter(
    (name) => !names.includes(name) && !names.includes(`columns.${name}`),
  );
  const cells = names.flatMap((name) => known.get(name) ?? []);
  const isTwice = new Set(cells.map(({ path }) => path.join("."))).size < cells.length;
  if (unknown.length > 0 || missing.length > 0 || isTwice) {
    const problems = [
      ...(unknown.length > 0 ? [`names ${quoted(unknown)}, which is not known`] : []),
      ...(missing.length > 0 ? [`lacks ${quoted(missing)}`] : []),
      ...(isTwice ? ["names a column twice"] : []),
    ];
    throw new CliError(`The header line ${problems.join(", and ")}. It needs ${wanted(definition)}.`);
  }
  return cells;
}

/** Spreadsheets of many countries save a "CSV" with semicolons: its header is one cell. */
function refuseOtherSeparator(names: readonly string[], definition: Definition): void {
  const [header = ""] = names;
  for (const [separator, plural] of [
    [";", "semicolons"],
    ["\t", "tabs"],
    ["|", "bars"],
  ] as const) {
    if (names.length > 1 || !header.includes(separator)) continue;
    throw new CliError(
      `The header line has its cells separated by ${plural}, but this command needs commas: ` +
        `save the file with commas, and decimal points in its scores. It needs ${wanted(definition)}.`,
    );
  }
}

function needed(definition: Definition): string[] {
  return ["player", ...scoreHeadings(definition)];
}

function wanted(definition: Definition): string {
  return `${needed(definition).join(", ")} and may have ${profileFields(definition).join(", ")}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

/** An empty cell is a missing field. */
function valueOf(cells: readonly Cell[], record: readonly string[]): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  const columns: Record<string, unknown> = {};
  cells.forEach(({ path: [field, column], kind }, i) => {
    const text = record[i] ?? "";
    if (text === "") return;
    if (column === undefined) value[field] = meaningOf(text, kind);
    else columns[column] = meaningOf(text, kind);
  });
  return Object.keys(columns).length === 0 ? value : { ...value, columns };
}

/** Text of the wrong kind stays text, which the schema then refuses by name. */
function meaningOf(text: string, kind: Cell["kind"]): unknown {
  if (kind === "number")
    return /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : text;
  if (kind === "text") return textOfSpreadsheet(text);
  if (kind === "segments") return segmentsOfCell(text) ?? text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
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
