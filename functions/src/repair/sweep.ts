/**
 * The sweep: the trigger's work for all players, in batches. It finds players whose index entry does not match their
 * document (a missed event, a wrong entry) and entries whose player is gone, and indexes them.
 *
 * It compares as it reads, and passes only those that differ to {@link indexPlayers}, which checks again in a
 * transaction. So the trigger may run meanwhile: the second to come finds nothing left to do.
 */
import { indexEntriesPath, playersPath, type SeasonKey } from "../documents/paths.ts";
import { byId, rankedPlayers, scoredPlayers } from "../documents/queries.ts";
import type { SweepRecord } from "../documents/repair-record.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import { isComplete } from "../indexing/follow-player.ts";
import { type Indexed, indexPlayers } from "../indexing/index-players.ts";
import { readIndexEntry } from "../documents/index-entry.ts";
import { planIndexing } from "../indexing/plan.ts";
import { playersPerIndexingMax, publishAttemptsMax, sweepStepMs } from "../model/limits.ts";
import { playerStatuses } from "../model/player-status.ts";
import type { Board } from "../seasons/board.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { grpc, grpcCode, isBeaten } from "../world/retryable.ts";
import { backOff } from "../world/try-again.ts";
import { createJoin, type Joined } from "./join.ts";

type Swept = SweepRecord["swept"];

export interface SweepOptions {
  /** How long the step may take before it leaves the rest to the next. */
  budgetMs?: number;
  /** Documents in one query; tests of the steps use few. */
  documentsPerRead?: number;
  /** Called with the progress after each part; a step that died is resumed from the last call. */
  onProgress?: (swept: Swept) => Promise<void>;
}

/**
 * One step of a sweep, from its cursor until everything is checked or the time is up.
 *
 * Cost: 1 read a player and 1 an index entry; for each player that differs what {@link indexPlayers} costs:
 * 2 reads, 1 write and a part of a shard document's.
 */
export async function sweepStep(
  services: TopServices,
  { key, definition }: Board,
  from: Swept,
  { budgetMs = sweepStepMs, documentsPerRead, onProgress }: SweepOptions = {},
): Promise<Swept> {
  const { db, now } = services;
  const startedMs = now();
  const queries = [playersPath(key), indexEntriesPath(key)].map(
    (path) => (limit: number, range: object) => byId(db, path, limit, range),
  );
  const join = createJoin(
    (query) => query.get(),
    queries,
    { after: from.cursor ?? undefined },
    documentsPerRead,
  );
  const stateOf = definition.source === "count" ? stateWithoutIndex : stateWithIndex;
  let swept = from;
  for (;;) {
    const part = await join.next();
    const last = part.at(-1);
    if (last === undefined) return { ...swept, cursor: null, ended: true };
    swept = { ...(await sweepPart(services, key, swept, part, stateOf)), cursor: last.id };
    await onProgress?.(swept);
    if (now() - startedMs >= budgetMs) return swept;
  }
}

/**
 * Whether lists find every player who can be ranked, on a board of the source `count`: its documents with a score are those
 * with a status and a time. Where they are more, a sweep completes what no event has completed yet.
 *
 * Cost: 2 reads for each 1,000 players, at least 4.
 * @returns `false` too where there are so many that Firestore gives their count up.
 */
export async function areAllListed(
  { db }: TopServices,
  { key, definition }: Pick<Board, "key" | "definition">,
): Promise<boolean> {
  const listed = playerStatuses.map((status) => rankedPlayers(db, key, definition, status));
  try {
    const [all, ...parts] = await db.runTransaction(
      (transaction) =>
        Promise.all(
          [scoredPlayers(db, key), ...listed].map(async (query) => {
            return (await transaction.get(query.count())).data().count;
          }),
        ),
      { readOnly: true },
    );
    return parts.reduce((sum, count) => sum + count, 0) === all;
  } catch (error) {
    if (grpcCode(error) !== grpc.deadlineExceeded) throw error;
    return false;
  }
}

async function sweepPart(
  services: TopServices,
  key: SeasonKey,
  swept: Swept,
  part: readonly Joined[],
  stateOf: (joined: Joined) => State,
): Promise<Swept> {
  const players = part.filter(({ documents }) => documents[0] !== undefined).length;
  const entries = part.filter(({ documents }) => documents[1] !== undefined).length;
  const unreadable = part.filter((joined) => stateOf(joined) === "unreadable");
  for (const { documents } of unreadable) await deleteEntry(documents[1]);
  const differing = part.filter((joined) => stateOf(joined) !== "agrees").map(({ id }) => id);
  let changed = 0;
  for (let i = 0; i < differing.length; i += playersPerIndexingMax) {
    const chunk = differing.slice(i, i + playersPerIndexingMax);
    const indexed = await indexDespiteContention(services, key, chunk);
    changed += indexed.changed;
  }
  return {
    ...swept,
    players: swept.players + players,
    index_entries: swept.index_entries + entries,
    differing: swept.differing + differing.length,
    changed: swept.changed + changed,
    unreadable: swept.unreadable + unreadable.length,
  };
}

type State = "agrees" | "differs" | "unreadable";

/** A board of the source `count` has no index entries to compare. */
function stateWithoutIndex({ documents: [player] }: Joined): State {
  return isComplete(player?.data()) ? "agrees" : "differs";
}

function stateWithIndex({ documents: [player, entry] }: Joined): State {
  try {
    const plan = planIndexing(rankedScoreOf(player?.data()), readIndexEntry(entry?.data()));
    return plan === undefined && isComplete(player?.data()) ? "agrees" : "differs";
  } catch {
    return "unreadable";
  }
}

/** An unreadable entry does not say what the index counts for it: it counts as nothing, and is written again. */
async function deleteEntry(entry: Joined["documents"][number]): Promise<void> {
  if (entry === undefined) return;
  try {
    await entry.ref.delete({ lastUpdateTime: entry.updateTime });
  } catch (error) {
    if (!isBeaten(error)) throw error; // it was written meanwhile
  }
}

/** Indexes players; if others keep writing some of them, in smaller and smaller parts. */
async function indexDespiteContention(
  services: TopServices,
  key: SeasonKey,
  players: readonly string[],
  attempt = 1,
): Promise<Pick<Indexed, "changed">> {
  try {
    return await indexPlayers(services, key, players);
  } catch (error) {
    if (!isBeaten(error) || attempt === publishAttemptsMax) throw error;
    await backOff(services, attempt);
    const half = Math.ceil(players.length / 2);
    const parts = [players.slice(0, half), players.slice(half)].filter((part) => part.length > 0);
    let changed = 0;
    for (const part of parts)
      changed += (await indexDespiteContention(services, key, part, attempt + 1)).changed;
    return { changed };
  }
}
