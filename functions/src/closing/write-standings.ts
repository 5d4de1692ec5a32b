/**
 * Writes the standings: a pass over the players in the total order, into one document for each 1,000.
 *
 * Each document is its own checkpoint: a step that takes the pass up after a kill walks along the written documents and
 * continues after the last player of the last one. A pass has a number, so that the documents of an earlier pass, which
 * some change has made useless, are not taken for its own. Each is replaced only if it is still what the pass has seen.
 */
import type { DocumentReference, DocumentSnapshot, Transaction, WriteBatch } from "../documents/firestore.ts";
import { type SeasonKey, standingsMetadataPath, standingsPath } from "../documents/paths.ts";
import { type ListPlace, listedPlayers } from "../documents/queries.ts";
import { storedStandings } from "../documents/standings.ts";
import { endStepMs, standingsPerDocument } from "../model/limits.ts";
import { standingsInOrder } from "../repair/read-standings.ts";
import type { Board } from "../seasons/board.ts";
import type { World } from "../world/world.ts";
import { isCut, type Packed, packStandings, type Standing, standingOf } from "./pack-standings.ts";

/** The progress of a pass. */
export interface Written {
  /** 1 for the first. */
  pass: number;
  /** Documents that it has written, at least. */
  documents: number;
  players: number;
  ended: boolean;
}

export interface WriteOptions {
  budgetMs?: number;
  /** Players of one query. */
  playersPerRead?: number;
  /** Called with the progress of the pass after each document. */
  onProgress?: (written: Written) => Promise<void>;
}

/**
 * One step of a pass, until all players are written or the time is over.
 *
 * Cost: 1 read a player and 1 more in all; 1 write for each 1,000 players and 1 where some of these have metadata. A
 * pass after the first reads and replaces the documents of the one before. Taking a pass up reads what it has written
 * since its progress was noted. Memory: two chunks of players.
 * @throws Firestore's error where another step has written the document meanwhile: when taken up again, the pass
 * continues
 * after it.
 */
export async function writeStandings(
  services: World,
  { key, definition }: Pick<Board, "key" | "definition">,
  from: Written,
  { budgetMs = endStepMs, playersPerRead = standingsPerDocument, onProgress }: WriteOptions = {},
): Promise<Written> {
  const { db, now } = services;
  const startedMs = now();
  const found = await walk(services, key, from);
  let { written, next } = found;
  const { after } = found;
  const chunk = async (place: ListPlace | undefined): Promise<Chunk> => {
    const query = listedPlayers(db, key, definition, place === undefined ? {} : { after: place });
    const { docs } = await query.limit(playersPerRead).get();
    const last = docs.at(-1);
    return {
      standings: standingsOf(services, key, docs),
      last: docs.length < playersPerRead || last === undefined ? undefined : placeOf(last),
    };
  };
  let waiting: Standing[] = [];
  let reading: Promise<Chunk> | undefined = chunk(after);
  // The read starts before it is awaited: a failure is reported where it is awaited.
  reading.catch(() => undefined);
  for (;;) {
    while (waiting.length < standingsPerDocument && reading !== undefined) {
      const { standings, last }: Chunk = await reading;
      waiting = waiting.concat(standings);
      reading = last === undefined ? undefined : chunk(last);
      reading?.catch(() => undefined);
    }
    if (waiting.length === 0) break;
    const packed = packStandings(waiting);
    if (written.pass > 1) next ??= (await db.getAll(db.doc(standingsPath(key, written.documents))))[0];
    await writeDocument(services, key, written, packed, next);
    next = undefined;
    const count = packed.standings.players.length;
    waiting = waiting.slice(count);
    written = { ...written, documents: written.documents + 1, players: written.players + count };
    await onProgress?.(written);
    if (now() - startedMs >= budgetMs) return written;
  }
  await deleteRest(services, key, written);
  return { ...written, ended: true };
}

/** The next players; `last` is the last one's place, undefined where there are no more. */
interface Chunk {
  standings: Standing[];
  last: ListPlace | undefined;
}

