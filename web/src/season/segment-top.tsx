/** The best players of a segment, as of the last ranking that the page knows. */
import { call } from "../data/calls.ts";
import { usePromise } from "../data/hooks.ts";
import { useSettled } from "../data/settled.ts";
import { codeOf } from "../errors.ts";
import { formatMany } from "../format/numbers.ts";
import { Card } from "../parts/card.tsx";
import { Empty, LoadingRows, Problem, valueOf } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";
import { EntriesTable } from "./entries-table.tsx";
import { askedOf, segmentName } from "./segment.ts";
import type { SeasonProps } from "./state.ts";
import { useAddress } from "./use-segment.ts";

const rowsShown = 15;
/** How often a busy board is asked again. */
const settleMs = 10_000;

/** Cost: 1 read for each player listed, at most every ten seconds, when a ranking is published. */
export function SegmentTop({ seasonKey, definition, season, segment }: SeasonProps & { segment: string }) {
  const { leaderboard, season: id } = seasonKey;
  const address = useAddress(`/boards/${leaderboard}/${id}/players`);
  const generation = useSettled(season?.ranking.generation, settleMs);
  const isKnown = generation !== undefined && generation > 0 && definition !== undefined;
  const top = usePromise(isKnown ? `${generation}` : undefined, () =>
    call("getTop", {
      ...seasonKey,
      ...askedOf(segment),
      limit: Math.min(rowsShown, definition?.top_size ?? rowsShown),
      min_generation: generation,
    }),
  );
  const found = valueOf(top);
  /** Also where no ranking of segments is published yet. */
  const isUnranked = top.state === "failed" && codeOf(top.error) === "player_not_ranked";
  return (
    <Card
      id="top"
      classes="card-flush"
      title={`Top of ${segmentName(segment)}`}
      beside={
        found !== undefined && (
          <span class="hint">
            {formatMany(found.players, "player")}, as of <Ago ms={Date.parse(found.as_of)} />
          </span>
        )
      }
    >
      {generation === 0 || isUnranked || found?.entries.length === 0 ? (
        <Empty icon="trophy" title="Nobody is ranked here yet">
          A player comes in with the next score, and is ranked with the next ranking.
        </Empty>
      ) : top.state === "failed" ? (
        <Problem title="The top could not be read" error={top.error} />
      ) : found === undefined ? (
        <LoadingRows rows={rowsShown} />
      ) : (
        <>
          <EntriesTable
            entries={found.entries}
            columns={definition?.columns}
            seasonKey={seasonKey}
            caption={`Top of ${segmentName(segment)}`}
          />
          <div class="card-foot">
            <a class="button" href={address()}>
              The whole list
            </a>
          </div>
        </>
      )}
    </Card>
  );
}
