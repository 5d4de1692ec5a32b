/** Members of groups in a season that has closed: their scores are those of its final table. */
import type { Fields } from "../counting/commit-players.ts";
import type { MemberVersion } from "../documents/group.ts";
import type { SeasonKey } from "../documents/paths.ts";
import type { Season } from "../documents/season.ts";
import type { Services } from "../world/services.ts";

/** What groups need of final tables. Their folder, standings/, may import this one, and not the reverse. */
export interface FinalMembers {
  /**
   * A player of a closed season as the player's document would be; undefined for one who is not in the table. Cost: 1 read, and 1
   * for the summary in the minutes until the season is cleared.
   */
  fieldsIn(of: { key: SeasonKey; season: Season }, player: string): Promise<Fields | undefined>;
}

/** Never called: createServices makes what standings/final-tables.ts has instead (operations/shared/services.ts). */
export function finalMembers(): FinalMembers {
  throw new Error("the services were not made by createServices: nothing makes the members of final tables");
}

/**
 * Members as a season shows them: once it has closed, what a server writes into their documents does not count. Cost: nothing
 * for a season that has not closed; else 1 read for each member whose document has changed since the season began to close, and
 * 1 for the summary in the minutes until the season is cleared.
 */
export async function asSeasonShows(
  { memory }: Pick<Services, "memory">,
  key: SeasonKey,
  season: Season | undefined,
  members: readonly MemberVersion[],
): Promise<MemberVersion[]> {
  const { status, ended_at: endedAt } = season ?? {};
  if (season === undefined || status !== "closed" || endedAt === undefined) return [...members];
  return Promise.all(
    members.map(async (member) => {
      const { id, data, version } = member;
      if (data === undefined || version <= endedAt) return member;
      const fields = await memory(finalMembers).fieldsIn({ key, season }, id);
      const { status, league_seat } = data;
      return { ...member, data: { ...fields, status, league_seat } };
    }),
  );
}
