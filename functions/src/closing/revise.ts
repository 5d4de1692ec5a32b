/**
 * What an admin does to a player in a season that is closing or closed.
 *
 * While the season is closing, the same transaction notes the change on the season, so that standings which were read
 * before it are not final. Once it is closed, the same transaction takes the player out of the standings, or puts them
 * back, and leaves a record without the player's id. Pages and top are then published from the standings. If the
 * process dies in between, the season's end is due, and its next step publishes.
 *
 * A publication reads all standings, and hundreds of players may be banned at once. So a revision that follows another
 * publication within half a minute, or while one is owed, only says that it is owed: the next step publishes it with all
 * others. Until then readers answer from the standings alone, as the season tells them.
 */
import { type DocumentSnapshot, FieldValue, Timestamp, type Transaction } from "../documents/firestore.ts";
import {
  playerPath,
  runPath,
  type SeasonKey,
  seasonPath,
  standingsMetadataPath,
  standingsPath,
  standingsSummaryPath,
} from "../documents/paths.ts";
import { tell } from "../documents/event.ts";
import type { RevisionRecord } from "../documents/closing-record.ts";
import { standingsWith } from "../documents/queries.ts";
import { type Season, storedSeason } from "../documents/season.ts";
import {
  comparePlaces,
  type Place,
  storedStandings,
  storedStandingsMetadata,
  storedStandingsSummary,
  type StandingsSummary,
} from "../documents/standings.ts";
import { documentSize } from "../model/document-size.ts";
import { revisionsGatherMs, standingsMetadataBytesMax } from "../model/limits.ts";
import type { PlayerStatus } from "../model/player-status.ts";
import { isBetter, type Order } from "../model/score.ts";
import type { Board } from "../seasons/board.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { tryAgain } from "../world/try-again.ts";
import { restEnd } from "./clear.ts";
import { documentsOf, type Packed, playersOf, type Standing, standingOf } from "./pack-standings.ts";
import { publishStandings } from "./publish-standings.ts";
import { sumsWith, sumsWithout } from "./revise-sums.ts";
import { writeMetadata } from "./write-standings.ts";

/** What is done: the player is erased, or gets a status. */
export type Revision = "removed" | PlayerStatus;

/** The result. */
export interface Revised {
  /** The season's status, `open` where it has not been opened yet; undefined where it is being deleted. */
  status: "open" | "closing" | "closed" | undefined;
  /** Whether the player had a document. */
  found: boolean;
  /** Whether the standings have changed. */
  revised: boolean;
  /** Whether pages and top are still to be published from them, by the next step of the season's end. */
  owed: boolean;
}

/**
 * Erases a player of a season, or sets a status; in a closed season it ranks everybody again. The transaction reads the
 * season's status, as a season that was open a while ago may be closing or closed by now. For an open or closing
 * season, the player remains to be indexed.
 *
 * Cost: 2 reads, 1 write in an open season, 2 in a closing one. In a closed one 4 reads, and 1 for the metadata; to put
 * a player back a few more among equal scores; 6 writes with the event where the standings change, 1 more for metadata,
 * and what publish-standings.ts says, which revisions within half a minute share.
 */
export async function revisePlayer(
  services: TopServices,
  key: SeasonKey,
  player: string,
  revision: Revision,
): Promise<Revised> {
  const board = await services.boards.load(key);
  const run = services.newId();
  // All revisions of a season write its summary: of many at once each waits for the others.
  const revised = await tryAgain(services, () =>
    services.db.runTransaction((transaction) =>
      revise(services, transaction, board, { player, revision, run }),
    ),
  );
  if (revised.revised) services.log.info("revised a closed season", { ...key, reason: revision });
  if (revised.revised && !revised.owed) {
    try {
      const { revisions } = await publishStandings(services, board);
      await restEnd(services, key, revisions);
    } catch (error) {
      services.log.error("a revision is recorded, and its ranks are published within minutes", {
        ...key,
        error: String(error),
      });
    }
  }
  return revised;
}

interface Asked {
  player: string;
  revision: Revision;
  run: string;
}

type What = Pick<Board, "key" | "definition">;

