/**
 * Brings the inverted index up to date with players' documents, in one transaction that reads the documents and
 * entries of up to 200 players and writes their entries and one shard document. The trigger is a batch of one;
 * imports and repairs use larger ones.
 */
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import { indexEntryPath, playerPath, type SeasonKey, shardPath } from "../documents/paths.ts";
import { rankedScoreOf } from "../documents/ranked-score.ts";
import { indexingAttemptsMax } from "../model/limits.ts";
import { scoreToField } from "../model/score.ts";
import { chooseShard } from "../model/shard.ts";
import { slotEnd } from "../model/slot.ts";
import { type Board, boardIfAny, type SeasonServices } from "../seasons/board.ts";
import { wakeSeason } from "../seasons/dormancy.ts";
import { recentStretch } from "../seasons/stretch.ts";
import { readIndexEntry } from "../documents/index-entry.ts";
import { addChanges, type IndexingPlan, planIndexing, type ShardChanges } from "./plan.ts";

/** Fields of a document, `undefined` for a field that must not exist. */
export type Fields = Record<string, unknown>;

export interface IndexingOptions {
  /**
   * Fields to write to a player's document, given its contents; undefined to leave it unchanged. They are written in
   * the transaction that indexes them, so the trigger that they set off finds the index up to date. They must include
   * `status` and `achieved_at`.
   */
  rewrite?: (player: string, data: Fields | undefined) => Fields | undefined;
  /**
   * The shard that takes the changes, unless the transaction meets contention. The caller must keep it from growing too
   * large. Without it, several players get a document of their own, and a single player a random one.
   */
  shard?: number;
}

/** What indexing some players did. */
export interface Indexed {
  /** Players whose document was rewritten. */
  rewritten: number;
  /** Players whose index entry changed. */
  changed: number;
  /** Players whose document cannot be ranked, with the reason, where that is new. */
  unusable: { player: string; problem: string }[];
  /** Attempts that the transaction took. */
  attempts: number;
}

/**
 * Indexes players in one transaction. On a board of the source `count` it only completes their documents.
 *
 * Cost: 2 reads a player; where something changed, 1 write a player and 1 for the shard document. A trusted server's
 * document without a `status`, or whose `achieved_at` is not a time, is completed with 1 more write. A document that is
 * rewritten costs 1 more write. The season, for the number of shards, costs 2 reads a minute; if it is dormant, 1 write
 * wakes it.
 * @param players at most 200, each once.
 */
export async function indexPlayers(
  services: SeasonServices,
  key: SeasonKey,
  players: readonly string[],
  options: IndexingOptions = {},
): Promise<Indexed> {
  const { db, random, newId, databaseMs, slotMs } = services;
  const board = await boardOf(services, key);
  if (board !== undefined) await wakeSeason(services, board);
  const shards = board?.season?.shards ?? 1;
  let attempts = 0;
  const indexed = await db.runTransaction(
    async (transaction) => {
      const { plans, rewritten, readAt } = await planInTransaction(transaction, db, key, players, options);
      const ownShard = attempts === 0 ? options.shard : undefined;
      const shard = ownShard ?? (players.length > 1 ? newId() : chooseShard(shards, attempts, random()));
      attempts += 1;
      if (board?.definition.source === "count") plans.clear();
      if (plans.size === 0) return { changed: 0, rewritten, unusable: [] };
      const changes = writeEntries(transaction, db, key, plans);
      const slotEndsAtMs = slotEnd(databaseMs(readAt), slotMs);
      writeShard(
        transaction,
        db.doc(shardPath(key, shard, slotEndsAtMs)),
        slotEndsAtMs,
        changes,
        attempts - 1,
      );
      return { changed: plans.size, rewritten, unusable: unusableIn(plans) };
    },
    { maxAttempts: indexingAttemptsMax },
  );
  return { ...indexed, attempts };
}

/**
 * Leaves a change to the next run of a board whose ranking is counted: there is nothing to index, but the season may be
 * asleep.
 * Cost: 2 reads a minute; if the season is dormant, 1 write wakes it.
 * @returns whether the ranking is counted.
 */
export async function leaveToCounts(services: SeasonServices, key: SeasonKey): Promise<boolean> {
  const board = await boardOf(services, key);
  if (board?.definition.source !== "count") return false;
  await wakeSeason(services, board);
  return true;
}

/**
 * The board, with its season opened if a trusted server's document is the first in it. Without a definition there is no
 * board, but its players' changes must still be counted. Other errors are thrown, so that the work is retried: without
 * its board, a sleeping season would not be woken.
 *
 * An instance that does not know the season may remember an older source than the season ever had. So it reads the
 * board again: with the season it knows the definition that the season was opened with, or a newer one.
 */
