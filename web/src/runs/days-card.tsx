/** The activity of each day: players, scores, runs, dollars. */
import { useMemo } from "preact/hooks";
import type { PricedRegion } from "../../../cli/prices.ts";
import type { Run } from "../data/documents.ts";
import { formatCount, formatDollars } from "../format/numbers.ts";
import { Card } from "../parts/card.tsx";
import { Head, type TableColumn } from "../parts/table.tsx";
import { daysOf } from "./days.ts";

const columns: readonly TableColumn[] = [
  ["Day (UTC)"],
  ["Players", "number"],
  ["Changed scores", "number"],
  ["Share"],
  ["Runs", "number"],
  ["Dollars, at most", "number"],
];

/** Of the runs that are listed; older days come with older runs. Costs no read. */
export function Days({ runs, region }: { runs: readonly Run[]; region: PricedRegion }) {
  const days = useMemo(
    () =>
      daysOf(
        runs.flatMap(({ record }) => (record === undefined ? [] : [record])),
        region,
      ),
    [runs, region],
  );
  if (days.length === 0) return null;
  const most = Math.max(1, ...days.map(({ changes }) => changes));
  return (
    <Card id="days" title="Days" classes="card-flush">
      <table class="table table-dense">
        <caption class="visually-hidden">Activity by day</caption>
        <Head columns={columns} />
        <tbody>
          {days.map(({ day, players, changes, runs: count, dollars }) => (
            <tr key={day}>
              <td class="numbers">{day}</td>
              <td class="number">{players === undefined ? "–" : formatCount(players)}</td>
              <td class="number">{formatCount(changes)}</td>
              <td class="day-bar">
                <meter min={0} max={most} value={changes} aria-hidden="true" />
              </td>
              <td class="number">{formatCount(count)}</td>
              <td class="number">{formatDollars(dollars)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint card-foot">
        Of the runs that are listed above. The oldest day may be a part of one: show older runs for more.
      </p>
    </Card>
  );
}
