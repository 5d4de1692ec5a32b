/**
 * One commit of submissions to the same seasons. It reads nothing but the players' own documents, so no two players ever
 * wait for each other. What a submission changes, it changes in all its spans together.
 */
import { playerErased } from "../documents/erasure.ts";
import type { ChangedPlayer } from "../documents/player.ts";
import { documentSize } from "../model/document-size.ts";
import { FirerankError } from "../model/errors.ts";
import { documentBytesMax, submitBeginsMsMax } from "../model/limits.ts";
import { commitPlayers, type PlayerDraft, type PlayersTransaction } from "../counting/commit-players.ts";
import { isInLine } from "../counting/count-players.ts";
import type { Attempt } from "../counting/lanes.ts";
import { seatAsked } from "../league/ask.ts";
import type { Target } from "./aim.ts";
import { type AppliedTo, applyToSeasons } from "./apply.ts";
import { type PlayerFound, type PlayerInSeason, readPlayers, type SubmissionJob } from "./read-players.ts";
import { recordedBefore } from "./recorded-before.ts";
import { withoutGone } from "./segments.ts";
import type { Services } from "../world/services.ts";

/**
 * The result of a submission: for each season that it went to, or why it was refused. A repeated one went to the seasons
 * of its time, which may be over. The last of a player's submissions has the `changes` of the commit.
 */
export type SubmissionOutcome<Problem = FirerankError> = (
  { applied: readonly AppliedTo[] } | { error: Problem }
) & {
  changes?: readonly ChangedPlayer[];
};

/** What the caller is told of a submission whose commit was given up. */
export const sendAgain =
  "It is not known whether the submission was recorded; send it again with the same submission_id.";

/**
 * Commits submissions, each player's in their order: reads the players, applies their submissions, and writes those for
 * which the commit has room. Cost: see record-submissions.ts.
 * @returns the results of those that had room. An error that is no refusal is a fault of one player alone, such as a damaged
 * document.
 * @throws the transaction's error
 */
export function commitSubmissions(
  services: Services,
  target: Target,
  jobs: readonly SubmissionJob[],
  attempt: Attempt,
): Promise<Map<SubmissionJob, SubmissionOutcome<unknown>>> {
  const { db, now } = services;
  const boards = target.seasons.map(({ board }) => board);
  const options = attempt.isShared ? { maxAttempts: 1 } : {};
  // Made only where one is late: making an error takes as long as all checks of a submission.
  const tooLate = () => new FirerankError("contention", `It took too long. ${sendAgain}`);
  // The commit would fail for a late one, and for the others of a batch with it.
  const isLate = ({ arrivedMs }: SubmissionJob) => now() - arrivedMs > submitBeginsMsMax;
  const work = async (players: PlayersTransaction) => {
    attempt.begins();
    const results = new Map<SubmissionJob, SubmissionOutcome<unknown>>();
    for (const job of jobs) if (isLate(job)) results.set(job, { error: tooLate() });
    const inTime = jobs.filter((job) => !results.has(job));
    if (inTime.length === 0) return results;
    players.letIn(Math.min(...inTime.map(({ arrivedMs }) => arrivedMs)));
    const found = await readPlayers(db, players, target, inTime, now());
    if (attempt.isOver()) throw new Error("the batch was given up");
    // The transaction begins with its first read, which may have been held up too.
    if (inTime.some(isLate)) throw tooLate();
    for (const player of found) {
      let made: ReturnType<typeof applyToPlayer>;
      try {
        made = applyToPlayer(players, target, player, now());
      } catch (error) {
        // Such as that of a damaged document: the others of a batch go on.
        for (const job of player.jobs) results.set(job, { error });
        continue;
      }
      if (!players.hasRoomFor(made.drafts)) break;
      for (const draft of made.drafts) players.write(draft);
      for (const [job, outcome] of made.outcomes) results.set(job, outcome);
    }
    return results;
  };
  return commitPlayers(services, boards, work, options);
}

/** What a player's submissions come to, one after the other, and the documents that this changes. */
function applyToPlayer(players: PlayersTransaction, target: Target, found: PlayerFound, nowMs: number) {
  const outcomes = new Map<SubmissionJob, SubmissionOutcome>();
  let { seasons } = found;
  const isCommitted = found.jobs.some(
    (job) => job.attempted !== undefined && recordedBefore(job, seasons) === job.attempted,
  );
  for (const job of found.jobs) {
    const before = recordedBefore(job, seasons) ?? (isCommitted ? leftNothing(job) : undefined);
    if (before !== undefined) {
      outcomes.set(job, { applied: before });
      continue;
    }
    try {
      // An attempt that was committed refused it. Judged again after what that commit wrote, it might be allowed.
      if (isCommitted && job.refused !== undefined) throw job.refused;
      if (target.closed !== undefined) throw target.closed;
      const applied = applyToSeasons(seasons, job.submission, job.at, job.isOwnId);
      if (found.isErased) throw playerErased(job.player, target.leaderboard);
      seasons = applied;
      Object.assign(job, { attempted: applied, refused: undefined });
      outcomes.set(job, { applied });
    } catch (error) {
      if (!(error instanceof FirerankError)) throw error;
      Object.assign(job, { attempted: undefined, refused: error });
      outcomes.set(job, { error });
    }
  }
  const drafts = seasons.flatMap(
    (season) => draftOf(players, season, target.closed !== undefined, nowMs) ?? [],
  );
  const [last, outcome] = [...outcomes].at(-1) ?? [];
  if (last !== undefined && outcome !== undefined) {
    // Where nothing is left to change as an earlier attempt was committed, nobody has shown the changes of that one yet.
    if (drafts.length > 0) last.changes = drafts;
    const isToShow = drafts.length > 0 || isCommitted;
    outcomes.set(last, { ...outcome, ...(isToShow && last.changes && { changes: last.changes }) });
  }
  return { outcomes, drafts };
}

/**
 * The result of a committed attempt at a submission that changed nothing. No document shows this submission, and applied
 * again, after later ones, it might change something.
 */
function leftNothing({ attempted }: SubmissionJob): SubmissionJob["attempted"] {
  return attempted?.every(({ changed }) => !changed) === true ? attempted : undefined;
}

/**
 * What is written of a player in a season, if anything. A trusted server's document without a mark is counted, and
 * completed, even if the submission was no better; but not in a season that takes nothing any more. Metadata and a held
 * line that the player no longer has go.
 */
function draftOf(
  players: PlayersTransaction,
  { board, document, data, player, changed }: PlayerInSeason,
  isClosed: boolean,
  nowMs: number,
): PlayerDraft | undefined {
  if (player === undefined) return undefined;
  if (!changed && (isClosed || isInLine(data, board.definition))) return undefined;
  const fields = {
    metadata: undefined,
    held_line: undefined,
    ...player,
    ...withoutGone(board, player.segments),
    ...seatAsked(board, { ...data, ...player }, nowMs),
  };
  const draft = players.draft(board.key, document, fields, { data });
  const { path } = document.ref;
  const bytes = documentSize(path, draft.after);
  // A trusted server's own fields may fill it.
  if (bytes > documentBytesMax)
    throw new Error(`${path} would have ${bytes} bytes; a document holds ${documentBytesMax}`);
  return draft;
}
