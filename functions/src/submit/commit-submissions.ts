/**
 * One commit of submissions to the same seasons. It reads nothing but the players' own documents, so no two players ever
 * wait for each other. All spans of a submission change together or not at all.
 */
import { isDeepStrictEqual } from "node:util";
import type { Timestamp } from "../documents/firestore.ts";
import { playerErased } from "../documents/erasure.ts";
import type { SeasonKey } from "../documents/paths.ts";
import { type Player, type PlayerChange, playerData, readPlayer, writtenSize } from "../documents/player.ts";
import { documentSize } from "../model/document-size.ts";
import { FirerankError } from "../model/errors.ts";
import { documentBytesMax, playersBytesPerCommitMax, submitBeginsMsMax } from "../model/limits.ts";
import {
  countedFields,
  type CountingServices,
  commitPlayers,
  type PlayersTransaction,
} from "../counting/commit-players.ts";
import { isInLine } from "../counting/count-players.ts";
import type { Attempt, PlayerJob } from "../counting/lanes.ts";
import { asRetryable } from "../world/retryable.ts";
import { type AppliedTo, type PlayerFound, readPlayers, repeatedTo, type Target } from "./aim.ts";
import { applyToSpans } from "./apply.ts";
import type { Submission } from "./schema.ts";
import { withoutGone } from "./segments.ts";

/** A submission on its way into a player's documents. It keeps its id and its result from one attempt to the next. */
export interface SubmissionJob extends PlayerJob {
  /** With an id of ours where it has none and a repetition would count. */
  submission: Submission;
  /** That id, if it is ours. */
  madeId: string | undefined;
  /** When it was achieved: the server's time at its arrival. */
  at: Timestamp;
  arrivedMs: number;
  /** What an earlier attempt came to, which may have been committed; and its changes to the player's documents. */
  earlier?: AppliedTo[];
  changes?: ChangedPlayer[];
}

export interface ChangedPlayer extends PlayerChange {
  key: SeasonKey;
}

/**
 * The result of a submission: for each season that it went to, or why it was refused. A repeated one went to the seasons
 * of its time, which may be over. The last of a player's submissions has the `changes` of the commit.
 */
export type Outcome = ({ applied: AppliedTo[] } | { error: FirerankError }) & { changes?: ChangedPlayer[] };

/** A result, or a fault that concerns this player alone, such as a damaged document. */
export type Made = Outcome | { fault: unknown };

/** What the caller is told of a submission whose commit was given up. */
export const sendAgain =
  "It is not known whether the submission was recorded; send it again with the same submission_id.";

/**
 * Commits submissions, each player's in their order. Cost: see record-submissions.ts.
 * @returns the results of those for which the commit had room.
 * @throws the transaction's error; a `contention` that says so where a retry may cure it and nobody shared the attempt.
 */
export async function commitSubmissions(
  services: CountingServices,
  target: Target,
  jobs: readonly SubmissionJob[],
  attempt: Attempt,
): Promise<Map<SubmissionJob, Made>> {
  const work = (players: PlayersTransaction) => apply(services, players, target, jobs, attempt);
  try {
    return await commitPlayers(services, target.boards, work, attempt.isShared ? { maxAttempts: 1 } : {});
  } catch (error) {
    throw (attempt.isShared ? undefined : asRetryable(error, sendAgain)) ?? error;
  }
}

async function apply(
  services: CountingServices,
  players: PlayersTransaction,
  target: Target,
  jobs: readonly SubmissionJob[],
  attempt: Attempt,
): Promise<Map<SubmissionJob, Made>> {
  const { now } = services;
  attempt.begins();
  const results = new Map<SubmissionJob, Made>();
  // Of a late one the commit would fail, and the others of a batch with it.
  const tooLate = new FirerankError("contention", `It took too long. ${sendAgain}`);
  const isLate = ({ arrivedMs }: SubmissionJob) => now() - arrivedMs > submitBeginsMsMax;
  for (const job of jobs) if (isLate(job)) results.set(job, { error: tooLate });
  const inTime = jobs.filter((job) => !results.has(job));
  if (inTime.length === 0) return results;
  const byPlayer = [...Map.groupBy(inTime, ({ player }) => player)].map(([player, own]) => {
    return { player, own, ids: new Set(own.flatMap(({ submission: { submission_id: id } }) => id ?? [])) };
  });
  players.letIn(Math.min(...inTime.map(({ arrivedMs }) => arrivedMs)));
  const found = await readPlayers(services.db, players, target, byPlayer, now());
  if (attempt.isOver()) throw new Error("the batch was given up");
  // The transaction begins with its first read, which may have been held up too.
  if (inTime.some(isLate)) throw tooLate;
  let bytes = 0;
  for (const player of found) {
    let made: ReturnType<typeof applyToPlayer>;
    try {
      made = applyToPlayer(services, target, player, player.own);
    } catch (fault) {
      // Such as that of a damaged document: the others of a batch go on.
      for (const job of player.own) results.set(job, { fault });
      continue;
    }
    bytes += made.bytes;
    if (bytes > playersBytesPerCommitMax && made.bytes < bytes) break;
    for (const { key, document, fields } of made.changes) players.write(key, document, fields);
    for (const [job, result] of made.results) results.set(job, result);
  }
  return results;
}

