/** `setPlayerStatus`: hides, bans or readmits a player. */
import { z } from "zod";
import { hasStatusesAlone, type KeptStatus, writeKeptStatus } from "../counting/kept-status.ts";
import {
  erasedSoon,
  erasurePath,
  isErased,
  isStillErasing,
  liftedErasure,
  playerErased,
  workFor,
} from "../documents/erasure.ts";
import type { DocumentReference } from "../documents/firestore.ts";
import { forgetFields } from "../documents/forget-fields.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import { readPlayerStatus } from "../documents/player.ts";
import { documentsAt } from "../documents/reads.ts";
import { renewPrivateGroupsOf } from "../groups/pass.ts";
import { groupsOfPlayer } from "../groups/members.ts";
import { eraseFromBoards } from "../jobs/players/erase.ts";
import { setOnBoards, setStatus } from "../jobs/players/set-status.ts";
import { askToGoOn } from "../jobs/players/step.ts";
import { createBudget } from "../jobs/progress.ts";
import type { PlayerStatusAnswer, SeasonOfStatus } from "../model/admin-answers.ts";
import { defined } from "../model/defined.ts";
import { playerStatuses } from "../model/player-status.ts";
import { FirerankError } from "../model/errors.ts";
import { documentId, leaderboardId } from "../model/ids.ts";
import { isOfTemplate } from "../model/template.ts";
import { endRetryMs, reasonCharactersMax, seasonsListedMax } from "../model/limits.ts";
import { shownText } from "../model/shown-text.ts";
import { allTimeKey } from "../seasons/current.ts";
import { openSeasonsOfPlayer, seasonsOfPlayer } from "../seasons/player-seasons.ts";
import { boardsByStatus, isOnBoardOf } from "../seasons/player-boards.ts";
import { boardsStored, createAttempts, templateAsked } from "../seasons/boards-asked.ts";
import type { Services } from "../world/services.ts";
import type { OperationSpec } from "./shared/spec.ts";
import { boardCacheOf } from "../seasons/board.ts";
import { requireDefinition } from "../seasons/read-board.ts";

const request = z
  .strictObject({
    leaderboard: leaderboardId,
    player: documentId,
    status: z.enum(playerStatuses),
    reason: shownText(reasonCharactersMax).optional(),
  })
  .refine(({ status, reason }) => status !== "active" || reason === undefined, {
    path: ["reason"],
    message: "is kept of a player who is hidden or banned; active has none",
  });

/** How often to look for seasons that were begun meanwhile: one begun from one of those is found by the next look. */
const looksMax = 3;

/**
 * Sets a player's status in all seasons of a board, also those to come. `hidden`: kept, not ranked and not listed.
 * `banned`: hidden, and submissions are refused. `active` undoes both. A hidden player leaves the top at once; a
 * readmitted one returns to it within seconds. Ranks follow with the next run; in a closed season standings and top
 * follow at once, and pages too, or within a minute and a half where others were published half a minute ago or less.
 *
 * The `reason` is kept for moderators until the next call, and no player's call tells it.
 *
 * Whoever was erased in the last 25 hours is taken again with `active`.
 *
 * A template, or one of its boards, stands for all boards of the template. The answer lists the first 1,000 seasons
 * then, and what is not done after five minutes goes on in steps.
 *
 * Cost: 2 reads, and 1 write or delete; for each season of the board 2 reads, and for the next one of each span; for each open
 * season 1 read, and for each that is not closed 1 more if the player is not in it; for each season that has the player what
 * {@link revisePlayer} costs, and {@link renewTopWithout}. {@link renewPrivateGroupsOf}. Hiding on a board with `all_time`
 * costs 1 more read, and 1 more write if the player is not in `all_time` yet. The board costs 2 reads a minute. About a
 * template 1 read more, at the end: another call may have said another status meanwhile, and steps set on all boards what
 * was said last. {@link letBack}.
 * @throws `player_erased` for another status than `active` until an erasure has looked once more; it would go along.
 * @throws `leaderboard_not_found`; `player_not_ranked` if the player has no document in any season and no status is
 * kept. A ZodError or `unknown_schema_version` where a season can't be read; the status is kept and set in all others
 * then.
 */
