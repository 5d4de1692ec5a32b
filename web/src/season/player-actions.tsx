/** Hiding, banning and readmitting a player; for admins also removing, exporting, renaming and merging. */
import { useLocation } from "preact-iso";
import type { SeasonKey } from "../../../functions/src/documents/paths.ts";
import type { Player } from "../../../functions/src/documents/player.ts";
import type { PlayerStatus } from "../../../functions/src/model/player-status.ts";
import { call } from "../data/calls.ts";
import { isAdmin } from "../firebase/session.ts";
import { formatMany } from "../format/numbers.ts";
import { AskButton, useConfirm } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";
import { ExportPlayer, MergePlayer, RenamePlayer } from "./player-data.tsx";
import { questionBeforeStatus, type Standing } from "./set-statuses.ts";
import { usePlayerAddress } from "./use-segment.ts";

/** The id of the input field for a player. */
export const askedPlayer = "asked-player";

interface Props {
  seasonKey: SeasonKey;
  standing: Standing;
  /**
   * The stored document. A player without one in this season may still be in its top, or have one in another season.
   */
  stored: Player | undefined;
  onChanged: () => void;
}

export function PlayerActions({ seasonKey, standing, stored, onChanged }: Props) {
  const { leaderboard } = seasonKey;
  const { player, status } = standing;
  const { ask, dialog } = useConfirm();
  const { route } = useLocation();
  const address = usePlayerAddress(seasonKey);
  const remove = async () => {
    const { removed } = await call("removePlayer", { leaderboard, player });
    tell("good", `${player} was removed from ${formatMany(removed.length, "season")}.`);
  };
  const afterwards = () => {
    route(address());
    document.getElementById(askedPlayer)?.focus();
  };
  const removal = {
    title: `Remove ${player} from ${leaderboard}?`,
    text: "The player's documents in all seasons of this board are erased, with score, name and metadata. This cannot be undone. For 25 hours this board takes no score of the player, who then starts over.",
    verb: "Remove permanently",
    typed: player,
    isDanger: true,
    work: remove,
    afterwards,
  };
  const statusButton = (to: PlayerStatus) => {
    const question = questionBeforeStatus({ leaderboard, players: [standing], status: to, onChanged });
    return (
      <AskButton question={question} classes="button-small">
        {question.verb}
      </AskButton>
    );
  };
  return (
    <div class="player-actions">
      {stored !== undefined && status === "active" && (
        <span class="hint">{formatMany(stored.attempts, "attempt")}</span>
      )}
      <span class="player-buttons">
        {(stored !== undefined || status !== "active") && (
          <>
            {/* Each turns into its opposite in its place, so that it keeps the focus. */}
            {statusButton(status === "hidden" ? "active" : "hidden")}
            {statusButton(status === "banned" ? "active" : "banned")}
          </>
        )}
        {isAdmin.value && (
          <>
            <AskButton question={removal} classes="button-small">
              Remove
            </AskButton>
            <ExportPlayer leaderboard={leaderboard} player={player} />
          </>
        )}
      </span>
      {isAdmin.value && stored !== undefined && (
        <RenamePlayer
          leaderboard={leaderboard}
          player={player}
          name={stored.display_name ?? ""}
          onRenamed={onChanged}
        />
      )}
      {isAdmin.value && (
        <MergePlayer
          leaderboard={leaderboard}
          player={player}
          ask={ask}
          onMerged={(to) => route(address(to))}
        />
      )}
      {dialog}
    </div>
  );
}
