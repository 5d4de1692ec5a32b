/** The final table of a closed season, from its standings, for people and spreadsheets. */
import { asOf } from "../functions/src/documents/as-of.ts";
import { Timestamp } from "../functions/src/documents/firestore.ts";
import { type SeasonKey, standingsMetadataPath } from "../functions/src/documents/paths.ts";
import { storedStandings, storedStandingsMetadata } from "../functions/src/documents/standings.ts";
import { unpackColumns } from "../functions/src/model/columns.ts";
import type { Definition } from "../functions/src/model/definition.ts";
import type { Services } from "../functions/src/operations/services.ts";
import { indexOfStandings, ranksIn } from "../functions/src/standings/lookup.ts";
import { standingsInOrder } from "../functions/src/standings/read.ts";
import { readSummary } from "../functions/src/standings/summary.ts";
import { columnHeading } from "./records/csv.ts";
import { formatTime } from "./records/time.ts";

/** A player of a final table, as JSON. */
export interface FinalValue {
  /** The 1-based place; no two players share one. */
  position: number;
  rank: number;
  player: string;
  score?: number;
  columns?: Record<string, number>;
  display_name?: string;
  metadata?: unknown;
  achieved_at: string;
}

export interface FinalTable {
  /** The number of players. */
  players: number;
  rows: AsyncGenerator<FinalValue>;
}

/**
 * Reads the final table of a closed season, best first, as of one moment. Memory: 20 documents of the standings. Cost:
 * 1 read for each 1,000 players (2 if they have metadata), and 1.
 */
export async function finalTable(
  services: Services,
  key: SeasonKey,
  definition: Definition,
  at: Timestamp,
): Promise<FinalTable> {
  const { db } = services;
  const readAt = (path: string) => asOf(db, at, (transaction) => transaction.get(db.doc(path)));
  const { summary, found } = await asOf(db, at, (transaction) => readSummary(db, key, transaction));
  if (summary === undefined) throw new Error(`${found.ref.path} is missing`);
  const parts = new Map(indexOfStandings(summary).parts.map((part) => [part.n, part]));

  async function* rows(): AsyncGenerator<FinalValue> {
    for await (const documents of standingsInOrder(db, key, [...parts.keys()], at)) {
      for (const document of documents) {
        const part = parts.get(Number(document.id));
        if (part === undefined) continue;
        const standings = storedStandings.parse(document.data());
        const metadata = standings.has_metadata
          ? storedStandingsMetadata.parse((await readAt(standingsMetadataPath(key, part.n))).data()).metadata
          : [];
        const ranks = ranksIn({ part, from: 0, until: part.players }, standings);
        for (const [i, rank] of ranks.entries()) {
          const json = metadata[i] ?? "";
          const name = standings.display_names[i] ?? "";
          yield {
            position: part.before + i + 1,
            rank,
            player: standings.players[i] ?? "",
            ...scoreOf(definition, standings.scores[i] ?? NaN),
            ...(name === "" ? {} : { display_name: name }),
            ...(json === "" ? {} : { metadata: JSON.parse(json) as unknown }),
            achieved_at: formatTime(standings.achieved_at[i] ?? new Timestamp(0, 0)),
          };
        }
      }
    }
  }

  return { players: summary.players, rows: rows() };
}

function scoreOf({ order, columns }: Definition, score: number): Pick<FinalValue, "score" | "columns"> {
  const values = columns === undefined ? undefined : unpackColumns(order, columns, score);
  return values === undefined ? { score } : { columns: values };
}

/** The headings of a final table's CSV. Pure. */
export function finalHeader({ columns }: Definition): string[] {
  const headings = columns?.map(({ name }) =>
    name === "position" || name === "rank" ? `columns.${name}` : columnHeading(name),
  );
  return [
    "position",
    "rank",
    "player",
    ...(headings ?? ["score"]),
    "display_name",
    "metadata",
    "achieved_at",
  ];
}

/** The cells of a player, in the order of {@link finalHeader}. Pure. */
export function finalCells({ columns: wanted }: Definition, value: FinalValue): string[] {
  const { position, rank, player, score, columns = {}, display_name: name, metadata, achieved_at } = value;
  const scores = wanted === undefined ? [score] : wanted.map((column) => columns[column.name]);
  return [
    String(position),
    String(rank),
    player,
    ...scores.map((one) => (one === undefined ? "" : String(one))),
    name ?? "",
    metadata === undefined ? "" : JSON.stringify(metadata),
    achieved_at,
  ];
}