async function revise(
  { db, now }: TopServices,
  transaction: Transaction,
  { key, definition }: What,
  { player, revision, run }: Asked,
): Promise<Revised> {
  const seasonRef = db.doc(seasonPath(key));
  const [seasonFound, document] = await transaction.getAll(seasonRef, db.doc(playerPath(key, player)));
  const season = seasonFound?.exists === true ? storedSeason.parse(seasonFound.data()) : undefined;
  // A trusted server's document may exist before its season.
  const status = season?.status ?? "open";
  if (status === "deleting" || document === undefined)
    return { status: undefined, found: false, revised: false, owed: false };
  const nowMs = now();
  const at = Timestamp.fromMillis(nowMs);
  const isBack = status === "closed" && revision === "active";
  const fields = { status: revision, ...(isBack ? timeIfMissing(document, at) : {}) };
  const plan =
    status === "closed"
      ? await planRevision(db, transaction, { key, definition }, document, fields)
      : undefined;
  const changes = writePlayer(transaction, document, fields);
  if (status === "closing" && changes)
    transaction.update(seasonRef, { changed_at: FieldValue.serverTimestamp() });
  const waitsMs = season === undefined ? undefined : gathersUntilMs(season, nowMs);
  if (season !== undefined && plan !== undefined) {
    const summary = { ...plan.summary, as_of: at, revisions: plan.summary.revisions + 1 };
    writePlan(db, transaction, key, plan);
    transaction.set(db.doc(standingsSummaryPath(key)), summary);
    const { revisions } = summary;
    transaction.update(seasonRef, { revisions, end_due_at: Timestamp.fromMillis(waitsMs ?? nowMs) });
    const facts = { run, reason: revision, revisions, players: summary.players };
    transaction.set(db.doc(runPath(key, run)), recordOf(key, facts, at));
    const told = { reason: revision, revisions, player_count: summary.players };
    const happened = { key, span: season.span, atMs: nowMs, once: run, fields: told };
    tell(db, transaction, definition, { kind: "season_revised", ...happened });
  }
  return {
    status,
    found: document.exists,
    revised: plan !== undefined,
    owed: plan !== undefined && waitsMs !== undefined,
  };
}

function recordOf(
  key: SeasonKey,
  facts: Pick<RevisionRecord, "run" | "reason" | "revisions" | "players">,
  at: Timestamp,
): RevisionRecord {
  return { kind: "revision", outcome: "done", ...key, ...facts, started_at: at, finished_at: at };
}

/**
 * When the next step of the season's end publishes a revision; nothing where it is published at once. It waits if another
 * publication was half a minute ago or less, or is owed: by somebody who is at it, or by the step.
 */
function gathersUntilMs({ end_due_at: endDueAt, ranking }: Season, nowMs: number): number | undefined {
  const endDueMs = endDueAt?.toMillis() ?? Infinity;
  const gatheredMs = (ranking.published_at?.toMillis() ?? -Infinity) + revisionsGatherMs;
  if (endDueMs <= nowMs) return endDueMs;
  return gatheredMs > nowMs ? Math.min(endDueMs, gatheredMs) : undefined;
}

/** What becomes of a player's document. */
interface NextFields {
  status: Revision;
  achieved_at?: Timestamp;
}

/** The time that the document of somebody who was taken out before an event had completed it does not have. */
function timeIfMissing(document: DocumentSnapshot, at: Timestamp): Pick<NextFields, "achieved_at"> {
  return !document.exists || document.get("achieved_at") instanceof Timestamp ? {} : { achieved_at: at };
}

/** @returns whether the player's document has changed. */
function writePlayer(transaction: Transaction, document: DocumentSnapshot, fields: NextFields): boolean {
  if (!document.exists) return false;
  if (fields.status === "removed") transaction.delete(document.ref);
  else if (document.get("status") === fields.status && fields.achieved_at === undefined) return false;
  else transaction.update(document.ref, { ...fields });
  return true;
}

/** The next contents of a document of the standings, and of the summary. */
interface Plan {
  n: number;
  packed: Packed;
  /** Whether the document existed, and metadata beside it. */
  exists: boolean;
  hadMetadata: boolean;
  summary: StandingsSummary;
}

