/** A season's freshness as a word with a dot. */
import type { Season } from "../../../functions/src/documents/season.ts";
import { now } from "../clock.ts";
import { freshnessOf, freshnessWords } from "../views/freshness.ts";

/** @param isRemembered whether the season may be out of date, so that its freshness is unknown. */
export function FreshnessChip({ season, isRemembered }: { season: Season; isRemembered: boolean }) {
  if (isRemembered) {
    return (
      <span class="dot dot-plain" title="Firestore cannot be reached. The page shows the last known data.">
        Last known
      </span>
    );
  }
  const { word, tone, about } = freshnessWords[freshnessOf(season, now.value)];
  return (
    <span class={`dot dot-${tone}`} title={about}>
      {word}
    </span>
  );
}
