/** `exportPlayer`: all that is stored about a player, for one who asks for it. */
import { z } from "zod";
import { documentIdProblem } from "../model/document-id.ts";
import { invalidRequest } from "../model/errors.ts";
import { documentId, leaderboardId } from "../model/ids.ts";
import { boardIfAny } from "../seasons/board.ts";
import { definitionKey } from "../seasons/current.ts";
import { type Stretch, stretchAt } from "../seasons/stretch.ts";
import { boardsStored } from "./boards-asked.ts";
import type { Services } from "./services.ts";
import type { OperationSpec } from "./spec.ts";
import {
  type EventStored,
  eventsStored,
  type PlayerReads,
  type SeasonStored,
  seasonsStored,
  type StatusStored,
  statusStored,
} from "./stored-of-player.ts";

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

export interface ExportPlayerAnswer {
  player: string;
  /** When it was read, by the server's clock; all parts of an answer belong to one moment. */
  exported_at: string;
  /** Statuses that boards keep for seasons to come. */
  statuses: StatusStored[];
  /** Every season that has anything of the player. */
  seasons: SeasonStored[];
  /** Events that name the player, without the other players in them. */
  events: EventStored[];
  /** Where there may be more: the `cursor` of the next request. */
  next_cursor?: string;
}

/** Bytes of an answer, as JSON: a callable's may have 10 MB. */
export const exportBytesMax = 8_000_000;

/**
 * All that is stored about a player, on one board or on all: exactly what {@link removePlayerSpec} erases, and the paths
 * of the documents. It has copies of what is stored, and nothing about other players. Shards, pages and run records hold
 * scores and counts, and no player's id; a season that is being deleted counts as gone.
 *
 * An answer looks at 100 boards, seasons and events at most, and has 8 MB at most, or one season. `next_cursor` leads on,
 * by the ids of boards; what changes between two answers may be in both, or as it was before.
 *
 * Cost: for each board 3 reads, at least; 4 for each season of it, 1 more unless it is open, and 1 more where the player
 * is in its standings, 2 with metadata; 1 for each event that names the player. A span whose present season no score has
 * opened yet costs 3. Each further answer reads again 1 for each board, and 1 for each season of its first board. A
 * board's definition costs 2 reads a minute.
 * @throws `leaderboard_not_found` for a named board of which nothing is stored; `invalid_request` about the cursor.
 */
export const exportPlayerSpec: OperationSpec<typeof exportPlayerRequest, ExportPlayerAnswer> = {
  name: "exportPlayer",
  access: "admin",
  request: exportPlayerRequest,
  async handle(services, { player, leaderboard, cursor, limit }) {
    const { db, now } = services;
    const from = cursor === undefined ? undefined : readCursor(cursor, leaderboard);
    const exportedAt = new Date(now()).toISOString();
    return db.runTransaction(
      async (transaction) => {
        const answer: ExportPlayerAnswer = {
          player,
          exported_at: exportedAt,
          statuses: [],
          seasons: [],
          events: [],
        };
        let looked = 0;
        let bytes = 0;
        let last = cursor;
        const reads: Reads = { db, transaction, player, left: () => limit - looked };
        for await (const { found = {}, end } of looksFrom(services, reads, leaderboard, from)) {
          const size = Buffer.byteLength(JSON.stringify(found));
          if (looked > 0 && bytes + size > exportBytesMax) return { ...answer, ...nextCursor(last) };
          bytes += size;
          looked += 1;
          last = cursorAt(end);
          if (found.status !== undefined) answer.statuses.push(found.status);
          if (found.season !== undefined) answer.seasons.push(found.season);
          if (found.event !== undefined) answer.events.push(found.event);
          if (looked === limit) return { ...answer, ...nextCursor(last) };
        }
        return answer;
      },
      { readOnly: true },
    );
  },
};

const nextCursor = (cursor: string | undefined) => (cursor === undefined ? {} : { next_cursor: cursor });

interface Reads extends PlayerReads {
  /** How much may be looked at yet; at 0 nobody asks for more. */
  left: () => number;
}

/** A place on the way through boards, first their seasons by id, then their events: behind `after`. */
interface Place {
  leaderboard: string;
  part: "seasons" | "events";
  after: string | undefined;
}

/** One board, season or event that was looked at, what was found there, and the place behind it. */
interface Look {
  found?: { status?: StatusStored; season?: SeasonStored; event?: EventStored };
  end: Place;
}

async function* looksFrom(
  services: Services,
  reads: Reads,
  leaderboard: string | undefined,
  from: Place | undefined,
): AsyncGenerator<Look> {
  // The board of a cursor is not looked for again: its documents may all be gone by now.
  const isOnlyOne = from !== undefined && leaderboard !== undefined;
  for (const board of isOnlyOne ? [leaderboard] : await boardsStored(services, leaderboard)) {
    if (from !== undefined && board < from.leaderboard) continue;
    let place = from;
    if (place?.leaderboard !== board) {
      place = { leaderboard: board, part: "seasons", after: undefined };
      const status = await statusStored(reads, board);
      yield { end: place, ...(status === undefined ? {} : { found: { status } }) };
    }
    yield* looksOn(services, reads, place);
  }
}

/** The rest of a board. */
async function* looksOn(
  services: Services,
  reads: Reads,
  { leaderboard, part, after }: Place,
): AsyncGenerator<Look> {
  if (part === "seasons") {
    const current = await currentIfAny(services, leaderboard);
    const wanted = { after, limit: reads.left() };
    for await (const { season, stored } of seasonsStored(reads, leaderboard, current, wanted)) {
      const end: Place = { leaderboard, part, after: season };
      yield { end, ...(stored === undefined ? {} : { found: { season: stored } }) };
    }
  }
  const wanted = { after: part === "events" ? after : undefined, limit: reads.left() };
  for (const event of await eventsStored(reads, leaderboard, wanted)) {
    const id = event.document.slice(event.document.lastIndexOf("/") + 1);
    yield { found: { event }, end: { leaderboard, part: "events", after: id } };
  }
}

/** The seasons that run now; none for a board whose definition was deleted or is damaged. */
async function currentIfAny(services: Services, leaderboard: string): Promise<Stretch[]> {
  const key = definitionKey(leaderboard);
  const board = await boardIfAny(services, key, () => services.boards.load(key));
  if (board === undefined) return [];
  const nowMs = services.now();
  return board.definition.spans.map((span) => stretchAt(leaderboard, board, span, nowMs));
}

const cursorAt = ({ leaderboard, part, after = "" }: Place) => `${leaderboard}/${part}/${after}`;

function readCursor(cursor: string, leaderboard: string | undefined): Place {
  const [, board = "", part, after = ""] = /^([^/]*)\/(seasons|events)\/([^/]*)$/.exec(cursor) ?? [];
  const isOfRequest = leaderboard === undefined || board === leaderboard;
  // Somebody may have written a document beside the boards, with any id.
  const isPlace = [board, after || board].every((id) => documentIdProblem(id) === undefined);
  if ((part !== "seasons" && part !== "events") || !isOfRequest || !isPlace) {
    const message =
      "is damaged; take next_cursor of exportPlayer's answer as it is, with the same leaderboard";
    throw invalidRequest([{ path: "cursor", message }]);
  }
  return { leaderboard: board, part, after: after === "" ? undefined : after };
}
