/**
 * The seasons that run on as they began after a change of the board's time zone or first day of the week; a
 * field of the leaderboard's document. Each applies until it closes, at the first boundary of the new
 * calendar at or after its old end.
 */
import { z } from "zod";
import { Timestamp } from "./firestore.ts";

const time = z.instanceof(Timestamp);
const running = z.array(z.object({ season: z.string(), opens_at: time, closes_at: time }));

export const storedRunningSeasons = z
  .object({ daily: running.optional(), weekly: running.optional(), monthly: running.optional() })
  .catch({});
export type RunningSeasons = z.infer<typeof storedRunningSeasons>;
export type RunningSeason = z.infer<typeof running>[number];
