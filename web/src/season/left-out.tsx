/** Players whom a moderator has hidden or banned, for this board's seasons and those to come. */
import { useSignal } from "@preact/signals";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { useGrowingList } from "../data/hooks.ts";
import { playersOfStatus } from "../data/queries.ts";
import { Card, Segments, ShowMore } from "../parts/card.tsx";
import { Empty, LoadingRows, Problem, valueOf } from "../parts/states.tsx";
import { PlayerName } from "./entries-table.tsx";

const perStretch = 50;
const choices = [
  ["banned", "Banned"],
  ["hidden", "Hidden"],
] as const;

/** For moderators. Cost: 1 read for each that is shown, at least 1. */
export function LeftOut({ seasonKey }: { seasonKey: SeasonKey }) {
  const status = useSignal<(typeof choices)[number][0]>("banned");
  const growing = useGrowingList(
    playersOfStatus(seasonKey.leaderboard, status.value, perStretch),
    ({ id }) => ({ id }),
  );
  const { list } = growing;
  const found = valueOf(list);
  return (
    <Card
      id="left-out"
      title="Left out"
      beside={<Segments label="Status" choices={choices} value={status} />}
    >
      {list.state === "failed" ? (
        <Problem title="The players could not be listed" error={list.error} />
      ) : found === undefined ? (
        <LoadingRows rows={3} />
      ) : found.length === 0 ? (
        <Empty icon="shield" title={`Nobody is ${status.value} on this board`}>
          Look up a player to hide or ban one.
        </Empty>
      ) : (
        <ul class="left-out">
          {found.map(({ id: player }) => (
            <li key={player}>
              <PlayerName entry={{ player }} seasonKey={seasonKey} />
            </li>
          ))}
        </ul>
      )}
      <ShowMore of={growing}>Show more</ShowMore>
    </Card>
  );
}
