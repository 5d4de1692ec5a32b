/** The boards that a call about a player goes through: one that is named, or all. */
import { ZodError } from "zod";
import { definitionPath, leaderboardPath, leaderboardsPath } from "../documents/paths.ts";
import { byId } from "../documents/queries.ts";
import { idsIn, inChunks } from "../documents/reads.ts";
import { FirerankError, isBoardNotFound, firstProblem, TemplateAsked } from "../model/errors.ts";
import { documentsPerReadMax } from "../model/limits.ts";
import { definitionId, isOfTemplate } from "../model/template.ts";
import { boardsNaming, boardsOfPlayer } from "./player-boards.ts";
import { inPool } from "../world/pool.ts";
import type { Services } from "../world/services.ts";
import { boardCacheOf } from "./board.ts";

/** Boards on which one call looks for a player at the same time. */
const boardsAtOnce = 8;

/**
 * Does some work on boards, on several at the same time, until the time is over.
 * @returns the first board that is left; all before it are done.
 */
export async function onBoards(
  boards: readonly string[],
  isOver: () => boolean,
  work: (leaderboard: string) => Promise<unknown>,
): Promise<string | undefined> {
  let left: string | undefined;
  await inPool(boards, boardsAtOnce, async (board) => {
    if (isOver()) left ??= board;
    else await work(board);
  });
  return left;
}

/**
 * The ids of all boards with anything stored, or of the named one, also without a definition, as while it is being
 * deleted. Of a template, named or not, its own id, below which statuses of players lie, and the boards on which one of
 * the players has a document, or is named by an event.
 *
 * Cost: 1 read each, of boards of templates too, whoever has played them: nothing but the list of all tells of a board
 * without a definition. {@link requireStored} of a named one. {@link boardsOfTemplates}, where there is a board of a
 * template.
 * @throws `leaderboard_not_found` for a named board of which nothing is stored.
 */
export async function boardsStored(
  services: Services,
  leaderboard: string | undefined,
  players: readonly string[],
): Promise<string[]> {
  if (leaderboard !== undefined) return boardsNamed(services, leaderboard, players);
  const all = await idsIn(services.db, leaderboardsPath);
  const others = all.filter((id) => !isOfTemplate(id));
  return all.length === others.length ? others : [...(await boardsOfTemplates(services, players)), ...others];
}

/**
 * The same boards, but of those without a definition only the named one.
 *
 * Cost: 1 read for each definition, and not for each board of a template; {@link requireStored} of a named board.
 * {@link boardsOfTemplates}, where there is a template.
 * @throws `leaderboard_not_found` for a named board of which nothing is stored.
 */
export async function boardsDefined(
  services: Services,
  leaderboard: string | undefined,
  players: readonly string[],
): Promise<string[]> {
  if (leaderboard !== undefined) return boardsNamed(services, leaderboard, players);
  const others: string[] = [];
  let hasTemplates = false;
  const definitions = byId(services.db, leaderboardsPath, documentsPerReadMax).select("template");
  for await (const docs of inChunks(definitions, documentsPerReadMax))
    for (const document of docs) {
      others.push(document.id);
      hasTemplates ||= document.get("template") !== undefined;
    }
  return hasTemplates ? [...(await boardsOfTemplates(services, players)), ...others] : others;
}

async function boardsNamed(
  services: Services,
  leaderboard: string,
  players: readonly string[],
): Promise<string[]> {
  const template = await templateAsked(services, leaderboard);
  if (template === leaderboard) return [...(await boardsOfTemplates(services, players, template)), template];
  await requireStored(services, leaderboard);
  return [leaderboard];
}

/** Cost: {@link boardsOfPlayer} and {@link boardsNaming}, for each player. */
async function boardsOfTemplates(services: Services, players: readonly string[], template?: string) {
  const asked = players.flatMap((player) => [
    boardsOfPlayer(services, player, template),
    boardsNaming(services, player, template),
  ]);
  return [...new Set((await Promise.all(asked)).flat())];
}

/**
 * The template that a request names: by its own id, or by that of one of its boards. Undefined for a board that has a
 * definition of its own, or none. Cost: as of the board in memory.
 */
export async function templateAsked(services: Services, leaderboard: string): Promise<string | undefined> {
  if (isOfTemplate(leaderboard)) return definitionId(leaderboard);
  try {
    await boardCacheOf(services).loadDefinition(leaderboard);
  } catch (error) {
    if (error instanceof TemplateAsked) return leaderboard;
    if (!isBoardNotFound(error) && !(error instanceof ZodError)) throw error;
  }
  return undefined;
}

/**
 * Refuses a board of which nothing is stored; of a template its definition is. Cost: the board's definition, and 1 read
 * if it has none.
 * @throws `leaderboard_not_found`
 */
export async function requireStored(services: Services, leaderboard: string): Promise<void> {
  try {
    await boardCacheOf(services).loadDefinition(leaderboard);
  } catch (error) {
    if (error instanceof TemplateAsked) return;
    const left = services.db.doc(leaderboardPath(leaderboard));
    if (!isBoardNotFound(error) || (await left.listCollections()).length === 0) throw error;
  }
}

/** What is wrong with a board, if an error concerns that board alone: something of it can't be read. */
export function boardProblem(leaderboard: string, error: unknown): string | undefined {
  if (error instanceof FirerankError && error.code === "unknown_schema_version") return error.message;
  if (!(error instanceof ZodError)) return undefined;
  return (
    `A document of leaderboard "${leaderboard}" is damaged: ${firstProblem(error)}. It is ` +
    `${definitionPath(leaderboard)} itself, which \`npx --no-install firerank doctor\` names, or one below it. Mend it, then call again.`
  );
}

/** Work on several seasons, or boards: one that can't be read does not keep the others from it. */
export function createAttempts(onFailure: (leaderboard: string, error: unknown) => void = () => undefined) {
  const failures: unknown[] = [];
  /** @returns nothing where the board is gone or something of it can't be read, which is kept for the end. */
  async function attempt<Result>(leaderboard: string, work: () => Promise<Result>) {
    try {
      return await work();
    } catch (error) {
      if (!isBoardNotFound(error) && boardProblem(leaderboard, error) === undefined) throw error;
      onFailure(leaderboard, error);
      failures.push(error);
      return undefined;
    }
  }
  function end(): void {
    if (failures.length > 0) throw failures[0];
  }
  return { attempt, end, failures };
}
