/** Players whom a moderator has hidden or banned, for this board's seasons and those to come. */
import { useSignal } from "@preact/signals";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { readKeptStatus } from "../data/documents.ts";
import { useGrowingList } from "../data/hooks.ts";
import { playersOfStatus } from "../data/queries.ts";
import { Card, Segments, ShowMore } from "../parts/card.tsx";
import { Empty, Problem, valueOf } from "../parts/states.tsx";
import { Cells, type Column, Table } from "../parts/table.tsx";
import { playerColumn } from "./entries-table.tsx";
import { selectColumn, SelectionBar, useSelection } from "./selection.tsx";
import type { Standing } from "./set-statuses.ts";

const perStretch = 50;
const choices = [
  ["banned", "Banned"],
  ["hidden", "Hidden"],
] as const;

const reason: Column<Standing> = [
  "Reason",
  ({ reason: why }) => <span class={why === undefined ? "muted" : ""}>{why ?? "–"}</span>,
  "reason",
];

/** For moderators. Cost: 1 read for each that is shown, at least 1, and for each that changes. */
export function LeftOut({ seasonKey }: { seasonKey: SeasonKey }) {
  const { leaderboard } = seasonKey;
  const status = useSignal<(typeof choices)[number][0]>("banned");
  const selection = useSelection(status.value);
  const growing = useGrowingList(
    playersOfStatus(leaderboard, status.value, perStretch),
    ({ id, data }) => ({ id, player: id, status: status.value, reason: readKeptStatus(data)?.reason }),
    { isLive: true },
  );
  const { list } = growing;
  const found = valueOf(list);
  const columns = [selectColumn(selection), playerColumn(seasonKey), reason];
  return (
    <Card
      id="left-out"
      classes="card-flush"
      title="Left out"
      beside={<Segments label="Status" choices={choices} value={status} />}
    >
      {list.state === "failed" ? (
        <Problem title="The players could not be listed" error={list.error} />
      ) : found?.length === 0 ? (
        <Empty icon="shield" title={`Nobody is ${status.value} on this board`}>
          Select players above, or look one up, to hide or ban them.
        </Empty>
      ) : (
        <Table
          columns={columns}
          classes="table-links table-dense table-fixed left-out"
          caption={`Players who are ${status.value}`}
          loading={found === undefined && 3}
        >
          {found?.map((one) => (
            <tr key={one.player}>
              <Cells columns={columns} row={one} />
            </tr>
          ))}
        </Table>
      )}
      <ShowMore of={growing}>Show more</ShowMore>
      <SelectionBar
        leaderboard={leaderboard}
        listed={found ?? []}
        selection={selection}
        statuses={status.value === "banned" ? ["active", "hidden"] : ["active", "banned"]}
        onChanged={() => undefined}
      />
    </Card>
  );
}
