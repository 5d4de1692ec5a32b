/** The standings of a closed season as one transaction revises them: in memory, and written at the end. */
import { isDeepStrictEqual } from "node:util";
import {
  type DocumentReference,
  type DocumentSnapshot,
  FieldValue,
  type Firestore,
  type Timestamp,
  type Transaction,
} from "../documents/firestore.ts";
import {
  type SeasonKey,
  standingsMetadataPath,
  standingsPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { standingsWith } from "../documents/queries.ts";
import {
  numbersOf,
  type OrderedPlayer,
  type StandingsMetadata,
  type StandingsSummary,
} from "../documents/standings.ts";
import { comparePlayers } from "../model/compare-players.ts";
import type { Definition } from "../model/definition.ts";
import { documentSize } from "../model/document-size.ts";
import { standingsMetadataBytesMax } from "../model/limits.ts";
import { isBetter, type Order } from "../model/score.ts";
import { documentsOf, playersOf, type Standing, unpack, sumsAfter } from "./pack.ts";
import { packedIn, readSummary, writeSummary } from "./summary.ts";

export type StandingsDraft = ReturnType<typeof draftStandings>;

interface Opened {
  players: Standing[];
  /** Whether the document existed, and metadata beside it. */
  exists: boolean;
  hadMetadata: boolean;
  isChanged: boolean;
}

/**
 * Standings to be revised, each document read when it is first needed. It is one function, as each change goes on from
 * what the last one left. Documents are known by their index in the summary's arrays.
 */
// eslint-disable-next-line max-lines-per-function -- short functions over the same standings
export function draftStandings(db: Firestore, transaction: Transaction, key: SeasonKey) {
  const found = new Map<number, DocumentSnapshot>();
  const opened = new Map<number, Opened>();
  /** The index of the document of each player who was looked for; undefined for a player who is in none. */
  const indexes = new Map<string, number | undefined>();
  /** Documents, by number, of standings begun as of another time in which players who were looked for are too. */
  const abandoned = new Set<number>();
  let present: StandingsSummary | undefined;

  const summary = async () => (present ??= await summaryOf(db, transaction, key));

  async function read(index: number): Promise<DocumentSnapshot> {
    const n = numbersOf(await summary())[index] ?? index;
    const document = found.get(index) ?? (await transaction.get(db.doc(standingsPath(key, n))));
    found.set(index, document);
    return document;
  }

  async function open(index: number): Promise<Opened> {
    const known = opened.get(index);
    if (known !== undefined) return known;
    const document = await read(index);
    const { exists } = document;
    const packed = exists ? await packedIn(transaction, document) : documentsOf([]);
    const hadMetadata = packed.metadata !== undefined;
    const asFound = { players: playersOf(packed), exists, hadMetadata, isChanged: false };
    opened.set(index, asFound);
    return asFound;
  }

  async function findIndex(player: string): Promise<number | undefined> {
    if (indexes.has(player)) return indexes.get(player);
    const numbers = numbersOf(await summary());
    const { docs } = await transaction.get(standingsWith(db, key, player));
    indexes.set(player, undefined);
    // Standings that were begun as of another time may still be there. Nobody reads them: they go with the player.
    for (const document of docs) {
      const index = numbers.indexOf(Number(document.id));
      if (index === -1) abandoned.add(Number(document.id));
      else {
        found.set(index, found.get(index) ?? document);
        indexes.set(player, index);
      }
    }
    return indexes.get(player);
  }

  /** A player's line. Cost: 1 read for the summary, 1 for the player's document and 1 for its metadata. */
  async function find(player: string): Promise<Standing | undefined> {
    const at = await findIndex(player);
    const document = at === undefined ? undefined : await open(at);
    return document?.players.find((other) => other.player === player);
  }

  async function fill(index: number, players: Standing[]): Promise<void> {
    const [known, document] = [await summary(), await open(index)];
    present = { ...known, ...sumsAfter(known, index, scoresIn(document.players), scoresIn(players)) };
    opened.set(index, { ...document, players, isChanged: true });
  }

  async function takeOut(player: string): Promise<void> {
    const at = await findIndex(player);
    if (at === undefined) return;
    const others = (await open(at)).players.filter((other) => other.player !== player);
    await fill(at, others);
    indexes.set(player, undefined);
  }

  /** A document's first player, without the metadata; nobody in an empty one. */
  async function firstOf(index: number): Promise<Standing | undefined> {
    const players = opened.get(index)?.players ?? playersOf(unpack((await read(index)).data()));
    return players[0];
  }

  async function putIn(
    standing: Standing,
    { order, ties }: Pick<Definition, "order" | "ties">,
  ): Promise<void> {
    const known = await summary();
    const compare = (a: OrderedPlayer, b: OrderedPlayer) => comparePlayers(order, ties, a, b);
    const at = await documentFor(standing, order, known, compare, firstOf);
    const { players } = await open(at);
    const index = players.filter((other) => compare(other, standing) < 0).length;
    await fill(at, players.toSpliced(index, 0, fitted(key, at, players, standing)));
    indexes.set(standing.player, at);
  }

  return {
    find,
    /**
     * Replaces a player's line, takes it out, or leaves it as it is; the board's order says where it belongs. Cost: as `find`; to put
     * a player in 1 for the document and 1 for its metadata, and a few more among equal scores.
     */
    async put(player: string, standing: Standing | undefined, ordering: Pick<Definition, "order" | "ties">) {
      if (isDeepStrictEqual(await find(player), standing)) return;
      await takeOut(player);
      if (standing !== undefined) await putIn(standing, ordering);
    },
    /**
     * Writes what has changed, as the next revision, and deletes the abandoned documents. Cost: 1 write for the summary and
     * 1 for each document, or 2 with metadata.
     * @returns the next summary; undefined where nothing has changed.
     */
    write(at: Timestamp): StandingsSummary | undefined {
      for (const n of abandoned)
        for (const path of [standingsPath(key, n), standingsMetadataPath(key, n)])
          transaction.delete(db.doc(path));
      const changed = [...opened].filter(([, { isChanged }]) => isChanged);
      if (present === undefined || changed.length === 0) return undefined;
      const numbers = numbersOf(present);
      for (const [index, { players, exists, hadMetadata }] of changed) {
        const { standings, metadata } = documentsOf(players);
        const n = numbers[index] ?? index;
        if (exists) transaction.update(db.doc(standingsPath(key, n)), { ...noSegments, ...standings });
        else transaction.set(db.doc(standingsPath(key, n)), standings);
        writeMetadata(transaction, db.doc(standingsMetadataPath(key, n)), metadata, hadMetadata);
      }
      const next = { ...present, as_of: at, revisions: present.revisions + 1 };
      writeSummary(db, transaction, key, next);
      return next;
    },
  };
}

const noSegments = { segments: FieldValue.delete() };

function scoresIn(players: readonly Standing[]): number[] {
  return players.map(({ score }) => score);
}

async function summaryOf(db: Firestore, transaction: Transaction, key: SeasonKey): Promise<StandingsSummary> {
  const { summary } = await readSummary(db, key, transaction);
  if (summary === undefined) throw new Error(`${standingsSummaryPath(key)} is missing`);
  if (summary.counts.length > 0) return summary;
  // Without players there is no document yet: the first to come in makes it.
  const ranges = [{ first: summary.ranges[0]?.first ?? 0, documents: 1 }];
  return { ...summary, counts: [0], first_scores: [NaN], ties_before: [0], dense_before: [0], ranges };
}

/** The document that a player belongs in: the last document that does not begin after the player. */
async function documentFor(
  standing: Standing,
  order: Order,
  { counts, first_scores: firsts }: StandingsSummary,
  compare: (a: OrderedPlayer, b: OrderedPlayer) => number,
  firstIn: (index: number) => Promise<Standing | undefined>,
): Promise<number> {
  const better = firsts.findLastIndex((first) => isBetter(order, first, standing.score));
  const equal = firsts.flatMap((first, n) => (first === standing.score && (counts[n] ?? 0) > 0 ? [n] : []));
  // Among documents that begin with equal scores, their first players decide: each read rules out half of them.
  let [from, until] = [0, equal.length];
  while (from < until) {
    const middle = Math.floor((from + until) / 2);
    const first = await firstIn(equal[middle] ?? 0);
    if (first !== undefined && compare(first, standing) < 0) from = middle + 1;
    else until = middle;
  }
  return equal[from - 1] ?? Math.max(0, better);
}

/** A player who comes in, without the name, or without metadata, if the document would be too full with it. */
function fitted(key: SeasonKey, n: number, players: readonly Standing[], standing: Standing): Standing {
  const { standings, metadata } = documentsOf([...players, standing]);
  const isFull = (path: string, fields: object = {}) =>
    documentSize(path, fields) > standingsMetadataBytesMax;
  return {
    ...standing,
    ...(isFull(standingsPath(key, n), standings) && { name: "" }),
    ...(isFull(standingsMetadataPath(key, n), metadata) && { metadata: "" }),
  };
}

/** Sets or deletes the document of metadata beside a document of the standings. Cost: 1 write, or none. */
function writeMetadata(
  transaction: Transaction,
  beside: DocumentReference,
  metadata: StandingsMetadata | undefined,
  mayBeThere: boolean,
): void {
  if (metadata !== undefined) transaction.set(beside, metadata);
  else if (mayBeThere) transaction.delete(beside);
}