export const setPlayerStatusSpec: OperationSpec<typeof request, PlayerStatusAnswer> = {
  name: "setPlayerStatus",
  request,
  async handle(services, request) {
    const { leaderboard } = request;
    // Below a board that is no template there is none.
    if (isOfTemplate(leaderboard)) await boardCacheOf(services).loadDefinition(leaderboard);
    const template = await templateAsked(services, leaderboard);
    return template === undefined
      ? setOnBoard(services, request)
      : setOnTemplate(services, request, template);
  },
};

type StatusAsked = z.infer<typeof request>;

function notThere({ leaderboard, player }: StatusAsked): FirerankError {
  const message = `Player "${player}" has no document in any season of leaderboard "${leaderboard}"; a status can be set once a first score was submitted.`;
  return new FirerankError("player_not_ranked", message);
}

async function setOnBoard(services: Services, request: StatusAsked): Promise<PlayerStatusAnswer> {
  const { leaderboard, player, status, reason } = request;
  const kept = services.db.doc(playerStatusPath(leaderboard, player));
  const isLifted = status === "active" && (await letBack(services, leaderboard, player));
  const listed = await seasonsOfPlayer(services, leaderboard, player);
  const having = listed.filter((season) => season.player.exists);
  const without = listed.filter((season) => !season.player.exists && season.status !== "closed");
  // A banned player's seasons may all be deleted by now, but it must still be possible to lift the ban.
  const isUnknown = having.length === 0 && !isLifted && (await kept.get()).get("status") === undefined;
  // A member of a private group need not have a score.
  if (isUnknown && (await groupsOfPlayer(services, leaderboard, player)).length === 0)
    throw notThere(request);
  const done = new Set<string>();
  // First, so that a document that names no status has the new one from now on, or is found below.
  if (status === "active") await forgetStatus(services, kept);
  else {
    const names = having.map(({ key }) => key.season);
    const isCreated = await keepForSeasonsToCome(services, { leaderboard, player, status, reason }, names);
    if (isCreated) done.add(allTimeKey(leaderboard).season);
  }
  const seasons: SeasonOfStatus[] = [];
  const { attempt, end } = createAttempts();
  for (const found of having)
    seasons.push(...((await attempt(leaderboard, () => setStatus(services, found, status))) ?? []));
  for (const { season } of seasons) done.add(season);
  // A submission may have begun a document with the status of one in another season: look for those.
  for (let before = -1, look = 1; before < done.size && look <= looksMax; look++) {
    before = done.size;
    for (const found of await openSeasonsOfPlayer(services, leaderboard, player, done, without)) {
      seasons.push(...((await attempt(leaderboard, () => setStatus(services, found, status))) ?? []));
      done.add(found.key.season);
    }
  }
  await attempt(leaderboard, () => renewPrivateGroupsOf(services, leaderboard, player));
  end();
  return { leaderboard, player, seasons };
}

/** Forgets the status that a board keeps. Where a player stands in its league stays. Cost: 1 read, 1 write or delete. */
async function forgetStatus({ db }: Services, kept: DocumentReference): Promise<void> {
  await db.runTransaction(async (transaction) => {
    forgetFields(transaction, await transaction.get(kept), "status", "reason");
  });
}

/**
 * The same on all boards of a template. The status is the template's, which submissions read with a player's first
 * score on a board: so a board that the player has no document on yet is not looked at. Boards on which another status
 * is still to be set come first; where the time is over before they are done, steps go on.
 */