function boardOf(services: SeasonServices, key: SeasonKey): Promise<Board | undefined> {
  const { boards, now } = services;
  return boardIfAny(services, key, async () => {
    const board = await boards.load(key);
    if (board.season !== undefined) return board;
    const stretch = recentStretch(key.leaderboard, board, key.season, now());
    if (stretch !== undefined) return boards.open(stretch);
    boards.forget(key.leaderboard);
    return boards.load(key);
  });
}

async function planInTransaction(
  transaction: Transaction,
  db: Firestore,
  key: SeasonKey,
  players: readonly string[],
  { rewrite }: IndexingOptions,
): Promise<{ plans: Map<string, IndexingPlan>; rewritten: number; readAt: Timestamp }> {
  const playerRefs = players.map((player) => db.doc(playerPath(key, player)));
  const entryRefs = players.map((player) => db.doc(indexEntryPath(key, player)));
  const found = await transaction.getAll(...playerRefs, ...entryRefs);
  const plans = new Map<string, IndexingPlan>();
  let rewritten = 0;
  players.forEach((player, i) => {
    const document = found[i];
    const fields = rewrite?.(player, document?.data());
    if (document !== undefined && fields !== undefined) {
      writeFields(transaction, document.ref, fields);
      rewritten += 1;
    }
    const data = fields === undefined ? document?.data() : { ...document?.data(), ...fields };
    const ranked = rankedScoreOf(data);
    const plan = planIndexing(ranked, readIndexEntry(found[players.length + i]?.data()));
    if (plan !== undefined) plans.set(player, plan);
    if (document === undefined || ranked === undefined) return;
    const missing = missingFields(data ?? {}, document.updateTime);
    if (Object.keys(missing).length > 0) transaction.update(document.ref, missing);
  });
  return { plans, rewritten, readAt: latest(found) };
}

/**
 * When all of them had been read, by the database's clock: after the commits that they show, and before this
 * transaction's own.
 */
function latest(found: readonly DocumentSnapshot[]): Timestamp {
  return found.reduce((last, { readTime }) => (readTime > last ? readTime : last), new Timestamp(0, 0));
}

/** Makes a document have exactly these values in these fields; other fields stay. */
function writeFields(transaction: Transaction, ref: DocumentReference, fields: Fields): void {
  const values = Object.entries(fields).map(([name, value]) => [name, value ?? FieldValue.delete()]);
  transaction.set(ref, Object.fromEntries(values) as object, { mergeFields: Object.keys(fields) });
}

/** The fields, besides the score, that lists need to find and order a document. */
function missingFields(
  data: Record<string, unknown>,
  updateTime: Timestamp | undefined,
): Record<string, unknown> {
  return {
    ...(data["status"] == null ? { status: "active" } : {}),
    ...(data["achieved_at"] instanceof Timestamp ? {} : { achieved_at: updateTime }),
  };
}

function writeEntries(
  transaction: Transaction,
  db: Firestore,
  key: SeasonKey,
  plans: Map<string, IndexingPlan>,
): ShardChanges {
  const sum: ShardChanges = { playerCount: new Map(), unusable: 0 };
  for (const [player, { entry, changes }] of plans) {
    const ref = db.doc(indexEntryPath(key, player));
    if (entry === null) transaction.delete(ref);
    else transaction.set(ref, entry);
    addChanges(sum, changes);
  }
  return sum;
}

/**
 * Adds changes to a shard document, which need not exist and is not read: increments never wait for each other's
 * values.
 */
function writeShard(
  transaction: Transaction,
  shard: DocumentReference,
  slotEndsAtMs: number,
  { playerCount, unusable }: ShardChanges,
  retries: number,
): void {
  if (playerCount.size === 0 && unusable === 0) return;
  const increments = [...playerCount].map(([score, delta]) => [
    scoreToField(score),
    FieldValue.increment(delta),
  ]);
  transaction.set(
    shard,
    {
      slot_ends_at: Timestamp.fromMillis(slotEndsAtMs),
      writes: FieldValue.increment(1),
      ...(retries === 0 ? {} : { retries: FieldValue.increment(retries) }),
      ...(increments.length > 0 ? { player_count: Object.fromEntries(increments) as object } : {}),
      ...(unusable === 0 ? {} : { unusable: FieldValue.increment(unusable) }),
    },
    { merge: true },
  );
}

function unusableIn(plans: Map<string, IndexingPlan>): Indexed["unusable"] {
  return [...plans].flatMap(([player, { entry }]) =>
    entry?.unusable === undefined ? [] : [{ player, problem: entry.unusable }],
  );
}
