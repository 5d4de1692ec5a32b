/**
 * What an audit does for a week of a league that takes scores: groups that show another state than their members' documents
 * are brought up to date, and seats are asked for, where a process died or a server has written documents by itself.
 */
import { type Query, Timestamp } from "../documents/firestore.ts";
import { type Group, heldSeat, leagueSeatIn, readGroup, seatsListed } from "../documents/group.ts";
import { groupPath, type SeasonKey } from "../documents/paths.ts";
import { unsettledGroups, waitingForSeats } from "../documents/queries.ts";
import { scoreIfRanked } from "../documents/ranked-score.ts";
import { inChunks } from "../documents/reads.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { inPool } from "../world/pool.ts";
import type { Services } from "../world/services.ts";
import { askForSeats, isOfLeague, seatAsked } from "./ask.ts";
import { groupsAtOnce, membersOf, seatsOf, showsSame } from "./keep-group.ts";
import { askAgain } from "./own-group.ts";

/**
 * Seats that an audit looks at which is not full, give or take seven groups: at 1 read each, half a cent. As many any audit
 * asks for; what is left the next one finds.
 */
export const auditSeatsMax = 10_000;

interface GroupsAudit {
  /** How many seats to look at, at most: those of groups from a random one on. */
  seatsMax: number;
  /** Players who should have a seat, as far as they are known. */
  seatless?: Iterable<string>;
  isOver?: () => boolean;
}

/** What an audit has done. */
export interface GroupsAudited {
  /** Groups that were looked at, and those that were behind and are renewed. */
  groups: number;
  renewed: number;
  /** Players for whom a seat is asked. */
  asked: number;
}

/**
 * Looks at the groups of a week, from a random one on. Cost: nothing for a season that is no week of a league; else 1 read
 * for players who wait, and 1 call of the queue if there are any; 2 reads for each group, 1 for each member, at least 1, and 1
 * write where the group was behind; for each player who should have a seat up to 2 reads and 1 write.
 */
export async function auditGroups(
  services: Services,
  board: OpenedBoard,
  { seatsMax, seatless = [], isOver = () => false }: GroupsAudit,
): Promise<GroupsAudited | undefined> {
  const { db, log } = services;
  const { key, season } = board;
  if (season.status !== "open" || !(season.league === "open" || isOfLeague(board))) return undefined;
  const strays = new Set(seatless);
  const audited: GroupsAudited = { groups: 0, renewed: 0, asked: 0 };
  let seats = 0;
  for await (const ids of fromRandomGroup(services, board)) {
    const found = await inPool(ids, groupsAtOnce, (id) => auditGroup(services, board, id));
    for (const group of found) {
      seats += group.seats;
      audited.renewed += group.isRenewed ? 1 : 0;
      for (const player of group.strays) strays.add(player);
    }
    audited.groups += found.length;
    if (seats >= seatsMax || isOver()) break;
  }
  const asking = [...strays].slice(0, auditSeatsMax);
  const asked = await inPool(asking, groupsAtOnce, (player) => askAgain(services, board, player));
  audited.asked = asked.filter((one) => one === "asked").length;
  const { empty: nobodyWaits } = await waitingForSeats(db, key).limit(1).get();
  if (!nobodyWaits) await askForSeats(services, key);
  if (audited.renewed + audited.asked > 0)
    log.warn("an audit has put right groups of a league that were behind", { ...key, ...audited });
  return audited;
}

/** Whether a player should have a seat, or wait for one, and a document says neither. Pure. */
export function lacksSeat(board: OpenedBoard, data: Record<string, unknown>, nowMs: number): boolean {
  return seatAsked(board, data, nowMs).league_seat !== undefined;
}

/** The ids of all groups, from a random one on. The numbers in them sort as text. */
async function* fromRandomGroup({ db, random }: Services, { key, definition }: OpenedBoard) {
  const tiers = definition.league?.tiers ?? [];
  const tier = tiers[Math.floor(random() * tiers.length)]?.id ?? "a";
  const from = `${tier}-${String(1 + 9 * random()).replace(".", "")}`;
  yield* idsFrom(unsettledGroups(db, key), from);
}

/** The ids of what a query by id finds, from an id on, and then those before it; as many at a time as are audited together. */
export async function* idsFrom(all: Query, from: string): AsyncGenerator<string[]> {
  for (const part of [all.startAt(from), all.endBefore(from)])
    for await (const found of inChunks(part, groupsAtOnce)) yield found.map(({ id }) => id);
}

interface GroupAudited {
  seats: number;
  isRenewed: boolean;
  /** Players whose documents and the group do not name each other. */
  strays: string[];
}

async function auditGroup(services: Services, board: OpenedBoard, id: string): Promise<GroupAudited> {
  const { db, now, log } = services;
  const { key, definition, season } = board;
  const ref = db.doc(groupPath(key, id));
  return db.runTransaction(async (transaction) => {
    const document = await transaction.get(ref);
    const found = readGroup(document);
    if (document.exists && found === undefined)
      log.error("a group of a league is damaged", { ...key, path: ref.path });
    if (found === undefined || found.settled_at !== undefined)
      return { seats: 0, isRenewed: false, strays: [] };
    const members = await membersOf(services, transaction, board, id, found.readers);
    const seats = seatsOf(key, found, members, definition);
    const after = { ...seatsListed(seats), ends_at: season.closes_at };
    const isRenewed = !showsSame(found, after);
    if (isRenewed) transaction.update(ref, { ...after, "pace.written_at": Timestamp.fromMillis(now()) });
    const strays = members.filter(({ id: player, data }) => isStray(key, { id, group: found }, player, data));
    return { seats: found.seated, isRenewed, strays: strays.map(({ id: player }) => player) };
  });
}

/** Whether a player's document names a seat that the group has not for this player; or names none, and the group has one. Pure. */
function isStray(
  key: SeasonKey,
  { id, group }: { id: string; group: Group },
  player: string,
  data: Record<string, unknown> | undefined,
): boolean {
  const seat = leagueSeatIn(data) ?? {};
  if (seat.waits === true || scoreIfRanked(data) === undefined) return false;
  const held = heldSeat(key, group, player);
  return seat.group === id ? seat.seat !== held?.name : held !== undefined;
}
