/**
 * What is left to do for a player on many boards, in steps: a player may be on a hundred thousand boards of templates, and
 * a call has nine minutes. A call notes the work (documents/erasure.ts), does what it can, and requests the first step.
 * Each step looks for the boards anew, as those that are done are no longer found, and requests the next step.
 *
 * A step that runs twice, comes late, overlaps another step or is killed anywhere does no harm: what it does may be done
 * again. Where no step comes any more, the look that the schedule takes once a day at all notes requests another.
 */
import {
  erasurePath,
  isErased,
  isErasureOver,
  isLetBack,
  notedJobs,
  type NotedJob,
  type PlayerWork,
  workIn,
} from "../../documents/erasure.ts";
import { type DocumentSnapshot, FieldValue, type QueryDocumentSnapshot } from "../../documents/firestore.ts";
import { erasuresPath, playerStatusPath } from "../../documents/paths.ts";
import { readPlayerStatus } from "../../documents/player.ts";
import { byId } from "../../documents/queries.ts";
import { inChunks } from "../../documents/reads.ts";
import { isBoardNotFound } from "../../model/errors.ts";
import type { PlayerStatus } from "../../model/player-status.ts";
import { documentsPerReadMax, endStepMs, erasureKeptMs } from "../../model/limits.ts";
import { isOfTemplate } from "../../model/template.ts";
import { boardsStored } from "../../seasons/boards-asked.ts";
import { boardsByStatus } from "../../seasons/player-boards.ts";
import { describeError } from "../../world/describe-error.ts";
import { isOvertaken } from "../../world/retryable.ts";
import type { Services } from "../../world/services.ts";
import { type PlayerRequest, taskIdOf } from "../../world/tasks.ts";
import { createBudget, type StepOptions } from "../progress.ts";
import { eraseFromBoards } from "./erase.ts";
import { setOnBoards } from "./set-status.ts";

/** A queue delivers when its clock says so, which may be behind. */
const looksLaterSeconds = 60;

const noteOf = (player: string) => erasurePath(player).slice(erasuresPath.length + 1);

/** Requests the look that an erasure takes once more. If that fails, the daily look does it. */
export async function askForLook(services: Services, player: string, dueMs: number): Promise<void> {
  const request = { job: "erase" as const, note: noteOf(player), step: 0 };
  const delaySeconds = Math.ceil((dueMs - services.now()) / 1_000) + looksLaterSeconds;
  try {
    await services.enqueueJob(request, taskIdOf(erasurePath(player), "look", dueMs), delaySeconds);
  } catch (error) {
    services.log.warn("the second look of an erasure waits for the daily look", {
      error: describeError(error),
    });
  }
}

/** What a call, or a step, leaves to the next step. */
interface Left {
  sinceMs: number;
  /** The first board that is left. */
  left: string;
  /** Whether a board could not be read. */
  failed?: boolean;
}

/** Requests the first step of what a call has left. */
export function askToGoOn(services: Services, job: NotedJob, player: string, left: Left): Promise<void> {
  return askForNext(services, { job, note: noteOf(player), step: 0 }, left);
}

function askForNext(
  services: Services,
  { job, note, step }: PlayerRequest,
  { sinceMs, left, failed = false }: Left,
): Promise<void> {
  // Boards of templates come first, and are looked for anew.
  const from = isOfTemplate(left) ? {} : { from: left };
  const next = { job, note, step: step + 1, since_ms: sinceMs, ...from, failed };
  // A step that was delivered twice requests one task.
  return services.enqueueJob(next, taskIdOf(`${erasuresPath}/${note}`, job, sinceMs, next.step), 0);
}

/** Does a step of work for a player. Cost: 1 read; what the work costs; at its end 1 write. */
export async function stepPlayer(
  services: Services,
  request: PlayerRequest,
  options: Pick<StepOptions, "budgetMs"> = {},
): Promise<void> {
  const { db, now, log } = services;
  const note = await db.doc(`${erasuresPath}/${request.note}`).get();
  const found = workIn(note);
  const work = found?.[request.job];
  if (found === undefined || work === undefined) return;
  const { player } = found;
  const sinceMs = request.since_ms ?? now();
  const step = { services, note, player, work, request, sinceMs };
  const isOver = createBudget(services, options.budgetMs ?? endStepMs);
  const isDone = await (request.job === "erase" ? eraseStep(step, isOver) : statusStep(step, isOver));
  // An erasure has passed all boards for the first time, and is to look once more.
  const isToCome = request.job === "erase" && sinceMs < work.due_at.toMillis();
  if (!isDone || (isToCome && work.goes_on !== true)) return;
  const isLast = notedJobs.every((job) => job === request.job || found[job] === undefined);
  const over = { [request.job]: FieldValue.delete(), ...(isLast && { player: FieldValue.delete() }) };
  const passed = { "erase.goes_on": FieldValue.delete() };
  try {
    await note.ref.update(
      isToCome ? passed : over,
      note.updateTime === undefined ? {} : { lastUpdateTime: note.updateTime },
    );
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    log.info("more was noted for a player meanwhile", { note: request.note });
  }
}

