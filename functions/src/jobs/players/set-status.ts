/** Sets a player's status on boards. */
import type { DocumentSnapshot } from "../../documents/firestore.ts";
import { readPlayer } from "../../documents/player.ts";
import type { SeasonOfStatus } from "../../model/admin-answers.ts";
import { toStep } from "../../model/arithmetic.ts";
import { unpackColumns } from "../../model/columns.ts";
import type { Definition } from "../../model/definition.ts";
import type { PlayerStatus } from "../../model/player-status.ts";
import { boardCacheOf } from "../../seasons/board.ts";
import { createAttempts, onBoards } from "../../seasons/boards-asked.ts";
import { type PlayerSeason, seasonsOfPlayer } from "../../seasons/player-seasons.ts";
import { renewGroupsOf } from "../../league/keep-group.ts";
import { revisePlayer } from "../../standings/revise.ts";
import { keepTopLive, renewTopWithout } from "../../top/keep-live.ts";
import { describeError } from "../../world/describe-error.ts";
import type { Services } from "../../world/services.ts";

/**
 * Sets the status in all seasons of boards, on several at the same time, until the time is over.
 * @returns the seasons; the first board that is left; and why boards could not be read.
 */
export async function setOnBoards(
  services: Services,
  { player, status }: { player: string; status: PlayerStatus },
  boards: readonly string[],
  isOver: () => boolean,
) {
  const { attempt, failures } = createAttempts((board, error) => {
    const problem = { leaderboard: board, error: describeError(error) };
    services.log.error("a player's status could not be set on a board", problem);
  });
  const seasons: SeasonOfStatus[] = [];
  const left = await onBoards(boards, isOver, async (leaderboard) => {
    const listed = await attempt(leaderboard, () => seasonsOfPlayer(services, leaderboard, player));
    for (const found of listed ?? []) {
      const lines = await attempt(leaderboard, () => setStatus(services, found, status));
      seasons.push(...(lines ?? []).map((line) => ({ leaderboard, ...line })));
    }
  });
  return { seasons, left, failures };
}

/**
 * Sets the status in one season, and takes the player out of the top.
 * @returns the line of the answer; none if the player has no document there, or no longer has one.
 */
export async function setStatus(
  services: Services,
  season: PlayerSeason,
  status: PlayerStatus,
): Promise<SeasonOfStatus[]> {
  const { key, span, player: document } = season;
  if (!document.exists) return [];
  const player = document.id;
  const revised = await revisePlayer(services, key, player, status);
  const { status: seasonStatus, owed, change } = revised;
  if (!revised.found) return [];
  const { definition } = await boardCacheOf(services).load(key);
  const value = scoreShown(definition, document, revised.line);
  if (seasonStatus !== "closed" && status === "active") await keepTopLive(services, key, [change]);
  if (status !== "active" || owed)
    await renewTopWithout(services, key, player, { score: value.score, isErased: false });
  await renewGroupsOf(services, season, player);
  return [{ season: key.season, span, status, ...value }];
}

/**
 * The score of a player's document as the board ranks it, and the columns of this score: a server may have left others.
 * @param final the player as the table of a season that has closed shows or showed the player, who may be in none
 */
export function scoreShown(
  definition: Definition,
  document: DocumentSnapshot,
  final?: { score: number },
): Pick<SeasonOfStatus, "score" | "columns"> {
  const stored = (final ?? readPlayer(document.data()))?.score;
  if (stored === undefined) return {};
  const score = toStep(definition, stored);
  const columns = unpackColumns(definition.order, definition.columns, score);
  return { score, ...(columns && { columns }) };
}
