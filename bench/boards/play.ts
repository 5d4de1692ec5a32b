/**
 * Plays boards for some hours, with production's own functions on a database in memory, and counts what they are billed,
 * each part by itself.
 *
 * Time is the play's own. No call takes time, and none comes at once with another, so no two scores share a commit. Each
 * function has one instance, whose memory lasts as long as in production. A queue delivers each task once, when the task
 * is due. What the app calls itself, `submitScore` and `getRank`, is billed for Firestore alone, and the trigger is not
 * deployed.
 */
import { enqueueDue } from "../../functions/src/jobs/schedule/schedule.ts";
import { stepJob, stepTogether } from "../../functions/src/jobs/schedule/step.ts";
import { shardCommitsApartMs } from "../../functions/src/model/limits.ts";
import { getRankSpec } from "../../functions/src/operations/get-rank.ts";
import { saveLeaderboardSpec } from "../../functions/src/operations/save-leaderboard.ts";
import { createServices } from "../../functions/src/operations/shared/services.ts";
import { answer } from "../../functions/src/operations/shared/spec.ts";
import { submitScoreSpec } from "../../functions/src/operations/submit-score.ts";
import { refreshWhenDue } from "../../functions/src/groups/refresh.ts";
import type { Services } from "../../functions/src/world/services.ts";
import type { JobRequest, SharedStep } from "../../functions/src/world/tasks.ts";
import { createLocks, patient } from "../../simulate/memory/locks.ts";
import { createStore } from "../../simulate/memory/store.ts";
import { createClient, soon } from "../../simulate/memory/wire/connect.ts";
import { createLedger, type Kind } from "./ledger.ts";
import { billRequests } from "./requests.ts";
import { createTimeline } from "./timeline.ts";

export type Play = ReturnType<typeof startPlay>;

const admin = { uid: "bench", role: "admin" } as const;
const minuteMs = 60_000;
/** When in its minute the schedule starts. */
const tickMs = 1_000;
const auditMinute = 4 * 60;

/** Starts a play without boards. It is one function, as all of it works on one clock. */
export function startPlay(startMs: number) {
  let nowMs = startMs;
  let ids = 0;
  const store = createStore(() => nowMs);
  const { db } = createClient({ store, locks: createLocks(patient) }, soon);
  const timeline = createTimeline();
  const ledger = createLedger();
  billRequests(db, (read) => ledger.current(read));
  store.observe((changes) => {
    for (const change of changes) ledger.changed(change);
  });

  const instance = (): Services =>
    createServices({
      db,
      now: () => nowMs,
      random: () => 0.5,
      newId: () => `id-${++ids}`,
      sleep: () => Promise.resolve(),
      log: {
        info(message) {
          if (message === "published a ranking") ledger.published();
        },
        warn: console.warn,
        error: console.error,
      },
      enqueueJob: (request, taskId, delaySeconds) =>
        enqueue(taskId, nowMs + 1_000 * delaySeconds, kindOf(request), () =>
          request.job === "shared" ? stepEach(request.steps) : stepJob(stepper, request),
        ),
      enqueueTopRefresh: (request, taskId) =>
        enqueue(taskId, Date.parse(request.due_at), "refreshes", () => refreshWhenDue(refresher, request)),
      intervalMinutesMin: 1,
      shardCommitsApartMs,
    });
  const [submitter, asked, scheduler] = [instance(), instance(), instance()];
  const [stepper, refresher] = [instance(), instance()];

  const requested = new Set<string>();
  function enqueue(taskId: string, dueMs: number, kind: Kind, work: () => Promise<void>): Promise<void> {
    const asking = ledger.current();
    if (asking !== undefined) asking.queued += 1;
    if (!requested.has(taskId)) timeline.at(Math.max(nowMs, dueMs), () => ledger.call(kind, "task", work));
    requested.add(taskId);
    return Promise.resolve();
  }

  /** Steps that share a task, one after the other, so that each is billed by itself. */
  async function stepEach(steps: readonly SharedStep[]): Promise<void> {
    for (const step of steps)
      await ledger.call(kindOf(step.request), "shared task", () => stepTogether(stepper, [step]));
  }

  async function tick(): Promise<void> {
    timeline.at(nowMs + minuteMs, tick);
    const isAuditMinute = Math.floor(nowMs / minuteMs) % 1_440 === auditMinute;
    await ledger.call(isAuditMinute ? "daily look" : "schedule", "schedule", () => enqueueDue(scheduler));
  }
  timeline.at(Math.ceil((startMs - tickMs) / minuteMs) * minuteMs + tickMs, tick);

  return {
    /** Where all is stored, for who puts something there that nobody is billed for. */
    store,
    db,
    now: () => nowMs,
    /** Makes a board, which nobody is billed for. */
    async createBoard(leaderboard: string, definition: object = {}): Promise<void> {
      await answer(saveLeaderboardSpec, submitter, { leaderboard, definition }, admin);
    },
    /** A player's score at a time. */
    score(atMs: number, leaderboard: string, player: string, score: number): void {
      const submit = () => answer(submitScoreSpec, submitter, { leaderboard, score }, { uid: player });
      timeline.at(atMs, () => ledger.call("scores", "app", submit));
    },
    /** A player's question for the own rank. */
    rank(atMs: number, leaderboard: string, player: string): void {
      const ask = () => answer(getRankSpec, asked, { leaderboard }, { uid: player });
      timeline.at(atMs, () => ledger.call("ranks", "app", ask));
    },
    /** Lets all happen that is due before a time. */
    pass: (untilMs: number) =>
      timeline.until(untilMs, (atMs) => {
        nowMs = atMs;
      }),
    /** What was billed since the last time. */
    take: () => ledger.take(),
  };
}

/** A task of a season is a look until it publishes something. */
function kindOf({ job }: JobRequest): Kind {
  if (job === "shared") return "shared tasks";
  if (job === "ranking") return "looks";
  return job === "end" ? "season ends" : "audits";
}
