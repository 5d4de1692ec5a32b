/**
 * A year of a league, by the pure functions that production seats and settles by, and without a database: who waits gets a
 * seat, groups are settled at the end of the week, and the next week begins where the players stand. `year.test.ts` plays a
 * small one with the real code, too.
 */
import type { Group, SeatRead } from "../../functions/src/documents/group.ts";
import { membersPlaced, movesOf } from "../../functions/src/league/outcomes.ts";
import { planSeats } from "../../functions/src/league/plan-seats.ts";
import { compareIds } from "../../functions/src/model/id-order.ts";
import { tierAfter } from "../../functions/src/model/league-zones.ts";
import { joinsUntilMs, type League, type StoodIn, tierToBeginIn } from "../../functions/src/model/league.ts";
import type { Act, Course, Wave } from "./course.ts";

const hourMs = 3_600_000;
const weekMs = 168 * hourMs;

/** How the board counts. */
export const counting = { order: "descending", ties: "first", aggregation: "best" } as const;

export interface Year {
  league: League;
  course: Course;
  weeks: number;
  /** When the first week begins, in milliseconds since 1970. */
  opensAtMs: number;
}

/** In place of a player's name: whose seat it was is gone. */
export const nobody = "";

/** What became of a member of a group. */
export interface Outcome {
  from: string;
  to: string;
  place: number;
}

export interface WeekPlayed {
  waves: Wave[];
  /** All who have a seat, by group, in the order of their seats; {@link nobody} for a guest who was merged. */
  groups: Record<string, string[]>;
  outcomes: Map<string, Outcome>;
  /** The tiers of all who were ever settled, after the week. */
  tiers: Map<string, string>;
}

/** Plays week after week. */
export function* playYear({ league, course, weeks, opensAtMs }: Year): Generator<WeekPlayed, void, void> {
  const kept: Kept = { stood: new Map(), left: new Set() };
  for (let number = 0; number < weeks; number++) {
    const week = beginWeek(league, kept, opensAtMs + number * weekMs);
    const waves: Wave[] = [];
    for (const wave of course.drawWeek(number, (player) => isGoingDown(week, player))) {
      waves.push(wave);
      wave.acts.forEach((act, i) => perform(week, act, wave.hour * hourMs + i));
      giveSeats(week);
    }
    const outcomes = settle(week);
    const groups = Object.fromEntries([...week.groups].map(([id, { members }]) => [id, members]));
    const tiers = new Map([...kept.stood].map(([player, { tier }]) => [player, tier]));
    yield { waves, groups, outcomes, tiers };
  }
}

/** What outlives a week. */
interface Kept {
  stood: Map<string, StoodIn>;
  /** Who takes no part. */
  left: Set<string>;
}

interface GroupSeated {
  league: NonNullable<Group["league"]>;
  members: string[];
  seats: Record<string, SeatRead>;
}

interface Score {
  score: number;
  at: { seconds: number; nanoseconds: number };
}

/** A player's week. */
interface Own extends Score {
  /** The score is of a guest's account: the group goes by the own one, if there is one. */
  guests?: { own: Score | undefined };
  group?: GroupSeated;
  seat?: SeatRead;
}

interface Week extends Kept {
  league: League;
  opensAtMs: number;
  joinsUntilMs: number;
  players: Map<string, Own>;
  waiting: Set<string>;
  groups: Map<string, GroupSeated>;
  /** The newest group of each tier. */
  newest: Map<string, string>;
}

function beginWeek(league: League, kept: Kept, opensAtMs: number): Week {
  const times = { opensAtMs, closesAtMs: opensAtMs + weekMs };
  const begun = { league, opensAtMs, joinsUntilMs: joinsUntilMs(league, times) };
  return { ...kept, ...begun, players: new Map(), waiting: new Set(), groups: new Map(), newest: new Map() };
}

