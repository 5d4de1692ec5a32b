/**
 * Applies submissions to players' documents. The batch is the basic form; one submission is a batch of one.
 *
 * Each transaction takes up to 100 players with all their submissions and all spans of the board, so that the spans
 * change together or not at all. It reads nothing but the players' own documents. The definition and the seasons come
 * from memory, so no two players ever wait for each other. The server's clock at the time of the call decides which
 * seasons they are and whether they are open (aim.ts).
 */
import { FieldValue, Timestamp, type Transaction } from "../documents/firestore.ts";
import { playerPath } from "../documents/paths.ts";
import type { Player } from "../documents/player.ts";
import type { Definition } from "../model/definition.ts";
import { FirerankError, invalidRequest } from "../model/errors.ts";
import { playersPerSubmitMax, submissionsPerPlayerMax, submitBeginsMsMax } from "../model/limits.ts";
import type { Board, SeasonServices } from "../seasons/board.ts";
import { asRetryable } from "../world/retryable.ts";
import { aimAtSeason, aimAtSpans, type Target } from "./aim.ts";
import { applySubmission, type Submission } from "./apply.ts";
import { countOnce, type OnceEach } from "./once.ts";
import { type AppliedTo, type PlayerFound, readPlayers, repeatedTo } from "./players-found.ts";

/** A submission for a player. */
export interface PlayerSubmission extends Submission {
  player: string;
}

/**
 * The result of a submission: for each season that it went to, or why it was refused. A repeated submission went to the
 * seasons of its time, which may be over.
 */
export type Outcome = { applied: AppliedTo[] } | { error: FirerankError };

/**
 * Applies submissions, each player's in their order: to the present season of every span of the board, or to one open
 * custom season. Invalid submissions don't affect the others. Of one player, the first 20 that the board may take are
 * applied and the rest are refused (`invalid_request`): a player's document remembers no more ids, and each must be
 * recognised if the transaction runs twice.
 *
 * Cost, for each player and span: 1 read, and 1 write if anything changed. A player's first score in a season of a
 * board without `all_time`: 1 more read. In the first quarter of an hour of a season, for a submission with an id: 1
 * more read of the season before. The board's definition and seasons cost 2 reads a minute each.
 * @param season a custom season; left out for the spans.
 * @returns each submission's outcome, in order.
 * @throws `leaderboard_not_found`, `season_not_found`, `season_closed`; `contention` if a season of a span has just ended, or
 * the calendar has just been changed; everything else is the outcome of a single submission.
 */
export async function recordSubmissions(
  services: SeasonServices,
  leaderboard: string,
  submissions: readonly PlayerSubmission[],
  season?: string,
): Promise<Outcome[]> {
  const nowMs = services.now();
  const aim =
    season === undefined
      ? await aimAtSpans(services, leaderboard, nowMs)
      : await aimAtSeason(services, { leaderboard, season }, nowMs);
  const first = submissions.map((submission) => firstOutcome(aim.loaded[0]?.definition, submission, nowMs));
  const takeable = [...submissions.keys()].filter((index) => first[index]?.final !== true);
  const outcomes = first.map((outcome): Outcome | undefined => outcome && { error: outcome.error });
  const byPlayer = Map.groupBy(takeable, (index) => submissions[index]?.player ?? "");
  for (const indexes of byPlayer.values())
    for (const index of indexes.splice(submissionsPerPlayerMax)) outcomes[index] = { error: tooManyOfOne() };
  if (outcomes.every((outcome) => outcome !== undefined)) {
    if (!(await mayHaveScores(services, aim.loaded, [...byPlayer.keys()]))) return outcomes;
  }

  const mayRepeat = submissions.some(({ submission_id: id }) => id !== undefined);
  const target = await aim.take(mayRepeat);
  if (target.closed !== undefined && !mayRepeat) throw target.closed;
  const seasons = target.boards.length + target.earlier.filter((board) => board !== undefined).length;
  const chunks = chunked([...byPlayer.entries()], Math.max(1, Math.floor(playersPerSubmitMax / seasons)));
  const done = await Promise.allSettled(
    chunks.map((players) => submitChunk(services, target, submissions, players, nowMs)),
  );
  const failed = done.find((chunk) => chunk.status === "rejected");
  if (failed !== undefined && done.every((chunk) => chunk.status === "rejected")) throw failed.reason;
  done.forEach((chunk, i) => {
    const applied =
      chunk.status === "fulfilled" ? chunk.value : failedChunk(services, chunks[i] ?? [], chunk.reason);
    for (const [index, outcome] of applied) outcomes[index] = outcome;
  });
  return outcomes as Outcome[];
}

/** The outcomes of a chunk that failed while others were recorded, whose callers need their answers. */
function failedChunk(
  { log }: SeasonServices,
  players: readonly PlayerIndexes[],
  cause: unknown,
): Map<number, Outcome> {
  const message = cause instanceof Error ? cause.message : String(cause);
  log.error("a part of a batch of submissions failed", { players: players.length, cause: message });
  const error = new FirerankError("contention", `This part of the batch failed. ${sendAgain}`, {}, cause);
  return outcomesOf(players, { error });
}

const sendAgain =
  "It is not known whether the submission was recorded; send it again with the same submission_id.";

function outcomesOf(players: readonly PlayerIndexes[], outcome: Outcome): Map<number, Outcome> {
  return new Map(players.flatMap(([, indexes]) => indexes.map((index) => [index, outcome])));
}

function tooManyOfOne(): FirerankError {
  const message = `at most ${submissionsPerPlayerMax} submissions of one player in a call; send the rest in another call`;
  return invalidRequest([{ path: "", message }]);
}

