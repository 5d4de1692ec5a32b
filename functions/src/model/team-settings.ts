/** How a segment's values are ranked as teams: a part of the definition. */
import { z } from "zod";
import { teamBestMax } from "./limits.ts";

const count = z.int().min(1, "must be at least 1");

/** How the values of a segment are ranked as teams: by what their players have together. */
export const teamSettings = z
  .strictObject({
    by: z.enum(["sum", "mean", "best"]),
    /** Of how many of its best players a team has the sum. */
    best: count.max(teamBestMax, `must be at most ${teamBestMax}`).optional(),
    /** A team with fewer players is not ranked. */
    min_players: count.optional(),
  })
  .refine(({ by, best }) => (by === "best") === (best !== undefined), {
    path: ["best"],
    message: 'must say how many players count if `by` is "best", and only then',
  });

export type TeamSettings = z.infer<typeof teamSettings>;
