/** Hiding, banning and readmitting players, one or several, with a message that takes it back. */
import type { PlayerStatus } from "../../../functions/src/model/player-status.ts";
import { reasonCharactersMax } from "../../../functions/src/model/limits.ts";
import { call } from "../data/calls.ts";
import { problemText } from "../errors.ts";
import { formatMany } from "../format/numbers.ts";
import type { Question } from "../parts/confirm.tsx";
import { tell } from "../parts/messages.tsx";

/** A player's status on a board, and why. */
export interface Standing {
  player: string;
  status: PlayerStatus;
  reason?: string | undefined;
}

/** Calls that are sent at once. */
const atOnce = 4;

interface Change {
  leaderboard: string;
  /** The players, as they are now. */
  players: readonly Standing[];
  status: PlayerStatus;
  /** Called after each change, and after each that is taken back. */
  onChanged: () => void;
}

/** The question before a change, which asks for a reason where one is kept. Cost: that of `setPlayerStatus` for each player. */
export function questionBeforeStatus(change: Change): Question {
  const { players, status } = change;
  const { verb, text } = words[status];
  const [only] = players;
  const whom =
    players.length === 1 && only !== undefined ? only.player : formatMany(players.length, "player");
  return {
    title: `${verb} ${whom}?`,
    text,
    verb,
    isDanger: status === "banned",
    ...(status !== "active" && {
      note: {
        label: "Reason",
        hint: "Optional. Other moderators see it; the player doesn't.",
        charactersMax: reasonCharactersMax,
      },
    }),
    work: (reason) => setStatuses(change, reason === "" ? undefined : reason),
  };
}

async function setStatuses(change: Change, reason: string | undefined): Promise<void> {
  const { leaderboard, players, status, onChanged } = change;
  const asked = players.map(({ player }) => ({ player, status, reason }));
  const { done, failures } = await sendAll(leaderboard, asked);
  const before = players.filter(({ player }) => done.has(player));
  if (done.size > 0) {
    tell("good", doneText([...done], status), () => void takeBack(change, before));
    onChanged();
  }
  if (failures[0] !== undefined) throw failures[0];
}

/** Gives players the status back that they had, with its reason. */
async function takeBack({ leaderboard, onChanged }: Change, before: readonly Standing[]): Promise<void> {
  const { done, failures } = await sendAll(leaderboard, before);
  const [one] = before;
  if (one !== undefined && done.size > 0) tell("good", doneText([...done], one.status));
  for (const failure of failures) tell("bad", failure.message);
  onChanged();
}

/** Sends some calls at a time. @returns the players that were done, and what failed, in words */
async function sendAll(leaderboard: string, asked: readonly Standing[]) {
  const done = new Set<string>();
  const failed: { player: string; error: Error }[] = [];
  const left = [...asked];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { player, status, reason } = next;
      try {
        const why = status === "active" || reason === undefined ? {} : { reason };
        await call("setPlayerStatus", { leaderboard, player, status, ...why });
        done.add(player);
      } catch (error) {
        failed.push({ player, error: error as Error });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const [first] = failed;
  const others = asked.length === 1 ? "" : `${failed.length} of ${asked.length} players are as before. `;
  const failures =
    first === undefined ? [] : [new Error(`${others}${first.player}: ${problemText(first.error)}`)];
  return { done, failures };
}

function doneText(players: readonly string[], status: PlayerStatus): string {
  const [only = ""] = players;
  const who = players.length === 1 ? `${only} is` : `${formatMany(players.length, "player")} are`;
  return `${who} ${status} now. Ranks change with the next run; in closed seasons they have already changed.`;
}

const words: Record<PlayerStatus, { verb: string; text: string }> = {
  active: { verb: "Readmit", text: "Ranked and listed again, with the same score." },
  hidden: {
    verb: "Hide",
    text: "The score is kept and further ones are taken, but neither ranked nor listed. The top changes at once; ranks follow with the next run.",
  },
  banned: {
    verb: "Ban",
    text: "Hidden, and further scores are refused. The top changes at once; ranks follow with the next run.",
  },
};
