/** Where a player stands in a board's league, and what became of the player in the last weeks. */
import type { LeagueStanding } from "../../../functions/src/documents/league-standing.ts";
import type { League } from "../../../functions/src/model/league.ts";
import { formatCount } from "../format/numbers.ts";

/** @param standing what the board keeps of the player, which settling writes: nothing before a first week has ended. */
export function PlayerLeague({ league: { tiers }, standing }: { league: League; standing: LeagueStanding }) {
  const { tier, has_left: hasLeft, outcomes = {} } = standing;
  const nameOf = (id: string) => tiers.find((one) => one.id === id)?.name ?? id;
  const weeks = Object.entries(outcomes).toSorted(([a], [b]) => (a < b ? 1 : -1));
  return (
    <div class="player-league">
      <p class="chips">
        <span class="chip chip-accent">League: {nameOf(tier ?? tiers[0]?.id ?? "")}</span>
        {hasLeft === true && <span class="chip chip-warn">has left the league</span>}
      </p>
      {weeks.length > 0 && (
        <ul class="player-weeks">
          {weeks.map(([season, { from, to, place, members }]) => (
            <li key={season}>
              <span class="muted">{season}</span> #{formatCount(place)} of {formatCount(members)} in{" "}
              {nameOf(from)}
              {to !== from && ` → ${nameOf(to)}`}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
