/**
 * Which seats those get who wait: the newest group of their tier first, then new groups. So a tier has as many groups as
 * its players fill, and no group has more seats than its size. Pure.
 */
import type { Group } from "../documents/group.ts";
import type { League } from "../model/league.ts";

/** A player who waits, with the tier that it will be. */
export interface PlayerWaiting {
  player: string;
  /** The number of the tier, 0-based. */
  step: number;
}

/** A group as it is found, or as it will begin. */
export interface GroupPlanned {
  id: string;
  /** Undefined for a new group. */
  found: Pick<Group, "seated" | "readers"> | undefined;
  league: NonNullable<Group["league"]>;
  /** Who gets which seat. */
  given: { player: string; seat: string }[];
}

/** The name of a group: the tier has no hyphen. */
const groupName = (tier: string, number: number) => `${tier}-${number}`;
const numberOf = (id: string) => Number(id.slice(id.lastIndexOf("-") + 1));

/** The highest number of a group of each tier, by the names of all groups. Pure. */
export function lastNumbers(ids: readonly string[]): Map<string, number> {
  const last = new Map<string, number>();
  for (const id of ids) {
    const [tier, number] = [id.slice(0, Math.max(0, id.lastIndexOf("-"))), numberOf(id)];
    if (Number.isSafeInteger(number)) last.set(tier, Math.max(number, last.get(tier) ?? 0));
  }
  return last;
}

/**
 * @param newest of each tier, if it has a group. It keeps the rules that it began with.
 * @param last numbers of groups that are there, of tiers that have no newest group.
 * @returns the groups that get members, tier by tier; of each tier the last one is its newest then.
 */
export function planSeats(
  league: League,
  waiting: readonly PlayerWaiting[],
  newest: ReadonlyMap<string, { id: string; group: Pick<Group, "seated" | "readers" | "league"> }>,
  last: ReadonlyMap<string, number> = new Map(),
): GroupPlanned[] {
  const { size, min_size: least, tiers } = league;
  const ladder = tiers.map(({ id }) => id);
  return tiers.flatMap(({ id: tier, promote, demote }, step) => {
    const rules = { tier, ladder, size, min_size: least, promote, demote };
    const known = newest.get(tier);
    const seatedIn = ({ found, given }: GroupPlanned) => (found?.seated ?? 0) + given.length;
    let open: GroupPlanned | undefined = known && {
      id: known.id,
      found: known.group,
      league: known.group.league ?? rules,
      given: [],
    };
    const planned = new Set<GroupPlanned>();
    for (const { player } of waiting.filter((one) => one.step === step)) {
      if (open === undefined || seatedIn(open) >= open.league.size) {
        const number: number = 1 + (open === undefined ? (last.get(tier) ?? 0) : numberOf(open.id));
        open = { id: groupName(tier, number), found: undefined, league: rules, given: [] };
      }
      open.given.push({ player, seat: `s${seatedIn(open) + 1}` });
      planned.add(open);
    }
    return [...planned];
  });
}
