/**
 * The one commit: everything that changes what the index counts goes through it. A transaction reads players'
 * documents, decides, and writes them with their marks and, for each season in which the marks change, one shard
 * document. So at any read time rows + shards = histogram of the marks.
 *
 * - **The slot** of a change is that in which the database read for its transaction (model/slot.ts).
 * - **Deletions** leave a receipt for the version that they destroyed, so that their event, whenever it comes, does not
 *   take the player out again.
 * - **A sleeping season** is woken by a commit that counts in it. It is read with the players, so nobody waits for it.
 * - **A season that is closed** counts nothing more. So each commit that counts either reads the season in its transaction,
 *   or calls `letIn` with the time at which its request found the season open in memory. Then it must begin within a minute
 *   of that time: the season's end waits that long. Any other commit fails.
 */
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldPath,
  FieldValue,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import {
  type Counted,
  countedIn,
  historyIn,
  markOf,
  nextHistory,
  shouldCount,
  versionName,
} from "../documents/mark.ts";
import {
  type ChangedPlayer,
  lacksStatus,
  missingFields,
  writtenAt,
  writtenSize,
} from "../documents/player.ts";
import { isSeasonPath, receiptPath, type SeasonKey, seasonPath, shardPath } from "../documents/paths.ts";
import { type Season, storedSeason } from "../documents/season.ts";
import { FirerankError } from "../model/errors.ts";
import { playersBytesPerCommitMax, receiptKeptMs, submitBeginsMsMax } from "../model/limits.ts";
import { slotEnd } from "../model/slot.ts";
import { isOfTemplate } from "../model/template.ts";
import { calendarOf, keepsHistory, boardCacheOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { awakeFields, mayOversleep } from "../seasons/dormancy.ts";
import { change, changeBytes, noShardChanges, type ShardChanges } from "./changes.ts";
import { type OwnShards, ownShardsOf } from "./own-shards.ts";
import type { Services } from "../world/services.ts";

/** Fields of a document, `undefined` for a field that must not exist. */
export type Fields = Record<string, unknown>;

/** The contents of a player's document that have its last mark of ours; none if there was no document. */
export interface LastMarked {
  data: Fields | undefined;
}

/** A player's document as a commit will write it. */
export interface PlayerDraft extends ChangedPlayer {
  /** The fields that are written, the mark among them. */
  fields: Fields;
  /** All fields of the document afterwards. */
  after: Fields;
  /** What is counted afterwards. */
  counted: Counted;
  /** What it adds to a commit: the document as it was and as it will be, with their index entries. */
  bytes: number;
}

interface DraftOptions {
  /** The fields of the document, for a caller who has them. */
  data?: Fields | undefined;
  /** Where a direct write has changed what the mark says of midnights. */
  last?: LastMarked | undefined;
}

/** A transaction that changes players. All reads come before the first write. */
export type PlayersTransaction = Omit<ReturnType<typeof playersTransaction>, "finish">;

/**
 * Changes players in one transaction. `work` may be called again after an attempt that failed.
 *
 * Cost: what `work` reads and writes; for each season in which a mark changes 1 write for the shard document; for a
 * season that sleeps 1 read, and 1 write where a mark changes.
 * @throws `season_closed` where it would count in a season that it has read and that has ended; `contention` where it
 * began too late after {@link PlayersTransaction.letIn}.
 * @param boards of the seasons, as they are remembered; undefined where there is none. @param options attempts of the transaction; five by default.
 */
export async function commitPlayers<Result>(
  services: Services,
  boards: readonly (Board | undefined)[],
  work: (players: PlayersTransaction) => Promise<Result>,
  options: { maxAttempts?: number } = {},
): Promise<Result> {
  const taken: TakenShard[] = [];
  const giveBack = () => {
    for (const shard of taken.splice(0)) shard.giveBack();
  };
  const known = boards.filter((board) => board !== undefined);
  const sleeping = known.filter(({ season }) => mayOversleep(season, services.now()));
  let woken: ReadonlyMap<string, Season> | undefined;
  try {
    const [result, awake] = await services.db.runTransaction(async (transaction) => {
      giveBack();
      const players = playersTransaction(services, transaction, known, sleeping);
      const made = await work(players);
      taken.push(...players.finish());
      return [made, players.awake] as const;
    }, options);
    woken = awake;
    return result;
  } finally {
    const counted = new Set(taken.map(({ key }) => seasonPath(key)));
    for (const { key, season } of known)
      if (season !== undefined && counted.has(seasonPath(key))) services.counted?.(key);
    giveBack();
    // If the commit failed, or its answer was lost, nobody knows whether the season is awake.
    for (const board of sleeping) {
      const season = woken?.get(seasonPath(board.key));
      if (season !== undefined) boardCacheOf(services).keepSeason(board, season);
      else if (woken === undefined) boardCacheOf(services).forgetSeason(board.key);
    }
  }
}

type TakenShard = ReturnType<OwnShards["take"]> & { key: SeasonKey };

interface SeasonChanges extends ShardChanges {
  key: SeasonKey;
}

// eslint-disable-next-line max-lines-per-function -- short functions over one transaction
function playersTransaction(
  services: Services,
  transaction: Transaction,
  boards: readonly Board[],
  sleeping: readonly Board[],
) {
  const { db, now } = services;
  const seasons = new Map<string, SeasonChanges>();
  const seasonsRead = new Map<string, DocumentSnapshot>();
  const awake = new Map<string, Season>();
  let asleep: DocumentSnapshot[] | undefined;
  let letInMs: number | undefined;
  let bytes = 0;
  /** The newest read time: slot and midnight of all changes, as each document may have been read at another time. */
  let readAt = new Timestamp(0, 0);
  function count(key: SeasonKey, before: Counted, after: Counted): void {
    if (before === after) return;
    const path = seasonPath(key);
    const changes = seasons.get(path) ?? { key, ...noShardChanges() };
    seasons.set(path, changes);
    change(changes, before, after);
  }
  const boardOf = ({ season }: SeasonKey) => boards.find(({ key }) => key.season === season);
  return {
    /** The board of a season, as it is remembered; undefined where there is none. */
    boardOf,
    /** By path, the seasons that this transaction has found asleep and changes, as they are after it. */
    awake: awake as ReadonlyMap<string, Season>,
    /** For reads of other kinds, and writes of other documents. */
    transaction,
    /** Reads documents; the first call also reads the seasons that may have to be woken. Cost: 1 read each. */
    async getAll(...refs: DocumentReference[]): Promise<DocumentSnapshot[]> {
      const more = asleep === undefined ? sleeping.map(({ key }) => db.doc(seasonPath(key))) : [];
      const found = await transaction.getAll(...refs, ...more);
      for (const one of found) {
        if (one.readTime > readAt) readAt = one.readTime;
        if (isSeasonPath(one.ref.path)) seasonsRead.set(one.ref.path, one);
      }
      asleep ??= found.slice(refs.length);
      return found.slice(0, refs.length);
    },
    /**
     * Says since when the seasons are known to take changes, by the board in memory: the end of a season waits for what
     * began within `submitBeginsMsMax` after that. For a commit that does not read the seasons that it counts in.
     */
    letIn(sinceMs: number): void {
      letInMs = sinceMs;
    },
    /**
     * What becomes of a player's document, which this transaction has read, with these fields, its mark, and what lists
     * need where it is missing; other fields stay. Once all documents of the commit are read, as the newest read time
     * says the day of the change. Writes nothing.
     * @throws where the document would have a score and no status: the caller has to look which.
     */
    draft(
      key: SeasonKey,
      document: DocumentSnapshot,
      fields: Fields,
      options: DraftOptions = {},
    ): PlayerDraft {
      const { data = document.data() } = options;
      const { last = { data } } = options;
      const board = boardOf(key);
      const next = { ...data, ...fields };
      if (lacksStatus(next)) throw new Error(`${document.ref.path} would be counted without a status`);
      const counted = shouldCount(next, board?.definition);
      const history = nextHistory(last.data, counted, dayOf(board, services.databaseMs(readAt)));
      const written = {
        ...fields,
        ...ownId(key, document.id),
        ...missingFields(next, writtenAt(document), board?.definition),
        counted: markOf(document.ref.path, counted, document, history),
      };
      const after = { ...data, ...written };
      const { path } = document.ref;
      const bytes = writtenSize(path, data ?? {}) + writtenSize(path, after);
      return { key, document, fields: written, before: data, after, counted, bytes };
    },
    /** Whether the commit has room for these documents too. The first ones always fit. */
    hasRoomFor(drafts: readonly PlayerDraft[]): boolean {
      return (
        bytes === 0 || drafts.reduce((sum, draft) => sum + draft.bytes, bytes) <= playersBytesPerCommitMax
      );
    },
    /** Writes a player's document, and counts the change of its mark. Cost: 1 write. */
    write(draft: PlayerDraft): void {
      const { key, document, fields, before, counted } = draft;
      bytes += draft.bytes;
      writeFields(transaction, document.ref, fields);
      count(key, countedIn(before), counted);
    },
    /** Gives a player's document fields that change nothing that is counted: the mark stays, and no season wakes. Cost: 1 write. */
    writeUncounted(found: DocumentSnapshot, fields: Fields): void {
      const data = found.data();
      const mark = markOf(found.ref.path, countedIn(data), found, historyIn(data));
      writeFields(transaction, found.ref, { ...fields, counted: mark });
    },
    /** Deletes a player's document. Cost: 1 delete, and 1 write for the receipt if the player was counted. */
    remove(key: SeasonKey, found: DocumentSnapshot): void {
      transaction.delete(found.ref);
      const before = countedIn(found.data());
      if (before === undefined || found.updateTime === undefined) return;
      writeReceipt(services, transaction, key, `destroyed-${versionName(found.ref.path, found.updateTime)}`);
      count(key, before, undefined);
    },
    /** Counts what a direct write did to a mark: in place of `before` the index counts `after`. */
    correct: count,
    finish() {
      for (const season of asleep ?? []) {
        const changes = seasons.get(season.ref.path);
        if (changes === undefined) continue;
        const ofTemplate = isOfTemplate(changes.key.leaderboard);
        const definition = ofTemplate ? boardOf(changes.key)?.definition : undefined;
        const fields = awakeFields(season, now(), definition);
        if (fields !== undefined) transaction.update(season.ref, fields);
        const { data: stored } = storedSeason.safeParse(season.data());
        if (stored !== undefined) awake.set(season.ref.path, { ...stored, ...fields });
      }
      for (const path of seasons.keys()) requireCounting(path, seasonsRead.get(path), letInMs, now());
      return [...seasons.values()].flatMap((changes) => writeShard(services, transaction, changes, readAt));
    },
  };
}

/** @throws unless a season still counts changes: `read` says so, or its request found it open a short time ago. */
function requireCounting(
  path: string,
  read: DocumentSnapshot | undefined,
  letInMs: number | undefined,
  nowMs: number,
): void {
  const status: unknown = read?.get("status");
  if (status === "closed" || status === "deleting")
    throw new FirerankError("season_closed", `${path} has ended, and counts nothing more.`);
  if (read !== undefined) return;
  if (letInMs === undefined) throw new Error(`A commit counts in ${path} and has not looked whether it may.`);
  // The instance may have been frozen for longer than a closing waits for accepted submissions.
  if (nowMs - letInMs > submitBeginsMsMax)
    throw new FirerankError("contention", `The commit began too late after a look at ${path}. Ask again.`);
}

/**
 * The field by which a player is found on all boards of templates, of which there may be a million. Other boards do not
 * have it: there are few of them.
 */
export function ownId({ leaderboard }: SeasonKey, player: string): { player_id?: string } {
  return isOfTemplate(leaderboard) ? { player_id: player } : {};
}

/** Whether a player's document has {@link ownId}. On other boards a server may use the field for something of its own. */
export function hasOwnId({ leaderboard }: SeasonKey, player: string, data: Fields): boolean {
  return !isOfTemplate(leaderboard) || data["player_id"] === player;
}

/** When a mark changes, for its history; `unknown` where nobody knows the day, false where none is kept. */
function dayOf(board: Board | undefined, atMs: number) {
  if (board !== undefined && !keepsHistory(board)) return false;
  const calendar = calendarOf(board);
  return calendar === undefined ? "unknown" : { atMs, calendar };
}

/** Notes that a version of a player's document needs no correction any more. Cost: 1 write. */
export function writeReceipt(
  { db, now }: Services,
  transaction: Transaction,
  key: SeasonKey,
  name: string,
): void {
  const expiresAt = Timestamp.fromMillis(now() + receiptKeptMs);
  transaction.set(db.doc(receiptPath(key, name)), { count_receipt_expires_at: expiresAt });
}

/** Makes a document have exactly these values in these fields; undefined for a field that goes. Cost: 1 write. */
export function writeFields(transaction: Transaction, ref: DocumentReference, fields: Fields): void {
  const values = Object.entries(fields).map(([name, value]) => [name, value ?? FieldValue.delete()]);
  const mergeFields = Object.keys(fields).map((name) => new FieldPath(name));
  transaction.set(ref, Object.fromEntries(values) as object, { mergeFields });
}

/**
 * Adds changes to a shard document, which need not exist and is not read: increments wait for nobody's values. Also where
 * the changes cancel out, as two players who swap scores: a refresh of the top learns from shards that something has
 * changed.
 */
function writeShard(
  services: Services,
  transaction: Transaction,
  { key, playerCount, unusable, marks }: SeasonChanges,
  readAt: Timestamp,
): TakenShard[] {
  if (marks === 0) return [];
  const { db, databaseMs, slotMs } = services;
  const slotEndsAtMs = slotEnd(databaseMs(readAt), slotMs);
  const shard = ownShardsOf(services).take(key, slotEndsAtMs, changeBytes(playerCount.keys()));
  const increments = Object.fromEntries(
    [...playerCount].map(([field, delta]) => [field, FieldValue.increment(delta)]),
  );
  const fields = {
    slot_ends_at: Timestamp.fromMillis(slotEndsAtMs),
    marks: FieldValue.increment(marks),
    ...(playerCount.size > 0 && { player_count: increments }),
    ...(unusable !== 0 && { unusable: FieldValue.increment(unusable) }),
  };
  transaction.set(db.doc(shardPath(key, shard.name, slotEndsAtMs)), fields, { merge: true });
  return [{ ...shard, key }];
}
