/** On which boards of templates a player is: there may be a million boards, and a player's own documents say it. */
import { templateSeasonOf } from "../documents/paths.ts";
import { documentsOfPlayer } from "../documents/queries.ts";
import { inChunks } from "../documents/reads.ts";
import { documentsPerReadMax } from "../model/limits.ts";
import { definitionId } from "../model/template.ts";
import type { Services } from "../world/services.ts";

/**
 * The ids of the boards of a template, or of all templates, on which a player has a document. Cost: 1 read for each
 * document of the player on boards of templates, at least 1.
 */
export async function boardsOfPlayer(
  services: Pick<Services, "db">,
  player: string,
  template?: string,
): Promise<string[]> {
  const boards = new Set<string>();
  for await (const board of boardsFound(services, player, template)) boards.add(board);
  return [...boards];
}

/** Whether a player is on a board of a template. Cost: as {@link boardsOfPlayer}, but 500 reads if the first have one. */
export async function isOnBoardOf(
  services: Pick<Services, "db">,
  player: string,
  template: string,
): Promise<boolean> {
  return (await boardsFound(services, player, template).next()).done !== true;
}

/** The board of each document of a player, which may be the same for several. */
async function* boardsFound(
  { db }: Pick<Services, "db">,
  player: string,
  template: string | undefined,
): AsyncGenerator<string, undefined> {
  const all = documentsOfPlayer(db, player).select();
  for await (const docs of inChunks(all, documentsPerReadMax))
    for (const { id, ref } of docs) {
      const { leaderboard } = templateSeasonOf(ref.path) ?? {};
      const isWanted = template === undefined || definitionId(leaderboard ?? "") === template;
      if (leaderboard !== undefined && isWanted && id === player) yield leaderboard;
    }
}
