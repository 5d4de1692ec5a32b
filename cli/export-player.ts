/** `firerank export-player`: all that is stored about one player, for one who asks for it. */
import type { ExportPlayerAnswer } from "../functions/src/model/admin-answers.ts";
import { leaderboardId } from "../functions/src/model/ids.ts";
import { boardsStored } from "../functions/src/seasons/boards-asked.ts";
import { exportPlayerOf, exportPlayerSpec } from "../functions/src/operations/export-player.ts";
import type { Services } from "../functions/src/world/services.ts";
import { call } from "./call.ts";

export interface PlayerExported {
  player: string;
  /** What each board has of the player, by the ids of boards. A board that has nothing is left out. */
  boards: ExportPlayerAnswer[];
}

/** The call has a bound for its answer, and a file has none. */
const exportOfAnySize: typeof exportPlayerSpec = {
  ...exportPlayerSpec,
  handle: (services, { leaderboard, player }) => exportPlayerOf(services, leaderboard, player),
};

/**
 * One board after the other, each as of one moment. Cost: {@link boardsStored}, and for each board what `exportPlayer` costs.
 * @throws CliError
 */
export async function exportPlayer(
  services: Services,
  player: string,
  only?: string,
): Promise<PlayerExported> {
  // Of a template these are the boards on which the player is. Somebody may have written a document beside the boards,
  // with an id that no board can have.
  const stored = await boardsStored(services, only, [player]);
  const boards = stored.filter((board) => board === only || leaderboardId.safeParse(board).success);
  const exported: PlayerExported = { player, boards: [] };
  for (const leaderboard of boards) {
    const answer = await call(exportOfAnySize, services, { player, leaderboard });
    if (!isEmpty(answer)) exported.boards.push(answer);
  }
  return exported;
}

const isEmpty = ({ erasure, status, seasons, events }: ExportPlayerAnswer) =>
  erasure === undefined && status === undefined && seasons.length + events.length === 0;
