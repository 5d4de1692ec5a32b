/** A private group for somebody who asks: brought up to date, where its season is over or a process has left something behind. */
import { playerPath, playerStatusPath, privateGroupPath, type SeasonKey } from "../documents/paths.ts";
import {
  isEndDue,
  isOver,
  memberHash,
  memberSeatUntil,
  ownEnd,
  type PrivateGroup,
  readPrivateGroup,
  seatNameOf,
} from "../documents/private-group.ts";
import { documentsAt, readTogether } from "../documents/reads.ts";
import type { Season } from "../documents/season.ts";
import type { Definition } from "../model/definition.ts";
import { spanOfId } from "../model/season-id.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "../world/services.ts";
import { isShownAs, quietOf } from "../league/keep-group.ts";
import { asSeasonShows } from "../league/final-members.ts";
import { beginSeasonInGroup, memberOf, namesNoStatus, readMembers } from "./keep-private.ts";
import { endDueGroup, renewPrivateGroup, seatsOfMembers } from "./renew.ts";
import { seasonNow } from "./season-now.ts";

interface Asking {
  leaderboard: string;
  id: string;
  player: string;
  /** Whether the caller sees groups of others. */
  isModerator: boolean;
  /** The season that is asked for, and the span if it is asked for by that; by default the present one of the group. */
  asked: { key: SeasonKey; span: string | undefined } | undefined;
}

/**
 * A group with what its members have in a season. Cost: as getGroup says.
 * @returns undefined where there is none that the player is a member of
 */
export async function readPrivateGroupFor(
  services: Services,
  { leaderboard, id, player, isModerator, asked }: Asking,
): Promise<{ group: PrivateGroup; definition: Definition } | undefined> {
  const { db } = services;
  const hash = memberHash(leaderboard, player);
  const ref = db.doc(privateGroupPath(leaderboard, id));
  const read = async () => {
    const group = readPrivateGroup(await ref.get());
    const isSeen = group !== undefined && (isModerator || seatNameOf(group, hash) !== undefined);
    return isSeen ? group : undefined;
  };
  const found = await read();
  if (found === undefined) return undefined;
  let group: PrivateGroup | undefined = found;
  const update = await updateOf(services, leaderboard, found, player);
  if (update !== undefined) {
    try {
      if (update === "begin") await beginSeasonInGroup(services, leaderboard, id);
      else if (update === "end") await endDueGroup(services, leaderboard, id);
      else await renewPrivateGroup(services, leaderboard, id, { player });
      group = await read();
    } catch (error) {
      // The answer shows the group as it is.
      const problem = { leaderboard, group: id, error: describeError(error) };
      services.log.error("a private group could not be renewed", problem);
    }
  }
  // The last member may have left, or the owner deleted it.
  if (group === undefined) return undefined;
  // The group's own span means the group's own season, also after its end.
  const isOther = asked !== undefined && asked.span !== spanOfId(group.season);
  const key = isOther ? asked.key : { leaderboard, season: group.season };
  const { definition, season } = await boardCacheOf(services).load(key);
  if (key.season === group.season) return { group: withEnd(group, season), definition };
  return { group: await inSeason(services, { key, definition, season }, group), definition };
}

/** Whether a group has not ended and does so with a tournament: only the season says when. Pure. */
export function endsWithTournament({ settled_at: settledAt, season }: PrivateGroup): boolean {
  return settledAt === undefined && spanOfId(season) === "custom";
}

/** A group with the end of its tournament, which an admin may have put earlier. Pure. */
export function withEnd(group: PrivateGroup, season: Season | undefined): PrivateGroup {
  return endsWithTournament(group) && season !== undefined ? { ...group, ends_at: season.closes_at } : group;
}

/**
 * What a group needs that is to end, shows a season that is over, or shows another state of the player than the player's
 * document; undefined for nothing. A member whom the group does not show renews it where its end is due, which looks for the
 * player and ends it as well. A group that was written just now has its refresh before it.
 */
async function updateOf(
  services: Services,
  leaderboard: string,
  group: PrivateGroup,
  player: string,
): Promise<"begin" | "end" | "renew" | undefined> {
  const { db, now } = services;
  if (group.settled_at !== undefined) return undefined;
  const name = seatNameOf(group, memberHash(leaderboard, player));
  const seat = name === undefined ? undefined : group.seats[name];
  if (isEndDue(group, now())) return seat !== undefined && seat.player === undefined ? "renew" : "end";
  const board = await boardCacheOf(services).loadDefinition(leaderboard);
  if (seasonNow(board, leaderboard, group, now()) !== group.season) return "begin";
  if (seat === undefined || !quietOf(group.pace, now()).isQuiet) return undefined;
  const key = { leaderboard, season: group.season };
  const [document] = await documentsAt(db, [playerPath(key, player)] as const);
  const isNameless = namesNoStatus(document.data());
  const [kept] = isNameless ? await documentsAt(db, [playerStatusPath(leaderboard, player)] as const) : [];
  const member = memberOf(document, kept?.data());
  // Of somebody without a document the board may keep a ban.
  if (document.exists && member.version <= seat.version) return undefined;
  const { definition } = await boardCacheOf(services).load(key);
  const after = memberSeatUntil(seat, member, definition, ownEnd(group), isOver(group, now()));
  return isShownAs(seat, after) ? undefined : "renew";
}

/**
 * A group as it is in another season than the one that it shows. Cost: 1 read for each member, and {@link asSeasonShows}.
 */
async function inSeason(
  services: Services,
  { key, definition, season }: Pick<Board, "key" | "definition" | "season">,
  { settled_at: _, ends_at: _ends, ...group }: PrivateGroup,
): Promise<PrivateGroup> {
  const { db } = services;
  const found = await readTogether(db, (transaction) => readMembers(db, transaction, key, group.readers));
  const members = await asSeasonShows(services, key, season, found);
  const unplaced = Object.entries(group.seats).map(([name, { place: _place, ...seat }]) => [name, seat]);
  const open = { ...group, ends_at: null, seats: Object.fromEntries(unplaced) as PrivateGroup["seats"] };
  return { ...open, season: key.season, seats: seatsOfMembers(key, open, members, definition) };
}
