/**
 * All systems at once, each behind its own function: first their answers are compared, then they are measured in turns.
 */
import type { Board, Question } from "./board.ts";
import { callOnce, type Firestore, serve, type Served } from "./framework.ts";
import { type Load, measure, type Measured } from "./load.ts";
import type { Stored, System } from "./systems.ts";

/** A running system. */
export interface Contestant {
  system: System;
  stored: Stored;
  served: Served;
}

/** Where the parts run. */
export interface Stage {
  board: Board;
  firestore: Firestore;
  /** A folder that is deleted afterwards. */
  folder: string;
  /** The command that keeps functions to a core, if one does. */
  pinned: readonly string[];
  /** The callable that is served; `getRank` if left out. */
  target?: string;
}

/** Starts all systems, does the work and stops everything that was started, even if something fails. */
export async function withContestants<T>(
  systems: readonly System[],
  { board, firestore, folder, pinned, target = "getRank" }: Stage,
  work: (contestants: Contestant[]) => Promise<T>,
): Promise<T> {
  const started: Pick<Stored, "stop">[] = [];
  try {
    const contestants: Contestant[] = [];
    for (const system of systems) {
      const stored = await system.store(board, folder);
      started.push(stored);
      const served = await serve(stored, firestore, pinned, target);
      started.push(served);
      contestants.push({ system, stored, served });
    }
    return await work(contestants);
  } finally {
    for (const running of started.reverse()) await running.stop?.();
  }
}

/** Asks each system each question. @throws naming the first answer that a full sort would not give */
export async function checkAnswers(
  contestants: readonly Contestant[],
  { leaderboard, scores }: Board,
  questions: readonly Question[],
): Promise<void> {
  for (const { score, rank: right } of questions) {
    const expected = JSON.stringify({ rank: right, exact: true, players: scores.length });
    for (const { system, served } of contestants) {
      const { rank, exact, players } = await callOnce(served.url, { leaderboard, score });
      const found = JSON.stringify({ rank, exact, players });
      if (found !== expected)
        throw new Error(`${system.name} answered ${found} for ${score}, and right is ${expected}`);
    }
  }
}

/** One measurement of one system: over many connections, or one. */
export interface Sample extends Measured {
  system: string;
  kind: "busy" | "alone";
}

/** Measures all systems in turns, so that other load on the machine affects them equally. The first turn warms up. */
export async function measureInTurns(
  contestants: readonly Contestant[],
  next: Load["next"],
  { connections, seconds, repeats }: { connections: number; seconds: number; repeats: number },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let repeat = 0; repeat <= repeats; repeat++) {
    for (const kind of ["busy", "alone"] as const) {
      for (const { system, stored, served } of contestants) {
        const load = { url: served.url, next, connections: kind === "busy" ? connections : 1, seconds };
        const measured = await measure(load, served.pid, stored.pid);
        if (repeat > 0) samples.push({ system: system.name, kind, ...measured });
      }
    }
  }
  return samples;
}

/** Asks these questions, one after the other, again and again. */
export function asking({ leaderboard }: Board, questions: readonly Question[]): Load["next"] {
  let asked = 0;
  return () => ({ data: { leaderboard, score: questions[asked++ % questions.length]?.score } });
}
