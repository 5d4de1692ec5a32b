/** The teams of a segment as callers get them. Pure: clients that listen to the document use the same code. */
import type { SeasonKey } from "../documents/paths.ts";
import type { Teams } from "../documents/teams.ts";
import type { TeamsAnswer } from "../model/team-answers.ts";
import { type Instant, isoTime } from "../model/instant.ts";

/** A document of teams, as any Firestore library reads it. */
export type TeamsRead = Pick<Teams, "entries" | "generation"> & { as_of: Instant };

/**
 * The answer of `getTeams` from a document of teams.
 * @param from how many teams are left out. @param limit how many there are at most, by default all.
 */
export function teamsAnswer(
  { leaderboard, season }: SeasonKey,
  { entries, as_of, generation }: TeamsRead,
  from = 0,
  limit = entries.length,
): TeamsAnswer {
  const shown = entries.slice(from, from + limit);
  return {
    leaderboard,
    season,
    entries: shown.map(({ team, rank, score, players }, i) => {
      return { team, place: from + i + 1, rank, score, players };
    }),
    teams: entries.length,
    as_of: isoTime(as_of),
    generation,
  };
}

/** The teams before the first publication. */
export function noTeams(readAt: Instant): TeamsRead {
  return { entries: [], as_of: readAt, generation: 0 };
}
