/** Where each document lies. The terms are those of ARCHITECTURE.md, "Stored data". */
import { definitionId, isOfTemplate } from "../model/template.ts";

export interface SeasonKey {
  leaderboard: string;
  season: string;
}

/**
 * A ranking: of a season, of a season's segment, or a copy of either from a midnight, `baseline`, in milliseconds since
 * 1970.
 */
export interface RankingKey extends SeasonKey {
  baseline?: number | undefined;
  /** As in `country=AT`. */
  segment?: string | undefined;
}

/** The roles that were granted. They lie beside the boards, as a role may hold for all boards. No rule lets anybody read them. */
export const rolesPath = "leaderboard_roles/granted";
/** Notes of erasures, by hashes of players' ids (erasure.ts). They lie beside the boards too. */
export const erasuresPath = "leaderboard_erasures";
export const leaderboardsPath = "leaderboards";
export const leaderboardPath = (leaderboard: string) => `${leaderboardsPath}/${leaderboard}`;
/** The document that has a board's definition. A board of a template has no document of its own. */
export const definitionPath = (leaderboard: string) => leaderboardPath(definitionId(leaderboard));
export const seasonsPath = (leaderboard: string) => `${leaderboardPath(leaderboard)}/seasons`;
export const seasonPath = ({ leaderboard, season }: SeasonKey) => `${seasonsPath(leaderboard)}/${season}`;
/**
 * Statuses of players for seasons to come. They lie below the definition, as they hold for all seasons and boards that
 * it has.
 */
export const playerStatusesPath = (leaderboard: string) => `${definitionPath(leaderboard)}/player_statuses`;
export const playerStatusPath = (leaderboard: string, player: string) =>
  `${playerStatusesPath(leaderboard)}/${player}`;
/** How many boards of a template were opened today. */
export const newBoardsPath = (leaderboard: string) => `${newBoardsCollection(leaderboard)}/today`;
export const newBoardsCollection = (leaderboard: string) => `${definitionPath(leaderboard)}/new_boards`;
/** Events lie below the leaderboard: an event outlives its season, and one trigger hears the events of all seasons. */
export const eventsPath = (leaderboard: string) => `${leaderboardPath(leaderboard)}/events`;
export const eventPath = (leaderboard: string, event: string) => `${eventsPath(leaderboard)}/${event}`;
/** The board of an event's path; empty for a document in a collection `events` that is not Firerank's. */
export function leaderboardOfEvent(path: string): string {
  const [first, leaderboard = "", collection, ...rest] = path.split("/");
  return first === leaderboardsPath && collection === "events" && rest.length === 1 ? leaderboard : "";
}
export const playersPath = (key: SeasonKey) => `${seasonPath(key)}/players`;
export const playerPath = (key: SeasonKey, player: string) => `${playersPath(key)}/${player}`;
export const shardsPath = (key: SeasonKey) => `${seasonPath(key)}/scores`;
/** The receipt for a version of a player's document that a direct write made or destroyed. */
export const receiptPath = (key: SeasonKey, receipt: string) => `${receiptsPath(key)}/${receipt}`;
export const receiptsPath = (key: SeasonKey) => `${seasonPath(key)}/receipts`;
export const repairNotePath = (key: SeasonKey) => `${seasonPath(key)}/repair/current`;
export const shardPath = (key: SeasonKey, shard: number | string, slotEndsAtMs: number) =>
  `${shardsPath(key)}/${shard}-${slotEndsAtMs}`;
export const pagesPath = (key: SeasonKey) => `${seasonPath(key)}/scores_ranking`;
/** The copies of rankings as they were at midnights: movement compares with them. */
export const baselinesPath = (key: SeasonKey) => `${seasonPath(key)}/baselines`;
/** The document below which pages lie: a season, or one of its copies from midnights. */
export const rankingPath = (key: RankingKey) =>
  key.baseline === undefined ? seasonPath(key) : `${baselinesPath(key)}/${key.baseline}`;
/** A name for each ranking. The segments of a season share pages, so a segment's name is no path. */
export const rankingName = (key: RankingKey) =>
  key.segment === undefined ? rankingPath(key) : `${segmentPagesPath(key)}/${key.segment}`;
