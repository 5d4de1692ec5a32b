/** Which private groups are to end: those of a tournament that takes no more scores, and those whose own time has come. */
import { privateGroupsDue, privateGroupsShowing } from "../documents/private-group-queries.ts";
import { isEndDue, readPrivateGroup } from "../documents/private-group.ts";
import { type DocumentSnapshot, type QueryDocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { privateGroupPath } from "../documents/paths.ts";
import { inChunks } from "../documents/reads.ts";
import { groupsAtOnce } from "../league/keep-group.ts";
import { leaderboardId } from "../model/ids.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "../world/services.ts";
import { inPool } from "../world/pool.ts";
import { isTemporary } from "../world/retryable.ts";
import { taskIdOf } from "../world/tasks.ts";
import { renewPrivateGroup } from "./renew.ts";

/** Groups that one query reads. */
const groupsPerRead = 100;

/**
 * Ends the private groups of a tournament that takes no more scores, for as long as a step may take. A damaged group holds up
 * nothing: it is logged, and stays as it is.
 *
 * Cost: nothing for a season of a span, and on a board without private groups; else 1 read for each group, at least 1; and for
 * each that has not ended 1 read, 1 for each member and 2 writes.
 * @returns whether all were tried; false where the time is over.
 * @throws the first temporary error of the database, after all others were tried: the caller repeats this later.
 */
export async function endGroupsOf(
  services: Services,
  { key, definition, season: { span } }: OpenedBoard,
  isTimeOver: () => boolean,
): Promise<boolean> {
  const { db, log } = services;
  if (span !== "custom" || !definition.private_groups) return true;
  const failures: unknown[] = [];
  const left: string[] = [];
  const end = async (found: QueryDocumentSnapshot) => {
    if (isTimeOver()) {
      left.push(found.id);
      return;
    }
    try {
      if (readPrivateGroup(found) === undefined) throw new Error("The document is damaged");
      await renewPrivateGroup(services, key.leaderboard, found.id, { tournament: key });
    } catch (error) {
      const problem = { ...key, group: found.id, error: describeError(error) };
      log.error("a private group could not be ended", problem);
      if (isTemporary(error)) failures.push(error);
    }
  };
  for await (const groups of inChunks(privateGroupsShowing(db, key), groupsPerRead)) {
    await inPool(groups, groupsAtOnce, end);
    if (left.length > 0) return false;
  }
  if (failures.length > 0) throw failures[0];
  return true;
}

/** Documents that one look reads, at most, and how long it may take: the schedule has nine minutes. */
const duePerLook = 10_000;
const lookMsMax = 120_000;

/** Documents that one query of a look reads. */
const duePerRead = 500;

/** Requests that a look makes at the same time. */
const requestsAtOnce = 16;

/** Where this instance's last look was cut off; undefined if it was not. */
const cutOf = ({ memory }: Pick<Services, "memory">) => memory(createCut);
const createCut = (): { after: QueryDocumentSnapshot | undefined } => ({ after: undefined });

/**
 * Requests the end of each private group whose time has come. A look that is cut off is continued by the next one. Cost: 1 read
 * for each document that is due, at least 1, at most 10,000; 1 call of the queue each; and for each damaged group 1 write a day.
 * @returns how many were requested.
 */
export async function enqueueGroupEnds(services: Services): Promise<number> {
  const { db, now } = services;
  const untilMs = now() + lookMsMax;
  const cut = cutOf(services);
  const due = privateGroupsDue(db, now());
  const left = cut.after === undefined ? due : due.startAfter(cut.after);
  cut.after = undefined;
  let [read, count] = [0, 0];
  for await (const docs of inChunks(left, duePerRead)) {
    const requested = await inPool(docs, requestsAtOnce, (found) => requestEnd(services, found));
    count += requested.filter((isRequested) => isRequested).length;
    read += docs.length;
    if (read < duePerLook && now() < untilMs) continue;
    cut.after = docs.at(-1);
    break;
  }
  return count;
}

/** @returns whether the end of the group was requested. */
async function requestEnd(services: Services, found: QueryDocumentSnapshot): Promise<boolean> {
  const { now, enqueueTopRefresh, log } = services;
  const { path, id } = found.ref;
  const leaderboard = path.split("/")[1] ?? "";
  // A game may have a collection of this name elsewhere.
  const isOurs = path === privateGroupPath(leaderboard, id) && leaderboardId.safeParse(leaderboard).success;
  if (!isOurs) return false;
  try {
    const group = readPrivateGroup(found);
    if (group === undefined) {
      await putOff(services, found, "the document is damaged");
      return false;
    }
    const request = { leaderboard, season: group.season, group: id, follows: "private_group" as const };
    const dueAt = new Date(now()).toISOString();
    await enqueueTopRefresh({ ...request, due_at: dueAt }, taskIdOf(path, now()));
    return true;
  } catch (error) {
    log.error("the end of a private group could not be enqueued", { path, error: describeError(error) });
    return false;
  }
}

/** When a group is looked at again that could not end. */
const putOffMs = 86_400_000;

/** Puts off the end of a group that cannot end, so that it is not looked at every ten minutes. Cost: 1 write. */
async function putOff({ now, log }: Services, found: DocumentSnapshot, why: string): Promise<void> {
  log.error("a private group cannot end; it is looked at again in a day", { path: found.ref.path, why });
  const dueAt = Timestamp.fromMillis(now() + putOffMs);
  const { updateTime } = found;
  await found.ref.update(
    { end_due_at: dueAt },
    updateTime === undefined ? {} : { lastUpdateTime: updateTime },
  );
}

/**
 * Puts off the end of a group whose board has no definition any more, if it is due. The groups of a board that is being deleted
 * go with it. Cost: 1 read and 1 write.
 */
export async function putOffWithoutBoard(services: Services, leaderboard: string, id: string): Promise<void> {
  const found = await services.db.doc(privateGroupPath(leaderboard, id)).get();
  const group = readPrivateGroup(found);
  if (group === undefined || !isEndDue(group, services.now())) return;
  await putOff(services, found, "its board has no definition");
}
