/**
 * Chaos: players and a server submit, triggers look on and runs publish, all for real, while the worker processes of the
 * Functions emulator are killed in the middle of their work. Who gets no answer submits again with the same id. In the
 * end each submission counts once. That no reader ever sees half a generation is shown by the simulation.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { playersPath } from "../../functions/src/documents/paths.ts";
import { CallableError } from "../../scripts/callable-client.ts";
import { emulatorsPid, functionsWorkers } from "../../scripts/functions-workers.ts";
import { kill } from "../../scripts/processes.ts";
import { seededRandom } from "../support/arbitraries.ts";
import { type Executions, watchExecutions } from "../support/executions.ts";
import { eventually, useLive } from "../support/live.ts";
import { expectConserved, expectConverged, expectRanked } from "../support/oracle.ts";
import { slowness } from "../support/patience.ts";
import { startSchedule } from "../support/schedule.ts";

const hub = process.env["FIREBASE_EMULATOR_HUB"] ?? "";
const random = seededRandom(Number(process.env["FIRERANK_SEED"]));

/** The functions of each phase in the life of a score, which are killed until each phase was met so often. */
const phases = {
  submission: ["submitScore", "submitScores"],
  trigger: ["indexPlayer"],
  run: ["runRanking", "stepSeason", "stepSmallSeasons"],
};
const killsPerPhase = 3;
/** The latest moment to kill an execution after its start: the first one in a new process takes that long. */
const killMsMax = 400;
const submissionsMin = 200;
const playersAtOnce = 8;

/*
 * Times on an idle machine. The emulator never answers a caller whose process died while it was starting, and the locks
 * of a dead process last a minute.
 */
const stormMsMax = 180_000;
const callMsMax = 8_000;
const patientCallMsMax = 30_000;
const answerMsMax = 100_000;

const live = useLive();
let executions: Executions;
beforeAll(async () => {
  executions = await watchExecutions(hub);
});
afterAll(() => executions.close());

/** Executions that were cut off, by the emulator's log: a kill that came too late does not count. */
const killsIn = (names: readonly string[]) => names.reduce((sum, name) => sum + executions.broken(name), 0);
const isMet = (names: readonly string[]) => killsIn(names) >= killsPerPhase;

test("every answered submission is ranked, although processes were killed in the middle of submissions, triggers and runs", async () => {
  const board = await live.board({ aggregation: "sum", ranking_interval_minutes: 0.05 });
  const { key, leaderboard } = board;
  /** By player, score by submission id. */
  const answered = new Map<string, Map<string, number>>();
  let waiting: { player: string; score: number; id: string }[] = [];
  let made = 0;

  async function attempt(submission: (typeof waiting)[number], asServer: boolean, msMax: number) {
    const { player: name, score, id } = submission;
    const player = live.uid(name);
    const scored = { score, submission_id: id };
    try {
      if (asServer) {
        const submissions = [{ player, ...scored }];
        const { results } = await within(
          msMax,
          live.admin.call("submitScores", { leaderboard, submissions }),
        );
        for (const result of results) if ("error" in result) throw new CallableError("busy", "ABORTED");
      } else {
        const client = await live.as(name);
        await within(msMax, client.call("submitScore", { leaderboard, ...scored }));
      }
      answered.set(player, (answered.get(player) ?? new Map<string, number>()).set(id, score));
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      waiting.push(submission);
    }
  }

  /** A few players at a time, each with fewer submissions than are remembered; then the next few. */
  async function submitting(asServer: boolean) {
    while (!isOver()) {
      const group = Math.floor(made / (6 * playersAtOnce));
      const player = `p${group * playersAtOnce + Math.floor(random() * playersAtOnce)}`;
      const score = 1 + Math.floor(random() * 1_000);
      await attempt({ player, score, id: `${made++}` }, asServer, callMsMax);
    }
  }

  /** An impatient admin who keeps requesting runs, whatever their results. */
  async function ranking() {
    const ask = () => live.admin.call("runRanking", { leaderboard, include_open_slot: random() < 0.8 });
    while (!isOver()) await within(callMsMax, ask()).catch(() => undefined);
  }

  await attempt({ player: "first", score: 500, id: "first" }, true, patientCallMsMax);
  await board.rank();
  const stopKilling = await startKilling();
  // Its problems are calls that were cut off.
  const stopSchedule = startSchedule(1_000);
  const endMs = Date.now() + stormMsMax * Math.min(3, slowness());
  const isOver = () => Date.now() > endMs || (Object.values(phases).every(isMet) && made >= submissionsMin);
  await Promise.all([submitting(true), submitting(false), submitting(false), ranking()]);
  stopKilling();
  await stopSchedule();
  console.log(`${waiting.length} of ${made} submissions are sent again.`);
  const answerMs = Date.now() + answerMsMax * slowness();
  while (waiting.length > 0) {
    expect(Date.now(), "some submissions were never answered").toBeLessThan(answerMs);
    const again = waiting;
    waiting = [];
    await Promise.all(again.map((one) => attempt(one, random() < 0.5, patientCallMsMax)));
  }

  await eventually(() => expectConverged(live, key));
  await board.rank();
  await eventually(async () => {
    await expectConserved(live, key);
    await expectRanked(live, key);
  });
  const { docs } = await live.db.collection(playersPath(key)).get();
  const stored = docs.map((player) => ({
    player: player.id,
    score: player.get("score") as unknown,
    ids: (player.get("submission_ids") as string[]).toSorted(),
  }));
  const wanted = Array.from(answered, ([player, own]) => ({
    player,
    score: [...own.values()].reduce((sum, score) => sum + score, 0),
    ids: [...own.keys()].toSorted(),
  }));
  const byPlayer = (a: { player: string }, b: { player: string }) => (a.player < b.player ? -1 : 1);
  expect(stored.toSorted(byPlayer)).toEqual(wanted.toSorted(byPlayer));
  for (const names of Object.values(phases)) expect(isMet(names), names.join()).toBe(true);
});

/** Kills executions of the phases that were not met often enough. @returns a function that ends this. */
async function startKilling(): Promise<() => void> {
  const pid = await emulatorsPid(hub);
  let aims = false;
  let isStopped = false;
  const strike = (name: string) => {
    aims = false;
    if (isStopped || executions.underWay(name) === 0) return;
    // The emulator gives a call to the oldest idle worker, so that the oldest is the busiest.
    const worker = functionsWorkers(pid).find((candidate) => candidate.name === name);
    if (worker !== undefined) kill([worker.process]);
  };
  executions.onBegun((name) => {
    const phase = Object.values(phases).find((names) => names.includes(name));
    if (phase === undefined || aims || isStopped || isMet(phase)) return;
    aims = true;
    // Mostly early: any other execution is over after 10 or 20 ms.
    setTimeout(strike, random() ** 4 * killMsMax, name);
  });
  return () => {
    isStopped = true;
  };
}

/** UNKNOWN is the emulator's own answer for a process that died; INTERNAL and ABORTED are the functions'. */
function isWorthRetrying(error: unknown): boolean {
  const passing = ["UNREACHABLE", "UNKNOWN", "INTERNAL", "ABORTED"];
  return error instanceof CallableError && passing.includes(error.status);
}

/** The promise, or an error like that of a broken connection if it takes longer than `ms`, on an idle machine. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallableError("no answer in time", "UNREACHABLE")), ms * slowness());
  });
  return Promise.race([promise, tooLong]).finally(() => clearTimeout(timer));
}
