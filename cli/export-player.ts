/** `firerank export-player`: all that is stored about one player, for one who asks for it. */
import type { ExportPlayerAnswer } from "../functions/src/model/admin-answers.ts";
import { exportPlayerSpec } from "../functions/src/operations/export-player.ts";
import type { Services } from "../functions/src/operations/services.ts";
import { call } from "./call.ts";

/** All answers in one. */
export type PlayerExported = Omit<ExportPlayerAnswer, "next_cursor">;

/** All answers in one; `exported_at` is of the first. Cost: that of `exportPlayer`. @throws CliError, FirerankError */
export async function exportPlayer(
  services: Services,
  player: string,
  leaderboard?: string,
): Promise<PlayerExported> {
  let { next_cursor: cursor, ...all } = await call(exportPlayerSpec, services, { player, leaderboard });
  while (cursor !== undefined) {
    const more = await call(exportPlayerSpec, services, { player, leaderboard, cursor });
    cursor = more.next_cursor;
    all = {
      ...all,
      statuses: [...all.statuses, ...more.statuses],
      seasons: [...all.seasons, ...more.seasons],
      events: [...all.events, ...more.events],
    };
  }
  return all;
}

export function isEmpty({ statuses, seasons, events }: PlayerExported): boolean {
  return statuses.length + seasons.length + events.length === 0;
}
