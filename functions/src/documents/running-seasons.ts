/**
 * A field of the leaderboard's document: the seasons that run on as they began after its time zone or first day of the
 * week changed, each until the first boundary of the new calendar at or after its old end.
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
