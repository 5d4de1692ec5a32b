/**
 * The league of a board, commit by commit: who is seated where, what groups show, how they are settled (league-settled.ts),
 * and where players stand. It knows the rules of docs/league.md, and what is stored.
 *
 * Seats never go away, also where their players do. So the seats of a tier that were ever given fill its groups: all but
 * the newest one are full, and each has as many seats as it has given.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type Group,
  type LeagueSeat,
  type Seat,
  seatOwner,
  storedGroup,
} from "../../functions/src/documents/group.ts";
import type { Timestamp } from "../../functions/src/documents/firestore.ts";
import { leagueStandingIn } from "../../functions/src/documents/league-standing.ts";
import {
  groupsPath,
  leaderboardPath,
  playerPath,
  playerStatusPath,
  type SeasonKey,
  seasonsPath,
} from "../../functions/src/documents/paths.ts";
import type { League } from "../../functions/src/model/league.ts";
import { boardCacheMs } from "../../functions/src/model/limits.ts";
import { keyIn, keyOf, leaderboard } from "../board.ts";
import { type Change, type Data, parentOf, timeOf } from "../memory/store.ts";
import { shownOf, tierToBegin } from "./league-places.ts";
import type { GroupChange, LeagueKnown } from "./league-known.ts";
import { checkSettled } from "./league-settled.ts";
import { checkStanding } from "./league-standings.ts";
import { LeaguePromises } from "./league-promises.ts";
import type { Finals } from "./finals.ts";
import type { Life } from "./life.ts";
import { namesNoStatus, type Status, statusIn } from "./player.ts";
import { tickOf, WorldCheck } from "./setting.ts";
import { insist } from "./violation.ts";
import type { Work } from "./work.ts";

/** How far back a change of a group may have been read: an invocation takes a minute, and then its commit. */
const readBeforeMs = 10 * 60_000;

/** How long an instance may go by another definition, and then commit. */
const knownForMs = boardCacheMs + 120_000;

/** What a group may have shown of a player, told by each version of the player's document. */
const shownFields = ["player", "score", "achieved_at", "display_name", "is_guests"] as const;

export class Leagues extends WorldCheck<{ life: Life; finals: Finals }> implements LeagueKnown {
  readonly promises = new LeaguePromises(this);
  private readonly owners = new Map<string, string>();
  /** When the end of a season was moved last. */
  private readonly movedMs = new Map<string, number>();
  /** The leagues of the board's definitions, each from a time on, in milliseconds since 1970. */
  private readonly leagues: { fromMs: number; league: League | undefined }[] = [];

  private get store() {
    return this.world.database.store;
  }

  /** The player of a seat; undefined for one who was erased. */
  ownerOf(key: SeasonKey, { of }: Pick<Seat, "of">): string | undefined {
    const { players } = this.world.plan;
    if (!this.owners.has(`${key.season} p0`)) {
      this.owners.set(`${key.season} p0`, "");
      for (let i = 0; i < players; i++) this.owners.set(seatOwner(key, `p${i}`), `p${i}`);
    }
    return this.owners.get(of);
  }

  /** The groups of a season, by id. */
  groupsOf(season: string): Map<string, Group> {
    const all = this.store.list(groupsPath(keyIn(season)));
    return new Map(all.map(({ id, data }) => [id, storedGroup.parse(data)]));
  }

  /** A player's document of a season, and the status that counts there. */
  documentOf(season: string, player: string): { data: Data | undefined; status: Status } {
    const data = this.store.get(playerPath(keyIn(season), player))?.data;
    return { data, status: this.statusOf(player, data) };
  }

  statusOf(player: string, data: Data | undefined): Status {
    if (!namesNoStatus(data)) return statusIn(data);
    return statusIn(this.store.get(playerStatusPath(leaderboard, player))?.data);
  }

  /** Where a player stands on the ladder, and whether the player has left. */
  standingOf(player: string) {
    return leagueStandingIn(this.store.get(playerStatusPath(leaderboard, player))?.data);
  }