/** What a player's submissions come to; `bytes` is what the changes add to a commit. */
function applyToPlayer(
  services: CountingServices,
  target: Target,
  found: PlayerFound,
  jobs: readonly SubmissionJob[],
) {
  const results = new Map<SubmissionJob, Outcome>();
  let states = found.present;
  let changed = states.map(() => false);
  for (const job of jobs) {
    const { submission, madeId, at } = job;
    const before =
      recordedBefore(job, found.documents) ?? repeatedTo(target, { ...found, present: states }, submission);
    if (before !== undefined) {
      results.set(job, { applied: before });
      continue;
    }
    try {
      if (target.closed !== undefined) throw target.closed;
      const made = applyToSpans(target.boards, states, submission, at, madeId !== undefined);
      const applied = target.boards.flatMap((board, i) => (made[i] ? { board, ...made[i] } : []));
      if (found.isErased) throw playerErased(job.player, target.boards[0]?.key.leaderboard ?? "");
      states = applied.map(({ player }) => player);
      changed = changed.map((was, i) => was || applied[i]?.changed === true);
      job.earlier = applied;
      results.set(job, { applied });
    } catch (error) {
      if (!(error instanceof FirerankError)) throw error;
      results.set(job, { error });
    }
  }
  const changes = changesOf(services, target, found, states, changed);
  const [last, outcome] = [...results].at(-1) ?? [];
  if (last !== undefined && outcome !== undefined) {
    // If nothing is left to change, an earlier attempt may have been committed, whose changes nobody has shown.
    if (changes.length > 0) last.changes = changes;
    results.set(last, { ...outcome, ...(last.changes && { changes: last.changes }) });
  }
  const bytes = changes.reduce((sum, { document, before, after }) => {
    const { path } = document.ref;
    const size = documentSize(path, after);
    // A trusted server's own fields may fill it.
    if (size > documentBytesMax)
      throw new Error(`${path} would have ${size} bytes; a document holds ${documentBytesMax}`);
    return sum + writtenSize(path, before ?? {}) + writtenSize(path, after);
  }, 0);
  return { results, changes, bytes };
}

/**
 * What is written. A trusted server's document without a mark is counted, and completed, even if the submission was no
 * better; but not in a season that takes nothing any more. Metadata and a held line that it no longer has go.
 */
function changesOf(
  services: CountingServices,
  target: Target,
  { documents }: PlayerFound,
  states: readonly (Player | undefined)[],
  changed: readonly boolean[],
) {
  return target.boards.flatMap((board, i) => {
    const { key } = board;
    const [state, document] = [states[i], documents[i]];
    if (state === undefined || document === undefined) return [];
    const before = playerData(document);
    const isRight = target.closed !== undefined || isInLine(before, board.definition);
    if (isRight && changed[i] !== true) return [];
    const segments = withoutGone(board, state.segments);
    const fields = { metadata: undefined, held_line: undefined, ...state, ...segments };
    const after = { ...before, ...countedFields(services, board, document, fields) };
    return [{ key, document, fields, before, after }];
  });
}

/**
 * The result of an earlier attempt, if the documents show that it was recorded, whatever has changed in them since. Where
 * the caller has sent it twice, another instance may have recorded it: after other submissions than the attempt had found,
 * or as of another time, if it is still the last one.
 */
function recordedBefore(
  { submission: { submission_id: id }, at, earlier }: SubmissionJob,
  documents: PlayerFound["documents"],
): AppliedTo[] | undefined {
  if (id === undefined) return undefined;
  const idsUntil = (ids: readonly string[] = []) => ids.slice(0, ids.indexOf(id) + 1);
  const isOurs = earlier?.some(({ player }, i) => {
    const { submission_ids: all, last_submission_at: last } = readPlayer(documents[i]?.data()) ?? {};
    const stored = idsUntil(all);
    if (stored.length === 0 || (all?.at(-1) === id && last?.isEqual(at) !== true)) return false;
    return isDeepStrictEqual(idsUntil(player.submission_ids).slice(-stored.length), stored);
  });
  return isOurs === true ? earlier : undefined;
}
