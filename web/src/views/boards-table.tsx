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
import { Ranked } from "../parts/chips.tsx";
import { Skeleton, valueOf } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { type Failures, failuresText } from "./failures.ts";

/** The most seasons named in a row; beyond that it says that there are more. */
const seasonsShown = 3;

interface Props {
  list: Loaded<Board[]>;
  failures: Loaded<Failures>;
}

/** What a row shows: the board, its newest seasons once they are read, and the main one of these. */
interface Shown extends Board {
  seasons: ListedSeason[] | undefined;
  main: ListedSeason | undefined;
  isOld: boolean;
  failures: Loaded<Failures>;
}

const columnsOfAll: readonly Column<Shown>[] = [
  ["Board", nameCell, "", 14, 10],
  [
    "Visible to",
    ({ definition }) => (definition?.visibility === "public" ? "everybody" : "signed-in users"),
    "wide-only",
    6,
  ],
  ["Season", seasonCell, "wide-only", 6],
  ["Players", ({ seasons, main }) => numberOr(seasons, main?.season?.ranking.players), "number"],
  [
    "Generation",
    ({ seasons, main }) => numberOr(seasons, main?.season?.ranking.generation),
    "number wide-only",
    3,
  ],
  ["Ranks", ranksCell, "", 8],
];
const failedColumn: Column<Shown> = ["Failed, 24 h", failedCell, "number", 2];

export function BoardsTable({ list, failures }: Props) {
  const columns = isAdmin.value ? [...columnsOfAll, failedColumn] : columnsOfAll;
  return (
    <Table columns={columns} classes="table-links table-fixed boards" loading={list.state === "loading" && 6}>
      {valueOf(list)?.map((board) => (
        <BoardRow key={board.id} board={board} failures={failures} columns={columns} />
      ))}
    </Table>
  );
}

interface RowProps extends Pick<Props, "failures"> {
  board: Board;
  columns: readonly Column<Shown>[];
}

/**
 * Cost: of no template 1 read a season, at most 4, each time the row comes into view, and 1 for each that changes
 * meanwhile.
 */
function BoardRow({ board, failures, columns }: RowProps) {
  const { place, isInSight } = useInSight();
  // A template has no seasons; its boards have.
  const isTemplate = board.definition?.template !== undefined;
  const asked = isInSight && !isTemplate ? seasonsOf(board.id, seasonsShown + 1) : undefined;
  const loaded = useLiveQuery(asked, readListedSeason);
  const last = useRef<ListedSeason[] | undefined>(isTemplate ? [] : undefined);
  const seasons = valueOf(loaded) ?? last.current;
  last.current = seasons;
  const spans = board.definition?.spans ?? [];
  const main = seasons && mainSeason(seasons.filter(isShown), spans, serverNow.peek());
  return (
    <tr ref={place}>
      <Cells columns={columns} row={{ ...board, seasons, main, isOld: isRemembered(loaded), failures }} />
    </tr>
  );
}

function nameCell({ id, definition, seasons, main }: Shown) {
  // Until the seasons are loaded, `all_time` is a better guess than none.
  const hasAllTime = definition?.spans.includes("all_time") === true;
  const season = main?.id ?? (seasons === undefined && hasAllTime ? "all_time" : undefined);
  return (
    <>
      <a class="row-link" href={season === undefined ? `/boards/${id}` : `/boards/${id}/${season}`}>
        {id}
      </a>
      <span class="cell-note">
        {definition === undefined
          ? "The definition cannot be read"
          : `${definition.template === undefined ? "" : "template, "}${definition.order}, ${definition.aggregation}`}
      </span>
    </>
  );
}

function seasonCell({ seasons, main }: Shown) {
  const more = (seasons?.length ?? 0) - 1;
  return (
    <>
      {main?.id ?? (seasons === undefined ? <Skeleton width={6} /> : "–")}
      {more > 0 && <span class="muted"> and {more < seasonsShown ? more : `${seasonsShown}+`} more</span>}
    </>
  );
}

function ranksCell({ definition, seasons, main, isOld }: Shown) {
  if (definition?.template !== undefined) return <span class="muted">On its boards</span>;
  if (main?.season === undefined)
    return <span class="muted">{seasons === undefined ? <Skeleton width={8} /> : "No score"}</span>;
  return <Ranked season={main.season} isRemembered={isOld} />;
}

function failedCell({ id, failures }: Shown) {
  if (failures.state === "loading") return <Skeleton width={2} />;
  if (failures.state === "failed") return <span title={failures.error.message}>?</span>;
  const isFailed = failures.value.ofBoard.has(id);
  return <span class={isFailed ? "chip chip-bad" : "muted"}>{failuresText(failures.value, id)}</span>;
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
