/** The answer of `getTeams`. */
import { z } from "zod";
import { asOfRanks, generation, named, nextCursor, rankNumber, seasonAnswered } from "./answers.ts";

const teamSchema = z.object({
  team: z.string().describe("The value of the segment."),
  place: rankNumber.describe(
    "Place in the list, which no two teams share: equal ones are in the order of names.",
  ),
  rank: rankNumber.describe("1 + teams that are better."),
  score: z
    .number()
    .describe("What the team is ranked by, as the number next to it: ranks are those of the exact sums."),
  players: z.int().min(1).describe("Players of the team who are ranked."),
});

export const teamsSchema = named(
  "Teams",
  "The values of a segment, ranked by what their players have together.",
  {
    ...seasonAnswered,
    entries: z.array(teamSchema),
    next_cursor: nextCursor("next teams"),
    teams: z.int().min(0).describe("Teams ranked."),
    as_of: asOfRanks,
    generation,
  },
);
export type TeamsAnswer = z.infer<typeof teamsSchema>;
