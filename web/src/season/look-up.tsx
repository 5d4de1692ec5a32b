/** A field to look a player up, and the player: below it, or in a sheet where the page has one column. */
import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import { usePromise } from "../data/hooks.ts";
import { useDelayed, useFollowing } from "../data/settled.ts";
import { mayModerate, session } from "../firebase/session.ts";
import { Card } from "../parts/card.tsx";
import { sending } from "../parts/fields.tsx";
import { Icon } from "../parts/icon.tsx";
import { isOneColumn } from "../parts/sheet.tsx";
import { valueOf } from "../parts/states.tsx";
import { suggestPlayers } from "./find-players.ts";
import { AskedPlayer, PlayerSheet, type PlayerProps } from "./asked-player.tsx";
import { askedPlayer } from "./player-actions.tsx";
import { usePlayerAddress } from "./use-segment.ts";

export function LookUp(props: PlayerProps) {
  const { query, route } = useLocation();
  const address = usePlayerAddress(props.seasonKey);
  const player = query["player"] ?? "";
  const isInSheet = isOneColumn.value && player !== "";
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Whoever clicks a player far down in the top looks there, and not up here.
    const { current } = place;
    if (player === "" || isOneColumn.peek() || current === null) return;
    if (current.getBoundingClientRect().top < 0) current.scrollIntoView();
  }, [player]);
  return (
    <div ref={place} class="look-up">
      <Card
        id="player"
        title="Look up a player"
        beside={
          player !== "" && (
            <a class="hint" href={address()}>
              Close
            </a>
          )
        }
      >
        <PlayerForm seasonKey={props.seasonKey} player={player} onLook={(id) => route(address(id))} />
        {player === "" || isInSheet ? (
          <p class="hint ask-answer">
            {session.value === null
              ? "By id. Or choose a player in the list."
              : mayModerate(props.seasonKey.leaderboard)
                ? "By id, or by how the name begins. Or choose a player in the top."
                : "By id. Or choose a player in the top."}
          </p>
        ) : (
          <AskedPlayer key={player} {...props} player={player} />
        )}
      </Card>
      {isInSheet && <PlayerSheet {...props} player={player} />}
    </div>
  );
}

interface FormProps {
  seasonKey: SeasonKey;
  player: string;
  onLook: (player: string) => void;
}

/** Cost, for moderators: what {@link suggestPlayers} costs, for each text at which the typing rests. */
function PlayerForm({ seasonKey, player, onLook }: FormProps) {
  const [text, setText] = useFollowing(player);
  const prefix = useDelayed(text, 200);
  const moderates = mayModerate(seasonKey.leaderboard);
  const isWanted = moderates && prefix !== "" && prefix !== player;
  const asked = usePromise(isWanted ? `${JSON.stringify(seasonKey)} ${prefix}` : undefined, () =>
    suggestPlayers(seasonKey, prefix),
  );
  const found = isWanted ? (valueOf(asked) ?? []) : [];
  const submit = () => {
    if (text.trim() !== "") onLook(text.trim());
  };
  return (
    <form class="ask ask-line" onSubmit={sending(submit)}>
      <label class="search">
        <Icon name="search" />
        <span class="visually-hidden">Player ID</span>
        <input
          id={askedPlayer}
          class="input"
          list="players-found"
          autocomplete="off"
          spellcheck={false}
          placeholder={moderates ? "Player ID or name" : "Player ID"}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <datalist id="players-found">
        {found.map(({ id, name }) => (
          <option key={id} value={id} label={name} />
        ))}
      </datalist>
      <button class="button">Look up</button>
    </form>
  );
}
