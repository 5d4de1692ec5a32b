/** Which private groups are to end: those of a tournament that takes no more scores, and those whose own time has come. */
import { privateGroupsDue, privateGroupsShowing } from "../documents/private-group-queries.ts";
import { readPrivateGroup } from "../documents/private-group.ts";
import type { QueryDocumentSnapshot } from "../documents/firestore.ts";
import { inChunks } from "../documents/reads.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { describeError } from "../world/describe-error.ts";
import type { Services } from "../world/services.ts";
import { inPool } from "../world/pool.ts";
import { isTemporary } from "../world/retryable.ts";
import { taskIdOf } from "../world/tasks.ts";
import { renewPrivateGroup } from "./renew.ts";

/** Groups that one query reads. */
const groupsPerRead = 100;

/** Groups that are ended at the same time. */
const groupsAtOnce = 8;

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
