/**
 * The teams of a segment: `top/teams-{segment}`, one document beside the top. A generation writes it with its pages, if
 * the segment has `teams`; page 0 names the documents that there are (ranking/publish.ts). `getTeams` reads it, and apps
 * listen to it. It is deleted with the season, or by the first generation of a board whose segment has no teams any
 * more. Its list has the name of the top's, as fields of that name have no index.
 */
import { z } from "zod";
import { teamSettings } from "../model/team-settings.ts";
import { Timestamp } from "./firestore.ts";

const storedTeam = z.object({
  team: z.string(),
  rank: z.int(),
  score: z.number(),
  players: z.number(),
});
/** A line of the list. */
export type StoredTeam = z.infer<typeof storedTeam>;

export const storedTeams = z.object({
  /** By what the teams are ranked: what the board said when they were. */
  teams: teamSettings,
  generation: z.int().min(0),
  as_of: z.instanceof(Timestamp),
  /** All teams that are ranked, best first. */
  entries: z.array(storedTeam),
});

/** A document `top/teams-{segment}`. */
export type Teams = z.infer<typeof storedTeams>;

export function readTeams(data: Record<string, unknown> | undefined): Teams {
  return storedTeams.parse(data);
}
