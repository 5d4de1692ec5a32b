/** A player who was asked for: the status, the rank, the players around, and what an admin or a moderator does. */
import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { playerPath, playerStatusPath } from "../../../functions/src/documents/paths.ts";
import { type Player, readPlayer } from "../../../functions/src/documents/player.ts";
import { shownName } from "../../../functions/src/model/display-name.ts";
import { documentId } from "../../../functions/src/model/ids.ts";
import { call } from "../data/calls.ts";
import { readKept } from "../data/documents.ts";
import { useDocument, usePromise } from "../data/hooks.ts";
import { useSettled } from "../data/settled.ts";
import { codeOf, problemText } from "../errors.ts";
import { mayModerate, session } from "../firebase/session.ts";
import { formatMany } from "../format/numbers.ts";
import { Sheet } from "../parts/sheet.tsx";
import { BadBox, Notice, valueOf } from "../parts/states.tsx";
import { NoPlayer } from "./no-player.tsx";
import { PlayerLeague } from "./player-league.tsx";
import { PlayerActions } from "./player-actions.tsx";
import { neighbours, PlayerRank } from "./player-rank.tsx";
import { askedOf } from "./segment.ts";
import type { Standing } from "./set-statuses.ts";
import { scoreText } from "./entries-table.tsx";
import { type SeasonProps, sinceToday } from "./state.ts";
import { usePlayerAddress, useSegment } from "./use-segment.ts";

/** How often the shown rank is updated on a busy board. */
const settleMs = 5_000;

/** `onScore` is called with the found player's score, and with undefined when there is none any more. */
export type PlayerProps = SeasonProps & { onScore?: (score: number | undefined) => void };

/** The player in a sheet over the page. */
export function PlayerSheet(props: PlayerProps & { player: string }) {
  const { route } = useLocation();
  const address = usePlayerAddress(props.seasonKey);
  return (
    <Sheet label={`Player ${props.player}`} onClose={() => route(address())}>
      <AskedPlayer key={props.player} {...props} />
    </Sheet>
  );
}

export function AskedPlayer(props: PlayerProps & { player: string }) {
  const problem = documentId.safeParse(props.player).error?.issues[0]?.message;
  if (problem === undefined) return <FoundPlayer {...props} />;
  return <Notice role="status">Not a valid player ID: it {problem}.</Notice>;
}

/** Cost: that of `getRank` and `getAround`, for each ranking; for moderators 2 reads, and 1 each time the player changes. */
function FoundPlayer({ seasonKey, definition, season, player, onScore }: PlayerProps & { player: string }) {
  const { leaderboard } = seasonKey;
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
    onScore?.(score);
    return () => onScore?.(undefined);
  }, [score]);
  const moderates = mayModerate(leaderboard);
  const mayRead = moderates || session.value?.uid === player;
  const document = useDocument(mayRead ? playerPath(seasonKey, player) : undefined, readPlayer);
  const kept = useDocument(moderates ? playerStatusPath(leaderboard, player) : undefined, readKept);
  const stored = valueOf(document);
  const standing = standingOf(player, stored, valueOf(kept));
  /** Whether it is known what is stored about the player, as far as the reader may know. */
  const isRead = !moderates || (document.state !== "loading" && kept.state !== "loading");
  const isUnranked = rank.state === "failed" && codeOf(rank.error) === "player_not_ranked";
  const isNobody =
    moderates &&
    isUnranked &&
    document.state === "ready" &&
    kept.state === "ready" &&
    !stored &&
    !valueOf(kept);
  if (isNobody) return <NoPlayer seasonKey={seasonKey} player={player} />;
  const listed = valueOf(around)?.entries.find((entry) => entry.player === player);
  const name = shownName({ player, ...listed, ...stored });
  return (
    <div class={moderates ? "found found-admin" : "found"} aria-live="polite">
      <p class="player-head">
        <bdi class="player-title cut" title={name}>
          {name}
        </bdi>
        {name !== player && <bdi class="player-id">{player}</bdi>}
      </p>
      {isRead && standing.status !== "active" ? (
        <LeftOutBox standing={standing} stored={stored} />
      ) : rank.state === "failed" && (isRead || !isUnranked) ? (
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
      {definition?.league !== undefined && valueOf(kept)?.standing !== undefined && (
        <PlayerLeague league={definition.league} standing={valueOf(kept)?.standing ?? {}} />
      )}
      {moderates && isRead && (
        <PlayerActions
          seasonKey={seasonKey}
          standing={standing}
          stored={stored}
          onChanged={() => setChanges(changes + 1)}
        />
      )}
    </div>
  );
}

/**
 * The status in this season, with the reason that the board keeps for it. A player who is not in this season has the status
 * that the board keeps.
 */
function standingOf(
  player: string,
  stored: Player | undefined,
  kept: Omit<Standing, "player"> | undefined,
): Standing {
  const status = stored?.status ?? kept?.status ?? "active";
  return { player, status, reason: kept?.status === status ? kept.reason : undefined };
}

/** What a moderator has to know first of a player who is hidden or banned. */
function LeftOutBox({
  standing: { status, reason },
  stored,
}: {
  standing: Standing;
  stored: Player | undefined;
}) {
  const isBanned = status === "banned";
  const title = isBanned
    ? "Banned: neither ranked nor listed, and scores are refused"
    : "Hidden: neither ranked nor listed";
  const { score, columns, attempts = 0 } = stored ?? {};
  return (
    <BadBox title={title}>
      <p>{reason === undefined ? "No reason was given." : `Reason: ${reason}`}</p>
      <p>
        {score === undefined
          ? "Without a score in this season."
          : `Score ${scoreText({ score, columns })}, ${formatMany(attempts, "attempt")}.`}
      </p>
    </BadBox>
  );
}
