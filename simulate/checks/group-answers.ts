/** The answers of `getGroup` and `getMyGroups`: what a group was while the call went on, by a plain sort. */
import { isDeepStrictEqual } from "node:util";
import type { PrivateGroup } from "../../functions/src/documents/private-group.ts";
import type { MyGroupsAnswer, PrivateGroupAnswer } from "../../functions/src/model/private-group-answers.ts";
import { timeOf } from "../memory/store.ts";
import type { World } from "../world.ts";
import { placedIn, scoredIn } from "./group-places.ts";
import { isClosed, statesOf } from "./group-seats.ts";
import { insist } from "./violation.ts";

interface Looking {
  player: string;
  isModerator: boolean;
  /** The season that was asked for; by default the one that the group shows. */
  season: string | undefined;
}

/** @param began the tick at which the call began. @throws a violation */
export function checkGroup(
  world: World,
  { player, isModerator, season }: Looking,
  answer: PrivateGroupAnswer,
  began: number,
): void {
  const { privateGroups, statuses } = world;
  const told = () => `groups: ${player} was answered ${JSON.stringify(answer)}`;
  for (const entry of answer.entries)
    insist(
      statuses.possibleSince(entry.player, began).includes("active"),
      () => `${told()}, and ${entry.player} was hidden or banned`,
    );
  const versions = privateGroups.promises.versionsOf(answer.group, began);
  if (versions === undefined) return;
  const seen = versions.filter(
    (group) => group !== undefined && (isModerator || privateGroups.members(group).includes(player)),
  ) as PrivateGroup[];
  const said = shortOf(answer);
  const isOther = (group: PrivateGroup) => season !== undefined && group.season !== season;
  const isTrue = seen.some((group) =>
    isOther(group)
      ? isInSeason(world, group, answer, began)
      : answer.season === group.season && isDeepStrictEqual(answerOf(world, group, player), said),
  );
  insist(
    isTrue,
    () =>
      `${told()}, and the group was ${JSON.stringify(seen.map((group) => answerOf(world, group, player)))}`,
  );
}

const shortOf = ({ name, owner, place, players, size, state, entries }: PrivateGroupAnswer) => ({
  name,
  owner,
  place,
  players,
  size,
  isOver: state === "ended",
  entries,
});

/** What a group is for one who looks. */
function answerOf({ plan: { definition }, privateGroups }: World, group: PrivateGroup, player: string) {
  const { name, size, seats, settled_at: settled } = group;
  const placed = placedIn(definition, Object.values(seats));
  // Whoever was hidden at the end comes after all others.
  const last = Math.max(0, ...placed.map(({ seat }) => seat.place ?? 0));
  const entries = placed
    .map(({ player: member, place, rank, seat }) => ({
      place: settled === undefined ? place : (seat.place ?? last + place),
      ...(rank !== undefined && { rank }),
      player: member,
      ...(seat.score !== undefined && { score: seat.score }),
      ...(seat.display_name !== undefined && { display_name: seat.display_name }),
    }))
    .toSorted((a, b) => a.place - b.place);
  const owner = privateGroups.playerOf({ of: group.owner });
  return {
    name,
    owner: entries.some((entry) => entry.player === owner) ? owner : undefined,
    place: entries.find((entry) => entry.player === player)?.place ?? null,
    players: entries.length,
    size,
    isOver: settled !== undefined,
    entries,
  };
}

/** A group in another season: those whom it shows, each with a score of a version of the document, the best first. */
function isInSeason(world: World, group: PrivateGroup, answer: PrivateGroupAnswer, began: number): boolean {
  const { season, entries } = answer;
  const { order } = world.plan.definition;
  const shown = new Set(group.readers);
  const { store } = world.database;
  const areTrue = entries.every(({ player, score }) => {
    // The final table, which other checks hold to, has what documents had before.
    if (isClosed(store, season)) return shown.has(player);
    const states = statesOf(store, season, player, timeOf(began));
    return shown.has(player) && (states?.some(({ data }) => scoredIn(data).score === score) ?? true);
  });
  const worse = (a: number, b: number) => (order === "descending" ? a < b : a > b);
  const areSorted = entries.every(({ score, place }, i) => {
    const before = entries[i - 1];
    if (place !== i + 1) return false;
    if (before === undefined || score === undefined) return true;
    return before.score !== undefined && !worse(before.score, score);
  });
  return areTrue && areSorted;
}

/** @throws a violation */
export function checkMyGroups(world: World, player: string, { groups }: MyGroupsAnswer, began: number): void {
  const { privateGroups } = world;
  const told = () => `groups: ${player} was answered ${JSON.stringify(groups)}`;
  const isMember = (group: PrivateGroup | undefined) => privateGroups.members(group).includes(player);
  for (const one of groups) {
    const versions = privateGroups.promises.versionsOf(one.group, began);
    const isTrue = versions?.some((group) => {
      const isOwner = group !== undefined && privateGroups.playerOf({ of: group.owner }) === player;
      return isMember(group) && group?.name === one.name && isOwner === one.is_owner;
    });
    insist(isTrue ?? true, () => `${told()}, and ${one.group} was ${JSON.stringify(versions)}`);
  }
  for (const { id } of privateGroups.groupsOf(player)) {
    const wasAlways = privateGroups.promises.versionsOf(id, began)?.every(isMember) ?? false;
    insist(!wasAlways || groups.some(({ group }) => group === id), () => `${told()}, and is in ${id}`);
  }
}
