/**
 * `top/current` as a document that several writers replace: runs, rebuilds and refreshes. Each reads the players
 * together with the document, and writes only if the document has not changed. So a stale read can never overwrite a
 * newer top, and a player who was hidden or erased does not come back.
 */
import { type WireValue, withDoubles } from "../documents/exact-number.ts";
import {
  type DocumentReference,
  type DocumentSnapshot,
  type Firestore,
  Timestamp,
  type Transaction,
  type Writer,
} from "../documents/firestore.ts";
import { topPath } from "../documents/paths.ts";
import { listedPlayers } from "../documents/queries.ts";
import { readTogether } from "../documents/reads.ts";
import {
  type FoundDocument,
  type ListedPlayer,
  readTopEntries,
  readTopHeader,
  type Top,
} from "../documents/top.ts";
import { topKeptMsMax } from "../model/limits.ts";
import { type ChangedScores, type Gate, gateIn, mayShow } from "./gate.ts";
import { type FinalTops, knownFields } from "./gate-memory.ts";
import type { Pace } from "./pace.ts";
import { listedIn, readChangedPlayers, type TopBoard } from "./read-changes.ts";

export interface FoundTop {
  listed: ListedPlayer[];
  readAt: Timestamp;
  /** When all of them were read at once, if that was earlier. */
  wholeAt?: Timestamp;
  document: FoundDocument;
}

/** A top in which nothing new may show: its players were not read, and it keeps its entries. */
export interface KeptTop extends Omit<FoundTop, "listed"> {
  listed: undefined;
}

const headerFields = ["generation", "as_of", "players", "whole_at", "ties", "final", ...knownFields];
const kindsOfTop = ["top_entered", "lead_changed"] as const;

/**
 * Reads the players of the next top and the document that it replaces. That document may be large, so only its header is
 * sent, unless the board sends events about who enters the top or leads.
 *
 * Cost: 1 read, the top players and 1 for each 1,000 of these; from a final table 1 for the summary and 2 for each 1,000
 * players.
 * @param final for a season that has closed: its final table has the players.
 */
export async function readTopPlayers(
  db: Firestore,
  transaction: Transaction,
  board: TopBoard,
  final?: FinalTops,
): Promise<FoundTop> {
  const document = await readDocument(db, transaction, board);
  if (final === undefined) return readPlayersOfTop(db, transaction, board, document);
  return { ...(await final.finalists(transaction, board.key, board.definition.top_size)), document };
}

/**
 * What a run needs of the top: the players, unless none of the changes that it publishes may show in the top. A top whose
 * players were last read a week ago is read all the same, as a refresh for a name may have failed.
 *
 * Cost: 1 read; if changes may show, as {@link readTopPlayers}.
 */
export async function readTopUnlessKept(
  db: Firestore,
  transaction: Transaction,
  board: TopBoard,
  changes: readonly ChangedScores[],
): Promise<FoundTop | KeptTop> {
  const document = await readDocument(db, transaction, board);
  return readPlayersUnlessKept(db, transaction, board, document, changes);
}

function readPlayersUnlessKept(
  db: Firestore,
  transaction: Transaction,
  board: TopBoard,
  { readTime, ...document }: FoundDocument & { readTime: Timestamp },
  changes: readonly ChangedScores[],
): Promise<FoundTop> | KeptTop {
  const { header } = document;
  const isKept =
    header !== undefined &&
    header.final !== true &&
    readTime.toMillis() - (header.whole_at ?? header.as_of).toMillis() < topKeptMsMax &&
    !mayShow(board.definition, gateIn(header), header.as_of, changes);
  return isKept
    ? { listed: undefined, readAt: readTime, document }
    : readPlayersOfTop(db, transaction, board, document);
}

/**
 * Reads the top that a refresh writes after changes: only what has changed, if that is little; else as
 * {@link readTopPlayers}. Cost: 1 read, and that of {@link readChangedPlayers}.
 */
export async function readTopAfterChanges(
  db: Firestore,
  transaction: Transaction,
  board: TopBoard,
  onTooMany: () => void,
): Promise<FoundTop> {
  const document = await readDocument(db, transaction, board, true);
  const { header, readTime } = document;
  const listed = await readChangedPlayers(db, transaction, board, document, onTooMany);
  if (listed === undefined || header === undefined) return readPlayersOfTop(db, transaction, board, document);
  return { listed, readAt: readTime, wholeAt: header.whole_at ?? header.as_of, document };
}

/**
 * What a run needs of a top that has changed since it was found, as {@link readTopUnlessKept}; undefined if it has not
 * changed.
 */
export async function readTopIfChanged(
  db: Firestore,
  board: TopBoard,
  { document: before }: FoundTop | KeptTop,
  changes: readonly ChangedScores[],
): Promise<FoundTop | KeptTop | undefined> {
  return readTogether(db, async (transaction) => {
    const document = await readDocument(db, transaction, board);
    const isSame = document.updateTime?.valueOf() === before.updateTime?.valueOf();
    return isSame ? undefined : readPlayersUnlessKept(db, transaction, board, document, changes);
  });
}

export function gateOf({ updateTime, header }: FoundDocument): Gate {
  return updateTime === undefined ? undefined : gateIn(header);
}

/**
 * Adds the write of a new top to a batch, on the condition that the document has not changed since it was found.
 * @param pace for a refresh that followed a change; without it the document keeps its pace.
 */
export function writeTop(
  batch: Pick<Writer, "create" | "update">,
  ref: DocumentReference,
  top: Top | Pick<Top, "generation" | "players">,
  { updateTime }: Pick<FoundDocument, "updateTime">,
  pace?: Pace,
): void {
  const paced = pace && {
    refresh_due_at: Timestamp.fromMillis(pace.dueMs),
    refresh_window_seconds: pace.windowMs / 1_000,
  };
  if (updateTime === undefined) batch.create(ref, top);
  else batch.update(ref, { ...top, ...paced }, { lastUpdateTime: updateTime });
}

async function readDocument(
  db: Firestore,
  transaction: Transaction,
  { key, definition: { events } }: TopBoard,
  needsEntries = kindsOfTop.some((kind) => events.includes(kind)),
) {
  const fieldMask = needsEntries ? [...headerFields, "entries"] : headerFields;
  const [found] = await transaction.getAll(db.doc(topPath(key)), { fieldMask });
  if (found === undefined) throw new Error("a document that was asked for is in the answer");
  const data = found.data();
  return {
    readTime: found.readTime,
    updateTime: found.updateTime,
    header: readTopHeader(data),
    entries: asStored(found, readTopEntries(data)),
  };
}

/** Entries that may be written again, so that a double in their metadata stays a double. */
function asStored(found: DocumentSnapshot, entries: Top["entries"] | undefined): Top["entries"] | undefined {
  const { _fieldsProto: wire } = found as unknown as { _fieldsProto?: Record<string, WireValue> };
  const stored = wire?.["entries"]?.arrayValue?.values ?? [];
  for (const [at, { metadata }] of (entries ?? []).entries())
    withDoubles(metadata, stored[at]?.mapValue?.fields?.["metadata"] ?? {});
  return entries;
}

async function readPlayersOfTop(
  db: Firestore,
  transaction: Transaction,
  { key, definition }: TopBoard,
  document: FoundDocument,
): Promise<FoundTop> {
  const best = listedPlayers(db, key, definition, { timed: true });
  const found = await transaction.get(best.limit(definition.top_size));
  return { listed: found.docs.map(listedIn), readAt: found.readTime, document };
}
