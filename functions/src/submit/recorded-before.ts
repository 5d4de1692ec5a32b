/**
 * Whether a submission was recorded before: the ids in its player's documents tell. It may be a second attempt of the
 * commit, whose first was committed although its answer was lost, or the caller may have sent it again. Pure.
 */
import { isDeepStrictEqual } from "node:util";
import type { Timestamp } from "../documents/firestore.ts";
import { type Player, readPlayer } from "../documents/player.ts";
import { submissionIdsMax, submitBeginsMsMax } from "../model/limits.ts";
import type { OpenedBoard } from "../seasons/read-board.ts";
import { type AppliedTo, needsId, refusedIn, refusedThen } from "./apply.ts";
import type { PlayerInSeason, SubmissionJob } from "./read-players.ts";
import type { Submission } from "./schema.ts";

/** What came of a submission that was recorded before; undefined for a new one, and for one without an id. */
export function recordedBefore(
  { submission, isOwnId, at, attempted = [] }: SubmissionJob,
  seasons: readonly PlayerInSeason[],
): readonly AppliedTo[] | undefined {
  const { submission_id: id } = submission;
  if (id === undefined) return undefined;
  if (attempted.some((applied) => isStored(id, at, applied, seasons))) return attempted;
  return repeated({ ...submission, submission_id: id }, isOwnId, at, seasons);
}

/**
 * Whether a season's document shows that an attempt was recorded, whatever has changed in it since. Where the caller has
 * sent the submission twice, another instance may have recorded it: after other submissions than the attempt had found,
 * or as of another time, if it is still the last one.
 */
function isStored(
  id: string,
  at: Timestamp,
  applied: AppliedTo,
  seasons: readonly PlayerInSeason[],
): boolean {
  const idsUntil = (ids: readonly string[] = []) => ids.slice(0, ids.indexOf(id) + 1);
  const found = seasons.find(({ board }) => board.key.season === applied.board.key.season);
  const { submission_ids: ids, last_submission_at: last } = readPlayer(found?.document.data()) ?? {};
  const stored = idsUntil(ids);
  if (stored.length === 0 || (ids?.at(-1) === id && last?.isEqual(at) !== true)) return false;
  return isDeepStrictEqual(idsUntil(applied.player?.submission_ids).slice(-stored.length), stored);
}

/**
 * The result of a submission that the caller has sent again, in the seasons of its time. It may be known in only some of
 * the seasons that it went to: all changed together, but a score that was no better left nothing behind, nor did one that
 * the season refused. Where each submission that counts leaves its id, a season that was running and has not the id has
 * refused the submission, and says so again, whatever the player has there by now.
 */
function repeated(
  submission: Submission & { submission_id: string },
  isOwnId: boolean,
  at: Timestamp,
  seasons: readonly PlayerInSeason[],
): readonly AppliedTo[] | undefined {
  const { submission_id: id } = submission;
  // Banned players are refused as always, by applySubmission.
  if (seasons.some(({ player }) => player?.status === "banned")) return undefined;
  const knows = (player: Player | undefined) => player?.submission_ids?.includes(id) === true;
  const isOfBefore = seasons.some(({ earlier }) => knows(earlier?.player));
  const known = seasons.filter(({ player }) => knows(player));
  if (!isOfBefore && known.length === 0) return undefined;
  const leavesId = !isOwnId && seasons.every(({ board }) => needsId(board.definition));
  const recordedAt = leavesId ? whenRecorded(id, seasons) : undefined;
  return seasons.flatMap((season) => {
    const { opens_at: opensAt } = season.board.season;
    const hasBegun = recordedAt === undefined ? hasPlayedBy(id, season, known) : recordedAt >= opensAt;
    const isBefore = isOfBefore || !hasBegun;
    const { board, player } = (isBefore ? season.earlier : undefined) ?? season;
    const said = { board, player, changed: false, improved: false, repeated: true };
    // A server may have spoilt the score since: the id still tells that the submission went there.
    if (knows(player)) return [{ ...said, refused: undefined }];
    const isRefused = leavesId && wasRunning(board, recordedAt) && !mayHaveForgotten(player);
    if (player?.score === undefined && !isRefused) return [];
    const refused = refusedIn(board, player, submission, at) ?? (isRefused ? refusedThen(board) : undefined);
    return [{ ...said, refused }];
  });
}

/** When a submission was recorded; undefined where others have come since, as a document keeps only the time of its last one. */
function whenRecorded(id: string, seasons: readonly PlayerInSeason[]): Timestamp | undefined {
  const found = seasons.flatMap(({ document, player, changed, earlier }) => [
    changed ? player : readPlayer(document.data()),
    readPlayer(earlier?.data),
  ]);
  return found.find((one) => one?.submission_ids?.at(-1) === id)?.last_submission_at;
}

/** Whether a season is known to have been running when a submission was recorded in others. */
function wasRunning({ season, gotAllTimeLate, openedMs }: OpenedBoard, at: Timestamp | undefined): boolean {
  const { opens_at: opensAt, closes_at: closesAt } = season;
  if (closesAt === null) return !gotAllTimeLate;
  // A season that the submission opened is younger than the submission.
  const isThere = at !== undefined && at.toMillis() >= openedMs - submitBeginsMsMax;
  return isThere && opensAt <= at && at < closesAt;
}

/** Whether a player's document may have had an id that it has not: it has forgotten some, or a server has replaced it. */
function mayHaveForgotten(player: Player | undefined): boolean {
  if (player?.score === undefined) return false;
  return (player.submission_ids ?? []).length >= submissionIdsMax || player.last_submission_at === undefined;
}

/** Whether the player had played in a season when a submission was recorded in others: that one, or one before it. */
function hasPlayedBy(
  id: string,
  { document, player }: PlayerInSeason,
  known: readonly PlayerInSeason[],
): boolean {
  if (player === undefined) return false;
  const idsOf = (one: PlayerInSeason["document"]) => readPlayer(one.data())?.submission_ids ?? [];
  const own = idsOf(document);
  const later = known.flatMap((one) => {
    const ids = idsOf(one.document);
    return ids.slice(ids.indexOf(id) + 1);
  });
  return own.length === 0 ? player.score !== undefined : !own.every((one) => later.includes(one));
}
