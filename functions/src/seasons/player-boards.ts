/** On which boards of templates a player is: there may be a million boards, and a player's own documents say it. */
import type { QueryDocumentSnapshot } from "../documents/firestore.ts";
import { nameInEvents } from "../documents/event.ts";
import { leaderboardOfEvent, templateSeasonOf } from "../documents/paths.ts";
import { documentsOfPlayer, eventsOfBoardsWith } from "../documents/queries.ts";
import { inChunks } from "../documents/reads.ts";
import { documentsPerReadMax } from "../model/limits.ts";
import type { PlayerStatus } from "../model/player-status.ts";
import { definitionId, isOfTemplate } from "../model/template.ts";
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
  const { others } = await boardsByStatus(services, player, template, undefined);
  return others;
}

/**
 * The same boards: first those on which a document has another status than one that is to be set, then the others. Cost:
 * as {@link boardsOfPlayer}.
 * @param status undefined where no status is to be set.
 */
export async function boardsByStatus(
  services: Pick<Services, "db">,
  player: string,
  template: string | undefined,
  status: PlayerStatus | undefined,
): Promise<{ toSet: string[]; others: string[] }> {
  const [toSet, others] = [new Set<string>(), new Set<string>()];
  for await (const { leaderboard, document } of boardsFound(services, player, template))
    (status === undefined || document.get("status") === status ? others : toSet).add(leaderboard);
  return { toSet: [...toSet], others: [...others].filter((board) => !toSet.has(board)) };
}

/**
 * The ids of the boards of a template, or of all templates, with an event that names a player: an event outlives its
 * season, with which the player's document may be gone. Cost: 1 read for each event that names the player, at least 1;
 * without a template those of other boards too.
 */
export async function boardsNaming(
  { db }: Pick<Services, "db">,
  player: string,
  template?: string,
): Promise<string[]> {
  const all = new Set<string>();
  const events = eventsOfBoardsWith(db, nameInEvents(player), template).select();
  for await (const docs of inChunks(events, documentsPerReadMax))
    for (const { ref } of docs) all.add(leaderboardOfEvent(ref.path));
  return [...all].filter(isOfTemplate);
}

/** Whether a player is on a board of a template. Cost: up to 500 reads, or more where the first are no such documents. */
export async function isOnBoardOf(
  services: Pick<Services, "db">,
  player: string,
  template: string,
): Promise<boolean> {
  return (await boardsFound(services, player, template).next()).done !== true;
}

/** The documents of a player, with the status, each with its board. */
async function* boardsFound(
  { db }: Pick<Services, "db">,
  player: string,
  template: string | undefined,
): AsyncGenerator<{ leaderboard: string; document: QueryDocumentSnapshot }, undefined> {
  const all = documentsOfPlayer(db, player).select("status");
  for await (const docs of inChunks(all, documentsPerReadMax))
    for (const document of docs) {
      const { leaderboard } = templateSeasonOf(document.ref.path) ?? {};
      const isWanted = template === undefined || definitionId(leaderboard ?? "") === template;
      if (leaderboard !== undefined && isWanted && document.id === player) yield { leaderboard, document };
    }
}
