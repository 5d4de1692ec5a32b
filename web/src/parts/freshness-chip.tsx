/** A season's freshness as a word with a dot. */
import type { Season } from "../../../functions/src/model/season.ts";
import { now } from "../clock.ts";
import { freshnessOf, freshnessWords } from "../views/freshness.ts";

export function FreshnessChip({ season }: { season: Season }) {
  const { word, tone, about } = freshnessWords[freshnessOf(season, now.value)];
  return (
    <span class={`dot dot-${tone}`} title={about}>
      {word}
    </span>
  );
}
