/** The answers of the calls about private groups. */
import { z } from "zod";
import { named, rankNumber, seasonAnswered } from "./answers.ts";

const time = z.iso.datetime();
const group = z.string();
const name = z.string().describe("The name of the group.");
const code = z.string().describe("With this, other players join: `7KQ2-M9XD-4TPAW`.");

export const groupMadeSchema = named("GroupMade", "A group that was made.", { group, code, name });
export type GroupMade = z.infer<typeof groupMadeSchema>;

export const groupJoinedSchema = named(
  "GroupJoined",
  "The group of a code, of which the player is a member now.",
  {
    group,
    name,
  },
);
export type GroupJoined = z.infer<typeof groupJoinedSchema>;

export const groupLeftSchema = named("GroupLeft", "A group that was left or deleted.", { group });
export type GroupLeft = z.infer<typeof groupLeftSchema>;

export const memberRemovedSchema = named("MemberRemoved", "A group without a member.", {
  group,
  code: code.describe("The group's new code: the one of before leads nowhere."),
});
export type MemberRemoved = z.infer<typeof memberRemovedSchema>;

const member = named("GroupMember", "One member of a private group.", {
  place: rankNumber.describe("1-based, and never shared: by score, then `achieved_at`, then id."),
  rank: rankNumber
    .optional()
    .describe("1 + members with a better score; absent without a score this season."),
  player: z.string(),
  score: z.number().optional(),
  columns: z.record(z.string(), z.int()).optional(),
  display_name: z.string().optional(),
});

const state = z
  .enum(["open", "ending", "ended"])
  .describe("`ending` after the end, until the last scores are in; `ended` once the places are final.");

export const privateGroupSchema = named("Group", "A private group in a season.", {
  ...seasonAnswered,
  group,
  name,
  owner: z.string().optional().describe("Who may rename it, remove members and delete it."),
  state,
  place: rankNumber.nullable().describe("The caller's own; null for one who is not shown."),
  entries: z.array(member).describe("All members, best first; those without a score this season are last."),
  players: z.int().min(0).describe("Members."),
  size: z.int().min(2).describe("How many members it may have."),
  ends_at: time.nullable().describe("Null for a group that goes on from season to season."),
  code: code.optional().describe("If the request has `with_code`."),
  as_of: time.describe("When the group was written last."),
});
export type PrivateGroupAnswer = z.infer<typeof privateGroupSchema>;

export const myGroupsSchema = z
  .object({
    leaderboard: z.string(),
    groups: z.array(
      z.object({
        group,
        name,
        season: z.string().describe("The season whose scores it showed last."),
        state,
        players: z.int().min(0).describe("Members."),
        is_owner: z.boolean(),
        ends_at: time.nullable(),
      }),
    ),
  })
  .meta({ id: "MyGroups", description: "The private groups of a board in which a player is." });
export type MyGroupsAnswer = z.infer<typeof myGroupsSchema>;
