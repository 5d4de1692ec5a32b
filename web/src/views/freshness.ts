/** How fresh a season's ranking is. Pure. */
import type { Season } from "../../../functions/src/documents/season.ts";

/**
 * `unranked`: nothing is published yet. `asleep`: nobody plays, and nothing is due. `fresh`: published within the last
 * interval or two. `quiet`: older, because nothing has changed or the schedule is behind: the alerts (jobs/alerts.ts of the functions) say
 * which.
 */
export type Freshness = "unranked" | "asleep" | "fresh" | "quiet" | "closed" | "deleting";

export function freshnessOf(season: Season, nowMs: number): Freshness {
  if (season.status === "closed" || season.status === "deleting") return season.status;
  const publishedMs = season.ranking.published_at?.toMillis();
  if (publishedMs === undefined) return "unranked";
  if (season.next_run_at === null || season.dormant_at !== null) return "asleep";
  // The schedule runs once a minute, whatever the interval.
  const freshMs = 2 * Math.max(season.interval_ms, 60_000);
  return nowMs - publishedMs <= freshMs ? "fresh" : "quiet";
}

/** Each one's name, and the colour of its dot. */
export const freshnessWords: Record<Freshness, { word: string; tone: "good" | "plain"; about: string }> = {
  unranked: {
    word: "Not ranked yet",
    tone: "plain",
    about: "The first ranking is published at the end of an interval.",
  },
  asleep: {
    word: "Asleep",
    tone: "plain",
    about:
      "Nothing has changed for a while. Until something changes, no run is due and the board costs nothing.",
  },
  fresh: { word: "Fresh", tone: "good", about: "Published within the last two intervals." },
  quiet: {
    word: "Quiet",
    tone: "plain",
    about:
      "Nothing was published for a while. Either nothing has changed or the schedule is behind; see Runs.",
  },
  closed: { word: "Final", tone: "plain", about: "The season has closed." },
  deleting: { word: "Deleting", tone: "plain", about: "The season is being deleted." },
};
