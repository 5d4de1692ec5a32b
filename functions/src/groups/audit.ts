/**
 * What an audit of a season that takes scores does for the private groups that show it: a group that shows another state than
 * its members' documents is made anew, where a process died between a score and its groups.
 */
import type { SeasonKey } from "../documents/paths.ts";
import { privateGroupsShowing } from "../documents/private-group-queries.ts";
import { idsFrom } from "../league/audit-groups.ts";
import { groupsAtOnce } from "../league/keep-group.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { describeError } from "../world/describe-error.ts";
import { inPool } from "../world/pool.ts";
import type { Services } from "../world/services.ts";
import { renewPrivateGroup } from "./renew.ts";

/**
 * Looks at the private groups that show a season, from a random one on. Cost: nothing on a board without private groups; else
 * 2 reads for each group, 1 for each member, at least 1, and 1 write where the group was behind.
 * @param seatsMax how many members to look at, at most, give or take those of seven groups.
 * @returns how many groups it has looked at, and how many it has made anew
 */
export async function auditPrivateGroups(
  services: Services,
  { key, definition, season }: OpenedBoard,
  { seatsMax, isOver = () => false }: { seatsMax: number; isOver?: () => boolean },
): Promise<{ groups: number; renewed: number } | undefined> {
  const { db, random, log } = services;
  if (!definition.private_groups || season.status !== "open") return undefined;
  const audited = { groups: 0, renewed: 0 };
  let members = 0;
  for await (const ids of idsFrom(privateGroupsShowing(db, key), randomId(random))) {
    const found = await inPool(ids, groupsAtOnce, (id) => auditGroup(services, key, id));
    audited.groups += found.length;
    audited.renewed += found.filter(({ isWritten }) => isWritten).length;
    members += found.reduce((sum, group) => sum + group.members, 0);
    if (members >= seatsMax || isOver()) break;
  }
  if (audited.renewed > 0)
    log.warn("an audit has put right private groups that were behind", { ...key, ...audited });
  return audited;
}

/** An id of Firestore's own begins with any of these. */
const firstLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const randomId = (random: () => number) => firstLetters.charAt(Math.floor(random() * firstLetters.length));

/** A group that is damaged, or too busy, is the next audit's. */
async function auditGroup(services: Services, { leaderboard, season }: SeasonKey, id: string) {
  try {
    return await renewPrivateGroup(services, leaderboard, id, { isAudit: true });
  } catch (error) {
    const problem = { leaderboard, season, group: id, error: describeError(error) };
    services.log.error("a private group could not be audited", problem);
    return { members: 0, isWritten: false };
  }
}