/** What the standings show of some players; where that is less than their documents hold, the log says so. */
function standingsOf({ log }: World, key: SeasonKey, documents: readonly DocumentSnapshot[]): Standing[] {
  let cut = 0;
  const standings = documents.flatMap((document) => {
    const data = document.data();
    const standing = standingOf(document.id, data);
    if (standing !== undefined && isCut(standing, data)) cut += 1;
    return standing ?? [];
  });
  if (cut > 0)
    log.warn("names or metadata are too long for the standings and were cut", { ...key, players: cut });
  return standings;
}

function placeOf(document: DocumentSnapshot): ListPlace {
  return [document.get("score") as number, document.get("achieved_at"), document.id];
}

interface Walked {
  written: Written;
  /** The place of the last player written. */
  after: ListPlace | undefined;
  /** The document that is written next, as found; undefined where it has not been read. */
  next: DocumentSnapshot | undefined;
}

/** Walks along the documents that the pass has written since its progress was noted. */
async function walk(services: World, key: SeasonKey, from: Written): Promise<Walked> {
  let written = from;
  let after: ListPlace | undefined;
  if (written.documents > 0) {
    // The last one noted says where the next begins.
    written = { ...written, documents: written.documents - 1 };
    const noted = (await services.db.getAll(services.db.doc(standingsPath(key, written.documents))))[0];
    if (noted?.get("pass") !== from.pass) throw new Error(`${standingsPath(key, written.documents)} is gone`);
    written = { ...written, players: written.players - storedStandings.parse(noted.data()).players.length };
  }
  for await (const chunk of standingsInOrder(services, key, { from: written.documents })) {
    for (const document of chunk) {
      const pass: unknown = document.get("pass");
      if (typeof pass === "number" && pass > written.pass)
        throw new Error(`pass ${written.pass} of the standings is over; another one has begun`);
      if (pass !== written.pass) return { written, after, next: document };
      const { players, scores, achieved_at: times } = storedStandings.parse(document.data());
      after = [scores.at(-1) ?? NaN, times.at(-1), players.at(-1) ?? ""];
      written = {
        ...written,
        documents: written.documents + 1,
        players: written.players + players.length,
      };
    }
  }
  return { written, after, next: undefined };
}

async function writeDocument(
  { db }: World,
  key: SeasonKey,
  { pass, documents: n }: Written,
  { standings, metadata }: Packed,
  found: DocumentSnapshot | undefined,
): Promise<void> {
  const batch = db.batch();
  const fields = { ...standings, pass };
  const ref = db.doc(standingsPath(key, n));
  if (found?.updateTime === undefined) batch.create(ref, fields);
  else {
    const seen: unknown = found.get("pass");
    if (typeof seen === "number" && seen > pass)
      throw new Error(`pass ${pass} of the standings is over; another one has begun`);
    batch.update(ref, fields, { lastUpdateTime: found.updateTime });
  }
  writeMetadata(batch, db.doc(standingsMetadataPath(key, n)), metadata, pass > 1);
  await batch.commit();
}

/** Adds a write to a batch: it sets or deletes the document of metadata that belongs to a document of the standings. */
export function writeMetadata(
  batch: WriteBatch | Transaction,
  ref: DocumentReference,
  metadata: Packed["metadata"],
  mayBeThere: boolean,
): void {
  // Both kinds of batch have the method, with different return types.
  if (metadata !== undefined) (batch as WriteBatch).set(ref, metadata);
  else if (mayBeThere) batch.delete(ref);
}

/**
 * Deletes what an earlier pass wrote after the last document of this one: the last ones first, so that a killed step
 * leaves no gap, as documents after a gap would never be found.
 */
async function deleteRest(services: World, key: SeasonKey, { pass, documents }: Written): Promise<void> {
  if (pass === 1) return;
  const { db } = services;
  const rest: number[] = [];
  for await (const chunk of standingsInOrder(services, key, { from: documents, fields: ["pass"] }))
    rest.push(chunk.length);
  let until = documents + rest.reduce((sum, length) => sum + length, 0);
  for (const length of rest.toReversed()) {
    const batch = db.batch();
    for (let n = until - length; n < until; n++) {
      batch.delete(db.doc(standingsPath(key, n)));
      batch.delete(db.doc(standingsMetadataPath(key, n)));
    }
    await batch.commit();
    until -= length;
  }
}
