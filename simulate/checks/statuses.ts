/**
 * The status of a player who is in no season yet: that of the last setPlayerStatus. After overlapping calls or lost
 * answers, several are possible.
 */
import type { PlayerStatus } from "../../functions/src/model/player-status.ts";
import { insist } from "./violation.ts";

export type Status = PlayerStatus;

/** A call that sets a player's status, or erases the player. */
export interface StatusAsked {
  player: string;
  status: Status | "removed";
  began: number;
  /** True if no other call about the player was under way at the same time. */
  isAlone: boolean;
  /** The player's possible statuses before. */
  before: readonly Status[];
}

interface Statuses {
  asked(player: string, status: StatusAsked["status"], tick: number): StatusAsked;
  /**
   * @param places the seasons that have the player now.
   * @throws a violation unless a status that was set alone holds in all of them.
   */
  answered(asked: StatusAsked, how: "done" | "refused" | "unknown", places: readonly Place[]): void;
  /** A call that merges two players starts: for both it is a call that may change their status. */
  merging(from: string, to: string, tick: number): readonly StatusAsked[];
  /** It has ended, and the player who stays has these statuses in seasons. */
  merged(from: string, to: string, asked: readonly StatusAsked[], found: readonly Status[]): void;
  /** A trusted server has written a document with another status, or without one. */
  written(player: string, status: Status): void;
  /** A player's possible statuses outside all seasons since a tick. */
  possibleSince(player: string, tick: number): readonly Status[];
}

interface Place {
  season: string;
  status: Status;
}

interface Known {
  /** The possible statuses from a tick on. */
  possible: { tick: number; statuses: readonly Status[] }[];
  open: StatusAsked[];
}

/** Nobody has a status yet. It is one function, as requests that overlap change what the others may have done. */
export function createStatuses(tick: () => number): Statuses {
  const players = new Map<string, Known>();
  /** Those under way. What `from` is made meanwhile, by another merge say, `to` may become. */
  let merges: { from: string; to: string; asked: readonly StatusAsked[]; began: number }[] = [];

  function of(player: string): Known {
    let known = players.get(player);
    if (known === undefined) {
      known = { possible: [{ tick: -1, statuses: ["active"] }], open: [] };
      players.set(player, known);
    }
    return known;
  }

  const latest = ({ possible }: Known) => possible.at(-1)?.statuses ?? [];

  function become(known: Known, statuses: Iterable<Status>): void {
    known.possible.push({ tick: tick(), statuses: [...new Set(statuses)] });
    if (known.possible.length > 30)
      known.possible.splice(1, 10, { tick: -1, statuses: ["active", "hidden", "banned"] });
  }

  function ask(player: string, status: StatusAsked["status"], began: number): StatusAsked {
    const known = of(player);
    const asked = { player, status, began, isAlone: known.open.length === 0, before: latest(known) };
    for (const other of known.open) other.isAlone = false;
    known.open.push(asked);
    become(known, [...latest(known), status === "removed" ? "active" : status]);
    return asked;
  }

  function end(asked: StatusAsked): void {
    const known = of(asked.player);
    known.open = known.open.filter((other) => other !== asked);
  }

  function possibleSince(player: string, since: number, passed: Set<string>): Status[] {
    passed.add(player);
    const { possible } = of(player);
    const first = possible.findLastIndex((state) => state.tick <= since);
    const own = possible.slice(Math.max(0, first)).flatMap(({ statuses }) => statuses);
    const given = merges
      .filter(({ from, to }) => to === player && !passed.has(from))
      .flatMap(({ from, began }) => possibleSince(from, began, passed));
    return [...own, ...given];
  }

  return {
    asked: ask,
    merging(from, to, began) {
      const asked = [
        ask(from, "removed", began),
        ...latest(of(from)).map((status) => ask(to, status, began)),
      ];
      for (const one of asked) one.isAlone = false;
      merges.push({ from, to, asked, began });
      return asked;
    },
    merged(from, to, asked, found) {
      for (const one of asked) end(one);
      merges = merges.filter((merge) => merge.asked !== asked);
      become(of(to), [...latest(of(to)), ...latest(of(from)), ...found]);
    },
    answered(asked, how, places) {
      const known = of(asked.player);
      end(asked);
      if (how === "unknown" || !asked.isAlone) return;
      if (how === "refused") {
        become(known, asked.before);
        return;
      }
      if (asked.status === "removed") {
        become(known, ["active", ...places.map(({ status }) => status)]);
        return;
      }
      const other = places.find(({ status }) => status !== asked.status);
      insist(
        other === undefined,
        () => `status: ${asked.player} was made ${asked.status}, and is ${other?.status} in ${other?.season}`,
      );
      become(known, [asked.status]);
    },
    written(player, status) {
      const known = of(player);
      become(known, [...latest(known), "active", status]);
      for (const asked of known.open) asked.isAlone = false;
    },
    possibleSince: (player, since) => possibleSince(player, since, new Set()),
  };
}
