/** The seasons of a board, the newest first: the newest live, older ones on demand. */
import { useState } from "preact/hooks";
import type { Definition } from "../../../functions/src/model/definition.ts";
import { isRemembered } from "../data/connection.ts";
import { type ListedSeason, readListedSeason } from "../data/documents.ts";
import { useGrowingList } from "../data/hooks.ts";
import { olderSeasonsOf } from "../data/queries.ts";
import type { Loaded } from "../data/read.ts";
import { serverNow, useServerClock } from "../data/server-clock.ts";
import { isAdmin } from "../firebase/session.ts";
import { formatCount } from "../format/numbers.ts";
import { formatLeft } from "../format/zones.ts";
import { Card } from "../parts/card.tsx";
import { Icon } from "../parts/icon.tsx";
import { ShowMore } from "../parts/show-more.tsx";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import { Head, LoadingRows, type TableColumn } from "../parts/table.tsx";
import { ZonedTime } from "../parts/time.tsx";
import { stateOf } from "../season/state.ts";
import { OpenSeason } from "./open-season.tsx";
import { isShown, seasonsMax } from "./shown.ts";
import { StateChip } from "./state-chip.tsx";

interface Props {
  board: string;
  definition: Definition | undefined;
  /** The newest ones, at most {@link seasonsMax}. */
  seasons: Loaded<ListedSeason[]>;
}

/** One function, as the button in its head opens the form below, and form and table have the head's time zone. */
export function SeasonsCard({ board, definition, seasons }: Props) {
  useServerClock();
  const [isOpening, setOpening] = useState(false);
  const newest = valueOf(seasons);
  const older = useOlder(board, newest);
  const list = newest && [...newest, ...older.seasons].filter(isShown);
  const zone = definition?.time_zone ?? "UTC";
  return (
    <Card
      id="seasons"
      classes="card-flush"
      title="Seasons"
      beside={
        <>
          <span class="hint seasons-zone">
            {definition !== undefined && `Times in ${zone}`}
            {isRemembered(seasons) && ", as last known"}
          </span>
          {isAdmin.value && (
            <button
              type="button"
              class="button"
              disabled={definition === undefined}
              aria-expanded={isOpening}
              onClick={() => setOpening(!isOpening)}
            >
              <Icon name="plus" /> Open a tournament
            </button>
          )}
        </>
      }
    >
      {isOpening && <OpenSeason board={board} zone={zone} onClose={() => setOpening(false)} />}
      {seasons.state === "failed" ? (
        <Problem title="The seasons could not be read" error={seasons.error} />
      ) : list?.length === 0 ? (
        <Empty icon="trophy" title="No season yet">
          The first submission opens one for each span of the board.
        </Empty>
      ) : (
        <Table board={board} zone={zone} list={list} />
      )}
      {older.problem !== undefined && (
        <Problem title="Older seasons could not be read" error={older.problem} />
      )}
      {older.more !== undefined && (
        <ShowMore isLoading={older.isLoading} onMore={older.more}>
          Show older seasons
        </ShowMore>
      )}
    </Card>
  );
}

/** Older seasons, on demand. Cost: 1 read each, 20 at a time; again when a season opens meanwhile. */
function useOlder(board: string, newest: readonly ListedSeason[] | undefined) {
  const [isWanted, setWanted] = useState(false);
  const isFull = newest?.length === seasonsMax;
  const until = newest?.at(-1)?.season?.opens_at;
  const { list, hasMore, isGrowing, more } = useGrowingList(
    isWanted && isFull && until !== undefined ? olderSeasonsOf(board, until, seasonsMax) : undefined,
    readListedSeason,
  );
  const known = new Set(newest?.map(({ id }) => id));
  const isLoading = isWanted && (isGrowing || list.state === "loading");
  const begin = () => setWanted(true);
  const isMore = isFull && until !== undefined && (!isWanted || isLoading || hasMore);
  return {
    seasons: isFull ? (valueOf(list) ?? []).filter(({ id }) => !known.has(id)) : [],
    problem: list.state === "failed" ? list.error : undefined,
    isLoading,
    more: isMore ? (isWanted ? more : begin) : undefined,
  };
}

const columns: TableColumn[] = [
  ["Season", "", 14],
  ["Status", "", 8],
  ["Opens", "wide-only", 12],
  ["Closes", "wide-only", 12],
  ["Players", "number"],
];

interface TableProps {
  board: string;
  zone: string;
  list: readonly ListedSeason[] | undefined;
}

function Table({ board, zone, list }: TableProps) {
  return (
    <table class="table table-links seasons">
      <Head columns={columns} />
      <tbody>
        {list === undefined ? (
          <LoadingRows columns={columns} rows={1} />
        ) : (
          list.map((listed) => <Row key={listed.id} board={board} zone={zone} listed={listed} />)
        )}
      </tbody>
    </table>
  );
}

const spanWords = {
  all_time: "all time",
  daily: "a day",
  weekly: "a week",
  monthly: "a month",
  custom: "tournament",
};

function Row({ board, zone, listed: { id, season } }: { board: string; zone: string; listed: ListedSeason }) {
  const nowMs = serverNow.value;
  return (
    <tr>
      <td>
        <a class="row-link" href={`/boards/${board}/${id}`}>
          {id}
        </a>
        {season !== undefined && <span class="cell-note">{spanWords[season.span]}</span>}
      </td>
      <td>
        <StateChip season={season} nowMs={nowMs} />
        {season !== undefined && <Left season={season} nowMs={nowMs} />}
      </td>
      <td class="wide-only">
        {season !== undefined && <ZonedTime ms={season.opens_at.toMillis()} zone={zone} />}
      </td>
      <td class="wide-only">
        {season?.closes_at == null ? (
          <span class="muted">{season?.span === "custom" ? "by an admin" : "–"}</span>
        ) : (
          <ZonedTime ms={season.closes_at.toMillis()} zone={zone} />
        )}
      </td>
      <td class="number">{formatCount(season?.ranking.players ?? 0)}</td>
    </tr>
  );
}

function Left({ season, nowMs }: { season: NonNullable<ListedSeason["season"]>; nowMs: number }) {
  const state = stateOf(season, nowMs);
  if (state === "coming")
    return <span class="cell-note numbers">in {formatLeft(season.opens_at.toMillis() - nowMs)}</span>;
  if (state === "open" && season.closes_at !== null)
    return <span class="cell-note numbers">{formatLeft(season.closes_at.toMillis() - nowMs)} left</span>;
  return null;
}
