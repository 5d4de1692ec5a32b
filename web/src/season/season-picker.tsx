/** The current season's name, and a menu of the board's other seasons. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { readListedSeason } from "../data/documents.ts";
import { useGrowingList } from "../data/hooks.ts";
import { seasonsOf } from "../data/queries.ts";
import { serverNow } from "../data/server-clock.ts";
import { StateChip } from "../parts/chips.tsx";
import { Menu } from "../parts/menu.tsx";
import { Notice, problemText, Skeleton, valueOf } from "../parts/states.tsx";
import { isShown, seasonsMax } from "../seasons/shown.ts";
import { addressOf } from "./segment.ts";
import { useSegment } from "./use-segment.ts";

/** Cost: 1 read a season, at most 20, each time that the list is opened. */
export function SeasonPicker({ seasonKey }: { seasonKey: SeasonKey }) {
  return (
    <Menu label={`Season ${seasonKey.season}. Show the others`} text={seasonKey.season}>
      <Choices seasonKey={seasonKey} />
    </Menu>
  );
}

function Choices({ seasonKey: { leaderboard, season } }: { seasonKey: SeasonKey }) {
  const { list } = useGrowingList(seasonsOf(leaderboard, seasonsMax), readListedSeason);
  const segment = useSegment();
  const seasons = valueOf(list)?.filter(isShown);
  return (
    <>
      {list.state === "failed" && <Notice>{problemText(list.error)}</Notice>}
      {list.state === "loading" && <Skeleton width={16} />}
      <ul>
        {seasons?.map((other) => (
          <li key={other.id}>
            <a
              href={addressOf(`/boards/${leaderboard}/${other.id}`, { segment })}
              aria-current={other.id === season ? "page" : undefined}
            >
              <span class="picker-name">{other.id}</span>
              <StateChip season={other.season} nowMs={serverNow.value} />
            </a>
          </li>
        ))}
        <li>
          <a href={`/boards/${leaderboard}`}>All seasons</a>
        </li>
      </ul>
    </>
  );
}
