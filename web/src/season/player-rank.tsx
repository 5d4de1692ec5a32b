/** A player's rank, among the players around. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Entry, Rank } from "../../../functions/src/model/answers.ts";
import type { Definition } from "../../../functions/src/model/definition.ts";
import type { Loaded } from "../data/read.ts";
import { formatCount, formatPercent } from "../format/numbers.ts";
import { problemText } from "../errors.ts";
import { LoadingRows, Notice, Skeleton } from "../parts/states.tsx";
import { EntriesTable, Moved, scoreText } from "./entries-table.tsx";
import { segmentName } from "./segment.ts";
import { segmentText } from "../../../functions/src/model/segments.ts";
import { useAddress } from "./use-segment.ts";

/** How many players to list around a player. */
export const neighbours = { above: 3, below: 3 };

interface Props {
  player: string;
  rank: Rank | undefined;
  /** The players around, and the player among them. */
  around: Loaded<{ entries: readonly Entry[] }>;
  definition: Definition | undefined;
  seasonKey: SeasonKey;
}

export function PlayerRank({ player, rank, around, definition, seasonKey }: Props) {
  return (
    <>
      <div class="player-rank">
        <p class="player-place numbers">
          {rank === undefined ? <Skeleton width={3} /> : <>#{formatCount(rank.rank)}</>}
          <span class="muted">
            {" "}
            of {rank === undefined ? <Skeleton width={4} /> : formatCount(ofPlayers(rank))}
          </span>
        </p>
        <p class="chips">{rank === undefined ? <Skeleton width={20} /> : <Facts rank={rank} />}</p>
      </div>
      <div class="player-around">
        {around.state === "ready" ? (
          <EntriesTable
            entries={around.value.entries}
            columns={definition?.columns}
            seasonKey={seasonKey}
            highlighted={player}
            caption={`Around ${player}`}
          />
        ) : around.state === "loading" ? (
          <LoadingRows rows={neighbours.above + 1 + neighbours.below} />
        ) : (
          <Notice>The neighbours could not be listed: {problemText(around.error)}</Notice>
        )}
      </div>
    </>
  );
}

/** A new player below all others is one more than were counted. */
function ofPlayers({ players, rank }: Rank): number {
  return Math.max(players, rank);
}

function Facts({ rank }: { rank: Rank }) {
  const address = useAddress();
  const own = Object.entries(rank.segments ?? {}).flatMap(([name, inIt]) => {
    const value = inIt?.segment?.[name];
    return inIt && value !== undefined ? [{ ...inIt, segment: segmentText(name, value) }] : [];
  });
  return (
    <>
      <span class="chip chip-plain">
        {rank.columns === undefined ? "score " : ""}
        {scoreText(rank)}
      </span>
      <span class="chip chip-plain">percentile {formatPercent(rank.percentile)}</span>
      {rank.tier !== undefined && <span class="chip chip-accent">{rank.tier}</span>}
      {rank.moved != null && (
        <span class="chip chip-plain">
          <Moved of={rank} /> today
        </span>
      )}
      <span class={rank.exact ? "chip chip-good" : "chip chip-warn"}>
        {rank.exact ? "exact" : `${formatCount(rank.rank_best)} to ${formatCount(rank.rank_worst)}`}
      </span>
      {own.map(({ segment, player = "", rank: place, exact, players }) => (
        <a key={segment} class="chip chip-plain" href={address({ segment, player })}>
          {segmentName(segment)}: {exact ? "" : "≈ "}#{formatCount(place)} of {formatCount(players)}
        </a>
      ))}
    </>
  );
}
