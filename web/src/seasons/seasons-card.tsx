/** The seasons of a board: the open ones, and below them those that have ended, older ones on demand. */
import { useState } from "preact/hooks";
import type { Definition } from "../../../functions/src/model/definition.ts";
import type { ListedSeason } from "../data/documents.ts";
import { serverNow, useServerClock } from "../data/server-clock.ts";
import { isAdmin } from "../firebase/session.ts";
import { formatCount } from "../format/numbers.ts";
import { formatLeft } from "../format/times.ts";
import { Card, ShowMore } from "../parts/card.tsx";
import { Icon } from "../parts/icon.tsx";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { ZonedTime } from "../parts/time.tsx";
import { stateOf } from "../season/state.ts";
import { OpenSeason } from "./open-season.tsx";
import { pinned } from "./shown.ts";
import type { Seasons } from "./use-seasons.ts";
import { StateChip } from "../parts/chips.tsx";

interface Props {
  board: string;
  definition: Definition | undefined;
  seasons: Seasons;
}

export function SeasonsCard({ board, definition, seasons }: Props) {
  useServerClock();
  const [isOpening, setOpening] = useState(false);
  const { open, ended, problem } = seasons;
  const zone = definition?.time_zone ?? "UTC";
  // All at once, as what stands below the card comes then too: rows that came later would move that.
  const isRead = definition !== undefined && open.state !== "loading" && ended.list.state !== "loading";
  return (
    <Card
      id="seasons"
      classes="card-flush"
      title="Seasons"
      beside={
        <>
          <span class="hint seasons-zone">
            {definition !== undefined && `Times in ${zone}`}
            {seasons.isOld && ", as last known"}
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
      {problem !== undefined ? (
        <Problem title="The seasons could not be read" error={problem} />
      ) : isRead && seasons.isEmpty ? (
        <Empty icon="trophy" title="No season yet">
          The first submission opens one for each span of the board.
        </Empty>
      ) : (
        <Rows
          board={board}
          zone={zone}
          open={isRead ? pinned(valueOf(open) ?? [], definition.spans, serverNow.value) : undefined}
          ended={isRead ? valueOf(ended.list) : undefined}
        />
      )}
      <ShowMore of={ended}>Show older seasons</ShowMore>
    </Card>
  );
}

interface Shown extends ListedSeason {
  board: string;
  zone: string;
  nowMs: number;
}

const columns: readonly Column<Shown>[] = [
  ["Season", nameCell, "named", 14],
  ["Status", statusCell, "", 8],
  [
    "Opens",
    ({ season, zone }) => season !== undefined && <ZonedTime ms={season.opens_at.toMillis()} zone={zone} />,
    "wide-only",
    12,
  ],
  ["Closes", closesCell, "wide-only", 12],
  ["Players", ({ season }) => formatCount(season?.ranking.players ?? 0), "number"],
];

interface RowsProps extends Pick<Shown, "board" | "zone"> {
  open: readonly ListedSeason[] | undefined;
  ended: readonly ListedSeason[] | undefined;
}

function Rows({ open, ended = [], ...about }: RowsProps) {
  const row = (listed: ListedSeason) => (
    <tr key={listed.id}>
      <Cells columns={columns} row={{ ...listed, ...about, nowMs: serverNow.value }} />
    </tr>
  );
  return (
    <Table columns={columns} classes="table-links table-fixed seasons" loading={open === undefined && 1}>
      {open?.map(row)}
      {ended.length > 0 && (
        <tr key="ended" class="row-group">
          <th scope="rowgroup">Ended</th>
          {columns.slice(1).map(([name, , classes]) => (
            <td key={name} class={classes} />
          ))}
        </tr>
      )}
      {ended.map(row)}
    </Table>
  );
}

const spanWords = {
  all_time: "all time",
  daily: "a day",
  weekly: "a week",
  monthly: "a month",
  custom: "tournament",
};

function nameCell({ board, id, season }: Shown) {
  return (
    <>
      <a class="row-link" href={`/boards/${board}/${id}`} title={id}>
        {id}
      </a>
      {season !== undefined && <span class="cell-note">{spanWords[season.span]}</span>}
    </>
  );
}

function statusCell({ season, nowMs }: Shown) {
  const state = season && stateOf(season, nowMs);
  const { opens_at: opens, closes_at: closes } = season ?? { opens_at: null, closes_at: null };
  return (
    <>
      <StateChip season={season} nowMs={nowMs} />
      {state === "coming" && opens !== null && (
        <span class="cell-note numbers">in {formatLeft(opens.toMillis() - nowMs)}</span>
      )}
      {state === "open" && closes !== null && (
        <span class="cell-note numbers">{formatLeft(closes.toMillis() - nowMs)} left</span>
      )}
    </>
  );
}

function closesCell({ season, zone }: Shown) {
  if (season?.closes_at != null) return <ZonedTime ms={season.closes_at.toMillis()} zone={zone} />;
  return <span class="muted">{season?.span === "custom" ? "by an admin" : "–"}</span>;
}
