/** What a league has promised players: a seat for a first score in time, and that it hides whom it has to hide. */
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { leaderboard, playersChanged } from "../board.ts";
import type { Change, Data } from "../memory/store.ts";
import type { LeagueKnown } from "./league-known.ts";
import { shownOf } from "./league-places.ts";
import { insist } from "./violation.ts";
import type { StatusAsked, Work } from "./work.ts";
import { seatOwner } from "../../functions/src/documents/group.ts";

const seatIn = (data: Data | undefined) =>
  data?.["league_seat"] as { waits?: true; group?: string; has_left?: true } | undefined;

/** A wish that is under way. */
export interface Wishing {
  player: string;
  takesPart: boolean;
  /** Whether no other wish of the player was under way at the same time. */
  isAlone: boolean;
  /** When it began. */
  began: Timestamp;
}

export class LeaguePromises {
  private readonly leagues: LeagueKnown;
  /** Who has got no seat yet, and has scored in time; by season and player. */
  private readonly promised = new Set<string>();
  private wishes: Wishing[] = [];

  constructor(leagues: LeagueKnown) {
    this.leagues = leagues;
  }

  has = (season: string, player: string) => this.promised.has(`${season} ${player}`);

  /** A first score asks for a seat, in time and not later. What others do to the document ends the promise. */
  observe(changes: readonly Change[], work: Work): void {
    for (const { season, player, change } of playersChanged(changes)) {
      const [was, is] = [seatIn(change.before), seatIn(change.after)];
      if (["direct", "status", "merge", "wish"].includes(work.kind))
        this.promised.delete(`${season} ${player}`);
      if (work.kind !== "lanes") continue;
      const { possible } = this.leagues.askableIn(season);
      if (possible === undefined) continue;
      const isRanked =
        shownOf(player, change.after, this.leagues.statusOf(player, change.after)).score !== undefined;
      const isAsking = is?.waits === true && was?.waits !== true;
      insist(
        possible !== "late" || !isAsking,
        () => `league: ${player} asks for a seat in ${season}, too late`,
      );
      const isKnown = (is?.waits ?? is?.group ?? is?.has_left) !== undefined;
      insist(
        possible !== "in time" || !isRanked || isKnown,
        () => `league: ${player} asks for no seat in ${season} with ${JSON.stringify(change.after)}`,
      );
      const mayHaveLeft =
        this.leagues.standingOf(player).has_left === true ||
        this.wishes.some((wish) => wish.player === player);
      if (isAsking && !mayHaveLeft) this.promised.add(`${season} ${player}`);
    }
  }

  /** A player starts to leave, or to take part again. */
  begun(player: string, takesPart: boolean): Wishing {
    const others = this.wishes.filter((wish) => wish.player === player);
    for (const other of others) other.isAlone = false;
    const wishing = { player, takesPart, isAlone: others.length === 0, began: this.leagues.moment() };
    this.wishes.push(wishing);
    for (const season of this.leagues.weeks()) this.promised.delete(`${season} ${player}`);
    return wishing;
  }

  /** The wish was answered. @throws a violation where it does not show */
  wished(wishing: Wishing, isDone: boolean): void {
    const { player, takesPart, isAlone, began } = wishing;
    this.wishes = this.wishes.filter((one) => one !== wishing);
    if (!isDone || !isAlone) return;
    insist(
      takesPart || this.leagues.hadLeft(player, began),
      () => `league: ${player} has left, and stands there as before`,
    );
    for (const season of this.leagues.weeks())
      for (const { group, seat, isSettled } of this.leagues.seatsOf(season, player))
        insist(
          isSettled || (seat.has_left === true) !== takesPart,
          () =>
            `league: ${player} ${takesPart ? "takes part" : "has left"}, and ${group} of ${season} has ${JSON.stringify(seat)}`,
        );
  }

  /** An admin has set a status: groups show nothing of one who is hidden or banned, and all of one who is back. */
  made({ player, isAlone }: StatusAsked): void {
    if (!isAlone) return;
    for (const season of this.leagues.weeks()) {
      const { data, status } = this.leagues.documentOf(season, player);
      if (data === undefined) continue;
      const shown = shownOf(player, data, status);
      for (const { group, seat, isSettled } of this.leagues.seatsOf(season, player)) {
        const isShown = seat.player !== undefined || seat.score !== undefined;
        insist(
          (shown.score === undefined) === !isShown || (isSettled && !isShown),
          () => `league: ${player} was made ${status}, and ${group} of ${season} has ${JSON.stringify(seat)}`,
        );
      }
    }
  }

  /** Who was erased has no seat, not even by a hash. */
  erased(player: string): void {
    for (const season of this.leagues.weeks()) {
      const of = seatOwner({ leaderboard, season }, player);
      for (const [id, { owners }] of this.leagues.groupsOf(season))
        insist(
          !owners.includes(of),
          () => `league: ${player} was erased, and has a seat in ${id} of ${season}`,
        );
    }
  }
}
