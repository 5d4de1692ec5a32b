/** What starts by itself: at a write of a player's document, each minute, each day. */
import { onDocumentWritten } from "firebase-functions/firestore";
import { onSchedule } from "firebase-functions/scheduler";
import { enqueueDueEnds } from "../closing/schedule.ts";
import { changedPlayer } from "../indexing/changed-player.ts";
import { followPlayer } from "../indexing/follow-player.ts";
import { enqueueDueRuns } from "../ranking/schedule.ts";
import { enqueueAudits } from "../repair/schedule.ts";
import { memoryMib, region } from "./params.ts";
import { runtimeServices } from "./runtime.ts";

/**
 * Keeps the inverted index true to players' documents, and the top live. Retried for a day: what an event asks for is decided by
 * the documents, so that a retry is never too late and never one too many.
 */
export const indexPlayer = onDocumentWritten(
  {
    document: "leaderboards/{leaderboard}/seasons/{season}/players/{player}",
    region,
    memory: memoryMib,
    retry: true,
  },
  async ({ params: { leaderboard, season, player }, data }) => {
    const change = { before: data?.before.data(), after: data?.after.data() };
    await followPlayer(runtimeServices(), { leaderboard, season }, changedPlayer(data, player), change);
  },
);

/** Asks, each minute, for a run of each season that is due. */
export const rankSeasons = onSchedule({ schedule: "* * * * *", region, memory: memoryMib }, async () => {
  await enqueueDueRuns(runtimeServices());
});

/** Asks, each minute, for the next step of each season whose end is due. */
export const closeSeasons = onSchedule({ schedule: "* * * * *", region, memory: memoryMib }, async () => {
  await enqueueDueEnds(runtimeServices());
});

/**
 * Asks, each day, for an audit of each season that published since its last one. Tried again if it fails, as a day is
 * long; it goes on where it stopped.
 */
export const auditSeasons = onSchedule(
  { schedule: "every 24 hours", region, memory: memoryMib, timeoutSeconds: 540, retryCount: 3 },
  async () => {
    await enqueueAudits(runtimeServices());
  },
);