/** The pages of a season or of a copy; apps read only a season's pages. */
export const rankingPagesPath = (key: RankingKey) => `${rankingPath(key)}/scores_ranking`;
/** The pages of all segments. */
export const segmentPagesPath = (key: SeasonKey) => `${seasonPath(key)}/segments_ranking`;
export const segmentPagePath = (key: SeasonKey, page: number) => `${segmentPagesPath(key)}/${page}`;
export const pagePath = (key: RankingKey, page: number) => `${rankingPagesPath(key)}/${page}`;
export const topPath = (key: SeasonKey) => `${seasonPath(key)}/top/current`;
/** The teams of a segment. No segment's name has a hyphen. */
export const teamsPath = (key: SeasonKey, segment: string) => `${seasonPath(key)}/top/teams-${segment}`;
/** Groups of a season's league, by tier and number: `bronze-1`. */
export const groupsPath = (key: SeasonKey) => `${seasonPath(key)}/league_groups`;
export const groupPath = (key: SeasonKey, group: string) => `${groupsPath(key)}/${group}`;
/** Private groups lie below the leaderboard: they go on from season to season. */
export const privateGroupsPath = (leaderboard: string) => `${leaderboardPath(leaderboard)}/private_groups`;
export const privateGroupPath = (leaderboard: string, group: string) =>
  `${privateGroupsPath(leaderboard)}/${group}`;
/** The codes with which players join private groups. They are not in the groups, whose members read these. */
export const groupCodesPath = (leaderboard: string) => `${leaderboardPath(leaderboard)}/group_codes`;
export const groupCodePath = (leaderboard: string, code: string) => `${groupCodesPath(leaderboard)}/${code}`;
export const standingsCollection = (key: SeasonKey) => `${seasonPath(key)}/standings`;
export const standingsSummaryPath = (key: SeasonKey, part = 0) =>
  `${seasonPath(key)}/standings/summary${part === 0 ? "" : `-${part}`}`;
export const standingsPath = (key: SeasonKey, n: number) => `${seasonPath(key)}/standings/${n}`;
export const standingsMetadataPath = (key: SeasonKey, n: number) =>
  `${seasonPath(key)}/standings/${n}-metadata`;
/** Notes of players whom an admin changed while the season was closing. */
export const closingNotesPath = (key: SeasonKey) => `${seasonPath(key)}/closing_notes`;
export const closingNotePath = (key: SeasonKey, note: string) => `${closingNotesPath(key)}/${note}`;
/** The progress of a range of players whose standings are being written. */
export const closingRangesPath = (key: SeasonKey) => `${seasonPath(key)}/closing_ranges`;
export const closingRangePath = (key: SeasonKey, range: number) => `${closingRangesPath(key)}/${range}`;
export const runsPath = (key: SeasonKey) => `${seasonPath(key)}/runs`;
export const runPath = (key: SeasonKey, run: string) => `${runsPath(key)}/${run}`;

/** The season of a path such as `leaderboards/chess/seasons/all_time`. */
export function seasonOfPath(path: string): SeasonKey {
  const [, leaderboard, , season] = path.split("/");
  if (leaderboard === undefined || season === undefined)
    throw new Error(`${path} is not the path of a season`);
  return { leaderboard, season };
}

/** The season of a player's document on a board of a template; undefined for any other document. */
export function templateSeasonOf(path: string): SeasonKey | undefined {
  const [first, leaderboard = "", seasons, season = "", players, ...rest] = path.split("/");
  const isPlayer = first === leaderboardsPath && seasons === "seasons" && players === "players";
  return isPlayer && rest.length === 1 && isOfTemplate(leaderboard) ? { leaderboard, season } : undefined;
}

/** Whether a path is the path of a Firerank season, and not of a document in an owner's own collection `seasons`. */
export function isSeasonPath(path: string): boolean {
  const [first, , collection, ...rest] = path.split("/");
  return first === leaderboardsPath && collection === "seasons" && rest.length === 1;
}
