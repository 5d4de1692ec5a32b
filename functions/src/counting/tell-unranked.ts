/** What the log says of a trusted server's write that is not ranked as it was meant. */
import { isDeepStrictEqual } from "node:util";
import type { SeasonKey } from "../documents/paths.ts";
import { unpackColumns } from "../model/columns.ts";
import type { Definition } from "../model/definition.ts";
import { isInstant } from "../model/instant.ts";
import { describeValue } from "../model/score.ts";
import { hasNoSegmentValue, unrankedSegments } from "../model/segments.ts";
import { definitionId } from "../model/template.ts";
import type { Board } from "../seasons/read-board.ts";
import { isTime } from "../world/alarms.ts";
import type { Services } from "../world/services.ts";
import type { PlayerWrite } from "./changed-player.ts";

/**
 * How often an instance tells of one kind of problem on a board: a server that is wrong may write 100,000 documents, and
 * be wrong in several ways.
 */
const toldEveryMs = 60_000;

/** Of how many seasons of a board it tells in that time: each of the documents may name a season of its own. */
const seasonsToldMax = 10;

/**
 * Logs an error about a player's document. In a minute one is logged of each way of `how` on a board, and one of players who
 * are not ranked at all for each of {@link seasonsToldMax} seasons of a board; and one for all boards that do not exist.
 * @param how in which way the player is not ranked, if the player is ranked at all.
 */
export function tellUnranked(
  services: Services,
  key: SeasonKey,
  player: string,
  { problem, how = "", isBoard = true }: { problem: string; how?: string; isBoard?: boolean },
): void {
  const board = isBoard ? definitionId(key.leaderboard) : "no board";
  const mayTell =
    isBoard && how === ""
      ? isSeasonsTime(services, board, key.season)
      : isTime(services, `unranked${how} of ${board}`, toldEveryMs);
  if (!mayTell) return;
  services.log.error(`player ${player} is not ranked${how}: ${problem}`, { ...key, player, problem });
}

/** The seasons of which a process has told since a time, by board. */
const createSeasonsTold = () => new Map<string, { sinceMs: number; seasons: Set<string> }>();

/** As {@link isTime}, for a season of a board: a minute remembers at most {@link seasonsToldMax}. */
function isSeasonsTime(services: Services, board: string, season: string): boolean {
  const told = services.memory(createSeasonsTold);
  const nowMs = services.now();
  const last = told.get(board);
  const minute =
    last !== undefined && nowMs - last.sinceMs < toldEveryMs
      ? last
      : { sinceMs: nowMs, seasons: new Set<string>() };
  told.set(board, minute);
  if (minute.seasons.has(season) || minute.seasons.size === seasonsToldMax) return false;
  minute.seasons.add(season);
  return true;
}

/**
 * Whether a direct write changes nothing that is counted, but a field that may have been meant to be: the board says
 * whether it was. Pure.
 */
export function mayBePassedOver({ before, after }: PlayerWrite): boolean {
  if (after === undefined) return false;
  const isNew = newIn(before, after);
  return (isNew("segments") && hasNoSegmentValue(after.data["segments"])) || isNew("columns");
}

/** Whether a write has changed a field. */
const newIn =
  (before: PlayerWrite["before"], { data }: NonNullable<PlayerWrite["after"]>) =>
  (name: string) =>
    !isDeepStrictEqual(before?.data[name], data[name]);

/** Tells of fields of a direct write that count for nothing, while its score may count. */
export function tellPassedOver(
  services: Services,
  key: SeasonKey,
  player: string,
  { before, after }: PlayerWrite,
  board: Board | undefined,
): void {
  if (after === undefined || board === undefined) return;
  const { data } = after;
  const isNew = newIn(before, after);
  const columns = isNew("columns") || isNew("score") ? columnsProblem(board.definition, data) : undefined;
  if (columns !== undefined)
    tellUnranked(services, key, player, { how: " by its columns", problem: columns });
  const [first] = isNew("segments")
    ? unrankedSegments(data["segments"], board.definition.segments, board.segmentsGone)
    : [];
  if (first !== undefined)
    tellUnranked(services, key, player, { how: " as the document says", problem: first });
  const time = data["achieved_at"];
  if (data["score"] == null || time == null || isInstant(time) || !isNew("achieved_at")) return;
  const name = `untimed of ${definitionId(key.leaderboard)}`;
  if (!isTime(services, name, toldEveryMs)) return;
  const problem = `achieved_at is ${describeValue(time)}, not a timestamp`;
  services.log.warn(`player ${player} has the time of the write: ${problem}`, { ...key, player, problem });
}

/** Why `columns` that a server has written do not count: what counts is the score into which they are packed. */
function columnsProblem(
  { order, columns: wanted }: Definition,
  { columns, score }: Record<string, unknown>,
): string | undefined {
  if (wanted === undefined || columns == null) return undefined;
  if (score == null) return "it has no score, into which columns are packed";
  const own = typeof score === "number" ? unpackColumns(order, wanted, score) : undefined;
  return own === undefined || isDeepStrictEqual(own, columns)
    ? undefined
    : "its score counts, which is that of other columns";
}
