/** The key figures of a season. */
import type { ComponentChildren } from "preact";
import type { Season } from "../../../functions/src/documents/season.ts";
import { now } from "../clock.ts";
import { isRemembered } from "../data/connection.ts";
import type { Loaded } from "../data/read.ts";
import { formatCount, formatMany } from "../format/numbers.ts";
import { formatAgo } from "../format/times.ts";
import { datesIn } from "../format/zones.ts";
import { FreshnessChip } from "../parts/chips.tsx";
import { Skeleton, valueOf } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";

interface Props {
  season: Loaded<Season | undefined>;
  /** The board's time zone, whose days count. */
  zone: string | undefined;
}

export function Figures({ season: loaded, zone = "UTC" }: Props) {
  const season = valueOf(loaded);
  const isOld = isRemembered(loaded);
  const isFinal = season?.status === "closed" || season?.status === "deleting";
  const figures: Figure[] = [
    [
      "Players ranked",
      formatCount(season?.ranking.players ?? 0),
      season === undefined ? noteWithout[loaded.state] : ranksText(season),
    ],
    isFinal ? closedAt(season) : scoresToday(season, zone),
    [
      "Ranking",
      season === undefined ? "–" : <FreshnessChip season={season} isRemembered={isOld} />,
      season && <Published ranking={season.ranking} />,
    ],
    [
      "Next run",
      isFinal ? "None" : isOld ? "–" : nextRun(season),
      season && (isFinal ? "the table is final" : `every ${intervalText(season.interval_ms)}`),
    ],
  ];
  return (
    <dl class="figures">
      {figures.map(([name, value, note = "\u00a0"]) => (
        <div key={name} class="figure">
          <dt>{name}</dt>
          <dd class="figure-value numbers">
            {loaded.state === "loading" ? <Skeleton width={6} /> : loaded.state === "failed" ? "–" : value}
          </dd>
          <dd class="figure-note">{note}</dd>
        </div>
      ))}
    </dl>
  );
}

type Figure = [name: string, value: ComponentChildren, note: ComponentChildren];

const noteWithout = { loading: "\u00a0", ready: "no score yet", failed: "not known" };

function ranksText({ ranking: { rows, exact }, status }: Season): string {
  const isExact = exact || status === "closed" || status === "deleting";
  return `${formatMany(rows, "different score")}, ${isExact ? "every rank exact" : "exact ranks on request"}`;
}

/** Changed scores of the present day in the board's zone. */
function scoresToday(season: Season | undefined, zone: string): Figure {
  const { today, yesterday } = datesIn(now.value, zone);
  const days = season?.scores_by_day ?? {};
  const before = season && `${formatCount(days[yesterday] ?? 0)} yesterday`;
  return ["Scores today", formatCount(days[today] ?? 0), before];
}

function closedAt({ closed_at: closed }: Season): Figure {
  return ["Closed", closed === null ? "–" : <Ago ms={closed.toMillis()} />, "takes no more scores"];
}

function Published({ ranking }: Pick<Season, "ranking">) {
  const { published_at: published, generation } = ranking;
  if (published === null) return <>no ranking yet</>;
  return (
    <>
      published <Ago ms={published.toMillis()} />, generation {formatCount(generation)}
    </>
  );
}

function intervalText(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 6_000) / 10} min`;
}

/** When the next run is due; once it is, the schedule looks for changes first. A season that dozes has none. */
function nextRun(season: Season | undefined): string {
  if (season?.next_run_at == null || season.dormant_at !== null) return "–";
  const dueMs = season.next_run_at.toMillis();
  return dueMs > now.value ? formatAgo(dueMs, now.value) : "Due if changed";
}
