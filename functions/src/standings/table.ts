/**
 * The final table of a closed season, for files: every player, with the order and the ranks that the functions answer.
 * What reads documents is passed in, so that the command line and the dashboard write the same table.
 */
import { type SeasonKey, standingsMetadataPath, standingsPath } from "../documents/paths.ts";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { exactTime } from "../model/instant.ts";
import { standingsReadAtOnce } from "../model/limits.ts";
import { spreadsheetText } from "../model/spreadsheet-text.ts";
import { indexOfStandings, type StandingsPart } from "./lookup.ts";
import { fieldsOf, placedIn, type Placed, unpack } from "./pack.ts";
import { type ReadDocuments, readSummaryBy } from "./summary.ts";

export type { ReadDocuments } from "./summary.ts";

/** Thrown if a player left the table, or came back, while it was read. */
export class TableRevised extends Error {
  constructor() {
    super("The table was changed while it was read. Try again.");
  }
}

export interface FinalTable {
  players: number;
  /** Another number in a later look means that the table has changed. */
  revisions: number;
  /** The players, best first, a document of the standings at a time. */
  rows: AsyncGenerator<Placed[], undefined>;
}

/**
 * Reads a final table. Memory: 20 documents of the standings, and of their metadata. Cost: 1 read, and 1 for each 1,000
 * players, or 2 where they have metadata.
 * @throws Error if there is none; while its rows are read {@link TableRevised}
 */
export async function finalTable(read: ReadDocuments, key: SeasonKey): Promise<FinalTable> {
  const summary = await readSummaryBy(read, key);
  if (summary === undefined)
    throw new Error(`"${key.season}" has no final table: it has not closed, or was deleted.`);
  const { players, parts } = indexOfStandings(summary);
  return { players, revisions: summary.revisions, rows: rowsInTable(read, key, parts) };
}

/** The revision of a table as it is now. Cost: 1 read. @throws Error if there is none */
export async function revisionsOf(read: ReadDocuments, key: SeasonKey): Promise<number> {
  return (await finalTable(read, key)).revisions;
}

async function* rowsInTable(read: ReadDocuments, key: SeasonKey, parts: readonly StandingsPart[]) {
  for (let start = 0; start < parts.length; start += standingsReadAtOnce) {
    const some = parts.slice(start, start + standingsReadAtOnce);
    const documents = await read(some.map(({ n }) => standingsPath(key, n)));
    const rich = some.filter((_, i) => documents[i]?.["has_metadata"] === true);
    const metadata = rich.length === 0 ? [] : await read(rich.map(({ n }) => standingsMetadataPath(key, n)));
    for (const [i, part] of some.entries()) {
      const packed = unpack(documents[i], metadata[rich.indexOf(part)]);
      if (packed.standings.players.length !== part.players) throw new TableRevised();
      yield placedIn({ part, from: 0, until: part.players }, packed);
    }
  }
  return undefined;
}

/** A row as JSON; its `position` is the 1-based place, which no two players share. Pure. */
export function finalValue({ order, columns: wanted }: Definition, row: Placed) {
  const { position, rank, player } = row;
  const { status: _, score, achieved_at: achievedAt, ...texts } = fieldsOf(row);
  const columns = wanted && unpackColumns(order, wanted, score);
  const value = columns === undefined ? { score } : { columns };
  return { position, rank, player, ...value, ...texts, achieved_at: exactTime(achievedAt) };
}

const before = ["position", "rank", "player"];

/** The headings of a table's CSV: a column of the board has its name, unless another field of the table has it. Pure. */
export function finalHeader({ columns, segments }: Definition): string[] {
  const after = ["display_name", ...(segments === undefined ? [] : ["segments"]), "metadata", "achieved_at"];
  const taken = [...before, ...after];
  const headings = columns?.map(({ name }) => (taken.includes(name) ? `columns.${name}` : name));
  return [...before, ...(headings ?? ["score"]), ...after];
}

/** The cells of a row, in the order of {@link finalHeader}; numbers stay numbers, and no text is a formula. Pure. */
export function finalCells(definition: Definition, row: Placed): (string | number)[] {
  const { order, columns: wanted, segments: list } = definition;
  const { position, rank, player, score, name, segments, metadata, achievedAt } = row;
  const columns = wanted && unpackColumns(order, wanted, score);
  const scores = wanted === undefined ? [score] : wanted.map((column) => columns?.[column.name] ?? "");
  const own = list === undefined ? [] : [segments];
  const texts = [spreadsheetText(name), ...own, metadata, exactTime(achievedAt)];
  return [position, rank, spreadsheetText(player), ...scores, ...texts];
}
