/** The answer of `getLeague`. */
import { z } from "zod";
import { named, rankNumber, seasonAnswered } from "./answers.ts";
import { moves } from "./league-zones.ts";

const time = z.iso.datetime();

const zone = z
  .enum(["up", "down"])
  .describe("The tier to which the place leads; absent for places that stay, and as long as nobody moves.");

const memberSchema = named("LeagueMember", "One member of a group of a league.", {
  place: rankNumber.describe("1-based, and never shared: by score, then `achieved_at`, then id."),
  rank: rankNumber
    .optional()
    .describe("1 + members with a better score; absent where the score does not count."),
  player: z
    .string()
    .optional()
    .describe("Absent for a member who has left the league: the place stays, without id, score and name."),
  score: z.number().optional(),
  columns: z.record(z.string(), z.int()).optional(),
  display_name: z.string().optional(),
  zone: zone.optional(),
  move: z.enum(moves).optional().describe("What has become of the member, once the group is settled."),
});

const leagueGroupSchema = named("LeagueGroup", "The group of a week's league in which a player is.", {
  tier: z.string().describe("The id of the tier."),
  group: z.string(),
  state: z
    .enum(["open", "ending", "settled"])
    .describe(
      "`open` until the week ends; then `ending` for some minutes, in which the last scores come in and nothing is decided.",
    ),
  place: rankNumber.nullable().describe("The player's own; null for one who is not shown."),
  zone: zone.nullable(),
  next_place: rankNumber
    .nullable()
    .describe("The nearest place that leads farther up, or from the way down; null for one who goes up."),
  next_score: z.number().nullable().describe("The score of who has that place now."),
  entries: z.array(memberSchema).describe("All members, best first."),
  players: z.int().min(0).describe("Members."),
  ends_at: time.nullable(),
  as_of: time.describe("When the group was written last."),
});

export const leagueAnswerSchema = named("League", "A player's week in a board's league.", {
  ...seasonAnswered,
  league: leagueGroupSchema.nullable(),
  why: z
    .enum(["no_score", "seating", "too_late", "left", "not_ranked"])
    .optional()
    .describe(
      "Why `league` is null: the player has no score this week; waits for a seat, which takes seconds, or after a week's end some minutes; came too late this week; has left the league; or is not ranked.",
    ),
  last: z
    .object({
      season: z.string(),
      from: z.string(),
      to: z.string(),
      place: rankNumber,
      members: z.int().min(1),
    })
    .nullable()
    .describe("The last week that is settled: from which tier to which; null for a newcomer."),
});
export type LeagueAnswer = z.infer<typeof leagueAnswerSchema>;
