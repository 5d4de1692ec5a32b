/**
 * The standings of a closed season as one transaction revises them: players go out and come in, in memory, and all that
 * has changed is written at the end.
 */
import type { DocumentSnapshot, Firestore, Timestamp, Transaction } from "../documents/firestore.ts";
import {
  type SeasonKey,
  standingsMetadataPath,
  standingsPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { standingsWith } from "../documents/queries.ts";
import {
  comparePlaces,
  type PlaceInOrder,
  storedStandings,
  storedStandingsMetadata,
  storedStandingsSummary,
  type StandingsSummary,
} from "../documents/standings.ts";
import type { Definition } from "../model/definition.ts";
import { documentSize } from "../model/document-size.ts";
import { standingsMetadataBytesMax } from "../model/limits.ts";
import { isBetter, type Order } from "../model/score.ts";
import { documentsOf, playersOf, type Standing } from "./pack-standings.ts";
import { sumsWith, sumsWithout } from "./revise-sums.ts";
import { writeMetadata } from "./write-standings.ts";

/** Everything is read at most once. */
export interface StandingsDraft {
  /** Whether a player is in the standings. Cost: 1 read. */
  has(player: string): Promise<boolean>;
  /** A player's line. Cost: that of {@link has}, and 1 read for the document's metadata. */
  find(player: string): Promise<Standing | undefined>;
  /** Takes a player out, if found. Cost: that of {@link find}, and 1 read for the summary. */
  takeOut(player: string): Promise<void>;
  /**
   * Puts a player in who is not in the standings, by the board's order. Cost: 1 read for the summary, 1 for the document
   * and 1 for its metadata, and a few more among equal scores.
   */
  putIn(standing: Standing, definition: Pick<Definition, "order" | "ties">): Promise<void>;
  /**
   * Writes what has changed, as the next revision. Cost: 1 write for the summary and 1 for each document, or 2 where it
   * has metadata.
   * @returns the next summary; undefined where nothing has changed, or where there is none, as in standings that are
   * still being written.
   */
  write(at: Timestamp): StandingsSummary | undefined;
}

/** A document of the standings. */
interface Opened {
  players: Standing[];
  /** Whether the document existed, and metadata beside it. */
  exists: boolean;
  hadMetadata: boolean;
  isChanged: boolean;
}

/**
 * Standings to be revised. Nothing is read until it is needed. It is one function, as each change goes on from the
 * summary and the documents that the last one left.
 */
export function draftStandings(db: Firestore, transaction: Transaction, key: SeasonKey): StandingsDraft {
  const stored = createStored(db, transaction, key);
  let summary: StandingsSummary | undefined;
  const readSummary = async () => (summary ??= await stored.summary());

  return {
    has: async (player) => (await stored.placeOf(player)) !== undefined,

    async find(player) {
      const n = await stored.placeOf(player);
      if (n === undefined) return undefined;
      return (await stored.open(n)).players.find((other) => other.player === player);
    },

    async takeOut(player) {
      const n = await stored.placeOf(player);
      if (n === undefined) return;
      const document = await stored.open(n);
      const before = await readSummary();
      const index = document.players.findIndex((other) => other.player === player);
      if (before !== undefined) summary = { ...before, ...sumsWithout(before, n, scoresOf(document), index) };
      document.players = document.players.toSpliced(index, 1);
      document.isChanged = true;
      stored.places.set(player, undefined);
    },

    async putIn(standing, { order, ties: tiesNow }) {
      const before = await readSummary();
      if (before === undefined) throw new Error(`${standingsSummaryPath(key)} is missing`);
      const { ties = tiesNow } = before;
      const compare = (a: PlaceInOrder, b: PlaceInOrder) => comparePlaces(order, ties, a, b);
      const n = await documentFor(standing, order, before, compare, stored.firstOf);
      const document = await stored.open(n);
      const index = document.players.filter((other) => compare(other, standing) < 0).length;
      const sums = sumsWith(before, n, scoresOf(document), { index, score: standing.score });
      summary = { ...before, ...sums };
      document.players = fitted(key, n, document.players, index, standing);
      document.isChanged = true;
      stored.places.set(standing.player, n);
    },

    write(at) {
      for (const [n, document] of stored.opened)
        if (document.isChanged) writeDocument(db, transaction, key, n, document);
      if (summary === undefined) return undefined;
      const next = { ...summary, as_of: at, revisions: summary.revisions + 1 };
      transaction.set(db.doc(standingsSummaryPath(key)), next);
      return next;
    },
  };
}

function scoresOf({ players }: Opened): number[] {
  return players.map(({ score }) => score);
}

/** The stored standings, and what is in memory of them. */
interface Stored {
  opened: Map<number, Opened>;
  /** The document of each player who was looked for; undefined for a player who is in none. */
  places: Map<string, number | undefined>;
  summary(): Promise<StandingsSummary | undefined>;
  open(n: number): Promise<Opened>;
  placeOf(player: string): Promise<number | undefined>;
  /** The document's first player; nobody in an empty one. */
  firstOf: (n: number) => Promise<Standing | undefined>;
}

function createStored(db: Firestore, transaction: Transaction, key: SeasonKey): Stored {
  const opened = new Map<number, Opened>();
  const places = new Map<string, number | undefined>();
  const read = new Map<number, DocumentSnapshot>();

  async function readDocument(n: number): Promise<DocumentSnapshot> {
    const document = read.get(n) ?? (await transaction.get(db.doc(standingsPath(key, n))));
    read.set(n, document);
    return document;
  }

  return {
    opened,
    places,
    async summary() {
      const found = await transaction.get(db.doc(standingsSummaryPath(key)));
      return found.exists ? storedStandingsSummary.parse(found.data()) : undefined;
    },
    async open(n) {
      const known = opened.get(n);
      if (known !== undefined) return known;
      const document = await readDocument(n);
      const players = await readPlayers(db, transaction, key, n, document);
      const fresh = { ...players, exists: document.exists, isChanged: false };
      opened.set(n, fresh);
      return fresh;
    },
    async placeOf(player) {
      if (places.has(player)) return places.get(player);
      const document = (await transaction.get(standingsWith(db, key, player))).docs[0];
      const n = document === undefined ? undefined : Number(document.id);
      if (document !== undefined && n !== undefined && !read.has(n)) read.set(n, document);
      places.set(player, n);
      return n;
    },
    firstOf: async (n) => {
      const known = opened.get(n);
      if (known !== undefined) return known.players[0];
      const standings = storedStandings.parse((await readDocument(n)).data());
      return playersOf({ standings, metadata: undefined })[0];
    },
  };
}

/** The document that a player belongs in: the last one that does not begin after the player. */
async function documentFor(
  standing: Standing,
  order: Order,
  { counts, first_scores: firsts }: StandingsSummary,
  compare: (a: PlaceInOrder, b: PlaceInOrder) => number,
  firstOf: Stored["firstOf"],
): Promise<number> {
  const better = firsts.findLastIndex((first) => isBetter(order, first, standing.score));
  const equal = firsts.flatMap((first, n) => (first === standing.score && (counts[n] ?? 0) > 0 ? [n] : []));
  // Among documents that begin with equal scores, their first players decide: each read rules out half of them.
  let [from, until] = [0, equal.length];
  while (from < until) {
    const middle = Math.floor((from + until) / 2);
    const first = await firstOf(equal[middle] ?? 0);
    if (first !== undefined && compare(first, standing) < 0) from = middle + 1;
    else until = middle;
  }
  return equal[from - 1] ?? Math.max(0, better);
}

/** If a document is full, a player who comes in does so without a name, or without metadata. */
function fitted(
  key: SeasonKey,
  n: number,
  players: readonly Standing[],
  index: number,
  standing: Standing,
): Standing[] {
  const { standings, metadata } = documentsOf(players.toSpliced(index, 0, standing));
  const isFull = (path: string, fields: object = {}) =>
    documentSize(path, fields) > standingsMetadataBytesMax;
  return players.toSpliced(index, 0, {
    ...standing,
    ...(isFull(standingsPath(key, n), standings) ? { name: "" } : {}),
    ...(isFull(standingsMetadataPath(key, n), metadata) ? { metadata: "" } : {}),
  });
}

async function readPlayers(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  n: number,
  document: DocumentSnapshot,
): Promise<Pick<Opened, "players" | "hadMetadata">> {
  if (!document.exists) return { players: [], hadMetadata: false };
  const standings = storedStandings.parse(document.data());
  if (!standings.has_metadata)
    return { players: playersOf({ standings, metadata: undefined }), hadMetadata: false };
  const found = await transaction.get(db.doc(standingsMetadataPath(key, n)));
  const metadata = found.exists ? storedStandingsMetadata.parse(found.data()) : undefined;
  return { players: playersOf({ standings, metadata }), hadMetadata: found.exists };
}

function writeDocument(
  db: Firestore,
  transaction: Transaction,
  key: SeasonKey,
  n: number,
  { players, exists, hadMetadata }: Opened,
): void {
  const { standings, metadata } = documentsOf(players);
  const ref = db.doc(standingsPath(key, n));
  if (exists) transaction.update(ref, { ...standings });
  else transaction.set(ref, { ...standings, pass: 1 });
  writeMetadata(transaction, db.doc(standingsMetadataPath(key, n)), metadata, hadMetadata);
}