/**
 * Why a submission would be refused if it were its player's first; `final` if it would be refused for any player. A sum
 * may be out of range on its own and fine on top of the player's total.
 */
function firstOutcome(
  definition: Definition | undefined,
  submission: PlayerSubmission,
  nowMs: number,
): { error: FirerankError; final: boolean } | undefined {
  if (definition === undefined) return undefined;
  try {
    applySubmission(definition, undefined, submission, Timestamp.fromMillis(nowMs));
    return undefined;
  } catch (cause) {
    const error = asRefusal(cause);
    return { error, final: definition.aggregation !== "sum" || error.code !== "score_out_of_range" };
  }
}

/**
 * Whether some of the players may have scores already: submissions that are too much for a new player open no season.
 * Cost: 1 read a player and span where a season is not open, otherwise nothing.
 */
async function mayHaveScores(
  { db }: SeasonServices,
  boards: readonly Board[],
  players: readonly string[],
): Promise<boolean> {
  if (players.length === 0) return false;
  if (boards.every(({ season }) => season !== undefined)) return true;
  const refs = boards.flatMap(({ key }) => players.map((player) => db.doc(playerPath(key, player))));
  return (await db.getAll(...refs)).some(({ exists }) => exists);
}

function chunked<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}

type PlayerIndexes = [player: string, indexes: number[]];

async function submitChunk(
  { db, log, newId, now }: SeasonServices,
  target: Target,
  submissions: readonly PlayerSubmission[],
  players: readonly PlayerIndexes[],
  nowMs: number,
): Promise<Map<number, Outcome>> {
  const definitions = target.boards.map(({ definition }) => definition);
  const once = countOnce<PlayerSubmission, AppliedTo[]>(definitions, submissions, newId);
  try {
    return await db.runTransaction((transaction) => {
      // The instance may have been stopped in between, for longer than a closing waits for submissions that were let
      // in.
      if (now() - nowMs > submitBeginsMsMax)
        throw new FirerankError("contention", `It took too long. ${sendAgain}`);
      return applyInTransaction(transaction, { db, nowMs }, target, once, players);
    });
  } catch (error) {
    const refused = asRetryable(error, sendAgain);
    if (refused === undefined) throw error;
    log.warn("submissions met contention", { players: players.length, error: String(error) });
    return outcomesOf(players, { error: refused });
  }
}

async function applyInTransaction(
  transaction: Transaction,
  { db, nowMs }: Pick<SeasonServices, "db"> & { nowMs: number },
  target: Target,
  once: OnceEach<PlayerSubmission, AppliedTo[]>,
  players: readonly PlayerIndexes[],
): Promise<Map<number, Outcome>> {
  const asked = players.map(([player, indexes]) => {
    return { player, ids: new Set(indexes.flatMap((i) => once.submissions[i]?.submission_id ?? [])) };
  });
  const found = await readPlayers(transaction, db, target, asked);
  const outcomes = new Map<number, Outcome>();
  players.forEach(([, indexes], i) => {
    const player = found[i];
    if (player === undefined) throw new Error("there is no answer for a player");
    const changed = applyToPlayer(target, player, { once, indexes, nowMs }, outcomes);
    player.refs.forEach((ref, i) => {
      const state = changed[i];
      if (state !== undefined) transaction.set(ref, ...replacing(state));
    });
  });
  return outcomes;
}

interface OfPlayer {
  once: OnceEach<PlayerSubmission, AppliedTo[]>;
  /** The player's submissions, in their order. */
  indexes: readonly number[];
  nowMs: number;
}

/** Applies a player's submissions and notes the outcomes. @returns for each board the player's document, if it changed. */
function applyToPlayer(
  target: Target,
  found: PlayerFound,
  { once: { submissions, recorded, remember }, indexes, nowMs }: OfPlayer,
  outcomes: Map<number, Outcome>,
): (Player | undefined)[] {
  let states = found.present;
  let changed = states.map(() => false);
  for (const index of indexes) {
    const submission = submissions[index];
    if (submission === undefined) continue;
    const before = recorded(index, states) ?? repeatedTo(target, { ...found, present: states }, submission);
    if (before !== undefined) {
      outcomes.set(index, { applied: before });
      continue;
    }
    try {
      if (target.closed !== undefined) throw target.closed;
      const now = timeOf(nowMs, index);
      const applied = target.boards.map((board, i) => {
        return { board, ...applySubmission(board.definition, states[i], submission, now) };
      });
      states = applied.map(({ player }) => player);
      changed = changed.map((was, i) => was || applied[i]?.changed === true);
      remember(index, applied);
      outcomes.set(index, { applied });
    } catch (error) {
      outcomes.set(index, { error: asRefusal(error) });
    }
  }
  return states.map((state, i) => (changed[i] === true ? state : undefined));
}

/** A write after which a player's document has exactly these fields; fields that are not Firerank's stay. */
function replacing(player: Player): [data: object, options: { mergeFields: string[] }] {
  const data = { metadata: FieldValue.delete(), ...player };
  return [data, { mergeFields: Object.keys(data) }];
}

/** The server's time, a microsecond later for each submission of a batch: in a tie, the first in the list was first. */
function timeOf(nowMs: number, index: number): Timestamp {
  const { seconds, nanoseconds } = Timestamp.fromMillis(nowMs);
  return new Timestamp(seconds, nanoseconds + index * 1_000);
}

function asRefusal(error: unknown): FirerankError {
  if (error instanceof FirerankError) return error;
  throw error;
}
