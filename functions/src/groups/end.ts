/**
 * The end of a private group: its places become final, and one event says so. A group with an end of its own is ended when the
 * last scores are in, six minutes later; a score that was achieved after the end does not count. A group of a tournament ends
 * when the tournament's last score is in.
 */
import { addEvent, nameInEvents } from "../documents/event.ts";
import { FieldValue, Timestamp, type Transaction } from "../documents/firestore.ts";
import type { Seat } from "../documents/group.ts";
import { privateGroupPath, type SeasonKey } from "../documents/paths.ts";
import { placesOf } from "../documents/places.ts";
import { isEndDue, membersListed, readPrivateGroup } from "../documents/private-group.ts";
import { privateGroupsDue, privateGroupsShowing } from "../documents/private-group-queries.ts";
import { inChunks } from "../documents/reads.ts";
import type { Definition } from "../model/definition.ts";
import { spanOfId } from "../model/season-id.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "../world/services.ts";
import { taskIdOf } from "../world/tasks.ts";
import {
  type PrivateRenewal,
  readMembers,
  renewPrivateGroup,
  seasonNow,
  seatsOfMembers,
} from "./keep-private.ts";

/** Groups that one query reads. */
const groupsPerRead = 100;

/**
 * Ends a private group whose last scores are in, or else makes it anew. Cost: {@link renewPrivateGroup}, and 1 read; for an
 * end 1 write more for the event.
 */
export async function bringUpToDate(
  services: Services,
  leaderboard: string,
  id: string,
  renewal: PrivateRenewal = {},
): Promise<void> {
  const { db, now } = services;
  const group = readPrivateGroup(await db.doc(privateGroupPath(leaderboard, id)).get());
  if (group === undefined) return;
  if (!isEndDue(group, now())) return renewPrivateGroup(services, leaderboard, id, renewal);
  const board = await boardCacheOf(services).loadDefinition(leaderboard);
  await endPrivateGroup(services, { leaderboard, season: seasonNow(board, leaderboard, group, now()) }, id);
}

/**
 * Ends a private group, unless it has ended. Cost: 1 read, {@link readMembers}, and 2 writes.
 * @param key the last season of the group.
 */
async function endPrivateGroup(services: Services, key: SeasonKey, id: string): Promise<void> {
  const { db, now } = services;
  const ref = db.doc(privateGroupPath(key.leaderboard, id));
  const { definition, season } = await boardCacheOf(services).load(key);
  // An admin may have closed a tournament early.
  const tournaments =
    spanOfId(key.season) === "custom" && season?.closes_at ? { ends_at: season.closes_at } : {};
  await db.runTransaction(async (transaction) => {
    const group = readPrivateGroup(await transaction.get(ref));
    if (group === undefined || group.settled_at !== undefined) return;
    const members = await readMembers(db, transaction, key, group.readers);
    // What a server writes later than the end changes nothing, either.
    const seats = withPlaces(
      seatsOfMembers(key, group, members, definition, tournaments.ends_at),
      definition,
    );
    const at = Timestamp.fromMillis(now());
    transaction.update(ref, {
      ...membersListed(seats, group.owner),
      ...tournaments,
      season: key.season,
      settled_at: at,
      unsettled: FieldValue.delete(),
      end_due_at: FieldValue.delete(),
      "pace.written_at": at,
    });
    tellEnd(services, transaction, { key, id, definition, seats, at });
  });
}

interface EndOfGroup {
  key: SeasonKey;
  id: string;
  definition: Definition;
  seats: Readonly<Record<string, Seat>>;
  at: Timestamp;
}

function tellEnd(
  { db }: Services,
  transaction: Transaction,
  { key, id, definition, seats, at }: EndOfGroup,
): void {
  const places = Object.values(seats)
    .filter(({ player, score }) => player !== undefined && score !== undefined)
    .toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0))
    .map(({ player = "" }) => player);
  addEvent(db, transaction, definition, {
    kind: "group_ended",
    key,
    span: spanOfId(key.season),
    atMs: at.toMillis(),
    once: id,
    fields: { group: id, places, players: places.map(nameInEvents) },
  });
}

/** The seats of those who are shown, each with its place. Pure. */
function withPlaces(seats: Record<string, Seat>, definition: Definition): Record<string, Seat> {
  const shown = Object.entries(seats).flatMap(([name, seat]) =>
    seat.player === undefined
      ? []
      : [{ name, player: seat.player, score: seat.score, achievedAt: seat.achieved_at }],
  );
  const places = new Map(placesOf(definition, shown).map(({ name, place }) => [name, place]));
  return Object.fromEntries(
    Object.entries(seats).map(([name, seat]): [string, Seat] => {
      const place = places.get(name);
      return [name, place === undefined ? seat : { ...seat, place }];
    }),
  );
}

/**
 * Ends the private groups of a tournament that takes no more scores, for as long as a step may take.
 *
 * Cost: nothing for a season of a span, and on a board without private groups; else 1 read for each group, at least 1; and for
 * each that has not ended 1 read, 1 for each member and 2 writes.
 * @returns whether all have ended; false where the time is over.
 */
export async function endGroupsOf(
  services: Services,
  { key, definition, season: { span } }: OpenedBoard,
  isTimeOver: () => boolean,
): Promise<boolean> {
  const { db, log } = services;
  if (span !== "custom" || !definition.private_groups) return true;
  for await (const groups of inChunks(privateGroupsShowing(db, key), groupsPerRead)) {
    for (const found of groups) {
      if (isTimeOver()) return false;
      try {
        await endPrivateGroup(services, key, found.id);
      } catch (error) {
        // A damaged group holds up nothing; whoever looks at it, ends it.
        log.error("a private group could not be ended", {
          ...key,
          group: found.id,
          error: describeError(error),
        });
      }
    }
  }
  return true;
}

/** How many groups one look requests to end, of those that are due. */
const duePerLook = 1_000;

/**
 * Requests the end of each private group whose time has come. Cost: 1 read for each that is due, at least 1; 1 call of the
 * queue each.
 * @returns how many were requested.
 */
export async function enqueueGroupEnds(services: Services): Promise<number> {
  const { db, now, enqueueTopRefresh, log } = services;
  const { docs } = await privateGroupsDue(db, now()).limit(duePerLook).get();
  let count = 0;
  for (const found of docs) {
    const { path, id } = found.ref;
    const [, leaderboard = "", collection] = path.split("/");
    const season = String(found.get("season"));
    // A game may have a collection of this name elsewhere.
    if (collection !== "private_groups" || path.split("/").length !== 4) continue;
    if (readPrivateGroup(found) === undefined) {
      log.error("a private group is damaged, and does not end", { path });
      continue;
    }
    try {
      const request = { leaderboard, season, group: id, follows: "private_group" as const };
      const dueAt = new Date(now()).toISOString();
      await enqueueTopRefresh({ ...request, due_at: dueAt }, taskIdOf(path, now()));
      count += 1;
    } catch (error) {
      log.error("the end of a private group could not be enqueued", { path, error: describeError(error) });
    }
  }
  return count;
}
