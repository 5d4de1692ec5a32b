/** The key figures of a season. */
import type { ComponentChildren } from "preact";
import type { Season } from "../../../functions/src/documents/season.ts";
import { now } from "../clock.ts";
import { isRemembered } from "../data/connection.ts";
import type { Loaded } from "../data/read.ts";
import { formatCount } from "../format/numbers.ts";
import { formatAgo } from "../format/times.ts";
import { FreshnessChip } from "../parts/freshness-chip.tsx";
import { Skeleton, valueOf } from "../parts/states.tsx";
import { Ago } from "../parts/time.tsx";

interface Props {
  season: Loaded<Season | undefined>;
}

export function Figures({ season: loaded }: Props) {
  const season = valueOf(loaded);
  const ranking = season?.ranking;
  const isOld = isRemembered(loaded);
  const isFinal = season?.status === "closed" || season?.status === "deleting";
  const value = (content: ComponentChildren) =>
    loaded.state === "loading" ? <Skeleton width={6} /> : loaded.state === "failed" ? "–" : content;
  return (
    <dl class="figures">
      <Figure
        name="Players ranked"
        note={ranking === undefined ? noteWithout[loaded.state] : rowsText(ranking)}
      >
        {value(formatCount(ranking?.players ?? 0))}
      </Figure>
      <Figure
        name="Generation"
        note={
          ranking === undefined
            ? "\u00a0"
            : ranking.exact || isFinal
              ? "every rank exact"
              : "exact on request"
        }
      >
        {value(formatCount(ranking?.generation ?? 0))}
      </Figure>
      <Figure
        name="Published"
        note={season === undefined ? "\u00a0" : <FreshnessChip season={season} isRemembered={isOld} />}
      >
        {value(ranking?.published_at == null ? "–" : <Ago ms={ranking.published_at.toMillis()} />)}
      </Figure>
      <Figure
        name="Next run"
        note={
          season === undefined
            ? "\u00a0"
            : isFinal
              ? "the table is final"
              : `every ${intervalText(season.interval_ms)}`
        }
      >
        {value(isFinal ? "None" : isOld ? "–" : nextRun(season))}
      </Figure>
    </dl>
  );
}

interface FigureProps {
  name: string;
  note: ComponentChildren;
  children: ComponentChildren;
}

function Figure({ name, note, children }: FigureProps) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd class="figure-value numbers">{children}</dd>
      <dd class="figure-note">{note}</dd>
    </div>
  );
}

const noteWithout = { loading: "\u00a0", ready: "no score yet", failed: "not known" };

function rowsText({ rows, pages }: { rows: number; pages: number }): string {
  return `${formatCount(rows)} different scores, ${formatCount(pages)} ${pages === 1 ? "page" : "pages"}`;
}

function intervalText(ms: number): string {
  return ms < 60_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 6_000) / 10} min`;
}

/** When the next run is due; once it is, the schedule looks for changes first. */
function nextRun(season: Season | undefined): string {
  if (season?.next_run_at == null) return "–";
  const dueMs = season.next_run_at.toMillis();
  return dueMs > now.value ? formatAgo(dueMs, now.value) : "Due if changed";
}
