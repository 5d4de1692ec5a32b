/** Kills the Functions emulator's worker processes in the middle of their work, at moments that a seed decides. */
import { emulatorsPid, functionsWorkers } from "../../../../scripts/functions-workers.ts";
import { kill } from "../../../../scripts/processes.ts";
import type { Executions } from "../../../support/executions.ts";

/** The functions of each phase in the life of a score. */
export const phases = {
  submission: ["submitScore", "submitScores"],
  trigger: ["indexPlayer"],
  run: ["runRanking", "stepSeason"],
} as const;

export type Phase = keyof typeof phases;

export interface Killer {
  /** Executions cut off so far, by the emulator's log: a kill that came too late does not count. */
  kills(): Record<Phase, number>;
  /** Whether each phase has been met as often as wanted. */
  isDone(): boolean;
  /** Stops killing. */
  stop(): void;
}

/** The latest moment to kill an execution after its start: the first one in a new process takes that long. */
const delayMsMax = 400;

/** Kills until each phase has been met so often; then the functions of that phase are left alone. */
export async function startKiller(parts: {
  hub: string;
  executions: Executions;
  random: () => number;
  killsPerPhase: number;
}): Promise<Killer> {
  const { hub, executions, random, killsPerPhase } = parts;
  const pid = await emulatorsPid(hub);
  let aiming = false;
  let stopped = false;
  const names = Object.keys(phases) as Phase[];
  const killsIn = (phase: Phase) => phases[phase].reduce((sum, name) => sum + executions.broken(name), 0);
  const kills = () =>
    Object.fromEntries(names.map((phase) => [phase, killsIn(phase)])) as Record<Phase, number>;

  const strike = (name: string) => {
    aiming = false;
    if (stopped || executions.underWay(name) === 0) return;
    // The emulator gives a call to the oldest idle worker, so that the oldest is the busiest.
    const worker = functionsWorkers(pid).find((candidate) => candidate.name === name);
    if (worker !== undefined) kill([worker.process]);
  };
  executions.onBegun((name) => {
    const phase = names.find((candidate) => (phases[candidate] as readonly string[]).includes(name));
    if (phase === undefined || aiming || stopped || killsIn(phase) >= killsPerPhase) return;
    aiming = true;
    // Mostly early: any other execution is over after 10 or 20 ms.
    setTimeout(strike, random() ** 4 * delayMsMax, name);
  });
  return {
    kills,
    isDone: () => names.every((phase) => killsIn(phase) >= killsPerPhase),
    stop() {
      stopped = true;
    },
  };
}
