/** The answers of `getLeague`: what a group was while the call went on, by a plain sort; and the truth where there is none. */
import { isDeepStrictEqual } from "node:util";
import { type Group, storedGroup } from "../../functions/src/documents/group.ts";
import { leagueStandingIn } from "../../functions/src/documents/league-standing.ts";
import { groupPath, playerPath, playerStatusPath } from "../../functions/src/documents/paths.ts";
import type { LeagueAnswer } from "../../functions/src/model/league-answer.ts";
import { keyIn, leaderboard } from "../board.ts";
import { type Data, timeOf } from "../memory/store.ts";
import type { World } from "../world.ts";
import { type Member, membersOf, zonesOf } from "./league-places.ts";
import { namesNoStatus, scoreIn, statusIn } from "./player.ts";
import { insist } from "./violation.ts";

/** @param began the tick at which the call began. @throws a violation */
export function checkLeague(world: World, player: string, answer: LeagueAnswer, began: number): void {
  const { store } = world.database;
  const key = keyIn(answer.season);
  const since = (path: string) => store.history(path, timeOf(began));
  const told = () => `league: ${player} was answered ${JSON.stringify(answer)}`;
  const statuses = since(playerStatusPath(leaderboard, player));
  const documents = since(playerPath(key, player));
  if (statuses === undefined || documents === undefined) return;
  const lasts = statuses.map(lastIn);
  insist(
    lasts.some((last) => isDeepStrictEqual(last, answer.last)),
    () => `${told()}, and stands at ${JSON.stringify(lasts)}`,
  );
  const { league } = answer;
  if (league === null) {
    insist(
      isWhy(world, answer, { player, documents, statuses }),
      () => `${told()}; ${JSON.stringify(documents)}`,
    );
    return;
  }
  const groups = since(groupPath(key, league.group)) ?? [];
  const possible = groups.flatMap((data) => {
    const group = data && storedGroup.parse(data);
    const isMember = Object.values(group?.seats ?? {}).some((seat) => {
      return world.leagues.ownerOf(key, seat) === player && seat.has_left !== true;
    });
    return group !== undefined && isMember ? [answerOf(world, group, player)] : [];
  });
  const { tier, state, place, zone, next_place, next_score, entries, players } = league;
  const said = {
    tier,
    isSettled: state === "settled",
    place,
    zone,
    next_place,
    next_score,
    entries,
    players,
  };
  insist(
    possible.some((one) => isDeepStrictEqual(one, said)),
    () => `${told()}, and the group was ${JSON.stringify(possible)}`,
  );
}

/** The last outcome of a standing. */
function lastIn(data: Data | undefined): LeagueAnswer["last"] {
  const [last] = Object.entries(leagueStandingIn(data).outcomes ?? {}).sort(([a], [b]) => (a < b ? 1 : -1));
  return last === undefined ? null : { season: last[0], ...last[1] };
}

/** What a group is for one of its players. */
function answerOf({ plan: { definition } }: World, group: Group, player: string) {
  const members = membersOf(definition, group);
  const own = members.find(({ seat }) => seat.player === player);
  const counting = members.filter(({ rank }) => rank !== undefined).length;
  const next = own && nextOf(group, counting, own.place);
  return {
    tier: group.league?.tier ?? "",
    isSettled: group.settled_at !== undefined,
    place: own?.place ?? null,
    zone: own?.zone ?? null,
    next_place: next ?? null,
    next_score: members.find(({ place }) => place === next)?.seat.player
      ? (members.find(({ place }) => place === next)?.seat.score ?? null)
      : null,
    entries: members.map(entryOf),
    players: members.length,
  };
}

/** Out of the zone that leads down, or into the one that leads up. */
function nextOf({ league }: Group, counting: number, place: number): number | undefined {
  const { up, down } = zonesOf(league, counting);
  if (place > counting - down && counting > down) return counting - down;
  return place > up && up > 0 ? up : undefined;
}

/** Of who has left only the place is shown. */
function entryOf({ place, rank, zone, seat }: Member) {
  const { player, score, display_name: name, move } = seat;
  return {
    place,
    ...(player !== undefined && rank !== undefined && { rank }),
    ...(player !== undefined && { player, score }),
    ...(name !== undefined && { display_name: name }),
    ...(zone !== undefined && { zone }),
    ...(move !== undefined && { move }),
  };
}

interface Known {
  player: string;
  documents: readonly (Data | undefined)[];
  statuses: readonly (Data | undefined)[];
}

/** Whether a player is in no group for the reason that is named. */
function isWhy(world: World, { season, why }: LeagueAnswer, { documents, statuses }: Known): boolean {
  const kept = statuses.map(statusIn);
  const isOut = (data: Data | undefined) =>
    scoreIn(data) === undefined ||
    statusIn(data) !== "active" ||
    (namesNoStatus(data) && kept.some((status) => status !== "active"));
  const waits = (data: Data | undefined) => (data?.["league_seat"] as { waits?: true } | undefined)?.waits;
  switch (why) {
    case "no_score":
      return documents.some((data) => data?.["score"] === undefined);
    case "not_ranked":
      return documents.some(isOut);
    case "left":
      return statuses.some((data) => leagueStandingIn(data).has_left === true);
    case "seating":
      return documents.some((data) => waits(data) === true) || world.leagues.mayBeLate(season);
    case "too_late":
      return world.leagues.mayBeLate(season);
    case undefined:
      return false;
  }
}
