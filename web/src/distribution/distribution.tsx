/** How scores are distributed, and where one of them stands. */
import { useMemo, useState } from "preact/hooks";
import { readPage } from "../../../functions/src/documents/page.ts";
import type { PageRead } from "../../../functions/src/documents/page-bounds.ts";
import { pagePath, segmentPagePath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { readPageOf } from "../../../functions/src/documents/segment-page.ts";
import type { Order } from "../../../functions/src/model/score.ts";
import { usePromise } from "../data/hooks.ts";
import { edgesOfSegment } from "../data/queries.ts";
import { readDocuments, readStretch } from "../data/read.ts";
import { useSettled } from "../data/settled.ts";
import { formatCount, formatMany } from "../format/numbers.ts";
import { Card } from "../parts/card.tsx";
import { later } from "../parts/later.tsx";
import { Problem, Skeleton, valueOf } from "../parts/states.tsx";
import type { SeasonProps } from "../season/state.ts";
import { useSegment } from "../season/use-segment.ts";
import { histogramOf } from "./bins.ts";
import { axisOf } from "./first-column.ts";
import { pagesToRead, piecesOf } from "./pieces.ts";
import { ScoreNeeded } from "./score-needed.tsx";
import { ScoreRank } from "./score-rank.tsx";

/** Pages read for the chart: 24 reads show any number of players as well as 256 would. */
const pagesMax = 24;
/** How often a busy board is redrawn. */
const settleMs = 10_000;

const chartComing = (
  <div class="chart-place">
    <Skeleton width={28} />
  </div>
);
const HistogramChart = later(
  () => import("./histogram-chart.tsx").then((module) => module.HistogramChart),
  chartComing,
);

/** @param score the player's score to mark, unless the reader asks about another score. */
export function Distribution({ score, ...props }: SeasonProps & { score: number | undefined }) {
  const { definition, season } = props;
  const segment = useSegment();
  const pages = usePages(props, segment);
  const [asked, setAsked] = useState<number | undefined>(undefined);
  const axis = useMemo(() => definition && axisOf(definition), [definition]);
  const read = valueOf(pages);
  const found = read?.pages;
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
      beside={read !== undefined && <span class="hint">{readText(read, segment !== undefined)}</span>}
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
      {definition !== undefined && <ScoreNeeded {...props} definition={definition} />}
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

/** Some pages of a ranking, evenly spaced, and how many it has. */
interface Read {
  pages: PageRead[];
  of: number;
}

/** @param withRows for a segment, as the figures of the season are of all players. */
function readText({ pages, of }: Read, withRows: boolean): string {
  const [first] = pages;
  if (first === undefined) return "";
  const { players, rows } = first;
  const text = `${formatMany(players, "player")}${withRows ? `, ${formatMany(rows, "different score")}` : ""}`;
  return pages.length === of ? text : `${text}, drawn from ${pages.length} of ${formatCount(of)} pages`;
}

/**
 * Pages of the published ranking, or of a segment's. Cost: 1 read each, at most 24, and 2 more in a segment; at most every
 * ten seconds.
 */
function usePages({ seasonKey, definition, season }: SeasonProps, segment: string | undefined) {
  const generation = useSettled(season?.ranking.generation, settleMs);
  const count = season?.ranking.pages ?? 0;
  const order = definition?.order;
  const isKnown = generation !== undefined && count > 0 && order !== undefined;
  return usePromise(isKnown ? `${generation}` : undefined, async (): Promise<Read> => {
    if (segment !== undefined && order !== undefined) return pagesOfSegment(seasonKey, segment, order);
    const found = await readSome(count, (page) => pagePath(seasonKey, page));
    return { pages: found.map(readPage), of: count };
  });
}

async function pagesOfSegment(key: SeasonKey, segment: string, order: Order): Promise<Read> {
  const edges = await Promise.all(edgesOfSegment(key, segment).map((spec) => readStretch(spec)));
  const [first = 0, last = -1] = edges.flatMap(({ found }) => found.map(({ id }) => Number(id)));
  const of = Math.max(0, last - first + 1);
  const found = await readSome(of, (page) => segmentPagePath(key, first + page));
  return { pages: found.flatMap((data) => readPageOf({ ...key, segment }, order, data, "offset") ?? []), of };
}

async function readSome(count: number, pathOf: (page: number) => string) {
  const found = await readDocuments(pagesToRead(count, pagesMax).map(pathOf));
  return found.filter((data) => data !== undefined);
}
