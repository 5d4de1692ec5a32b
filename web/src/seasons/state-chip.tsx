/** A season's state as a word. */
import type { Season } from "../../../functions/src/documents/season.ts";
import { stateOf, stateWords } from "../season/state.ts";

export function StateChip({ season, nowMs }: { season: Season | undefined; nowMs: number }) {
  if (season === undefined) return <span class="chip chip-bad">unreadable</span>;
  const { word, tone, about } = stateWords[stateOf(season, nowMs)];
  return (
    <span class={`chip chip-${tone}`} title={about}>
      {word}
    </span>
  );
}
