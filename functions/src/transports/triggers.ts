/** The functions that start automatically: on a write of a player's document, every minute, every day. */
import { onDocumentWritten } from "firebase-functions/firestore";
import { onSchedule } from "firebase-functions/scheduler";
import { enqueueDueEnds } from "../closing/schedule.ts";
import { changedPlayer } from "../indexing/changed-player.ts";
import { followPlayer } from "../indexing/follow-player.ts";
import { enqueueDueRuns } from "../ranking/schedule.ts";
import { enqueueAudits } from "../repair/schedule.ts";
import { labels } from "./labels.ts";
import { database, memoryMib, region } from "./params.ts";
import { rankSoonOnEmulator, runtimeServices } from "./runtime.ts";

/**
 * Keeps the inverted index in step with players' documents, and the top live. Retried for a day: the documents decide
 * what there is to do, so a late or repeated retry does no harm.
 */
export const indexPlayer = onDocumentWritten(
  {
    document: "leaderboards/{leaderboard}/seasons/{season}/players/{player}",
    database,
    region,
    labels,
    memory: memoryMib,
    retry: true,
  },
  async ({ params: { leaderboard, season, player }, data }) => {
    const change = { before: data?.before.data(), after: data?.after.data() };
    await followPlayer(runtimeServices(), { leaderboard, season }, changedPlayer(data, player), change);
    rankSoonOnEmulator({ leaderboard, season });
  },
);

/** Enqueues, every minute, a run of each season that is due. */
export const rankSeasons = onSchedule(
  { schedule: "* * * * *", region, labels, memory: memoryMib },
  async () => {
    await enqueueDueRuns(runtimeServices());
  },
);

/** Enqueues, every minute, the next closing step of each season whose end is due. */
export const closeSeasons = onSchedule(
  { schedule: "* * * * *", region, labels, memory: memoryMib },
  async () => {
    await enqueueDueEnds(runtimeServices());
  },
);

/**
 * Enqueues, every day, an audit of each season that published since its last audit. Retried if it fails, as the next
 * day is far away; it continues where it stopped.
 */
export const auditSeasons = onSchedule(
  { schedule: "every 24 hours", region, labels, memory: memoryMib, timeoutSeconds: 540, retryCount: 3 },
  async () => {
    await enqueueAudits(runtimeServices());
  },
);
