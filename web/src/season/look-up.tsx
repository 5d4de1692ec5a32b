/** A player's rank, the players around, and what an admin or a moderator does with the player. */
import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { playerPath, type SeasonKey } from "../../../functions/src/documents/paths.ts";
import { readPlayer } from "../../../functions/src/documents/player.ts";
import { documentId } from "../../../functions/src/model/ids.ts";
import { call } from "../data/calls.ts";
import { useLiveQuery, usePromise, useDocument } from "../data/hooks.ts";
import { playersNamed, playersWithPrefix, suggestionsMax } from "../data/queries.ts";
import type { Found } from "../data/firestore-json.ts";
import { useDelayed, useFollowing, useSettled } from "../data/settled.ts";
import { problemText } from "../errors.ts";
import { mayModerate, session } from "../firebase/session.ts";
import { Card } from "../parts/card.tsx";
import { sending } from "../parts/fields.tsx";
import { Icon } from "../parts/icon.tsx";
import { Notice, valueOf } from "../parts/states.tsx";
import { askedPlayer, PlayerActions } from "./player-actions.tsx";
import { neighbours, PlayerRank } from "./player-rank.tsx";
import { askedOf } from "./segment.ts";
import { type SeasonProps, sinceToday } from "./state.ts";
import { useAddress, useSegment } from "./use-segment.ts";

/** How often the shown rank is updated on a busy board. */
const settleMs = 5_000;

/** `onScore` is called with the found player's score, and with undefined when there is none any more. */
type Props = SeasonProps & { onScore: (score: number | undefined) => void };

export function LookUp(props: Props) {
  const { query, route } = useLocation();
  const address = useAddress();
  const player = query["player"] ?? "";
  const look = (id: string) => route(address({ player: id }));
  return (
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
      <PlayerForm seasonKey={props.seasonKey} player={player} onLook={look} />
      {player === "" ? (
        <p class="hint ask-answer">
          {session.value === null
            ? "By id. Or choose a player in the list."
            : mayModerate(props.seasonKey.leaderboard)
              ? "By id, or by how the name begins: upper and lower case differ. Or choose a player in the top."
              : "By id. Or choose a player in the top."}
        </p>
      ) : (
        <Asked key={player} {...props} player={player} />
      )}
    </Card>
  );
}

interface FormProps {
  seasonKey: SeasonKey;
  player: string;
  onLook: (player: string) => void;
}

/** Cost, for moderators: 1 read for each player that begins with the text, by id or by name; at most 16 for each text. */
function PlayerForm({ seasonKey, player, onLook }: FormProps) {
  const [text, setText] = useFollowing(player);
  const prefix = useDelayed(text, 200);
  const moderates = mayModerate(seasonKey.leaderboard);
  const wanted = moderates && prefix !== "" && prefix !== player;
  const byId = useLiveQuery(
    wanted && !prefix.includes("/") ? playersWithPrefix(seasonKey, prefix, suggestionsMax) : undefined,
    asSuggestion,
  );
  const byName = useLiveQuery(
    wanted ? playersNamed(seasonKey, prefix, suggestionsMax) : undefined,
    asSuggestion,
  );
  const found = new Map([...(valueOf(byId) ?? []), ...(valueOf(byName) ?? [])]);
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
        {[...found].map(([id, name]) => (
          <option key={id} value={id} label={name} />
        ))}
      </datalist>
      <button class="button">Look up</button>
    </form>
  );
}

function asSuggestion({ id, data }: Found): [id: string, name: string | undefined] {
  const name: unknown = data["display_name"];
  return [id, typeof name === "string" ? name : undefined];
}

function Asked(props: Props & { player: string }) {
  const problem = documentId.safeParse(props.player).error?.issues[0]?.message;
  if (problem === undefined) return <FoundPlayer {...props} />;
  return <Notice role="status">Not a valid player ID: it {problem}.</Notice>;
}

function FoundPlayer({ seasonKey, definition, season, player, onScore }: Props & { player: string }) {
  const generation = useSettled(season?.ranking.generation, settleMs);
  const [changes, setChanges] = useState(0);
  const segment = useSegment();
  const asked = { ...seasonKey, player, ...askedOf(segment), ...sinceToday(seasonKey, definition, segment) };
  const names = segment === undefined ? definition?.segments?.map(({ name }) => name) : undefined;
  const key = definition && `${generation ?? 0} ${changes} ${JSON.stringify([asked, names])}`;
  const rank = usePromise(key, () => call("getRank", { ...asked, ...(names && { segments: names }) }));
  const around = usePromise(key, () => call("getAround", { ...asked, ...neighbours }));
  const score = valueOf(rank)?.score;
  useEffect(() => {
    onScore(score);
    return () => onScore(undefined);
  }, [score]);
  const moderates = mayModerate(seasonKey.leaderboard);
  const mayRead = moderates || session.value?.uid === player;
  const document = useDocument(mayRead ? playerPath(seasonKey, player) : undefined, readPlayer);
  return (
    <div class={moderates ? "found found-admin" : "found"} aria-live="polite">
      {rank.state === "failed" ? (
        <Notice>{problemText(rank.error)}</Notice>
      ) : (
        <PlayerRank
          rank={valueOf(rank)}
          around={around}
          player={player}
          definition={definition}
          seasonKey={seasonKey}
        />
      )}
      {moderates && (
        <PlayerActions
          leaderboard={seasonKey.leaderboard}
          player={player}
          document={document}
          onChanged={() => setChanges(changes + 1)}
        />
      )}
    </div>
  );
}
