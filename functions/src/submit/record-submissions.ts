/**
 * Records submissions: which seasons they go to by the server's clock (aim.ts), and what became of them. They are
 * committed together with those of other requests (counting/lanes.ts, commit-submissions.ts).
 */
import { erasurePath, isErased, playerErased } from "../documents/erasure.ts";
import { Timestamp } from "../documents/firestore.ts";
import { playerPath, playerStatusPath } from "../documents/paths.ts";
import { readPlayerStatus } from "../documents/player.ts";
import { documentsAt } from "../documents/reads.ts";
import { createLanes } from "../counting/lanes.ts";
import type { Definition } from "../model/definition.ts";
import { FirerankError, invalidField } from "../model/errors.ts";
import { submissionsPerPlayerMax, waitingPerPlayerMax } from "../model/limits.ts";
import { isOfTemplate } from "../model/template.ts";
import { isOpened } from "../seasons/board.ts";
import { aimAt, type AimedSeason, openTarget, type Target } from "./aim.ts";
import { applySubmission, isAtRisk, playerBanned } from "./apply.ts";
import { asRetryable } from "../world/retryable.ts";
import { commitSubmissions, sendAgain, type SubmissionOutcome } from "./commit-submissions.ts";
import type { SubmissionJob } from "./read-players.ts";
import type { Submission } from "./schema.ts";
import type { Services } from "../world/services.ts";

export type { SubmissionOutcome };

export interface PlayerSubmission extends Submission {
  player: string;
}

/** The submissions that wait in an instance, or are being committed. */
const submissionLanesOf = ({ memory }: Services) => memory(createSubmissionLanes);

function createSubmissionLanes(services: Services) {
  return createLanes<Target, SubmissionJob, SubmissionOutcome<unknown>>({
    ...services,
    keyOf: keyOfTarget,
    documentsOf: ({ seasons }) => seasons.length,
    perPlayerMax: submissionsPerPlayerMax,
    commit: (target, jobs, attempt) => commitSubmissions(services, target, jobs, attempt),
    tooMany: () =>
      new FirerankError(
        "contention",
        `${waitingPerPlayerMax} submissions of this player are waiting already; nothing was recorded. Send it again in a second.`,
        { retry_after_seconds: 1 },
      ),
  });
}

/**
 * Applies submissions, each player's in their order. Invalid ones don't affect the others. Of one player, the first 20
 * that the board may take are applied and the rest are refused (`invalid_request`): a player's document remembers no more
 * ids, and each must be recognised if the transaction runs twice.
 *
 * Cost, for each player and span: 1 read, and 1 write if anything changed; for each span 1 write for the shard document,
 * which all that share the commit share too. A player who is in none of the seasons: 1 more read, and another on a
 * board without `all_time`. In the first quarter of an hour of a season, for a submission with an id: 1 more read of the
 * season before. The board's definition and seasons cost 2 reads a minute each. Where a call for one player would open a
 * board of a template, what {@link whyKeptOut} costs.
 * @param season an open custom season; left out for the present season of every span.
 * @returns each submission's outcome, in order.
 * @throws `leaderboard_not_found`, `season_not_found`, `season_closed` of a tournament; `contention` if a season of a span has just
 * ended or is being lengthened, or the calendar has just been changed; a fault if every submission met one
 */
export async function recordSubmissions(
  services: Services,
  leaderboard: string,
  submissions: readonly PlayerSubmission[],
  season?: string,
): Promise<SubmissionOutcome[]> {
  const nowMs = services.now();
  const aimed = await aimAt(services, leaderboard, season, nowMs);
  const { outcomes, tried } = sortOut(aimed[0]?.board.definition, submissions, nowMs);
  if (outcomes.includes(undefined)) {
    const error = await whyKeptOut(services, aimed, [...tried.values()], nowMs);
    if (error !== undefined) for (const index of tried.keys()) outcomes[index] ??= { error };
  }
  if (outcomes.every((outcome) => outcome !== undefined))
    if (!(await mayHaveScores(services, aimed, [...tried.values()]))) return outcomes;

  const mayRepeat = submissions.some(({ submission_id: id }) => id !== undefined);
  const target = await openTarget(services, leaderboard, aimed, { mayRepeat, nowMs });
  if (target.closed !== undefined && !mayRepeat) throw target.closed;
  const getsId = target.seasons.some(({ board }) => isAtRisk(board.definition));
  const jobs = [...tried].map(([index, { player, ...submission }]): SubmissionJob => {
    const isOwnId = getsId && submission.submission_id === undefined;
    const identified = isOwnId ? { ...submission, submission_id: services.newId() } : submission;
    return { player, submission: identified, isOwnId, at: timeOf(nowMs, index), arrivedMs: nowMs };
  });
  const made = outcomesOf(services, await submissionLanesOf(services).add(target, jobs));
  for (const [i, index] of [...tried.keys()].entries()) outcomes[index] = made[i];
  return outcomes as SubmissionOutcome[];
}

/**
 * Which submissions are tried, by their numbers in the call, at most 20 of a player; and the refusals of submissions that
 * would be refused even of a player without a score. A sum that is out of range by itself may be fine on top of the player's
 * total: it is refused only until it was tried.
 */
