/** The current season's name, and a menu of the board's other seasons: the open ones, and the last that have ended. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import type { ListedSeason } from "../data/documents.ts";
import { problemText } from "../errors.ts";
import { serverNow } from "../data/server-clock.ts";
import { StateChip } from "../parts/chips.tsx";
import { Menu } from "../parts/menu.tsx";
import { Notice, Skeleton, valueOf } from "../parts/states.tsx";
import { pinned } from "../seasons/shown.ts";
import { useSeasons } from "../seasons/use-seasons.ts";
import { addressOf } from "./segment.ts";
import { useSegment } from "./use-segment.ts";

interface Props {
  seasonKey: SeasonKey;
  spans: Definition["spans"];
}

/** Cost: what {@link useSeasons} costs, each time that the list is opened. */
export function SeasonPicker({ seasonKey, spans }: Props) {
  return (
    <Menu label={`Season ${seasonKey.season}. Show the others`} text={seasonKey.season}>
      <Choices {...{ seasonKey, spans }} />
    </Menu>
  );
}

function Choices({ seasonKey: { leaderboard, season }, spans }: Props) {
  const { open, ended, problem } = useSeasons(leaderboard);
  const over = valueOf(ended.list) ?? [];
  const segment = useSegment();
  const link = (other: ListedSeason) => (
    <li key={other.id}>
      <a
        href={addressOf(`/boards/${leaderboard}/${other.id}`, { segment })}
        aria-current={other.id === season ? "page" : undefined}
      >
        <span class="picker-name">{other.id}</span>
        <StateChip season={other.season} nowMs={serverNow.value} />
      </a>
    </li>
  );
  return (
    <>
      {problem !== undefined && <Notice>{problemText(problem)}</Notice>}
      {problem === undefined && open.state === "loading" && <Skeleton width={16} />}
      <ul>{pinned(valueOf(open) ?? [], spans, serverNow.value).map(link)}</ul>
      {over.length > 0 && (
        <div class="picker-part">
          <p class="hint">Ended</p>
          <ul aria-label="Ended">{over.map(link)}</ul>
        </div>
      )}
      <div class="picker-part">
        <ul>
          <li>
            <a href={`/boards/${leaderboard}`}>All seasons</a>
          </li>
        </ul>
      </div>
    </>
  );
}