  moment = () => timeOf(tickOf(this.world));

  /** Whether the board says, or has said since a time, that a player has left. */
  hadLeft(player: string, since: Timestamp): boolean {
    const versions = this.store.history(playerStatusPath(leaderboard, player), since);
    return versions?.some((data) => leagueStandingIn(data).has_left === true) ?? true;
  }

  /** The seats that a player has in a season: at most one. */
  seatsOf(season: string, player: string) {
    const key = keyIn(season);
    return [...this.groupsOf(season)].flatMap(([group, { seats, settled_at: settledAt }]) =>
      Object.entries(seats).flatMap(([name, seat]) =>
        this.ownerOf(key, seat) === player ? [{ group, name, seat, isSettled: settledAt !== undefined }] : [],
      ),
    );
  }

  /** The weeks that are there and stay. */
  weeks(): string[] {
    const all = this.world.life.all().filter(({ season }) => season.span === "weekly");
    return all.flatMap(({ id, season }) => (season.status === "deleting" ? [] : [id]));
  }

  /** Whether a first score gets a seat now, as far as clocks, instances and a new calendar leave that certain. */
  askableIn(season: string): { possible?: "in time" | "late" } {
    if (this.mayKnowAnotherEnd(season)) return {};
    const aheadMs = this.world.plan.skewMsMax + knownForMs;
    const [later, earlier] = [aheadMs, -aheadMs].map((ms) => this.joins(season, ms));
    if (later?.length === 0) return {};
    if (later?.every((isInTime) => isInTime) === true) return { possible: "in time" };
    return earlier?.some((isInTime) => isInTime) === true ? {} : { possible: "late" };
  }

  isPromised = (season: string, player: string) => this.promises.has(season, player);

  /** Whether a first score of a week may get no seat any more. */
  mayBeLate(season: string, aheadMs = this.world.plan.skewMsMax): boolean {
    return this.mayKnowAnotherEnd(season) || this.joins(season, aheadMs).some((isInTime) => !isInTime);
  }

  /** Whether an instance may still go by an earlier end of a season. */
  private mayKnowAnotherEnd(season: string): boolean {
    return this.world.now() - (this.movedMs.get(season) ?? 0) < knownForMs;
  }

  /** By each of the leagues that instances may know, whether a first score gets a seat. */
  private joins(season: string, aheadMs: number): boolean[] {
    const { opensMs = 0, closesMs = 0, season: known } = this.world.life.get(season) ?? {};
    const atMs = this.world.now() + aheadMs;
    const isOpen = known?.status === "open" && known.league === "open";
    return this.leaguesSince(knownForMs).map(({ joins_until_hours: hours }) => {
      const untilMs = hours === undefined ? (opensMs + closesMs) / 2 : opensMs + hours * 3_600_000;
      return isOpen && atMs < Math.min(untilMs, closesMs);
    });
  }

  /** @throws a violation */
  observe(changes: readonly Change[], work: Work): void {
    const saved = changes.find(({ path }) => path === leaderboardPath(leaderboard))?.after;
    if (saved !== undefined)
      this.leagues.push({ fromMs: this.world.now(), league: saved["league"] as League | undefined });
    for (const { path, before, after } of changes)
      if (parentOf(path) === seasonsPath(leaderboard) && before?.["closes_at"] !== after?.["closes_at"])
        this.movedMs.set(path.slice(parentOf(path).length + 1), before === undefined ? 0 : this.world.now());
    this.promises.observe(changes, work);
    const settled: GroupChange[] = [];
    for (const { path, before, after } of changes) {
      const key = keyOf(path);
      if (key === undefined || parentOf(path) !== groupsPath(key)) continue;
      const id = path.slice(parentOf(path).length + 1);
      if (after === undefined) {
        const { status } = this.world.life.get(key.season)?.season ?? {};
        insist(status === "deleting", () => `league: ${path} goes, and its season is ${status}`);
        continue;
      }
      const group = { key, id, before: before && storedGroup.parse(before), after: storedGroup.parse(after) };
      this.checkGroup(group, changes);
      if (group.before?.settled_at === undefined && group.after.settled_at !== undefined) settled.push(group);
    }
    for (const group of settled) checkSettled(this, this.world, group);
    for (const change of changes)
      if (parentOf(change.path) === parentOf(playerStatusPath(leaderboard, "p")))
        checkStanding(change, work, settled);
  }

