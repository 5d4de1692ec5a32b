/** `exportPlayer`: all that is stored about a player, for one who asks for it. */
import { z } from "zod";
import { erasurePath } from "../documents/erasure.ts";
import { boardEvent, eventNaming, nameInEvents } from "../documents/event.ts";
import { type Firestore, Timestamp, type Transaction } from "../documents/firestore.ts";
import {
  playerPath,
  playerStatusPath,
  type SeasonKey,
  seasonPath,
  seasonsPath,
  standingsMetadataPath,
  topPath,
} from "../documents/paths.ts";
import { plainJson } from "../documents/plain-json.ts";
import { eventsWith, newestStandings, standingsWith } from "../documents/queries.ts";
import { documentsAt, idsIn, readTogether } from "../documents/reads.ts";
import { linesInTop } from "../documents/top.ts";
import type { ExportPlayerAnswer, SeasonOfPlayer } from "../model/admin-answers.ts";
import { documentId, leaderboardId } from "../model/ids.ts";
import { boardIfAny } from "../seasons/board.ts";
import { currentOf, definitionKey } from "../seasons/current.ts";
import { indexOfStandings } from "../standings/lookup.ts";
import { fieldsOf, placesOf } from "../standings/pack.ts";
import { packedIn, readSummary } from "../standings/summary.ts";
import { boardsStored } from "./boards-asked.ts";
import type { Services } from "./services.ts";
import { damagedCursor, type OperationSpec } from "./spec.ts";

/** Boards, seasons and events that one answer looks at, in one transaction. */
export const exportedMax = 100;

export const exportPlayerRequest = z.strictObject({
  player: documentId,
  leaderboard: leaderboardId.optional(),
  cursor: z.string("must be next_cursor of an answer of exportPlayer").optional(),
  limit: z
    .int("must be a whole number")
    .min(1, "must be at least 1")
    .max(exportedMax, `must be at most ${exportedMax}; next_cursor leads on`)
    .default(exportedMax)
    .describe("Boards, seasons and events looked at, whether they have anything of the player or not."),
});

/** Bytes of an answer, as JSON: a callable's may have 10 MB. */
export const exportBytesMax = 8_000_000;

/**
 * All that is stored about a player, on one board or on all: exactly what {@link removePlayerSpec} erases, what that has
 * left for a day, and the paths of the documents, with nothing about other players. An answer looks at 100 boards, seasons and events at most,
 * and has 8 MB at most, or one season. `next_cursor` leads on, by the ids of boards; what changes between two answers
 * may be in both, or as it was before.
 *
 * Cost: 1 read; for each board 3 reads, at least; 4 for each season of it, 1 more unless it is open, and 1 more where the
 * player is in its standings, 2 with metadata; 1 for each event that names the player. A span whose present season no
 * score has opened yet costs 3. Each further answer reads again 1 for each board, and 1 for each season of its first
 * board. A board's definition costs 2 reads a minute.
 * @throws `leaderboard_not_found` for a named board of which nothing is stored; `invalid_request` about the cursor.
 */
export const exportPlayerSpec: OperationSpec<typeof exportPlayerRequest, ExportPlayerAnswer> = {
  name: "exportPlayer",
  request: exportPlayerRequest,
  async handle(services, { player, leaderboard, cursor, limit }) {
    const { db, now } = services;
    const from = cursor === undefined ? undefined : readCursor(cursor, leaderboard);
    const exportedAt = new Date(now()).toISOString();
    return readTogether(db, async (transaction) => {
      const erasure = from === undefined ? await transaction.get(db.doc(erasurePath(player))) : undefined;
      const fields = erasure?.data();
      const answer: ExportPlayerAnswer = {
        player,
        exported_at: exportedAt,
        ...(erasure && fields && { erasure: { document: erasure.ref.path, erasure: plainJson(fields) } }),
        statuses: [],
        seasons: [],
        events: [],
      };
      let looked = 0;
      let bytes = 0;
      let last = "";
      const reads: PlayerReads = { db, transaction, player, left: () => limit - looked };
      for await (const { found, end } of looksFrom(services, reads, leaderboard, from)) {
        const size = Buffer.byteLength(JSON.stringify(found));
        if (looked > 0 && bytes + size > exportBytesMax) return { ...answer, next_cursor: last };
        bytes += size;
        looked += 1;
        last = cursorAt(end);
        if (found.status !== undefined) answer.statuses.push(found.status);
        if (found.season !== undefined) answer.seasons.push(found.season);
        if (found.event !== undefined) answer.events.push(found.event);
        if (looked === limit) return { ...answer, next_cursor: last };
      }
      return answer;
    });
  },
};

