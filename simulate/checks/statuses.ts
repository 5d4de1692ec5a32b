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

interface Place {
  season: string;
  status: Status;
}

interface Known {
  /** The possible statuses from a tick on. */
  possible: { tick: number; statuses: readonly Status[] }[];
  open: StatusAsked[];
}

export class Statuses {
  private readonly tick: () => number;
  private readonly players = new Map<string, Known>();
  /** Those under way. What `from` is made meanwhile, by another merge say, `to` may become. */
  private merges: { from: string; to: string; asked: readonly StatusAsked[]; began: number }[] = [];

  constructor(tick: () => number) {
    this.tick = tick;
  }

  private of(player: string): Known {
    let known = this.players.get(player);
    if (known === undefined) {
      known = { possible: [{ tick: -1, statuses: ["active"] }], open: [] };
      this.players.set(player, known);
    }
    return known;
  }

  private latest({ possible }: Known) {
    return possible.at(-1)?.statuses ?? [];
  }

  private become(known: Known, statuses: Iterable<Status>): void {
    known.possible.push({ tick: this.tick(), statuses: [...new Set(statuses)] });
    if (known.possible.length > 30)
      known.possible.splice(1, 10, { tick: -1, statuses: ["active", "hidden", "banned"] });
  }

  asked(player: string, status: StatusAsked["status"], began: number): StatusAsked {
    const known = this.of(player);
    const request = { player, status, began, isAlone: known.open.length === 0, before: this.latest(known) };
    for (const other of known.open) other.isAlone = false;
    known.open.push(request);
    this.become(known, [...this.latest(known), status === "removed" ? "active" : status]);
    return request;
  }

  private end(asked: StatusAsked): void {
    const known = this.of(asked.player);
    known.open = known.open.filter((other) => other !== asked);
  }

  private sinceOf(player: string, since: number, passed: Set<string>): Status[] {
    passed.add(player);
    const { possible } = this.of(player);
    const first = possible.findLastIndex((state) => state.tick <= since);
    const own = possible.slice(Math.max(0, first)).flatMap(({ statuses }) => statuses);
    const given = this.merges
      .filter(({ from, to }) => to === player && !passed.has(from))
      .flatMap(({ from, began }) => this.sinceOf(from, began, passed));
    return [...own, ...given];
  }

  /** A call that merges two players starts: for both it is a call that may change their status. */
  merging(from: string, to: string, began: number) {
    const requests = [
      this.asked(from, "removed", began),
      ...this.latest(this.of(from)).map((status) => this.asked(to, status, began)),
    ];
    for (const one of requests) one.isAlone = false;
    this.merges.push({ from, to, asked: requests, began });
    return requests;
  }

  /** It has ended, and the player who stays has these statuses in seasons. */
  merged(from: string, to: string, asked: readonly StatusAsked[], found: readonly Status[]) {
    for (const one of asked) this.end(one);
    this.merges = this.merges.filter((merge) => merge.asked !== asked);
    this.become(this.of(to), [...this.latest(this.of(to)), ...this.latest(this.of(from)), ...found]);
  }

  /**
   * @param places the seasons that have the player now.
   * @throws a violation unless a status that was set alone holds in all of them.
   */
  answered(asked: StatusAsked, how: "done" | "refused" | "unknown", places: readonly Place[]) {
    const known = this.of(asked.player);
    this.end(asked);
    if (how === "unknown" || !asked.isAlone) return;
    if (how === "refused") {
      this.become(known, asked.before);
      return;
    }
    if (asked.status === "removed") {
      this.become(known, ["active", ...places.map(({ status }) => status)]);
      return;
    }
    const other = places.find(({ status }) => status !== asked.status);
    insist(
      other === undefined,
      () => `status: ${asked.player} was made ${asked.status}, and is ${other?.status} in ${other?.season}`,
    );
    this.become(known, [asked.status]);
  }

  /** A trusted server has written a document with another status, or without one. */
  written(player: string, status: Status) {
    const known = this.of(player);
    this.become(known, [...this.latest(known), "active", status]);
    for (const asked of known.open) asked.isAlone = false;
  }

  /** A player's possible statuses outside all seasons since a tick. */
  possibleSince(player: string, since: number) {
    return this.sinceOf(player, since, new Set());
  }
}