  private checkGroup(group: GroupChange, changes: readonly Change[]): void {
    const { key, id, before, after } = group;
    const path = `${key.season}/${id}`;
    const names = Object.keys(after.seats);
    const all = Object.values(after.seats);
    const size = after.league?.size ?? 0;
    insist(names.length <= size, () => `league: ${path} has ${names.length} seats, and its size is ${size}`);
    insist(
      names.length === after.seated && names.every((_, i) => after.seats[`s${i + 1}`] !== undefined),
      () => `league: ${path} has given ${after.seated} seats, and has ${names.join()}`,
    );
    const shown = all.flatMap(({ player }) => player ?? []);
    const owners = all.flatMap(({ of }) => (of === "" ? [] : [of]));
    insist(
      isDeepStrictEqual(after.readers.toSorted(), shown.toSorted()) &&
        isDeepStrictEqual(after.owners.toSorted(), owners.toSorted()),
      () => `league: ${path} has the readers ${after.readers.join()}, and shows ${shown.join()}`,
    );
    insist(
      before === undefined || isDeepStrictEqual(before.league, after.league),
      () => `league: the rules of ${path} were ${JSON.stringify(before?.league)}`,
    );
    for (const [name, seat] of Object.entries(after.seats)) this.checkSeat(group, name, seat, changes);
    const given = names.filter((name) => before?.seats[name] === undefined);
    if (given.length > 0) this.checkGiven(group, given, changes);
  }

  /** A seat stays its player's, shows nobody else, and nothing of one who has left; what is settled stays. */
  private checkSeat(
    { key, id, before, after }: GroupChange,
    name: string,
    seat: Seat,
    changes: readonly Change[],
  ) {
    const was = before?.seats[name];
    const told = () => `league: ${name} of ${key.season}/${id} was ${text(was)} and is ${text(seat)}`;
    if (isDeepStrictEqual(was, seat)) return;
    const player = this.ownerOf(key, seat);
    insist(was === undefined || seat.of === was.of || seat.of === "", told);
    insist(seat.player === undefined || seat.player === player, told);
    insist(seat.has_left !== true || (seat.player ?? seat.display_name) === undefined, told);
    const isEmpty = (seat.score ?? seat.achieved_at ?? seat.player ?? seat.display_name) === undefined;
    insist(seat.of !== "" || isEmpty, told);
    insist(seat.player === undefined || seat.score !== undefined, told);
    if (before?.settled_at !== undefined)
      insist(
        was?.place === seat.place &&
          was?.move === seat.move &&
          (was?.has_left === seat.has_left || seat.of === ""),
        told,
      );
    else if (after.settled_at === undefined) insist((seat.place ?? seat.move) === undefined, told);
    if (seat.player !== undefined)
      insist(this.mayShow(key, seat.player, seat, changes), () => `${told()}, which no document said`);
  }

  /** Whether a player's document says, or has said a moment ago, what a seat shows. */
  private mayShow(key: SeasonKey, player: string, seat: Seat, changes: readonly Change[]): boolean {
    const since = timeOf(tickOf(this.world) - readBeforeMs * 1_000);
    const path = playerPath(key, player);
    const versions = this.store.history(path, since);
    if (versions === undefined) return true;
    const isSaidBy = (said: Partial<Seat>) =>
      shownFields.every((field) => isDeepStrictEqual(said[field], seat[field]));
    // Once the season has closed, its final table says what players have.
    const line = this.world.finals.lineOf(key.season, player);
    const named = line && line.name !== "" ? { display_name: line.name } : {};
    if (line && isSaidBy({ player, score: line.score, achieved_at: line.at, ...named })) return true;
    const kept = this.store.history(playerStatusPath(leaderboard, player), since) ?? [];
    const replaced = changes.find((change) => change.path === path);
    return [...versions, replaced?.before].some((data) => {
      const statuses = namesNoStatus(data) ? kept.map(statusIn) : [statusIn(data)];
      return statuses.some((status) => isSaidBy(shownOf(player, data, status)));
    });
  }

