/** A player's name in a list. */
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Entry } from "../../../functions/src/model/answers.ts";
import { shownName } from "../../../functions/src/model/display-name.ts";
import { mayModerate } from "../firebase/session.ts";

interface Props {
  entry: Pick<Entry, "player" | "display_name">;
  seasonKey: SeasonKey;
  isCurrent?: boolean;
}

/**
 * The name, as a link to the player's rank. It is isolated, as a name may run from right to left or change the
 * direction of the text after it. Admins also see the id: names may be alike, and calls take ids.
 */
export function PlayerName({ entry, seasonKey: { leaderboard, season }, isCurrent = false }: Props) {
  const { player } = entry;
  const name = shownName(entry);
  return (
    <>
      <a
        class="row-link"
        href={`/boards/${leaderboard}/${season}?player=${encodeURIComponent(player)}`}
        aria-current={isCurrent ? "true" : undefined}
      >
        <bdi>{name}</bdi>
      </a>
      {mayModerate(leaderboard) && name !== player && <bdi class="player-id">{player}</bdi>}
    </>
  );
}
