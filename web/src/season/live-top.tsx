/** The best players, live: rows move to their new places as scores change. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Top } from "../../../functions/src/documents/top.ts";
import { isRemembered } from "../data/connection.ts";
import type { Loaded } from "../data/read.ts";
import { formatCount } from "../format/numbers.ts";
import { Card } from "../parts/card.tsx";
import { Icon } from "../parts/icon.tsx";
import { Empty, Problem } from "../parts/states.tsx";
import { Head, LoadingRows, type TableColumn } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { type Movement, movementsBetween } from "./movements.ts";
import { PlayerName } from "./player-name.tsx";
import { ScoreCells, scoreColumns } from "./score-cells.tsx";
import type { SeasonProps } from "./season-props.ts";

const rowsShown = 15;
const moveMs = 500;

/** One function, as heading, rows and button follow from the same entries. */
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
            <span>
              {isOld ? "Last known" : isFinal ? "Final" : "Live"}, as of <Ago ms={value.as_of.toMillis()} />
            </span>
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

/** One function, as the head, the rows while it loads and the players' rows have the same columns. */
function Rows({
  seasonKey,
  definition,
  entries,
  movements,
  isLoading,
}: SeasonProps & { entries: Entries; movements: Movements; isLoading: boolean }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useMovingRows(body, entries);
  const columns = definition?.columns;
  const heads: TableColumn[] = [
    ["Rank", "number rank-head", 2],
    ["Player", "", 16],
    ...scoreColumns(columns),
  ];
  return (
    <table class="table table-links">
      <Head columns={heads} />
      <tbody ref={body}>
        {isLoading ? (
          <LoadingRows columns={heads} rows={rowsShown} />
        ) : (
          entries.map((entry) => (
            <tr key={entry.player} data-player={entry.player}>
              <td class="number">
                <Moved movement={movements.get(entry.player)} />
                <span class={entry.rank <= 3 ? `medal medal-${entry.rank}` : "rank"}>
                  {formatCount(entry.rank)}
                </span>
              </td>
              <td>
                <PlayerName entry={entry} seasonKey={seasonKey} />
              </td>
              <ScoreCells entry={entry} columns={columns} />
            </tr>
          ))
        )}
      </tbody>
    </table>
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
  const kept = useRef<{ order: string; entries: Entries; movements: Movements }>({
    order: "",
    entries: [],
    movements: new Map(),
  });
  const order = entries.map(({ player }) => player).join("\n");
  if (order !== kept.current.order) {
    const before = kept.current.entries;
    kept.current = {
      order,
      entries,
      movements: before.length === 0 ? new Map() : movementsBetween(before, entries),
    };
  }
  return kept.current.movements;
}

/** Animates each row from its old to its new place, unless the reader prefers no motion. */
function useMovingRows(body: { current: HTMLTableSectionElement | null }, entries: Entries): void {
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
