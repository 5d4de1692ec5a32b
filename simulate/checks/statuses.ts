/**
 * The status with which a player begins in a new season: what the last setPlayerStatus said. After overlapping calls or
 * lost answers, several statuses are possible.
 */
import { playerStatusPath } from "../../functions/src/documents/paths.ts";
import { leaderboard } from "../board.ts";
import type { Life } from "./life.ts";
import { namesNoStatus, type Status, statusIn } from "./player.ts";
import type { Players } from "./players.ts";
import { tickOf, WorldCheck } from "./setting.ts";
import { insist } from "./violation.ts";
import type { StatusAsked } from "./work.ts";

interface Known {
  /** The possible statuses from a tick on. */
  possible: { tick: number; statuses: readonly Status[] }[];
  open: StatusAsked[];
}

export class Statuses extends WorldCheck<{ life: Life; players: Players }> {
  private readonly known = new Map<string, Known>();
  /** The merges under way. What `from` is made meanwhile, by another merge say, `to` may become. */
  private merges: { from: string; to: string; asked: readonly StatusAsked[]; began: number }[] = [];

  private of(player: string): Known {
    let known = this.known.get(player);
    if (known === undefined) {
      known = { possible: [{ tick: -1, statuses: ["active"] }], open: [] };
      this.known.set(player, known);
    }
    return known;
  }

  private latest({ possible }: Known) {
    return possible.at(-1)?.statuses ?? [];
  }

  private become(known: Known, statuses: Iterable<Status>): void {
    known.possible.push({ tick: tickOf(this.world), statuses: [...new Set(statuses)] });
    if (known.possible.length > 30)
      known.possible.splice(1, 10, { tick: -1, statuses: ["active", "hidden", "banned"] });
  }

  /** A call starts that sets a player's status, or erases the player. */
  asked(player: string, status: StatusAsked["status"], began = tickOf(this.world)): StatusAsked {
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

  /** The merge has ended. */
  merged(from: string, to: string, asked: readonly StatusAsked[]) {
    const { life, players } = this.world;
    const found = life.all().flatMap(({ id }) => players.held(id, to)?.status ?? []);
    for (const one of asked) this.end(one);
    this.merges = this.merges.filter((merge) => merge.asked !== asked);
    this.become(this.of(to), [...this.latest(this.of(to)), ...this.latest(this.of(from)), ...found]);
  }

  /**
   * A call that sets a status has ended.
   * @throws a violation unless a status that was set alone holds in all seasons, and a refused player was in none of them
   */
  answered(asked: StatusAsked, how: "done" | "refused" | "unknown") {
    const { player, status, began, isAlone, before } = asked;
    const { life, players } = this.world;
    const seasons = life.all().filter(({ season }) => season.status !== "deleting");
    for (const { id } of how === "refused" ? seasons : [])
      insist(
        players.mayHaveBeen(id, player, began, (held) => held === undefined),
        () => `status: ${player} was not found, and is in ${id}`,
      );
    const known = this.of(player);
    this.end(asked);
    if (how === "unknown" || !isAlone) return;
    if (how === "refused") {
      this.become(known, before);
      return;
    }
    if (status === "removed") {
      this.become(known, ["active", ...seasons.flatMap(({ id }) => players.held(id, player)?.status ?? [])]);
      return;
    }
    for (const { id } of seasons) {
      // A document that names no status gets the one that the board keeps: see `kept`.
      if (namesNoStatus(players.documentOf(id, player))) continue;
      const held = players.held(id, player);
      insist(
        held === undefined || held.status === status,
        () => `status: ${player} was made ${status}, and is ${held?.status} in ${id}`,
      );
    }
    this.become(known, [status]);
  }

  /** A trusted server has written a document with another status. */
  written(player: string, status: Status) {
    const known = this.of(player);
    this.become(known, [...this.latest(known), "active", status]);
    for (const asked of known.open) asked.isAlone = false;
  }

  /** The status that the board keeps for a player, which a document gets that names none. */
  kept(player: string): Status {
    return statusIn(this.world.database.store.get(playerStatusPath(leaderboard, player))?.data);
  }

  /** A player's possible statuses outside all seasons since a tick. */
  possibleSince(player: string, since: number) {
    return this.sinceOf(player, since, new Set());
  }
}
