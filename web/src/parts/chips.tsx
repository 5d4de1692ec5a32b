/** A season's state as a word, and how fresh its ranking is as a word with a dot. */
import type { Season } from "../../../functions/src/documents/season.ts";
import { now } from "../clock.ts";
import { freshMs } from "../runs/pauses.ts";
import { stateOf, stateWords } from "../season/state.ts";
import { Ago } from "./time.tsx";

/** @param isRemembered whether the season may be out of date, so that its freshness is unknown. */
export function FreshnessChip({ season, isRemembered }: { season: Season; isRemembered: boolean }) {
  if (isRemembered)
    return (
      <span class="dot dot-plain" title="Firestore cannot be reached. The page shows the last known data.">
        Last known
      </span>
    );
  const [word, tone, about] = freshnessWords[freshnessOf(season, now.value)];
  return (
    <span class={`dot dot-${tone}`} title={about}>
      {word}
    </span>
  );
}

/** How fresh a season's ranking is, and when it was published. */
export function Ranked({ season, isRemembered }: { season: Season; isRemembered: boolean }) {
  const { published_at: published } = season.ranking;
  return (
    <>
      <FreshnessChip season={season} isRemembered={isRemembered} />
      {published !== null && (
        <span class="cell-note">
          <Ago ms={published.toMillis()} />
        </span>
      )}
    </>
  );
}

/**
 * `unranked`: nothing is published yet. `fresh`: published within the last interval or two. `asleep`: nobody plays, and
 * nothing is due. `quiet`: older, because nothing has changed or the schedule is behind: the alerts (jobs/alerts.ts of the functions) say
 * which.
 */
type Freshness = "unranked" | "asleep" | "fresh" | "quiet" | "closed" | "deleting";

function freshnessOf(season: Season, nowMs: number): Freshness {
  if (season.status === "closed" || season.status === "deleting") return season.status;
  const publishedMs = season.ranking.published_at?.toMillis();
  if (publishedMs === undefined) return "unranked";
  // A lone score is published, and lets its season doze.
  if (nowMs - publishedMs <= freshMs(season.interval_ms)) return "fresh";
  return season.next_run_at === null || season.dormant_at !== null ? "asleep" : "quiet";
}

const freshnessWords: Record<Freshness, [word: string, tone: "good" | "plain", about: string]> = {
  unranked: ["Not ranked yet", "plain", "The first ranking is published at the end of an interval."],
  asleep: [
    "Asleep",
    "plain",
    "Nothing has changed for a while. Until something changes, no run is due and the board costs next to nothing.",
  ],
  fresh: ["Fresh", "good", "Published within the last two intervals."],
  quiet: [
    "Quiet",
    "plain",
    "Nothing was published for a while. Either nothing has changed or the schedule is behind; see Runs.",
  ],
  closed: ["Final", "plain", "The season has closed."],
  deleting: ["Deleting", "plain", "The season is being deleted."],
};

export function StateChip({ season, nowMs }: { season: Season | undefined; nowMs: number }) {
  if (season === undefined) return <span class="chip chip-bad">unreadable</span>;
  const [word, tone, about] = stateWords[stateOf(season, nowMs)];
  return (
    <span class={`chip chip-${tone}`} title={about}>
      {word}
    </span>
  );
}