async function setOnTemplate(
  services: Services,
  request: StatusAsked,
  template: string,
): Promise<PlayerStatusAnswer> {
  const { leaderboard, player, status, reason } = request;
  const { db, now, callMsMax } = services;
  const sinceMs = now();
  const isOver = createBudget(services, callMsMax);
  const kept = db.doc(playerStatusPath(template, player));
  const isLifted = status === "active" && (await letBack(services, leaderboard, player));
  const isKnown = await isOnBoardOf(services, player, template);
  if (!isKnown && !isLifted && !(await kept.get()).exists) throw notThere(request);
  // First, so that a document that is created from now on has it, or is found below.
  await db.runTransaction(async (transaction) => {
    if (status !== "active") await requireDefinition(db, template, transaction);
    const erasure = await transaction.get(db.doc(erasurePath(player)));
    const isGoing = erasedSoon(erasure, template, now()).includes(template);
    const isRefused = isGoing || (!isKnown && isErased(erasure, template, now()));
    if (isRefused && status !== "active") throw playerErased(player, template);
    if (status === "active") transaction.delete(kept);
    else transaction.set(kept, defined({ status, reason }));
  });
  const { toSet, others } = await boardsByStatus(services, player, template, status);
  const { seasons, left, failures } = await setOnBoards(services, request, [...toSet, ...others], isOver);
  // Another call may have said another status meanwhile, on boards that this call has set since.
  const isLast = readPlayerStatus((await kept.get()).data()) === status;
  const continues = !isLast || (left !== undefined && toSet.includes(left));
  if (continues) {
    const work = workFor("set_status", { player, leaderboard: template, dueMs: sinceMs + endRetryMs });
    await db.doc(erasurePath(player)).set(work, { merge: true });
    await askToGoOn(services, "set_status", player, { sinceMs, left: left ?? template });
  }
  if (failures.length > 0) throw failures[0];
  const listed = seasons.slice(0, seasonsListedMax);
  return { leaderboard: template, player, seasons: listed, ...(continues && { continues }) };
}

/**
 * Takes a player again who was erased a while ago. Where steps of the erasure have not been at all boards yet, the board, or
 * the template's boards, are erased first: the player begins anew.
 *
 * Cost: 1 read, and 1 write if so. While there are such steps, 1 read more, and an erasure from these boards.
 * @returns whether it was so. @throws `contention` where the time is over before.
 */
async function letBack(services: Services, leaderboard: string, player: string): Promise<boolean> {
  const { db, now } = services;
  const ref = db.doc(erasurePath(player));
  const lift = (isErasedNow: boolean) =>
    db.runTransaction(async (transaction) => {
      const note = await transaction.get(ref);
      const soon = isErasedNow || !isStillErasing(note) ? [] : erasedSoon(note, leaderboard, now());
      if (soon.length > 0) return soon;
      const fields = liftedErasure(note, leaderboard, now());
      if (fields !== undefined) transaction.set(ref, fields, { merge: true });
      return fields !== undefined;
    });
  const soon = await lift(false);
  if (typeof soon === "boolean") return soon;
  const isOver = createBudget(services, services.callMsMax);
  for (const name of soon) {
    const boards = await boardsStored(services, name, [player]);
    const { left, failures } = await eraseFromBoards(services, player, boards, isOver);
    if (failures.length > 0) throw failures[0];
    if (left === undefined) continue;
    const message = `Player "${player}" is still being erased from "${name}"; call again to have the player back.`;
    throw new FirerankError("contention", message);
  }
  return (await lift(true)) === true;
}

/**
 * Keeps a status for seasons to come, see {@link writeKeptStatus}.
 * @param seasons those in which the player had a document.
 * Cost: 2 reads, on a board with `all_time` 3, and what that costs.
 * @returns whether the player got a document.
 * @throws `leaderboard_not_found` where the board was just deleted; `player_erased` where an erasure has taken all of
 * them meanwhile
 */
export async function keepForSeasonsToCome(
  services: Services,
  { leaderboard, player, ...asked }: KeptStatus & { leaderboard: string; player: string },
  seasons: readonly string[] = [],
): Promise<boolean> {
  const { db } = services;
  const allTime = allTimeKey(leaderboard);
  const { definition } = await boardCacheOf(services).load(allTime);
  const isEverywhere = definition.spans.includes("all_time") && hasStatusesAlone(allTime);
  const paths = [erasurePath(player), ...(isEverywhere ? [playerPath(allTime, player)] : [])];
  return db.runTransaction(async (transaction) => {
    const [erasure, document] = await documentsAt(db, paths, transaction);
    await requireDefinition(db, leaderboard, transaction);
    // The erasure would take the status along.
    if (erasure !== undefined && erasedSoon(erasure, leaderboard, services.now()).length > 0)
      throw playerErased(player, leaderboard);
    if (document?.exists !== true && isErased(erasure, leaderboard, services.now())) {
      const others = seasons.map((season) => playerPath({ leaderboard, season }, player));
      const found = await documentsAt(db, others, transaction);
      if (!found.some(({ exists }) => exists)) throw playerErased(player, leaderboard);
    }
    return writeKeptStatus(transaction, db.doc(playerStatusPath(leaderboard, player)), asked, document);
  });
}