  /** New seats: in the open group of the right tier, for who waits, once all earlier weeks are settled. */
  private checkGiven({ key, id, after }: GroupChange, given: readonly string[], changes: readonly Change[]) {
    const { season } = key;
    const { life } = this.world;
    const own = life.get(season);
    const path = `${season}/${id}`;
    for (const earlier of life.all()) {
      const isBefore = earlier.season.span === "weekly" && earlier.opensMs < (own?.opensMs ?? 0);
      const isOpen = earlier.season.league === "open" && earlier.season.status !== "deleting";
      insist(!isBefore || !isOpen, () => `league: ${path} has new members before ${earlier.id} is settled`);
    }
    insist(
      own?.season.league === "open" && after.unsettled === true && after.settled_at === undefined,
      () => `league: ${path} has new members, and the week's league is ${own?.season.league}`,
    );
    const tier = after.league?.tier ?? "";
    for (const [other, group] of this.groupsOf(season)) {
      if (group.league?.tier !== tier) continue;
      const isNewest = group.newest_of === tier;
      insist(
        isNewest === (other === id) || this.isInCommit(changes, key, other),
        () =>
          `league: ${path} has new members, and ${other} is ${isNewest ? "the newest" : "not the newest"}`,
      );
      insist(
        isNewest || group.seated === group.league.size,
        () =>
          `league: ${season}/${other} has ${group.seated} seats of ${group.league?.size}, and is not the newest`,
      );
    }
    for (const name of given) this.checkNew(key, { id, tier, name, seat: after.seats[name] }, changes);
  }

  private isInCommit(changes: readonly Change[], key: SeasonKey, group: string): boolean {
    return changes.some(({ path }) => path === `${groupsPath(key)}/${group}`);
  }

  private checkNew(
    key: SeasonKey,
    { id, tier, name, seat }: { id: string; tier: string; name: string; seat: Seat | undefined },
    changes: readonly Change[],
  ): void {
    const { season } = key;
    const player = seat && this.ownerOf(key, seat);
    insist(player !== undefined, () => `league: nobody has the seat ${name} of ${season}/${id}`);
    const seats = this.seatsOf(season, player);
    insist(seats.length === 1, () => `league: ${player} has ${text(seats)} in ${season}`);
    const document = changes.find(({ path }) => path === playerPath(key, player));
    const [was, is] = [document?.before, document?.after].map((data) => data?.["league_seat"] as LeagueSeat);
    insist(
      was?.waits === true && is?.group === id && is.seat === name,
      () => `league: ${player} has ${text(was)}, and gets ${name} of ${season}/${id}: ${text(is)}`,
    );
    const standing = this.standingOf(player);
    const said = shownOf(player, document?.after, this.statusOf(player, document?.after));
    insist(
      said.player !== undefined && standing.has_left !== true,
      () => `league: ${player} gets a seat in ${season}/${id}, with ${text(document?.after)}`,
    );
    const opensMs = this.world.life.get(season)?.opensMs ?? 0;
    const possible = this.leaguesSince(knownForMs);
    const tiers = possible.map((league) => tierToBegin(league, standing, opensMs));
    insist(
      tiers.includes(tier),
      () => `league: ${player} begins ${season} in ${tier}, and stands at ${text(standing)}`,
    );
  }

  /** The leagues that instances may go by: those of the last minutes. */
  private leaguesSince(ms: number): League[] {
    const sinceMs = this.world.now() - ms;
    return this.leagues.flatMap(({ league }, i) =>
      league !== undefined && (this.leagues[i + 1]?.fromMs ?? Infinity) >= sinceMs ? [league] : [],
    );
  }
}

const text = (value: unknown) => JSON.stringify(value);
