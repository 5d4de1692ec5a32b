/** Where each document lies. The terms are those of ARCHITECTURE.md, "Stored data". */

/** One season of one leaderboard. */
export interface SeasonKey {
  leaderboard: string;
  season: string;
}

export const leaderboardsPath = "leaderboards";
export const leaderboardPath = (leaderboard: string) => `${leaderboardsPath}/${leaderboard}`;
export const seasonsPath = (leaderboard: string) => `${leaderboardPath(leaderboard)}/seasons`;
export const seasonPath = ({ leaderboard, season }: SeasonKey) => `${seasonsPath(leaderboard)}/${season}`;
/** Below the leaderboard, as it applies to all of its seasons. */
export const playerStatusPath = (leaderboard: string, player: string) =>
  `${leaderboardPath(leaderboard)}/player_statuses/${player}`;
/** Also below the leaderboard: an event outlives its season, and one trigger hears those of all seasons. */
export const eventsPath = (leaderboard: string) => `${leaderboardPath(leaderboard)}/events`;
export const eventPath = (leaderboard: string, event: string) => `${eventsPath(leaderboard)}/${event}`;
export const playersPath = (key: SeasonKey) => `${seasonPath(key)}/players`;
export const playerPath = (key: SeasonKey, player: string) => `${playersPath(key)}/${player}`;
export const indexEntriesPath = (key: SeasonKey) => `${seasonPath(key)}/index_entries`;
export const indexEntryPath = (key: SeasonKey, player: string) =>
  `${seasonPath(key)}/index_entries/${player}`;
export const shardsPath = (key: SeasonKey) => `${seasonPath(key)}/scores`;
export const shardPath = (key: SeasonKey, shard: number | string, slotEndsAtMs: number) =>
  `${shardsPath(key)}/${shard}-${slotEndsAtMs}`;
export const pagesPath = (key: SeasonKey) => `${seasonPath(key)}/scores_ranking`;
export const pagePath = (key: SeasonKey, page: number) => `${pagesPath(key)}/${page}`;
export const topPath = (key: SeasonKey) => `${seasonPath(key)}/top/current`;
export const standingsCollection = (key: SeasonKey) => `${seasonPath(key)}/standings`;
export const standingsSummaryPath = (key: SeasonKey) => `${seasonPath(key)}/standings/summary`;
export const standingsPath = (key: SeasonKey, n: number) => `${seasonPath(key)}/standings/${n}`;
export const standingsMetadataPath = (key: SeasonKey, n: number) =>
  `${seasonPath(key)}/standings/${n}-metadata`;
export const runPath = (key: SeasonKey, run: string) => `${seasonPath(key)}/runs/${run}`;

/** The season of a path such as `leaderboards/chess/seasons/all_time`. */
export function seasonOfPath(path: string): SeasonKey {
  const [, leaderboard, , season] = path.split("/");
  if (leaderboard === undefined || season === undefined)
    throw new Error(`${path} is not the path of a season`);
  return { leaderboard, season };
}
