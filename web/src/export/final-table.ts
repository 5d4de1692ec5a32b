/** The final table of a closed season as CSV. The function that reads is passed in. */
import { stringify } from "csv-stringify/browser/esm/sync";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import {
  finalCells,
  finalHeader,
  finalTable,
  type ReadDocuments,
  revisionsOf,
  TableRevised,
} from "../../../functions/src/standings/table.ts";

/** How often a table is started over because it was revised meanwhile. */
const attemptsMax = 3;

/** A part of the file, and the progress. */
export interface CsvPart {
  text: string;
  players: number;
  total: number;
}

/**
 * The file, part by part. Parts from before and after a revision would belong to two tables, so all parts are of one
 * table. Cost: 2 reads, and 1 for each 1,000 players, or 2 where they have metadata.
 * @param begin called before the first part, and again if a revision makes all earlier parts invalid.
 * @throws TableRevised if revisions do not stop; Error if there is no table.
 */
export async function* finalCsv(
  read: ReadDocuments,
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
      if (!(error instanceof TableRevised) || attempt === attemptsMax) throw error;
    }
  }
}

async function* readOnce(
  read: ReadDocuments,
  key: SeasonKey,
  definition: Definition,
): AsyncGenerator<CsvPart> {
  const { players: total, revisions, rows } = await finalTable(read, key);
  yield { text: csvOf([finalHeader(definition)], true), players: 0, total };
  let players = 0;
  for await (const some of rows) {
    players += some.length;
    yield { text: csvOf(some.map((row) => finalCells(definition, row))), players, total };
  }
  if ((await revisionsOf(read, key)) !== revisions) throw new TableRevised();
}

/** Lines of the file. It begins with a byte order mark: without it some programs assume another encoding. */
function csvOf(rows: readonly (string | number)[][], isFirst = false): string {
  return stringify([...rows], { bom: isFirst });
}
