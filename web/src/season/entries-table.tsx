/** A section of the list of players. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Entry } from "../../../functions/src/model/answers.ts";
import type { Column } from "../../../functions/src/model/columns.ts";
import { formatCount } from "../format/numbers.ts";
import { Head, type TableColumn } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { PlayerName } from "./player-name.tsx";
import { ScoreCells, scoreColumns } from "./score-cells.tsx";

interface Props {
  entries: readonly Entry[];
  columns: readonly Column[] | undefined;
  seasonKey: SeasonKey;
  highlighted?: string;
  /** What the table contains, for screen readers. */
  caption: string;
  /** Whether there is room for place and time. */
  isWide?: boolean;
}

const place: TableColumn = ["Place", "number rank-head"];
const reached: TableColumn = ["Reached", "number wide-only"];

/** One function, as heads and cells have the same columns in the same order. */
export function EntriesTable({ entries, columns, seasonKey, highlighted, caption, isWide = false }: Props) {
  const heads: TableColumn[] = [["Rank", "number rank-head"], ["Player"], ...scoreColumns(columns)];
  return (
    <table class="table table-links table-dense">
      <caption class="visually-hidden">{caption}</caption>
      <Head columns={isWide ? [place, ...heads, reached] : heads} />
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.player} class={entry.player === highlighted ? "row-marked" : ""}>
            {isWide && (
              <td class="number muted">
                {entry.position_exact === false && <span title="a guess, below the top">≈ </span>}
                {formatCount(entry.position)}
              </td>
            )}
            <td class="number">
              {entry.exact === false && <span title="a guess, in a merged row">≈ </span>}
              {formatCount(entry.rank)}
            </td>
            <td>
              <PlayerName entry={entry} seasonKey={seasonKey} isCurrent={entry.player === highlighted} />
            </td>
            <ScoreCells entry={entry} columns={columns} />
            {isWide && (
              <td class="number muted wide-only">
                <Ago ms={Date.parse(entry.achieved_at)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
