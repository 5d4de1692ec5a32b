/** On which boards of templates a player is: there may be a million boards, and a player's own documents say it. */
import { templateSeasonOf } from "../documents/paths.ts";
import { documentsOfPlayer } from "../documents/queries.ts";
import { inChunks } from "../documents/reads.ts";
import { documentsPerReadMax } from "../model/limits.ts";
import { definitionId } from "../model/template.ts";
import type { Services } from "../world/services.ts";

/**
 * The ids of the boards of a template, or of all templates, on which a player has a document. Cost: 1 read for each document of the
 * player on boards of templates, at least 1.
 */
export async function boardsOfPlayer(
  { db }: Pick<Services, "db">,
  player: string,
  template?: string,
): Promise<string[]> {
  const boards = new Set<string>();
  const all = documentsOfPlayer(db, player).select();
  for await (const docs of inChunks(all, documentsPerReadMax))
    for (const { id, ref } of docs) {
      const { leaderboard } = templateSeasonOf(ref.path) ?? {};
      const isWanted = template === undefined || definitionId(leaderboard ?? "") === template;
      if (leaderboard !== undefined && isWanted && id === player) boards.add(leaderboard);
    }
  return [...boards];
}
