/**
 * What an admin does to a player in a season that may be closing or closed. While it closes, the commit that counts the
 * change leaves a note (notes.ts). Once it is closed, the same transaction revises the standings, and leaves a record
 * without the player's id. A line that a ban takes out is kept in the player's document, and put back as it was.
 *
 * Pages and top are then published from the standings. As hundreds of players may be banned at once, a revision that
 * follows another publication within half a minute, or while one is owed, leaves that to the next step of the season's
 * end, as does a process that dies. Until then readers answer from the standings alone.
 */
import { type DocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { playerPath, runPath, type SeasonKey, seasonPath } from "../documents/paths.ts";
import { mergedUntilMs, writeErasure } from "../documents/erasure.ts";
import { addEvent } from "../documents/event.ts";
import type { RevisionRecord } from "../documents/closing-record.ts";
import type { PlayerChange } from "../documents/player.ts";
import { type Season, readSeason } from "../documents/season.ts";
import {
  commitPlayers,
  type Fields,
  type PlayersTransaction,
  writeFields,
} from "../counting/commit-players.ts";
import { documentsAt, type DocumentsAt } from "../documents/reads.ts";
import { segmentNames } from "../model/definition.ts";
import { revisionsGatherMs } from "../model/limits.ts";
import type { PlayerStatus } from "../model/player-status.ts";
import { definitionOf } from "../model/season-definition.ts";
import { segmentsIn, segmentValues } from "../model/segments.ts";
import { boardCacheOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { heldLine, holdLine, type Standing, standingOf } from "./pack.ts";
import { describeError } from "../world/describe-error.ts";
import { tryAgain } from "../world/try-again.ts";
import { draftStandings, type StandingsDraft } from "./draft-standings.ts";
import { writeNote } from "./notes.ts";
import { publishStandings } from "./publish-standings.ts";
import { setEndDue } from "./end-due.ts";
import type { Services } from "../world/services.ts";

type Revision = "removed" | PlayerStatus;

/** What has become of a season in which a player was changed. */
export interface Revised {
  /** The season's status, `open` where it has not been opened yet; undefined where it is being deleted. */
  status: "open" | "closing" | "closed" | undefined;
  /** Whether the standings have changed. */
  revised: boolean;
  /** Whether pages and top are still to be published from them, by the next step of the season's end. */
  owed: boolean;
}

/**
 * Erases a player of a season, or sets a status; in a closed season it ranks everybody again, and gives the player's line,
 * also one that was taken out.
 *
 * Cost: 2 reads, 1 write, and 1 for the shard document where the player was counted; of an erasure also 1 for the
 * receipt; in a closing season 1 for the note. In a closed one 4 reads, and 1 for the metadata; to put a player back a
 * few more among equal scores; 6 writes with the event where the standings change, 1 more for metadata, and what
 * publish-standings.ts says, which revisions within half a minute share.
 */
export async function revisePlayer(
  services: Services,
  key: SeasonKey,
  player: string,
  revision: Revision,
): Promise<Revised & { found: boolean; change: PlayerChange; line: Standing | undefined }> {
  const read = [playerPath(key, player)] as const;
  const change = async ([document]: DocumentsAt<typeof read>, of: Circumstances): Promise<Changed> => {
    const { definition, standings, writer } = of;
    const line = await standings?.find(player);
    const before = document.data();
    if (before === undefined || revision === "removed") {
      await standings?.put(player, revision === "removed" ? undefined : line, definition);
      if (before !== undefined) writer.remove(document);
      // Even if there is no document: the players may have been read while there was.
      if (revision === "removed") writer.note(player, true);
      return { before, after: undefined };
    }
    const { next, fields } = nextOf(document, before, line, revision, of);
    await standings?.put(player, next, definition);
    if (before["status"] !== revision || Object.keys(fields).length > 1) writer.write(document, fields);
    writer.note(player, false);
    const known = standings && (line ?? next ?? heldLine(player, before));
    return { before, after: { ...before, ...fields }, line: known };
  };
  const { result, ...revised } = await reviseSeason(services, key, { reason: revision, read, change });
  const made: Changed = result ?? { before: undefined, after: undefined };
  return { ...revised, found: made.before !== undefined, change: made, line: made.line };
}

/** A change, and in a closed season the line that the table has or had of the player. */
interface Changed extends PlayerChange {
  line?: Standing | undefined;
}

/** In what a change is made. */
export interface Circumstances {
  definition: Board["definition"];
  status: "open" | "closing" | "closed";
  at: Timestamp;
  /** Of a closed season: the change revises them. */
  standings: StandingsDraft | undefined;
  writer: ReturnType<typeof writerIn>;
}

interface RevisionAsked<Paths extends readonly string[], Result> {
  reason: RevisionRecord["reason"];
  read: Paths;
  /** Gets these documents. It reads before it writes, and may be called again. */
  change: (documents: DocumentsAt<Paths>, of: Circumstances) => Promise<Result>;
}

/**
 * Changes players of a season in one transaction, and in a closed season its standings, which are published. The
 * transaction reads the season's status, as a season that was open a while ago may be closing or closed by now.
 * @returns the result of the change; none in a season that is being deleted.
 */
export async function reviseSeason<const Paths extends readonly string[], Result>(
  services: Services,
  key: SeasonKey,
  asked: RevisionAsked<Paths, Result>,
): Promise<Revised & { result: Result | undefined }> {
  const board = await boardCacheOf(services).load(key);
  // All revisions of a season write its summary: of many at once each waits for the others. Each attempt has a record of
  // its own: one whose answer was lost may have been committed, and others may have changed the player since.
  const revised = await tryAgain(services, () =>
    commitPlayers(services, [board], (players) => revise(services, players, board, asked)),
  );
  if (revised.revised) services.log.info("revised a closed season", { ...key, reason: asked.reason });
  if (revised.revised && !revised.owed) {
    try {
      await publishStandings(services, board);
      await setEndDue(services, key);
    } catch (error) {
      const problem = { ...key, error: describeError(error) };
      services.log.error("a revision is recorded, and its ranks are published within minutes", problem);
    }
  }
  return revised;
}

async function revise<Paths extends readonly string[], Result>(
  services: Services,
  players: PlayersTransaction,
  board: Board,
  { reason, read, change }: RevisionAsked<Paths, Result>,
): Promise<Revised & { result: Result | undefined }> {
  const { transaction } = players;
  const { db, now, newId } = services;
  const { key } = board;
  const [seasonFound, ...documents] = await documentsAt(db, [seasonPath(key), ...read], players);
  const season = seasonFound.exists ? readSeason(seasonFound.data()) : undefined;
  const definition = definitionOf(board, season);
  // A trusted server's document may exist before its season.
  const status = season?.status ?? "open";
  if (status === "deleting") return { status: undefined, revised: false, owed: false, result: undefined };
  const standings = status === "closed" ? draftStandings(db, transaction, key) : undefined;
  const run = newId();
  const nowMs = now();
  const at = Timestamp.fromMillis(nowMs);
  const writer = writerIn(services, players, board, status);
  const result = await change(documents, { definition, status, at, standings, writer });
  const summary = standings?.write(at);
  if (season === undefined || summary === undefined) return { status, revised: false, owed: false, result };
  const waitsMs = gathersUntilMs(season, nowMs);
  const { revisions } = summary;
  transaction.update(seasonFound.ref, { revisions, end_due_at: Timestamp.fromMillis(waitsMs ?? nowMs) });
  const { players: count } = summary;
  const made = { ...key, run, reason, revisions, players: count, started_at: at, finished_at: at };
  const record: RevisionRecord = { kind: "revision", outcome: "done", ...made };
  transaction.set(db.doc(runPath(key, run)), record);
  const fields = { reason, revisions, player_count: count };
  const happened = { key, span: season.span, atMs: nowMs, once: run, fields };
  addEvent(db, transaction, definition, { kind: "season_revised", ...happened });
  return { status, revised: true, owed: waitsMs !== undefined, result };
}

/**
 * Writes players' documents with their marks, and notes of players while the season closes. In a closed one nothing is
 * counted any more: there the marks only say who is in the lists of segments.
 */
function writerIn(
  services: Services,
  players: PlayersTransaction,
  board: Board,
  status: Circumstances["status"],
) {
  const { transaction } = players;
  const { key } = board;
  return {
    write(found: DocumentSnapshot, fields: Fields): void {
      const draft = players.draft(key, found, fields);
      if (status === "closed") writeFields(transaction, found.ref, draft.fields);
      else players.write(draft);
    },
    remove(found: DocumentSnapshot): void {
      if (status === "closed") transaction.delete(found.ref);
      else players.remove(key, found);
    },
    /** The board does not take a player who was merged for a while. Cost: 1 write. @param erasure what one has left */
    keepOut(player: string, erasure: DocumentSnapshot): void {
      const { leaderboard } = key;
      const untilMs = mergedUntilMs(erasure, leaderboard, services.now());
      writeErasure(services.db, transaction, { player, leaderboard, untilMs });
    },
    note(player: string, isReplaced: boolean): void {
      if (status === "closing") writeNote(services.db, transaction, key, player, isReplaced);
    },
  };
}

/** When a step of the season's end publishes a revision, as one was published lately or is owed; else nothing. */
function gathersUntilMs({ end_due_at: endDueAt, ranking }: Season, nowMs: number): number | undefined {
  const endDueMs = endDueAt?.toMillis() ?? Infinity;
  const gatheredMs = (ranking.published_at?.toMillis() ?? -Infinity) + revisionsGatherMs;
  if (endDueMs <= nowMs) return endDueMs;
  return gatheredMs > nowMs ? Math.min(endDueMs, gatheredMs) : undefined;
}

/** What becomes of a player's line in the standings, and which fields of the document change. Pure. */
function nextOf(
  document: DocumentSnapshot,
  data: Fields,
  line: Standing | undefined,
  revision: PlayerStatus,
  { status, at, definition }: Pick<Circumstances, "status" | "at" | "definition">,
): { next: Standing | undefined; fields: Fields } {
  const isClosed = status === "closed";
  const isActive = revision === "active";
  const player = document.id;
  const held = heldLine(player, data);
  // While the season closes, the line may not be written yet: once the line is written, the note keeps it (notes.ts).
  const shown = status === "closing" ? (held ?? standingOf(player, data, definition)) : line;
  const fields: Fields = {
    status: revision,
    // The document of somebody who was taken out before it was completed does not have a time.
    ...(isClosed && !(data["achieved_at"] instanceof Timestamp) ? { achieved_at: at } : {}),
    ...(isClosed && isActive && held !== undefined ? { held_line: undefined } : {}),
  };
  if (!isActive && shown !== undefined) fields["held_line"] = holdLine(document, fields, shown);
  // Lists find by the mark that this commit writes: who comes back has the segments of the line in it.
  const isBack = isClosed && isActive && line === undefined && held !== undefined;
  const names = segmentNames(definition);
  if (isBack && held.segments !== segmentsIn(data["segments"], names).join(" "))
    fields["segments"] = held.segments === "" ? undefined : segmentValues(held.segments.split(" "));
  const segments = segmentsIn({ ...data, ...fields }["segments"], names);
  const next = isActive
    ? (line ?? held ?? standingOf(player, { ...data, ...fields }, definition, segments))
    : undefined;
  return { next, fields };
}
