/**
 * The final table of a closed season as CSV, read from its standings: 1,000 players to a document, with the same order
 * and ranks as the functions' answers. The function that reads is passed in.
 */
import { stringify } from "csv-stringify/browser/esm/sync";
import {
  standingsPath,
  type SeasonKey,
  standingsSummaryPath,
} from "../../../functions/src/documents/paths.ts";
import {
  type Standings,
  storedStandings,
  type StandingsSummary,
} from "../../../functions/src/documents/standings.ts";
import { unpackColumns } from "../../../functions/src/model/columns.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { isoTime } from "../../../functions/src/model/instant.ts";
import { indexOfStandings, ranksIn, type StandingsPart } from "../../../functions/src/standings/lookup.ts";
import { joinSummary, partsOf } from "../../../functions/src/standings/summary.ts";

/** Reads a document's data; undefined where there is none. */
export type ReadDocument = (path: string) => Promise<Record<string, unknown> | undefined>;

/** How often a table is started over because it was revised meanwhile. */
const attemptsMax = 3;

/** A part of the file, and the progress. */
export interface CsvPart {
  text: string;
  players: number;
  total: number;
}

/** Thrown if a player was removed from the table, or readmitted, while it was read. */
export class Revised extends Error {}

/**
 * The file, part by part. Parts from before and after a revision would belong to two tables, so all parts are of one
 * table. Cost: 1 read for each 1,000 players, and 2.
 * @param begin called before the first part, and again if a revision makes all earlier parts invalid.
 * @throws Revised if revisions do not stop; Error if there is no table.
 */
export async function* finalTable(
  read: ReadDocument,
  key: SeasonKey,
  definition: Definition,
  begin: () => void,
): AsyncGenerator<CsvPart> {
  for (let attempt = 1; ; attempt++) {
    begin();
    try {
      yield* readOnce(read, key, definition);
      return;
    } catch (error) {
      if (!(error instanceof Revised) || attempt === attemptsMax) throw error;
    }
  }
}

async function* readOnce(
  read: ReadDocument,
  key: SeasonKey,
  definition: Definition,
): AsyncGenerator<CsvPart> {
  const summary = await readSummary(read, key);
  const { parts, players: total } = indexOfStandings(summary);
  yield { text: csvOf([headerOf(definition)], true), players: 0, total };
  for (const part of parts) {
    const standings = storedStandings.parse(await read(standingsPath(key, part.n)));
    if (standings.players.length !== part.players) throw revised();
    const text = csvOf(rowsOf(part, standings, definition));
    yield { text, players: part.before + part.players, total };
  }
  if ((await readSummary(read, key)).revisions !== summary.revisions) throw revised();
}

async function readSummary(read: ReadDocument, key: SeasonKey): Promise<StandingsSummary> {
  const data = await read(standingsSummaryPath(key));
  if (data === undefined)
    throw new Error(`"${key.season}" has no final table: it has not closed, or was deleted.`);
  const further = Array.from({ length: partsOf(data) - 1 }, (_, i) => read(standingsSummaryPath(key, i + 1)));
  return joinSummary(data, await Promise.all(further));
}

function revised(): Revised {
  return new Revised("The table was changed while it was read. Try again.");
}

type Cell = string | number;

/** A column of the board is headed by its name, unless a field of every table has that name. */
function headerOf({ columns }: Definition): Cell[] {
  const before = ["position", "rank", "player", "display_name"];
  const after = ["achieved_at"];
  const taken = [...before, ...after];
  const scores = columns?.map(({ name }) => (taken.includes(name) ? `columns.${name}` : name)) ?? ["score"];
  return [...before, ...scores, ...after];
}

function rowsOf(part: StandingsPart, standings: Standings, { order, columns }: Definition): Cell[][] {
  const ranks = ranksIn({ part, from: 0, until: part.players }, standings);
  return standings.players.map((player, i) => {
    const score = standings.scores[i] ?? NaN;
    const values = columns === undefined ? undefined : unpackColumns(order, columns, score);
    const achieved = standings.achieved_at[i];
    return [
      part.before + i + 1,
      ranks[i] ?? NaN,
      player,
      standings.display_names[i] ?? "",
      ...(columns?.map(({ name }) => values?.[name] ?? NaN) ?? [score]),
      achieved === undefined ? "" : isoTime(achieved),
    ];
  });
}

/**
 * Lines of the file. Texts that a spreadsheet would read as a formula get a `'` prefix. The file begins with a byte
 * order mark: without it some programs assume another encoding.
 */
function csvOf(rows: readonly Cell[][], isFirst = false): string {
  return stringify([...rows], { bom: isFirst, escape_formulas: true });
}