interface PlayerReads {
  db: Firestore;
  transaction: Transaction;
  player: string;
  /** How much may be looked at yet; at 0 nobody asks for more. */
  left: () => number;
}

/** A place on the way through boards, first their seasons by id, then their events: behind `after`. */
interface Place {
  leaderboard: string;
  part: "seasons" | "events";
  after: string | undefined;
}

interface Found {
  status?: ExportPlayerAnswer["statuses"][number] | undefined;
  season?: SeasonOfPlayer | undefined;
  event?: ExportPlayerAnswer["events"][number] | undefined;
}

/** Looks at one board, season or event after the other; `end` is the place behind it. */
async function* looksFrom(
  services: Services,
  reads: PlayerReads,
  leaderboard: string | undefined,
  from: Place | undefined,
): AsyncGenerator<{ found: Found; end: Place }> {
  // The board of a cursor is not looked for again: its documents may all be gone by now.
  const isOnlyOne = from !== undefined && leaderboard !== undefined;
  for (const board of isOnlyOne ? [leaderboard] : await boardsStored(services, leaderboard)) {
    if (from !== undefined && board < from.leaderboard) continue;
    const begun = from?.leaderboard === board ? from : undefined;
    const end = (part: Place["part"], after?: string): Place => ({ leaderboard: board, part, after });
    if (begun === undefined)
      yield { found: { status: await statusStored(reads, board) }, end: end("seasons") };
    if (begun?.part !== "events") {
      for (const listed of await seasonsListed(services, reads, board, begun?.after)) {
        const season = await seasonStored(reads, board, listed);
        yield { found: { season }, end: end("seasons", listed.season) };
      }
    }
    const after = begun?.part === "events" ? begun.after : undefined;
    const name = nameInEvents(reads.player);
    const query = eventsWith(reads.db, board, name, reads.left(), after);
    for (const document of (await reads.transaction.get(query)).docs) {
      const { data: stored } = boardEvent.safeParse(document.data());
      // What is no event of Firerank's is its owner's to export.
      const fields = stored && plainJson(eventNaming(stored, (other) => other === name));
      const event = fields && { leaderboard: board, document: document.ref.path, event: fields };
      yield { found: { event }, end: end("events", document.id) };
    }
  }
}

const cursorAt = ({ leaderboard, part, after = "" }: Place) => `${leaderboard}/${part}/${after}`;

function readCursor(cursor: string, leaderboard: string | undefined): Place {
  const [, board = "", part, after = ""] = /^([^/]*)\/(seasons|events)\/([^/]*)$/.exec(cursor) ?? [];
  const isOfRequest = leaderboard === undefined || board === leaderboard;
  // Somebody may have written a document beside the boards, with any id.
  const isPlace = [board, after || board].every((id) => documentId.safeParse(id).success);
  if ((part !== "seasons" && part !== "events") || !isOfRequest || !isPlace)
    throw damagedCursor("exportPlayer's answer, with the same leaderboard,");
  return { leaderboard: board, part, after: after === "" ? undefined : after };
}

async function statusStored({ db, transaction, player }: PlayerReads, leaderboard: string) {
  const found = await transaction.get(db.doc(playerStatusPath(leaderboard, player)));
  const fields = found.data();
  if (fields === undefined) return undefined;
  const { status } = plainJson(fields);
  return { leaderboard, document: found.ref.path, status };
}

type SeasonListed = Pick<SeasonOfPlayer, "season" | "span" | "status" | "opens_at" | "closes_at">;