interface PlayerStep {
  services: Services;
  note: DocumentSnapshot;
  player: string;
  work: PlayerWork;
  request: PlayerRequest;
  sinceMs: number;
}

/** @returns whether a look has passed all boards, and each could be read. */
async function eraseStep(
  { services, note, player, work, request, sinceMs }: PlayerStep,
  isOver: () => boolean,
): Promise<boolean> {
  const dueMs = work.due_at.toMillis();
  // The emulators deliver at once what is to come later.
  if (request.since_ms === undefined && sinceMs < dueMs) return false;
  const { from = "" } = request;
  const meant = (await boardsMeant(services, player, work)).filter((board) => !isLetBack(note, board));
  // A step that comes a day late: nothing keeps the player out of the others any more, and what is there may be new.
  const boards = meant.filter((board) => isErased(note, board, sinceMs));
  const others = boards.filter((board) => !isOfTemplate(board) && board >= from).toSorted();
  const all = [...boards.filter(isOfTemplate), ...others];
  const { left, failures } = await eraseFromBoards(services, player, all, isOver);
  const failed = request.failed === true || failures.length > 0 || boards.length < meant.length;
  if (left !== undefined) await askForNext(services, request, { sinceMs, left, failed });
  return left === undefined && !failed;
}

/** The boards that an erasure means and that are still there. */
async function boardsMeant(
  services: Services,
  player: string,
  { all, boards = {} }: PlayerWork,
): Promise<string[]> {
  const found = new Set<string>();
  for (const named of all === true ? [undefined] : Object.keys(boards))
    try {
      for (const board of await boardsStored(services, named, [player])) found.add(board);
    } catch (error) {
      if (!isBoardNotFound(error)) throw error;
    }
  return [...found];
}

/**
 * Sets the status that a template has for the player, as an admin has said last: it is read anew before each look at the
 * boards. @returns whether no board is left, and each could be read.
 */
async function statusStep(
  { services, player, work, request, sinceMs }: PlayerStep,
  isOver: () => boolean,
): Promise<boolean> {
  let couldRead = true;
  for (const template of Object.keys(work.boards ?? {})) {
    const kept = services.db.doc(playerStatusPath(template, player));
    // While a hidden player plays on, a board changes its place in the list: so this looks until no more is found.
    for (let before: { status: PlayerStatus; boards: number } | undefined; ;) {
      const status = readPlayerStatus((await kept.get()).data());
      const { toSet } = await boardsByStatus(services, player, template, status);
      const isStill = before?.status === status && toSet.length >= before.boards;
      if (toSet.length === 0 || isStill) break;
      before = { status, boards: toSet.length };
      const { left, failures } = await setOnBoards(services, { player, status }, toSet, isOver);
      if (failures.length > 0) couldRead = false;
      if (left === undefined) continue;
      await askForNext(services, request, { sinceMs, left });
      return false;
    }
  }
  return couldRead;
}

/**
 * The daily look at all notes: deletes those that are over, requests a step where work is due, and tells of work that
 * stands still. Cost: 1 read for each note, at least 1, and 1 delete for each that is over.
 */
export async function lookAtNotes({ db, now, log, enqueueJob }: Services): Promise<number> {
  let count = 0;
  try {
    for await (const notes of inChunks(byId(db, erasuresPath, documentsPerReadMax), documentsPerReadMax))
      await Promise.all(notes.map(lookAt));
  } catch (error) {
    // The next day makes up for it.
    log.error("the notes of erasures could not be looked at", { error: describeError(error) });
  }
  return count;

  async function lookAt(note: QueryDocumentSnapshot): Promise<void> {
    if (isErasureOver(note, now())) return deleteNote(note);
    const work = workIn(note);
    for (const job of notedJobs) {
      const dueMs = work?.[job]?.due_at.toMillis() ?? Infinity;
      const overdueMs = now() - dueMs;
      if (overdueMs > erasureKeptMs) {
        // Nothing keeps the player out any more: what is there may be new.
        const facts = { firerank_alert: "player_work_stuck", note: note.ref.path, work: job };
        log.error("Work for a player on many boards was not done within a day. Call again.", facts);
      } else if (overdueMs >= 0) {
        const request = { job, note: note.id, step: 0 };
        await enqueueJob(request, taskIdOf(note.ref.path, job, "daily", now()), 0);
        count++;
      }
    }
  }
}

async function deleteNote({ ref, updateTime }: QueryDocumentSnapshot): Promise<void> {
  try {
    await ref.delete({ lastUpdateTime: updateTime });
  } catch (error) {
    // A note that was written again meanwhile holds on.
    if (!isOvertaken(error)) throw error;
  }
}
