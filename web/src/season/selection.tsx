/** Selecting players of a list, and what is done with those who are selected. */
import { useState } from "preact/hooks";
import type { PlayerStatus } from "../../../functions/src/model/player-status.ts";
import { formatCount } from "../format/numbers.ts";
import { AskButton } from "../parts/confirm.tsx";
import type { Column } from "../parts/table.tsx";
import { questionBeforeStatus, type Standing } from "./set-statuses.ts";

export interface Selection {
  players: ReadonlySet<string>;
  choose: (players: Iterable<string>) => void;
}

const none: ReadonlySet<string> = new Set();

/** @param of names the list: in another list nobody is selected. */
export function useSelection(of: string): Selection {
  const [chosen, setChosen] = useState({ of, players: none });
  return {
    players: chosen.of === of ? chosen.players : none,
    choose: (players) => setChosen({ of, players: new Set(players) }),
  };
}

/** A box beside each player. */
export function selectColumn({ players, choose }: Selection): Column<{ player: string }> {
  const toggled = (player: string) =>
    players.has(player) ? [...players].filter((other) => other !== player) : [...players, player];
  return [
    "Select",
    ({ player }) => (
      <label class="select">
        <input type="checkbox" checked={players.has(player)} onChange={() => choose(toggled(player))} />
        <span class="visually-hidden">Select {player}</span>
      </label>
    ),
    "select-cell",
    2,
  ];
}

interface BarProps {
  leaderboard: string;
  /** Those who are listed, as they are now. */
  listed: readonly Standing[];
  selection: Selection;
  /** What may be done with them. */
  statuses: readonly PlayerStatus[];
  onChanged: () => void;
}

/** What can be done with those who are selected; nothing while nobody is. */
export function SelectionBar({ leaderboard, listed, selection, statuses, onChanged }: BarProps) {
  const players = listed.filter(({ player }) => selection.players.has(player));
  if (players.length === 0) return null;
  const isAll = players.length === listed.length;
  const afterwards = () => {
    // The button that had the focus goes, and so do those who were selected.
    document.querySelector<HTMLElement>(".select input:not(:checked)")?.focus();
    selection.choose([]);
  };
  return (
    <div class="selection" role="region" aria-label="Selected players">
      <span class="selection-count" role="status">
        {formatCount(players.length)} selected
      </span>
      {statuses.map((status) => {
        const question = questionBeforeStatus({ leaderboard, players, status, onChanged });
        return (
          <AskButton key={status} question={{ ...question, afterwards }} classes="button-small">
            {question.verb}
          </AskButton>
        );
      })}
      <button
        type="button"
        class="button button-quiet button-small"
        onClick={() => selection.choose(isAll ? [] : listed.map(({ player }) => player))}
      >
        {isAll ? "Select none" : "Select all"}
      </button>
    </div>
  );
}
