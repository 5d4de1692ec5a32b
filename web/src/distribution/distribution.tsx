/** How scores are distributed, and where one of them stands. */
import { useMemo, useState } from "preact/hooks";
import { type Page, readPage } from "../../../functions/src/documents/page.ts";
import { pagePath } from "../../../functions/src/documents/paths.ts";
import { usePromise } from "../data/hooks.ts";
import { readDocument } from "../data/read.ts";
import { useSettled } from "../data/settled.ts";
import { formatCount, formatMany } from "../format/numbers.ts";
import { Card } from "../parts/card.tsx";
import { Problem, Skeleton, valueOf } from "../parts/states.tsx";
import type { SeasonProps } from "../season/state.ts";
import { histogramOf } from "./bins.ts";
import { axisOf } from "./first-column.ts";
import { HistogramChart } from "./histogram-chart.tsx";
import { pagesToRead, piecesOf } from "./pieces.ts";
import { ScoreRank } from "./score-rank.tsx";

/** Pages read for the chart: 24 reads show any number of players as well as 256 would. */
const pagesMax = 24;
/** How often a busy board is redrawn. */
const settleMs = 10_000;

/** @param score the player's score to mark, unless the reader asks about another score. */
export function Distribution({ score, ...props }: SeasonProps & { score: number | undefined }) {
  const { definition, season } = props;
  const pages = usePages(props);
  const [asked, setAsked] = useState<number | undefined>(undefined);
  const axis = useMemo(() => definition && axisOf(definition), [definition]);
  const found = valueOf(pages);
  const histogram = useMemo(() => {
    if (found === undefined || axis === undefined) return undefined;
    const pieces = piecesOf(found).map(({ best, worst, players }) => ({
      best: axis.valueOf(best),
      worst: axis.valueOf(worst),
      players,
    }));
    return histogramOf(pieces);
  }, [found, axis]);
  return (
    <Card
      id="distribution"
      title={`Distribution of ${axis === undefined || axis.name === "score" ? "scores" : axis.name}`}
      beside={found !== undefined && <span class="hint">{readText(found)}</span>}
    >
      {pages.state === "failed" ? (
        <Problem title="The pages could not be read" error={pages.error} />
      ) : histogram !== undefined && axis !== undefined ? (
        <HistogramChart histogram={histogram} axis={axis} marked={asked ?? score} />
      ) : (
        <div class="chart-place">
          <NoChart season={season} isRead={found !== undefined && axis !== undefined} />
        </div>
      )}
      {definition !== undefined && <ScoreRank {...props} definition={definition} onScore={setAsked} />}
    </Card>
  );
}

/** Shown instead of a chart: that it is loading, or why there is none. */
function NoChart({ season, isRead }: { season: SeasonProps["season"]; isRead: boolean }) {
  if (season?.ranking.generation === 0) return <span class="muted">It appears with the first ranking.</span>;
  if (season !== undefined && (isRead || season.ranking.pages === 0))
    return <span class="muted">Nobody is ranked now.</span>;
  return <Skeleton width={28} />;
}

function readText(pages: readonly Page[]): string {
  const [first] = pages;
  if (first === undefined) return "";
  const players = formatMany(first.players, "player");
  return pages.length === first.pages
    ? players
    : `${players}, drawn from ${pages.length} of ${formatCount(first.pages)} pages`;
}

/** Pages of the published ranking, evenly spaced. Cost: 1 read each, at most 24, at most every ten seconds. */
function usePages({ seasonKey, season }: SeasonProps) {
  const generation = useSettled(season?.ranking.generation, settleMs);
  const count = season?.ranking.pages ?? 0;
  const asked = generation === undefined || count === 0 ? undefined : `${generation}`;
  return usePromise(
    asked,
    async () => {
      const found = await Promise.all(
        pagesToRead(count, pagesMax).map((page) => readDocument(pagePath(seasonKey, page))),
      );
      return found.filter((data) => data !== undefined).map(readPage);
    },
    { keepsLast: true },
  );
}