/** @param sinceMs since the week has begun. */
function perform(week: Week, act: Act, sinceMs: number): void {
  const { players, left } = week;
  const nowMs = week.opensAtMs + sinceMs;
  const isInTime = nowMs < week.joinsUntilMs;
  if (act.kind === "takes part") {
    const { seat } = players.get(act.player) ?? {};
    if (act.takesPart) left.delete(act.player);
    else left.add(act.player);
    if (seat === undefined) return;
    if (act.takesPart) throw new Error(`${act.player} takes part again in the same week`);
    seat.has_left = true;
    delete seat.player;
    return;
  }
  const known = players.get(act.player);
  if (act.kind === "score") {
    if (known !== undefined && act.score <= known.score) return;
    const { seat, group } = known ?? {};
    const at = { seconds: nowMs / 1_000, nanoseconds: 0 };
    players.set(act.player, { score: act.score, at, ...(seat && group && { seat, group }) });
    if (known === undefined && isInTime) week.waiting.add(act.player);
  } else {
    const guest = players.get(act.guest);
    if (guest === undefined) throw new Error(`${act.guest} has not played`);
    players.delete(act.guest);
    // The seat stays, and is nobody's.
    for (const name of ["player", "score", "achieved_at"] as const) delete guest.seat?.[name];
    if (guest.group !== undefined) guest.group.members[guest.group.members.indexOf(act.guest)] = nobody;
    const { score, at } = guest;
    if (known === undefined) {
      players.set(act.player, { score, at, guests: { own: undefined } });
      if (isInTime) week.waiting.add(act.player);
    } else if (score > known.score)
      players.set(act.player, { ...known, score, at, guests: { own: { score: known.score, at: known.at } } });
  }
  showInSeat(players.get(act.player));
}

/** Whoever has left keeps the score of that moment in the seat. */
function showInSeat(own: Own | undefined): void {
  if (own?.seat === undefined || own.seat.has_left === true) return;
  const { score, at } = own.guests?.own ?? own;
  Object.assign(own.seat, { score, achieved_at: at });
  if (own.guests !== undefined && own.guests.own === undefined) own.seat.is_guests = true;
  else delete own.seat.is_guests;
}

function giveSeats(week: Week): void {
  const { league, waiting, left, groups, newest } = week;
  const asked = [...waiting]
    .filter((player) => !left.has(player))
    .toSorted(compareIds)
    .map((player) => ({ player, step: tierToBeginIn(league, week.stood.get(player), week.opensAtMs) }));
  waiting.clear();
  const open = new Map([...newest].map(([tier, id]) => [tier, { id, group: foundOf(groups.get(id)) }]));
  for (const { id, league: rules, given } of planSeats(league, asked, open)) {
    const group = groups.get(id) ?? { league: rules, members: [], seats: {} };
    groups.set(id, group);
    newest.set(rules.tier, id);
    for (const { player, seat: name } of given) {
      const own = week.players.get(player);
      if (own === undefined) throw new Error(`${player} has not played`);
      const seat = { of: player, player };
      Object.assign(own, { group, seat });
      group.members.push(player);
      group.seats[name] = seat;
      showInSeat(own);
    }
  }
}

/** A group as seating finds it. */
function foundOf(group: GroupSeated | undefined) {
  return { seated: group?.members.length ?? 0, readers: [], ...(group && { league: group.league }) };
}

function isGoingDown({ players }: Week, player: string): boolean {
  const { group, seat } = players.get(player) ?? {};
  if (group === undefined || seat === undefined) return false;
  return membersPlaced(group, counting).find((one) => one.seat === seat)?.zone === "down";
}

function settle({ groups, stood, opensAtMs }: Week): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const { league: rules, members, seats } of groups.values())
    for (const [name, { place, move }] of movesOf({ seats, league: rules }, counting)) {
      const player = members[Number(name.slice(1)) - 1] ?? "";
      const to = tierAfter(rules.ladder, rules.tier, move);
      stood.set(player, { tier: to, step: rules.ladder.indexOf(to), untilMs: opensAtMs + weekMs });
      outcomes.set(player, { from: rules.tier, to, place });
    }
  return outcomes;
}
