/** The activity of each day: players, scores, runs, dollars. */
import { useMemo } from "preact/hooks";
import type { PricedRegion } from "../../../cli/prices.ts";
import { recordsOf, type Run } from "../data/documents.ts";
import { formatCount, formatDollars } from "../format/numbers.ts";
import { Card } from "../parts/card.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { type Day, daysOf } from "./days.ts";

const columns: readonly Column<Day & { most: number }>[] = [
  ["Day (UTC)", ({ day }) => day, "numbers"],
  ["Players", ({ players }) => (players === undefined ? "–" : formatCount(players)), "number"],
  ["Changed scores", ({ changes }) => formatCount(changes), "number"],
  [
    "Share",
    ({ changes, most }) => <meter min={0} max={most} value={changes} aria-hidden="true" />,
    "day-bar",
  ],
  ["Runs", ({ runs }) => formatCount(runs), "number"],
  ["Dollars, at most", ({ dollars }) => formatDollars(dollars), "number"],
];

/** Of the runs that are listed; older days come with older runs. Costs no read. */
export function Days({ runs, region }: { runs: readonly Run[]; region: PricedRegion }) {
  const days = useMemo(() => daysOf(recordsOf(runs), region), [runs, region]);
  if (days.length === 0) return null;
  const most = Math.max(1, ...days.map(({ changes }) => changes));
  return (
    <Card id="days" title="Days" classes="card-flush">
      <Table columns={columns} classes="table-dense days" caption="Activity by day">
        {days.map((day) => (
          <tr key={day.day}>
            <Cells columns={columns} row={{ ...day, most }} />
          </tr>
        ))}
      </Table>
      <p class="hint card-foot">
        Of the runs that are listed above. The oldest day may be a part of one: show older runs for more.
      </p>
    </Card>
  );
}
