/** Hiding, banning and readmitting a player; for admins also removing, exporting, renaming and merging. */
import { useLocation } from "preact-iso";
import type { Player } from "../../../functions/src/documents/player.ts";
import type { PlayerStatus } from "../../../functions/src/model/player-status.ts";
import { call } from "../data/calls.ts";
import type { Loaded } from "../data/read.ts";
import { isAdmin } from "../firebase/session.ts";
import { formatMany } from "../format/numbers.ts";
import { AskButton, useConfirm } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";
import { valueOf } from "../parts/states.tsx";
import { useAddress } from "./use-segment.ts";
import { ExportPlayer, MergePlayer, RenamePlayer } from "./player-data.tsx";

/** The id of the input field for a player. */
export const askedPlayer = "asked-player";

interface Props {
  leaderboard: string;
  player: string;
  /**
   * The stored document. A player without one in this season may still be in its top, or have one in another season.
   */
  document: Loaded<Player | undefined>;
  onChanged: () => void;
}

export function PlayerActions({ leaderboard, player, document, onChanged }: Props) {
  const { ask, dialog } = useConfirm();
  const { route } = useLocation();
  const address = useAddress();
  const setStatus = async (status: PlayerStatus) => {
    await call("setPlayerStatus", { leaderboard, player, status });
    tell(
      "good",
      `${player} is ${status} now. Ranks change with the next run; in closed seasons they have already changed.`,
    );
    onChanged();
  };
  const remove = async () => {
    const { removed } = await call("removePlayer", { leaderboard, player });
    tell("good", `${player} was removed from ${formatMany(removed.length, "season")}.`);
  };
  const afterwards = () => {
    route(address());
    globalThis.document.getElementById(askedPlayer)?.focus();
  };
  const stored = valueOf(document);
  const removal = {
    title: `Remove ${player} from ${leaderboard}?`,
    text: "The player's documents in all seasons of this board are erased, with score, name and metadata. This cannot be undone. A player who submits again starts over.",
    verb: "Remove permanently",
    typed: player,
    isDanger: true,
    work: remove,
    afterwards,
  };
  const statusButton = (status: PlayerStatus) => {
    const { verb, text } = statusQuestions[status];
    const work = () => setStatus(status);
    const question = { title: `${verb} ${player}?`, text, verb, isDanger: status === "banned", work };
    return (
      <AskButton question={question} classes="button-small">
        {verb}
      </AskButton>
    );
  };
  return (
    <div class="player-actions">
      {stored !== undefined && (
        <>
          <span class={`chip ${stored.status === "active" ? "chip-good" : "chip-warn"}`}>
            {stored.status}
          </span>
          <span class="hint">{formatMany(stored.attempts, "attempt")}</span>
        </>
      )}
      <span class="player-buttons">
        {stored !== undefined && (
          <>
            {/* Each turns into its opposite in its place, so that it keeps the focus. */}
            {statusButton(stored.status === "hidden" ? "active" : "hidden")}
            {statusButton(stored.status === "banned" ? "active" : "banned")}
          </>
        )}
        {isAdmin.value && (
          <>
            {document.state !== "loading" && (
              <AskButton question={removal} classes="button-small">
                Remove
              </AskButton>
            )}
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
          onMerged={(to) => route(address({ player: to }))}
        />
      )}
      {dialog}
    </div>
  );
}

const statusQuestions: Record<PlayerStatus, { verb: string; text: string }> = {
  active: { verb: "Readmit", text: "The player is ranked and listed again, with the same score." },
  hidden: {
    verb: "Hide",
    text: "The player keeps the score and may submit, but is neither ranked nor listed. The top changes at once; ranks follow with the next run.",
  },
  banned: {
    verb: "Ban",
    text: "The player is hidden, and further submissions are refused. The top changes at once; ranks follow with the next run.",
  },
};
