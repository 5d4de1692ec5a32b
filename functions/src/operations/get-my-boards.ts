/** `getMyBoards`: on which boards of templates the caller has a score, of which there may be a million. */
import { z } from "zod";
import { type QueryDocumentSnapshot, Timestamp } from "../documents/firestore.ts";
import { type SeasonKey, templateSeasonOf } from "../documents/paths.ts";
import { documentsOfPlayer } from "../documents/queries.ts";
import type { Season } from "../documents/season.ts";
import { type MyBoard, type MyBoardsAnswer, myBoardsSchema } from "../model/answers.ts";
import { seasonsPerAnswerMax } from "../model/limits.ts";
import { isBoardNotFound } from "../model/errors.ts";
import { isoTime } from "../model/instant.ts";
import { definitionOf } from "../model/season-definition.ts";
import { spanOfId } from "../model/season-id.ts";
import { boardCacheOf, boardIfAny, calendarOf } from "../seasons/board.ts";
import type { Board } from "../seasons/read-board.ts";
import { type Span, spanSeasonAt } from "../seasons/span-season.ts";
import { finalTablesOf } from "../standings/final-tables.ts";
import { scoreShown } from "../jobs/players/set-status.ts";
import { cursorOf, limitUpTo } from "./shared/season-asked.ts";
import { cursorParts, cursorTime, type OperationSpec, requirePlayer } from "./shared/spec.ts";
import type { Services } from "../world/services.ts";

export const getMyBoardsRequest = z.strictObject({
  cursor: cursorOf("getMyBoards"),
  limit: limitUpTo(seasonsPerAnswerMax).describe("How many seasons to look at; some may be left out."),
});

/**
 * The seasons of boards of templates in which the caller has a score, the last achieved first. Seasons are left out in
 * which the caller is hidden or banned. Boards that have a definition of their own are not among them: an app knows these.
 *
 * Cost: 1 read for each season, at least 1; 1 read a minute for each template, and for each season whose document was
 * changed after its calendar ended the season, or that is a tournament; where that has closed {@link FinalTables.playerOf}.
 * @throws `unauthenticated`; `invalid_request` about the cursor
 */
export const getMyBoardsSpec: OperationSpec<typeof getMyBoardsRequest, MyBoardsAnswer> = {
  name: "getMyBoards",
  request: getMyBoardsRequest,
  answer: myBoardsSchema,
  async handle(services, { cursor, limit }, caller) {
    const player = requirePlayer(caller);
    const after = cursor === undefined ? undefined : boardAfter(cursor);
    const all = documentsOfPlayer(services.db, player, { after }).limit(limit);
    let { docs } = await all.get();
    const own = docs.filter((one) => isOwn(one, player));
    // A cursor names one of the player's own, so an answer ends with one.
    for (let last = docs.at(-1); docs.length === limit && last !== undefined; last = docs.at(-1)) {
      if (isOwn(last, player)) break;
      ({ docs } = await all.startAfter(last).get());
      own.push(...docs.filter((one) => isOwn(one, player)));
    }
    const boards = await Promise.all(own.map((document) => lineOf(services, document)));
    const last = docs.length === limit ? docs.at(-1) : undefined;
    return { boards: boards.flat(), ...(last && { next_cursor: cursorAt(last) }) };
  },
};

/** Whether a document is the player's on a board of a template: a game may have a collection `players` of its own. */
const isOwn = ({ id, ref }: QueryDocumentSnapshot, player: string) =>
  id === player && templateSeasonOf(ref.path) !== undefined;

async function lineOf(services: Services, document: QueryDocumentSnapshot): Promise<MyBoard[]> {
  const key = templateSeasonOf(document.ref.path);
  if (key === undefined) return [];
  const template = await boardCacheOf(services)
    .loadDefinition(key.leaderboard)
    .catch((error: unknown) => {
      // It is being deleted.
      if (!isBoardNotFound(error)) throw error;
      return undefined;
    });
  if (template === undefined) return [];
  const season = await seasonIfOver(services, template, key, document);
  const isClosed = season?.status === "closed";
  const final = isClosed ? await finalTablesOf(services).playerOf({ key, season }, document) : undefined;
  const achievedAt: unknown = final?.achievedAt ?? document.get("achieved_at");
  if (isClosed ? final === undefined : document.get("status") !== "active") return [];
  const { score, columns } = scoreShown(definitionOf(template, season), document, final);
  if (score === undefined || !(achievedAt instanceof Timestamp)) return [];
  const achieved_at = isoTime(achievedAt);
  return [{ ...key, score, ...(columns && { columns }), achieved_at }];
}

/**
 * The season of a document that was written when the season may have been over; undefined for one that the season has ranked
 * as it is. Cost: 1 read a minute if so.
 */
async function seasonIfOver(
  services: Services,
  template: Board,
  key: SeasonKey,
  { updateTime }: QueryDocumentSnapshot,
): Promise<Season | undefined> {
  const span = spanOfId(key.season);
  const calendars = span !== "custom" && calendarOf(template) !== undefined ? template : undefined;
  const atMs = services.databaseMs(updateTime);
  const then = calendars && spanSeasonAt(key.leaderboard, calendars, span as Span, atMs);
  if (then?.key.season === key.season) return undefined;
  return (await boardIfAny(services, key))?.season;
}

const answerOf = "getMyBoards' answer";

function cursorAt(last: QueryDocumentSnapshot): string {
  const { leaderboard = "", season = "" } = templateSeasonOf(last.ref.path) ?? {};
  const at = last.get("achieved_at") as Timestamp;
  return `${at.toMillis()}-${at.nanoseconds % 1_000_000}-${leaderboard}/${season}`;
}

function boardAfter(cursor: string) {
  const form = /^(-?\d{1,15})-(\d{1,6})-([\w:-]{1,129})\/([\w-]{1,64})$/;
  const [ms, nanos, leaderboard = "", season = ""] = cursorParts(cursor, form, answerOf);
  const { seconds, nanoseconds } = cursorTime(Number(ms), answerOf);
  return { achievedAt: new Timestamp(seconds, nanoseconds + Number(nanos)), key: { leaderboard, season } };
}
