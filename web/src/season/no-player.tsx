/** What is said about an id that nobody has, and the players whose names or ids are nearest. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { usePromise } from "../data/hooks.ts";
import { Empty, LoadingRows, valueOf } from "../parts/states.tsx";
import { PlayerName } from "./entries-table.tsx";
import { nearestPlayers } from "./find-players.ts";

/** For moderators. Cost: what {@link nearestPlayers} costs. */
export function NoPlayer({ seasonKey, player }: { seasonKey: SeasonKey; player: string }) {
  const asked = usePromise(player, () => nearestPlayers(seasonKey, player));
  const found = valueOf(asked);
  return (
    <div class="found" aria-live="polite">
      <Empty icon="search" title={`Nobody in ${seasonKey.season} has the ID “${player}”`}>
        {found === undefined
          ? "Looking for the nearest …"
          : found.length > 0
            ? "These are the nearest:"
            : "Another season may have the player."}
      </Empty>
      {asked.state === "loading" && <LoadingRows rows={3} />}
      {found !== undefined && found.length > 0 && (
        <ul class="nearest" aria-label="The nearest players">
          {found.map(({ id, name }) => (
            <li key={id}>
              <PlayerName
                entry={{ player: id, ...(name !== undefined && { display_name: name }) }}
                seasonKey={seasonKey}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