/**
 * The seasons of a board by id, above `after`; as a trusted server may have written a document, also those that run now and
 * no score has opened yet, and those that are not there.
 */
async function seasonsListed(
  services: Services,
  { db, transaction, left }: PlayerReads,
  leaderboard: string,
  after = "",
): Promise<SeasonListed[]> {
  const board = await boardIfAny(services, definitionKey(leaderboard));
  const current = board === undefined ? [] : currentOf(board, services.now());
  const running = new Map(current.map((stretch) => [stretch.key.season, stretch]));
  const ids = new Set([...(await idsIn(db, seasonsPath(leaderboard))), ...running.keys()]);
  const wanted = [...ids].filter((season) => season > after).toSorted();
  const paths = wanted.slice(0, left()).map((season) => seasonPath({ leaderboard, season }));
  const found = await documentsAt(db, paths, transaction);
  return found.map((document) => {
    const season = document.id;
    const { span, opensAtMs, closesAtMs } = running.get(season) ?? {};
    if (!document.exists && span === undefined)
      return { season, span: "unknown", status: "unknown", opens_at: null, closes_at: null };
    const unopened = { span, status: "open", opens_at: opensAtMs, closes_at: closesAtMs };
    const fields: Record<string, unknown> = document.data() ?? unopened;
    return {
      season,
      span: String(fields["span"]),
      status: String(fields["status"]),
      opens_at: isoOf(fields["opens_at"]),
      closes_at: isoOf(fields["closes_at"]),
    };
  });
}

function isoOf(time: unknown): string | null {
  if (typeof time === "number") return new Date(time).toISOString();
  return time instanceof Timestamp ? time.toDate().toISOString() : null;
}

async function seasonStored(
  reads: PlayerReads,
  leaderboard: string,
  listed: SeasonListed,
): Promise<SeasonOfPlayer | undefined> {
  const { db, transaction, player } = reads;
  const key = { leaderboard, season: listed.season };
  const paths = [playerPath(key, player), topPath(key)] as const;
  const [document, top] = await documentsAt(db, paths, transaction);
  const [line] = linesInTop(top.data(), player);
  const final = listed.status === "open" ? undefined : await standingStored(reads, key);
  const fields = document.data();
  const documents = [
    ...(fields === undefined ? [] : [paths[0]]),
    ...(line === undefined ? [] : [paths[1]]),
    ...(final?.documents ?? []),
  ];
  if (documents.length === 0) return undefined;
  return {
    leaderboard,
    ...listed,
    documents,
    ...(fields === undefined ? {} : { player: plainJson(fields) }),
    ...(line === undefined ? {} : { top: plainJson(line) }),
    ...(final?.standing === undefined ? {} : { standing: final.standing }),
  };
}

/** The standings with the player; without the line where there is no summary, as while they are being written. */
async function standingStored(
  { db, transaction, player }: PlayerReads,
  key: SeasonKey,
): Promise<{ documents: string[]; standing?: SeasonOfPlayer["standing"] } | undefined> {
  const document = newestStandings((await transaction.get(standingsWith(db, key, player))).docs);
  if (document === undefined) return undefined;
  const n = Number(document.id);
  const packed = await packedIn(transaction, document);
  const from = packed.standings.players.indexOf(player);
  const { summary } = await readSummary(db, key, transaction);
  const hasMetadata = Boolean(packed.metadata?.metadata[from]);
  const documents = [document.ref.path, ...(hasMetadata ? [standingsMetadataPath(key, n)] : [])];
  const index = summary && indexOfStandings(summary);
  const part = index?.parts.find((one) => one.n === n);
  const [line] = part === undefined ? [] : placesOf({ part, from, until: from + 1 }, packed);
  if (line === undefined || index === undefined) return { documents };
  const { status: _, achieved_at: achievedAt, ...fields } = fieldsOf(line);
  const place = { rank: line.rank, position: line.position, players: index.players };
  const standing = { ...place, ...fields, achieved_at: achievedAt.toDate().toISOString() };
  return { documents, standing };
}
