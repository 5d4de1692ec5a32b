/**
 * A refresh of the top reads only what has changed since the top was read, if that is little: the players of the scores
 * that pending shards name, and those who follow where others have left. A top of a hundred players costs about five reads
 * then, and not a hundred.
 *
 * Why no change is missed. The top shows all players up to its moment. A commit that changes a player's mark writes a
 * shard document, and so sets its update time. A shard that a run has folded is gone; but a run reads the top's players
 * itself if a change of such a shard may show and may be later than the top (document.ts). So whatever is not shown yet
 * is in a shard document that was updated at that moment or later. All is read at one time, and the old top is the one
 * that the new top replaces.
 *
 * What changes no mark is not seen: a name, and a server's own write until the trigger has counted it. A refresh that
 * follows a name reads all players. So does one that follows an event whose write no shard names: a top may have been read
 * after the write, and another has put back what was counted before. And so does one a week, as such a refresh may have
 * failed.
 */
import {
  type Firestore,
  type QueryDocumentSnapshot,
  Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import { topPath } from "../documents/paths.ts";
import { playerData } from "../documents/player.ts";
import { listedPlayers, pendingShards } from "../documents/queries.ts";
import { readShard } from "../documents/shard.ts";
import type { FoundDocument, ListedPlayer, Top, TopHeader } from "../documents/top.ts";
import { type Steps, toStep } from "../model/arithmetic.ts";
import type { Definition } from "../model/definition.ts";
import { documentSize } from "../model/document-size.ts";
import { topBytesMax, topChangesShare, topKeptMsMax } from "../model/limits.ts";
import { isBetter, scoreOfKey, sortKey } from "../model/score.ts";
import { nextKey } from "../model/keys.ts";
import type { Board } from "../seasons/read-board.ts";
import { comesUpTo, gateIn, namesAllScores } from "./gate.ts";

export type TopBoard = Pick<Board, "key" | "definition">;
type Entries = Top["entries"];

/** A top whose players are those read at its moment, but for what has changed since. */
type Whole = FoundDocument & { header: TopHeader; entries: Entries };

/**
 * The players of the next top, by what has changed since the present one; undefined if all have to be read.
 *
 * Cost: 1 read for each pending shard, at least 1, and each player found by a changed score, at least 1 for a score; 1 for
 * each player who follows where others have left, on a board with decimals also for each with the score of the last entry.
 * A quarter of the top's players at most, and for equal scores half.
 * @param onTooMany is told when so many shards are pending that looking for them was in vain.
 */
export async function readChangedPlayers(
  db: Firestore,
  transaction: Transaction,
  board: TopBoard,
  document: FoundDocument & { readTime: Timestamp },
  onTooMany: () => void,
): Promise<ListedPlayer[] | undefined> {
  if (!isWhole(board, document)) return undefined;
  const { key, definition } = board;
  const { entries } = document;
  const most = mostOf(entries);
  const { docs } = await transaction.get(pendingShards(db, key).limit(most + 1));
  if (docs.length > most) {
    onTooMany();
    return undefined;
  }
  const shards = docs.filter(({ updateTime }) => updateTime >= document.header.as_of);
  const changes = shards.map((shard) => readShard(shard.data()));
  if (!changes.every(namesAllScores)) return undefined;
  const gate = gateIn(document.header);
  const named = changes.flatMap((shard) => shard.changes.map(({ mark }) => toStep(definition, mark.score)));
  const changed = new Set(named.filter((score) => comesUpTo(definition, gate, score)));
  const listed = entries.filter(({ score }) => changed.has(score)).length;
  if (changed.size > most || changed.size + listed > 2 * most) return undefined;

  const found = await Promise.all([...changed].map((score) => playersWith(db, transaction, board, score)));
  if (!found.flat().every((player) => isPlaced(definition, player))) return undefined;
  const present = merged(definition, entries, changed, found.flat());
  if (gate === null || present.length >= definition.top_size) return present.slice(0, definition.top_size);
  return withFollowers(db, transaction, board, { present, changed, entries });
}

/**
 * The players of a top from which others have left, and those who follow; undefined if all have to be read.
 *
 * Those with the score of the last entry are all there, if it has changed. Else the last entry was the last of them that was
 * shown. On a board with decimals its score may be one that a server wrote and that is not rounded yet: then others whom
 * the top did not show may come before. So all with its score are read again.
 */
async function withFollowers(
  db: Firestore,
  transaction: Transaction,
  { key, definition }: TopBoard,
  { present, changed, entries }: { present: ListedPlayer[]; changed: ReadonlySet<number>; entries: Entries },
): Promise<ListedPlayer[] | undefined> {
  const last = entries.at(-1);
  if (last === undefined) return present;
  const readsAgain = definition.decimals !== undefined && !changed.has(last.score);
  const stay = readsAgain ? present.filter(({ data }) => data["score"] !== last.score) : present;
  const { from } = aroundStep(definition, last.score);
  const section = readsAgain
    ? { from }
    : { after: changed.has(last.score) ? ([last.score] as const) : keyOf(last) };
  const next = listedPlayers(db, key, definition, section).limit(definition.top_size - stay.length);
  const followers = (await transaction.get(next)).docs.map(listedIn);
  // A server has written a worse score of somebody listed, and no shard names it before the event of the write comes.
  const isListed = ({ id }: ListedPlayer) => stay.some((one) => one.id === id);
  if (followers.some(isListed) || !followers.every((one) => isPlaced(definition, one))) return undefined;
  return [...stay, ...followers];
}

/**
 * Whether a player has a place among the entries. By a server's write the time may be none, or the score not rounded to the
 * board's steps before the event of the write comes: then it is sorted by another score than it is shown with.
 */
const isPlaced = (steps: Steps, { data: { score, achieved_at: at } }: ListedPlayer) =>
  at instanceof Timestamp && toStep(steps, score as number) === score;

/** A player's document in a list. */
export function listedIn(document: QueryDocumentSnapshot): ListedPlayer {
  return { id: document.id, data: playerData(document) ?? {} };
}

const mostOf = ({ length }: Entries) => Math.floor(length * topChangesShare);

/** Whether the present top is one that changes can be added to. */
function isWhole(
  { key, definition }: TopBoard,
  document: FoundDocument & { readTime: Timestamp },
): document is Whole & { readTime: Timestamp } {
  const { header, entries, readTime } = document;
  if (header === undefined || entries === undefined || header.final === true) return false;
  // In another order of equals, others follow the last.
  if (header.ties !== definition.ties) return false;
  // A change leaves one score and reaches another.
  if (mostOf(entries) < 2) return false;
  const { as_of: asOf, whole_at: wholeAt = asOf } = header;
  if (readTime.toMillis() - wholeAt.toMillis() >= topKeptMsMax) return false;
  const isFull = gateIn(header) !== null;
  if (isFull ? entries.length !== definition.top_size : entries.length >= definition.top_size) return false;
  // A large top may have left metadata out, beginning with the last entry's.
  if (entries.at(-1)?.metadata !== undefined) return true;
  return documentSize(topPath(key), { ...header, entries }) < topBytesMax / 2;
}

/**
 * The best players with a score, as many as the top can have; on a board with decimals also those whose score is almost
 * this one, and so may be shown as this one.
 */
async function playersWith(
  db: Firestore,
  transaction: Transaction,
  { key, definition }: TopBoard,
  score: number,
): Promise<ListedPlayer[]> {
  const found = listedPlayers(db, key, definition, aroundStep(definition, score));
  return (await transaction.get(found.limit(definition.top_size))).docs.map(listedIn);
}

/**
 * The part of the order that has all scores that are rounded to a step, and no other step: half a step on either side, and
 * a little more, as a half is no exact double.
 */
function aroundStep({ order, decimals }: Pick<Definition, "order" | "decimals">, score: number) {
  const width = decimals === undefined ? 0 : 0.75 * 10 ** -decimals;
  const key = sortKey(order, score);
  const worse = scoreOfKey(order, nextKey(key + width));
  return { from: [scoreOfKey(order, key - width)], before: [worse] } as const;
}

/** Entries and players found, best first. Within a score all are of one kind, and in order. */
function merged(
  { order }: Pick<Definition, "order">,
  entries: Entries,
  changed: ReadonlySet<number>,
  found: readonly ListedPlayer[],
): ListedPlayer[] {
  const ids = new Set(found.map(({ id }) => id));
  const kept = entries.filter(({ score, player }) => !changed.has(score) && !ids.has(player));
  const scoreOf = ({ data }: ListedPlayer) => data["score"] as number;
  return [...kept.map(playerOf), ...found].sort((a, b) => {
    const [left, right] = [scoreOf(a), scoreOf(b)];
    return left === right ? 0 : isBetter(order, left, right) ? -1 : 1;
  });
}

/** An entry as the player's document would be. */
function playerOf({
  player,
  score,
  display_name: name,
  metadata,
  achieved_at: at,
}: Entries[number]): ListedPlayer {
  return {
    id: player,
    data: {
      status: "active",
      score,
      achieved_at: at,
      ...(name !== undefined && { display_name: name }),
      ...(metadata && { metadata }),
    },
  };
}

function keyOf({ score, achieved_at: at, player }: Entries[number]) {
  return [score, at, player] as const;
}