/** The change of the standings; undefined where the player is in them, or not in them, as it should be. */
async function planRevision(
  db: TopServices["db"],
  transaction: Transaction,
  { key, definition }: What,
  document: DocumentSnapshot,
  fields: NextFields,
): Promise<Plan | undefined> {
  const player = document.id;
  const found = (await transaction.get(standingsWith(db, key, player))).docs[0];
  const standing = standingOf(player, { ...document.data(), ...fields });
  if ((found === undefined) === (standing === undefined)) return undefined;
  const stored = await transaction.get(db.doc(standingsSummaryPath(key)));
  const summary = storedStandingsSummary.parse(stored.data());
  if (found !== undefined) {
    const n = Number(found.id);
    const { players, hadMetadata } = await readPlayers(db, transaction, key, n, found);
    const index = players.findIndex((other) => other.player === player);
    const scores = players.map(({ score }) => score);
    return {
      n,
      packed: documentsOf(players.toSpliced(index, 1)),
      exists: true,
      hadMetadata,
      summary: { ...summary, ...sumsWithout(summary, n, scores, index) },
    };
  }
  if (standing === undefined) return undefined;
  const { ties = definition.ties } = summary;
  const compare = (a: Place, b: Place) => comparePlaces(definition.order, ties, a, b);
  const read = async (n: number) => (await transaction.get(db.doc(standingsPath(key, n)))).data();
  const n = await placeIn(read, definition.order, summary, standing, compare);
  const before = await transaction.get(db.doc(standingsPath(key, n)));
  const { players, hadMetadata } = await readPlayers(db, transaction, key, n, before);
  const behind = players.findIndex((other) => compare(standing, other) < 0);
  const index = behind === -1 ? players.length : behind;
  const { score } = standing;
  const scores = players.map((other) => other.score);
  return {
    n,
    packed: fitted(key, n, players, index, standing),
    exists: before.exists,
    hadMetadata,
    summary: { ...summary, ...sumsWith(summary, n, scores, { index, score }) },
  };
}

/** If a document is full, a player who comes back does so without a name, or without metadata. */
function fitted(
  key: SeasonKey,
  n: number,
  players: readonly Standing[],
  index: number,
  standing: Standing,
): Packed {
  const { standings, metadata } = documentsOf(players.toSpliced(index, 0, standing));
  const isFull = (path: string, fields: object = {}) =>
    documentSize(path, fields) > standingsMetadataBytesMax;
  return documentsOf(
    players.toSpliced(index, 0, {
      ...standing,
      ...(isFull(standingsPath(key, n), standings) ? { name: "" } : {}),
      ...(isFull(standingsMetadataPath(key, n), metadata) ? { metadata: "" } : {}),
    }),
  );
}

/** The document that a player belongs in: the last one that does not begin after the player. */
async function placeIn(
  read: (n: number) => Promise<Record<string, unknown> | undefined>,
  order: Order,
  { counts, first_scores: firsts }: StandingsSummary,
  standing: Standing,
  compare: (a: Place, b: Place) => number,
): Promise<number> {
  const better = firsts.findLastIndex((first) => isBetter(order, first, standing.score));
  const equal = firsts.flatMap((first, n) => (first === standing.score && (counts[n] ?? 0) > 0 ? [n] : []));
  // Among documents that begin with equal scores, their first players decide: each read rules out half of them.
  let [from, until] = [0, equal.length];
  while (from < until) {
    const middle = Math.floor((from + until) / 2);
    const standings = storedStandings.parse(await read(equal[middle] ?? 0));
    const [first] = playersOf({ standings, metadata: undefined });
    if (first !== undefined && compare(first, standing) < 0) from = middle + 1;
    else until = middle;
  }
  return equal[from - 1] ?? Math.max(0, better);
}

async function readPlayers(
  db: TopServices["db"],
  transaction: Transaction,
  key: SeasonKey,
  n: number,
  document: DocumentSnapshot,
): Promise<{ players: Standing[]; hadMetadata: boolean }> {
  if (!document.exists) return { players: [], hadMetadata: false };
  const standings = storedStandings.parse(document.data());
  if (!standings.has_metadata)
    return { players: playersOf({ standings, metadata: undefined }), hadMetadata: false };
  const found = await transaction.get(db.doc(standingsMetadataPath(key, n)));
  const metadata = found.exists ? storedStandingsMetadata.parse(found.data()) : undefined;
  return { players: playersOf({ standings, metadata }), hadMetadata: found.exists };
}

function writePlan(
  db: TopServices["db"],
  transaction: Transaction,
  key: SeasonKey,
  { n, packed: { standings, metadata }, exists, hadMetadata }: Plan,
): void {
  const ref = db.doc(standingsPath(key, n));
  if (exists) transaction.update(ref, { ...standings });
  else transaction.set(ref, { ...standings, pass: 1 });
  writeMetadata(transaction, db.doc(standingsMetadataPath(key, n)), metadata, hadMetadata);
}