function sortOut(
  definition: Definition | undefined,
  submissions: readonly PlayerSubmission[],
  nowMs: number,
) {
  const outcomes: (SubmissionOutcome | undefined)[] = [];
  const tried = new Map<number, PlayerSubmission>();
  const triedOf = new Map<string, number>();
  for (const [index, one] of submissions.entries()) {
    const refusal = refusalOfFirst(definition, one, nowMs);
    outcomes.push(refusal && { error: refusal });
    if (refusal !== undefined && !mayAddUp(definition, refusal)) continue;
    const count = triedOf.get(one.player) ?? 0;
    triedOf.set(one.player, count + 1);
    if (count < submissionsPerPlayerMax) tried.set(index, one);
    else outcomes[index] = { error: invalidField("", tooManyOfPlayer) };
  }
  return { outcomes, tried };
}

const tooManyOfPlayer = `at most ${submissionsPerPlayerMax} submissions of one player in a call; send the rest in another call`;

/** Why a submission would be refused if it were its player's first. */
function refusalOfFirst(definition: Definition | undefined, submission: Submission, nowMs: number) {
  if (definition === undefined) return undefined;
  try {
    applySubmission(definition, undefined, submission, Timestamp.fromMillis(nowMs));
    return undefined;
  } catch (error) {
    if (error instanceof FirerankError) return error;
    throw error;
  }
}

function mayAddUp(definition: Definition | undefined, { code }: FirerankError): boolean {
  return definition?.aggregation === "sum" && code === "score_out_of_range";
}

/** What of a target decides a commit. Its boards may be other objects, read again, and say the same. */
function keyOfTarget({ leaderboard, seasons, closed }: Target): string {
  const each = seasons.map(({ board, earlier }) => {
    return `${board.key.season} ${textOf(board.definition)} ${earlier?.key.season ?? ""}`;
  });
  return [leaderboard, ...each, closed?.code ?? "open"].join("\n");
}

const texts = new WeakMap<Definition, string>();

/** A definition as a text, made once for each object. */
function textOf(definition: Definition): string {
  const text = texts.get(definition) ?? JSON.stringify(definition);
  texts.set(definition, text);
  return text;
}

/** The outcomes of submissions. Of several, one that met a fault is answered as not known, as the others were recorded. */
function outcomesOf(
  { log }: Services,
  settled: readonly PromiseSettledResult<SubmissionOutcome<unknown>>[],
): SubmissionOutcome[] {
  const all = settled.map((one) => {
    if (one.status === "fulfilled") return one.value;
    return { error: asRetryable(one.reason, sendAgain) ?? (one.reason as unknown) };
  });
  const faults = all.filter((one) => "error" in one && !(one.error instanceof FirerankError));
  const [fault] = faults;
  if (fault !== undefined && "error" in fault && faults.length === all.length) throw fault.error;
  return all.map((one) => {
    if (!("error" in one)) return one;
    const { error } = one;
    if (error instanceof FirerankError) return { ...one, error };
    log.error("a submission of a batch failed", { cause: String(error) });
    const message = `This part of the batch failed. ${sendAgain}`;
    return { error: new FirerankError("contention", message, {}, error) };
  });
}

/**
 * Whether some of the players may have scores already: submissions that are too much for a new player open no season.
 * Cost: 1 read a player and span where a season is not open, otherwise nothing.
 */
async function mayHaveScores(
  { db }: Services,
  aimed: readonly AimedSeason[],
  tried: readonly PlayerSubmission[],
): Promise<boolean> {
  if (tried.length === 0) return false;
  if (aimed.every(({ board }) => isOpened(board))) return true;
  const players = [...new Set(tried.map(({ player }) => player))];
  const paths = aimed.flatMap(({ board }) => players.map((player) => playerPath(board.key, player)));
  return (await documentsAt(db, paths)).some(({ exists }) => exists);
}

/**
 * Why the only player of a call is refused where the score would open a board of a template, or its next season: somebody
 * banned or erased opens none, and takes none of the boards that may be opened in a day. Undefined where the commit
 * decides: in a call for several players somebody may be let in.
 * Cost: 2 reads; nothing where one of the seasons is open.
 */
async function whyKeptOut(
  { db }: Services,
  aimed: readonly AimedSeason[],
  tried: readonly PlayerSubmission[],
  nowMs: number,
): Promise<FirerankError | undefined> {
  const [first] = aimed;
  const [player, ...others] = new Set(tried.map((one) => one.player));
  if (first === undefined || player === undefined || others.length > 0) return undefined;
  const { leaderboard } = first.board.key;
  if (!isOfTemplate(leaderboard) || aimed.some(({ board }) => isOpened(board))) return undefined;
  const paths = [playerStatusPath(leaderboard, player), erasurePath(player)] as const;
  const [kept, erasure] = await documentsAt(db, paths);
  if (readPlayerStatus(kept.data()) === "banned") return playerBanned();
  return isErased(erasure, leaderboard, nowMs) ? playerErased(player, leaderboard) : undefined;
}

/** The server's time, a microsecond later for each submission of a batch: in a tie, the first in the list was first. */
function timeOf(nowMs: number, index: number): Timestamp {
  const { seconds, nanoseconds } = Timestamp.fromMillis(nowMs);
  return new Timestamp(seconds, nanoseconds + index * 1_000);
}
