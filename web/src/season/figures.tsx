/** The key figures of a season. */
import type { ComponentChildren } from "preact";
import type { Season } from "../../../functions/src/documents/season.ts";
import { now } from "../clock.ts";
import { isRemembered } from "../data/connection.ts";
import type { Loaded } from "../data/read.ts";
import { formatCount } from "../format/numbers.ts";
import { formatAgo } from "../format/times.ts";
import { FreshnessChip } from "../parts/chips.tsx";
import { Skeleton, valueOf } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";

export function Figures({ season: loaded }: { season: Loaded<Season | undefined> }) {
  const season = valueOf(loaded);
  const ranking = season?.ranking;
  const isOld = isRemembered(loaded);
  const isFinal = season?.status === "closed" || season?.status === "deleting";
  const published = ranking?.published_at;
  const figures: [name: string, value: ComponentChildren, note: ComponentChildren][] = [
    [
      "Players ranked",
      formatCount(ranking?.players ?? 0),
      ranking === undefined ? noteWithout[loaded.state] : rowsText(ranking),
    ],
    [
      "Generation",
      formatCount(ranking?.generation ?? 0),
      ranking && (ranking.exact || isFinal ? "every rank exact" : "exact on request"),
    ],
    [
      "Published",
      published == null ? "–" : <Ago ms={published.toMillis()} />,
      season && <FreshnessChip season={season} isRemembered={isOld} />,
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

const noteWithout = { loading: "\u00a0", ready: "no score yet", failed: "not known" };

function rowsText({ rows, pages }: { rows: number; pages: number }): string {
  return `${formatCount(rows)} different scores, ${formatCount(pages)} ${pages === 1 ? "page" : "pages"}`;
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
