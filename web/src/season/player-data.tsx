/** Saving what is stored about a player, renaming one, and merging one into another. */
import { useState } from "preact/hooks";
import { call } from "../data/calls.ts";
import { useFollowing } from "../data/settled.ts";
import { save } from "../export/save.ts";
import { formatMany } from "../format/numbers.ts";
import { WorkButton } from "../parts/button.tsx";
import type { Question } from "../parts/confirm.tsx";
import { LineForm } from "../parts/fields.tsx";
import { tell } from "../parts/messages.tsx";
import { useWork } from "../parts/work.ts";
import { isScored, mergeQuestion } from "./merge-question.ts";

interface Props {
  leaderboard: string;
  player: string;
  ask: (question: Question) => void;
  /** Called with the player whose rank is of interest now. */
  onMerged: (player: string) => void;
}

/** Saves the answer of `exportPlayer` as a file. Cost: as that call says. */
export function ExportPlayer({ leaderboard, player }: Pick<Props, "leaderboard" | "player">) {
  const { isBusy, start } = useWork();
  const read = async () => {
    const text = JSON.stringify(await call("exportPlayer", { leaderboard, player }), undefined, 2);
    save(new Blob([text], { type: "application/json" }), `${leaderboard}-${player}.json`);
  };
  return (
    <WorkButton classes="button-small" disabled={isBusy} onClick={() => start(read)}>
      {isBusy ? "Exporting …" : "Export"}
    </WorkButton>
  );
}

/** Asks for the other player, then merges this one into it. Cost: as `exportPlayer` and `mergePlayers` say. */
export function MergePlayer({ leaderboard, player, ask, onMerged }: Props) {
  const [to, setTo] = useState("");
  const { isBusy, start } = useWork();
  const merge = async () => {
    const { seasons } = await call("mergePlayers", { leaderboard, from: player, to });
    const failed = seasons.filter(({ error }) => error !== undefined);
    if (failed[0]?.error !== undefined) throw new Error(failed[0].error.message);
    tell(
      "good",
      `${player} is merged into ${to}, in ${formatMany(seasons.filter(({ merged }) => merged).length, "season")}.`,
    );
  };
  const askFirst = async () => {
    const hasScore = isScored(await call("exportPlayer", { leaderboard, player: to }));
    const question = mergeQuestion({ leaderboard, player, to, hasScore });
    ask({ ...question, work: merge, afterwards: () => onMerged(to) });
  };
  return (
    <LineForm
      label="Merge into"
      button="Merge …"
      placeholder="Player ID"
      spellcheck={false}
      value={to}
      onText={(text) => setTo(text.trim())}
      isReady={!isBusy}
      onSend={() => start(askFirst)}
    />
  );
}

interface RenameProps extends Pick<Props, "leaderboard" | "player"> {
  /** The name that is stored, if there is one. */
  name: string;
  onRenamed: () => void;
}

/** Gives the player another name, or none, in all open seasons. Cost: 2 reads for each, and 1 write. */
export function RenamePlayer({ leaderboard, player, name, onRenamed }: RenameProps) {
  const [text, setText] = useFollowing(name);
  const { isBusy, start } = useWork();
  const rename = async () => {
    const display_name = text.trim() === "" ? null : text.trim();
    await call("setProfile", { leaderboard, player, display_name });
    tell(
      "good",
      display_name === null ? `${player} has no name now.` : `${player} is named ${display_name} now.`,
    );
    onRenamed();
  };
  return (
    <LineForm
      label="Name"
      button="Rename"
      required={false}
      isReady={!isBusy && text.trim() !== name}
      value={text}
      onText={setText}
      onSend={() => start(rename)}
    />
  );
}
