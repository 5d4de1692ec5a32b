/** A table of boards; a row is live while it is in view. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Season } from "../../../functions/src/documents/season.ts";
import { type Board, type ListedSeason, readListedSeason } from "../data/documents.ts";
import { useLiveQuery, usePromise } from "../data/hooks.ts";
import { newestOfSpan, openMax, openTournaments } from "../data/queries.ts";
import { isRemembered } from "../data/connection.ts";
import { type Loaded, loading, readCount } from "../data/read.ts";
import { serverNow } from "../data/server-clock.ts";
import { isAdmin } from "../firebase/session.ts";
import { formatCount } from "../format/numbers.ts";
import { Ranked } from "../parts/chips.tsx";
import { Skeleton, valueOf } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { type Failures, failuresText } from "./failures.ts";

interface Props {
  list: Loaded<Board[]>;
  failures: Loaded<Failures>;
}

/** What a row shows: the board, and once they are read the newest season of its first span, and how many tournaments are open. */
interface Shown extends Board {
  season: Loaded<ListedSeason | undefined>;
  tournaments: number | undefined;
  isOld: boolean;
  failures: Loaded<Failures>;
}

const columnsOfAll: readonly Column<Shown>[] = [
  ["Board", nameCell, "named", 14, 10],
  [
    "Visible to",
    ({ definition }) => (definition?.visibility === "public" ? "everybody" : "signed-in users"),
    "wide-only",
    6,
  ],
  ["Season", seasonCell, "wide-only", 6],
  ["Players", ({ season }) => numberOr(season, (ranking) => ranking.players), "number"],
  ["Generation", ({ season }) => numberOr(season, (ranking) => ranking.generation), "number wide-only", 3],
  ["Ranks", ranksCell, "", 8],
];
const failedColumn: Column<Shown> = ["Failed, 24 h", failedCell, "number wide-only", 2];

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
 * Cost: of no template 2 reads each time the row comes into view, 1 where the board has no span; and 1 each time its season
 * changes meanwhile.
 */
function BoardRow({ board, failures, columns }: RowProps) {
  const { id, definition } = board;
  const { place, isInSight } = useInSight();
  // A template has no seasons; its boards have.
  const hasSeasons = definition !== undefined && definition.template === undefined;
  const [span] = hasSeasons ? definition.spans : [];
  const isAsked = isInSight && hasSeasons;
  const loaded = useLiveQuery(
    isAsked && span !== undefined ? newestOfSpan(id, span) : undefined,
    readListedSeason,
  );
  const last = useRef<Loaded<ListedSeason | undefined>>(
    span === undefined ? { state: "ready", value: undefined } : loading,
  );
  if (loaded.state === "ready") last.current = { ...loaded, value: loaded.value[0] };
  if (loaded.state === "failed") last.current = loaded;
  const season = last.current;
  const count = usePromise(isAsked ? id : undefined, () =>
    readCount(openTournaments(id, new Date(serverNow.peek()))),
  );
  const tournaments = hasSeasons ? valueOf(count) : 0;
  return (
    <tr ref={place}>
      <Cells
        columns={columns}
        row={{ ...board, season, tournaments, isOld: isRemembered(season), failures }}
      />
    </tr>
  );
}

function nameCell(row: Shown) {
  const { id, definition, season } = row;
  // Until the season is read, `all_time` is right more often than none.
  const guess = season.state === "loading" && definition?.spans[0] === "all_time" ? "all_time" : undefined;
  const shown = valueOf(season)?.id ?? guess;
  return (
    <>
      <a class="row-link" title={id} href={shown === undefined ? `/boards/${id}` : `/boards/${id}/${shown}`}>
        {id}
      </a>
      <span class="cell-note wide-only">
        {definition === undefined
          ? "The definition cannot be read"
          : `${definition.template === undefined ? "" : "template, "}${definition.order}, ${definition.aggregation}`}
      </span>
      <span class="cell-note narrow-only">
        {definition?.template === undefined ? seasonNote(row) : "template"}
      </span>
    </>
  );
}

function seasonCell({ season, tournaments = 0 }: Shown) {
  if (season.state === "loading") return <Skeleton width={6} />;
  const id = valueOf(season)?.id;
  const more = openText(tournaments, "tournament");
  if (id === undefined) return tournaments === 0 ? "–" : more;
  return (
    <>
      {id}
      {tournaments > 0 && <span class="cell-note">+ {more}</span>}
    </>
  );
}

/** In one line, for the note below the name where the season has no column. */
function seasonNote({ season, tournaments = 0 }: Shown) {
  if (season.state === "loading") return <Skeleton width={6} />;
  const id = valueOf(season)?.id;
  if (id === undefined) return tournaments === 0 ? "–" : openText(tournaments, "tournament");
  return tournaments === 0 ? id : `${id} + ${openText(tournaments)}`;
}

/** `3 open tournaments`, or `3 open`. */
function openText(count: number, name = ""): string {
  const many = count === openMax ? `${openMax} or more` : formatCount(count);
  return `${many} open ${name}${name === "" || count === 1 ? "" : "s"}`.trim();
}

function ranksCell({ definition, season, tournaments = 0, isOld }: Shown) {
  if (definition?.template !== undefined) return <span class="muted">On its boards</span>;
  if (season.state === "loading") return <Skeleton width={8} />;
  const found = valueOf(season)?.season;
  if (found !== undefined) return <Ranked season={found} isRemembered={isOld} />;
  return <span class="muted">{tournaments > 0 ? "–" : "No score"}</span>;
}

function failedCell({ id, failures }: Shown) {
  if (failures.state === "loading") return <Skeleton width={2} />;
  if (failures.state === "failed") return <span title={failures.error.message}>?</span>;
  const isFailed = failures.value.ofBoard.has(id);
  return <span class={isFailed ? "chip chip-bad" : "muted"}>{failuresText(failures.value, id)}</span>;
}

function numberOr(season: Shown["season"], numberOf: (ranking: Season["ranking"]) => number) {
  if (season.state === "loading") return <Skeleton width={3} />;
  const found = valueOf(season)?.season;
  return found === undefined ? "–" : formatCount(numberOf(found.ranking));
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
