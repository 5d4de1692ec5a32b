/** A table of boards; a row is live while it is in view. */
import { useEffect, useRef, useState } from "preact/hooks";
import { type Board, type ListedSeason, readListedSeason } from "../data/documents.ts";
import { useLiveQuery } from "../data/hooks.ts";
import { seasonsOf } from "../data/queries.ts";
import { isRemembered } from "../data/connection.ts";
import type { Loaded } from "../data/read.ts";
import { serverNow } from "../data/server-clock.ts";
import { isShown, mainSeason } from "../seasons/shown.ts";
import { isAdmin } from "../firebase/session.ts";
import { formatCount } from "../format/numbers.ts";
import { FreshnessChip } from "../parts/freshness-chip.tsx";
import { Skeleton, valueOf } from "../parts/states.tsx";
import { Head, LoadingRows, type TableColumn } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { type Failures, failuresText } from "./failures.ts";

/** The most seasons named in a row; beyond that it says that there are more. */
const seasonsShown = 3;

interface Props {
  list: Loaded<Board[]>;
  failures: Loaded<Failures>;
}

const columnsOfAll: readonly TableColumn[] = [
  ["Board", "", 14, 10],
  ["Visible to", "wide-only", 6],
  ["Season", "wide-only", 6],
  ["Players", "number"],
  ["Generation", "number wide-only", 3],
  ["Ranks", "", 8],
];
const failedColumn: TableColumn = ["Failed, 24 h", "number", 2];

export function BoardsTable({ list, failures }: Props) {
  const columns = isAdmin.value ? [...columnsOfAll, failedColumn] : columnsOfAll;
  return (
    <table class="table table-links table-fixed boards">
      <Head columns={columns} />
      <tbody>
        {list.state === "loading" ? (
          <LoadingRows columns={columns} rows={6} />
        ) : (
          valueOf(list)?.map((board) => <BoardRow key={board.id} board={board} failures={failures} />)
        )}
      </tbody>
    </table>
  );
}

interface RowProps {
  board: Board;
  failures: Loaded<Failures>;
}

/**
 * One function, as its cells wait for the same seasons.
 * Cost: 1 read a season, at most 4, each time the row comes into view, and 1 for each that changes meanwhile.
 */
function BoardRow({ board: { id, definition }, failures }: RowProps) {
  const { place, isInSight } = useInSight();
  const seasons = useLiveQuery(isInSight ? seasonsOf(id, seasonsShown + 1) : undefined, readListedSeason);
  const last = useRef<ListedSeason[] | undefined>(undefined);
  const list = valueOf(seasons) ?? last.current;
  last.current = list;
  const latest = list && mainSeason(list.filter(isShown), definition?.spans ?? [], serverNow.peek());
  const ranking = latest?.season?.ranking;
  // Until the seasons are loaded, `all_time` is a better guess than none.
  const hasAllTime = definition?.spans.includes("all_time") === true;
  const season = latest?.id ?? (list === undefined && hasAllTime ? "all_time" : undefined);
  const href = season === undefined ? `/boards/${id}` : `/boards/${id}/${season}`;
  const more = (list?.length ?? 0) - 1;
  return (
    <tr ref={place}>
      <td>
        <a class="row-link" href={href}>
          {id}
        </a>
        <span class="cell-note">
          {definition === undefined
            ? "The definition cannot be read"
            : `${definition.order}, ${definition.aggregation}`}
        </span>
      </td>
      <td class="wide-only">{definition?.visibility === "public" ? "everybody" : "signed-in users"}</td>
      <td class="wide-only">
        {latest?.id ?? (list === undefined ? <Skeleton width={6} /> : "–")}
        {more > 0 && <span class="muted"> and {more < seasonsShown ? more : `${seasonsShown}+`} more</span>}
      </td>
      <td class="number">{numberOr(list, ranking?.players)}</td>
      <td class="number wide-only">{numberOr(list, ranking?.generation)}</td>
      <td>
        {latest?.season !== undefined ? (
          <>
            <FreshnessChip season={latest.season} isRemembered={isRemembered(seasons)} />
            {ranking?.published_at != null && (
              <span class="cell-note">
                <Ago ms={ranking.published_at.toMillis()} />
              </span>
            )}
          </>
        ) : (
          <span class="muted">{list === undefined ? <Skeleton width={8} /> : "No score"}</span>
        )}
      </td>
      {isAdmin.value && (
        <td class="number">
          <Failed failures={failures} board={id} />
        </td>
      )}
    </tr>
  );
}

function Failed({ failures, board }: { failures: Loaded<Failures>; board: string }) {
  if (failures.state === "loading") return <Skeleton width={2} />;
  if (failures.state === "failed") return <span title={failures.error.message}>?</span>;
  const text = failuresText(failures.value, board);
  return failures.value.ofBoard.has(board) ? (
    <span class="chip chip-bad">{text}</span>
  ) : (
    <span class="muted">{text}</span>
  );
}

function numberOr(list: unknown, count: number | undefined) {
  if (list === undefined) return <Skeleton width={3} />;
  return count === undefined ? "–" : formatCount(count);
}

/** So far beyond the edge of the window counts as in view, so that content is loaded before it is scrolled to. */
const margin = "200px";

/** Whether the row that has `place` as its ref is in view, and so worth listening for. */
function useInSight() {
  const place = useRef<HTMLTableRowElement>(null);
  const [isInSight, setInSight] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => setInSight(entries.at(-1)?.isIntersecting === true),
      { rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { place, isInSight };
}
