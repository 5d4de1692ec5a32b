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
import { playerPath, runPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { tell } from "../documents/event.ts";
import type { RevisionRecord } from "../documents/closing-record.ts";
import { type Season, readSeason } from "../documents/season.ts";
import { revisionsGatherMs } from "../model/limits.ts";
import type { PlayerStatus } from "../model/player-status.ts";
import type { Board } from "../seasons/board.ts";
import type { TopServices } from "../top/gate-memory.ts";
import { tryAgain } from "../world/try-again.ts";
import { restEnd } from "./clear.ts";
import { draftStandings, type StandingsDraft } from "./draft-standings.ts";
import { standingOf } from "./pack-standings.ts";
import { publishStandings } from "./publish-standings.ts";

/** What is done: the player is erased, or gets a status. */
type Revision = "removed" | PlayerStatus;

/** The result. */
export interface Revised {
  /** The season's status, `open` where it has not been opened yet; undefined where it is being deleted. */
  status: "open" | "closing" | "closed" | undefined;
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
): Promise<Revised & { found: boolean }> {
  const { result: found = false, ...revised } = await reviseSeason(services, key, revision, {
    read: [playerPath(key, player)],
    async decide([document], standings, { definition, at }) {
      if (document === undefined) throw new Error("there is no answer for a document");
      const fields: NextFields =
        standings === undefined ? { status: revision } : { status: revision, ...timeIfMissing(document, at) };
      if (standings !== undefined) await movePlayer(standings, definition, document, fields);
      return { result: document.exists, write: writePlayer(document, fields) };
    },
  });
  return { ...revised, found };
}

/** A change of players in one season. */
export interface Change<Result> {
  /** Paths of the documents that it needs. */
  read: readonly string[];
  /**
   * What to do, given these documents and, in a closed season, the standings, which it changes. It reads in the
   * transaction and writes nothing, and may be called again.
   */
  decide: (
    documents: readonly DocumentSnapshot[],
    standings: StandingsDraft | undefined,
    circumstances: { definition: Board["definition"]; at: Timestamp },
  ) => Promise<Decided<Result>>;
}

/** What a change decided; `write` is undefined where no document changes. */
export interface Decided<Result> {
  result: Result;
  write: ((transaction: Transaction) => void) | undefined;
}

/**
 * Changes players of a season in one transaction, and in a closed season its standings, which are published. The
 * transaction reads the season's status, as a season that was open a while ago may be closing or closed by now. For an
 * open or closing season, the players remain to be indexed.
 *
 * Cost: 1 read, what the change reads and writes, and 1 write in a closing season. In a closed one what
 * {@link StandingsDraft} costs; where the standings change 4 writes with the event, and what publish-standings.ts says,
 * which revisions within half a minute share.
 * @returns the result of the change; none in a season that is being deleted.
 */
export async function reviseSeason<Result>(
  services: TopServices,
  key: SeasonKey,
  reason: RevisionRecord["reason"],
  change: Change<Result>,
): Promise<Revised & { result: Result | undefined }> {
  const board = await services.boards.load(key);
  // All revisions of a season write its summary: of many at once each waits for the others. Each attempt has a record of
  // its own: one whose answer was lost may have been committed, and others may have changed the player since.
  const revised = await tryAgain(services, () =>
    services.db.runTransaction((transaction) =>
      revise(services, transaction, board, { reason, run: services.newId(), ...change }),
    ),
  );
  if (revised.revised) services.log.info("revised a closed season", { ...key, reason });
  if (revised.revised && !revised.owed) {
    try {
      await restEnd(services, key, await publishStandings(services, board));
    } catch (error) {
      services.log.error("a revision is recorded, and its ranks are published within minutes", {
        ...key,
        error: String(error),
      });
    }
  }
  return revised;
}

interface Asked<Result> extends Change<Result> {
  reason: RevisionRecord["reason"];
  run: string;
}

async function revise<Result>(
  { db, now }: TopServices,
  transaction: Transaction,
  { key, definition }: Pick<Board, "key" | "definition">,
  { read, decide, reason, run }: Asked<Result>,
): Promise<Revised & { result: Result | undefined }> {
  const seasonRef = db.doc(seasonPath(key));
  const [seasonFound, ...documents] = await transaction.getAll(
    seasonRef,
    ...read.map((path) => db.doc(path)),
  );
  const season = seasonFound?.exists === true ? readSeason(seasonFound.data()) : undefined;
  // A trusted server's document may exist before its season.
  const status = season?.status ?? "open";
  if (status === "deleting") return { status: undefined, revised: false, owed: false, result: undefined };
  const standings = status === "closed" ? draftStandings(db, transaction, key) : undefined;
  const nowMs = now();
  const at = Timestamp.fromMillis(nowMs);
  const { result, write } = await decide(documents, standings, { definition, at });
  write?.(transaction);
  if (status === "closing" && write !== undefined)
    transaction.update(seasonRef, { changed_at: FieldValue.serverTimestamp() });
  const summary = standings?.write(at);
  if (season === undefined || summary === undefined) return { status, revised: false, owed: false, result };
  const waitsMs = gathersUntilMs(season, nowMs);
  const { revisions } = summary;
  transaction.update(seasonRef, { revisions, end_due_at: Timestamp.fromMillis(waitsMs ?? nowMs) });
  const facts = { run, reason, revisions, players: summary.players };
  transaction.set(db.doc(runPath(key, run)), recordOf(key, facts, at));
  const fields = { reason, revisions, player_count: summary.players };
  const happened = { key, span: season.span, atMs: at.toMillis(), once: run, fields };
  tell(db, transaction, definition, { kind: "season_revised", ...happened });
  return { status, revised: true, owed: waitsMs !== undefined, result };
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

/** The write of the player's document; none where it stays as it is. */
function writePlayer(document: DocumentSnapshot, fields: NextFields): Decided<unknown>["write"] {
  if (!document.exists) return undefined;
  if (fields.status === "removed") return (transaction) => transaction.delete(document.ref);
  if (document.get("status") === fields.status && fields.achieved_at === undefined) return undefined;
  return (transaction) => transaction.update(document.ref, { ...fields });
}

/** Takes the player out of the standings, or puts the player back. */
async function movePlayer(
  standings: StandingsDraft,
  definition: Board["definition"],
  document: DocumentSnapshot,
  fields: NextFields,
): Promise<void> {
  const standing =
    fields.status === "active" ? standingOf(document.id, { ...document.data(), ...fields }) : undefined;
  if ((await standings.has(document.id)) === (standing !== undefined)) return;
  if (standing === undefined) await standings.takeOut(document.id);
  else await standings.putIn(standing, definition);
}
