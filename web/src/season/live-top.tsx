/** The best players, live: rows move to their new places as scores change. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Top } from "../../../functions/src/documents/top.ts";
import { isRemembered } from "../data/connection.ts";
import type { Loaded } from "../data/read.ts";
import { formatCount } from "../format/numbers.ts";
import { Card } from "../parts/card.tsx";
import { Icon } from "../parts/icon.tsx";
import { Empty, Problem } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { type Movement, movementsBetween } from "./movements.ts";
import { playerColumn, scoreColumns } from "./entries-table.tsx";
import type { SeasonProps } from "./state.ts";

const rowsShown = 15;
const moveMs = 500;

export function LiveTop({ top, ...props }: SeasonProps & { top: Loaded<Top | undefined> }) {
  const [showsAll, setShowsAll] = useState(false);
  const value = top.state === "ready" ? top.value : undefined;
  const isOld = isRemembered(top);
  const entries = value?.entries ?? none;
  const isFinal = props.season?.status === "closed";
  const changes = useMovements(entries);
  /** Nobody is overtaken in a final table: players only move because one was removed. */
  const movements = isFinal ? noMovements : changes;
  return (
    <Card
      id="top"
      classes="card-flush"
      title={`Top ${entries.length === 0 ? "" : formatCount(entries.length)}`}
      beside={
        value !== undefined && (
          <span class={`dot ${isOld || isFinal ? "dot-plain" : "dot-good"} muted`}>
            {isOld || isFinal ? (
              <span>
                {isOld ? "Last known" : "Final"}, as of <Ago ms={value.as_of.toMillis()} />
              </span>
            ) : (
              <span title="Changes are shown as they happen.">Live</span>
            )}
          </span>
        )
      }
    >
      {top.state === "failed" ? (
        <Problem title="The top could not be read" error={top.error} />
      ) : top.state === "ready" && entries.length === 0 ? (
        <Empty icon="trophy" title="Nobody is ranked yet">
          {isFinal
            ? "Nobody was ranked when this season closed, or everybody has been removed since."
            : (props.season?.ranking.generation ?? 0) === 0
              ? "The first ranking is published at the end of an interval."
              : "Players who submit a score appear here with the next ranking."}
        </Empty>
      ) : (
        <Rows
          {...props}
          entries={showsAll ? entries : entries.slice(0, rowsShown)}
          movements={movements}
          isLoading={top.state === "loading"}
        />
      )}
      {entries.length > rowsShown && (
        <div class="card-foot">
          <button type="button" class="button" onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? `Show the best ${rowsShown}` : `Show all ${formatCount(entries.length)}`}
          </button>
        </div>
      )}
    </Card>
  );
}

type Entries = Top["entries"];
type Movements = ReadonlyMap<string, Movement>;
const none: Entries = [];
const noMovements: Movements = new Map();

interface RowsProps extends SeasonProps {
  entries: Entries;
  movements: Movements;
  isLoading: boolean;
}

function Rows({ seasonKey, definition, entries, movements, isLoading }: RowsProps) {
  const body = useRef<HTMLTableSectionElement>(null);
  useMovingRows(body, entries);
  const rank: Column<Entries[number]> = [
    "Rank",
    ({ player, rank: number }) => (
      <>
        <Moved movement={movements.get(player)} />
        <span class={number <= 3 ? `medal medal-${number}` : "rank"}>{formatCount(number)}</span>
      </>
    ),
    "number rank-head",
    2,
  ];
  const columns = [rank, playerColumn(seasonKey), ...scoreColumns(definition?.columns)];
  return (
    <Table columns={columns} classes="table-links" loading={isLoading && rowsShown} body={body}>
      {entries.map((entry) => (
        <tr key={entry.player} data-player={entry.player}>
          <Cells columns={columns} row={entry} />
        </tr>
      ))}
    </Table>
  );
}

function Moved({ movement }: { movement: Movement | undefined }) {
  if (movement === undefined) return null;
  const { by } = movement;
  const text = by === "new" ? "new in the top" : `${by > 0 ? "up" : "down"} ${Math.abs(by)}`;
  return (
    <span class={`moved moved-${by === "new" || by > 0 ? "up" : "down"}`} title={text}>
      <Icon name={by === "new" || by > 0 ? "up" : "down"} size={12} />
      <span class="visually-hidden">{text}, </span>
    </span>
  );
}

/** The players who moved with the last change of the order, among all entries, shown or not. */
function useMovements(entries: Entries): Movements {
  const kept = useRef({ order: "", entries: none, movements: noMovements });
  const order = entries.map(({ player }) => player).join("\n");
  if (order !== kept.current.order) {
    const before = kept.current.entries;
    const movements = before.length === 0 ? noMovements : movementsBetween(before, entries);
    kept.current = { order, entries, movements };
  }
  return kept.current.movements;
}

/** Animates each row from its old to its new place, unless the reader prefers no motion. */
function useMovingRows(body: RefObject<HTMLTableSectionElement | null>, entries: Entries): void {
  const tops = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const rows = [...(body.current?.querySelectorAll<HTMLElement>("tr[data-player]") ?? [])];
    const before = tops.current;
    tops.current = new Map(rows.map((row) => [row.dataset["player"] ?? "", row.offsetTop]));
    if (before.size === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const row of rows) {
      const was = before.get(row.dataset["player"] ?? "");
      if (was === undefined) {
        row.animate({ opacity: [0, 1] }, { duration: moveMs });
      } else if (was !== row.offsetTop) {
        row.animate(
          { transform: [`translateY(${was - row.offsetTop}px)`, "none"] },
          { duration: moveMs, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" },
        );
      }
    }
  }, [entries]);
}
